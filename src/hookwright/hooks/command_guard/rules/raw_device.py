"""Stops writing to disks, and making, wiping or removing file systems and volumes.

Why: an overwritten partition table cannot be restored, and one wrong letter is another disk.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.protected_paths import DISKS
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "raw-device"
EXAMPLES = {
    "dd if=/dev/zero of=/dev/sda bs=1M": "deny",
    "sudo mkfs.ext4 /dev/sdb1": "deny",
    "wipefs -a /dev/nvme0n1": "deny",
    "parted /dev/sda rm 1": "deny",
    "sgdisk --zap-all /dev/sda": "deny",
    "cryptsetup luksFormat /dev/sda2": "deny",
    "shred -n 3 /dev/sda": "deny",
    "zpool destroy tank": "deny",
    "diskutil eraseDisk JHFS+ New disk2": "deny",
    "fdisk /dev/sda": "ask",
    "lvremove -f vg/data": "deny",
    "gdd if=/dev/zero of=/dev/sda": "deny",
    "dd if=/dev/zero of=/dev/«hda|vda|xvda|mmcblk0|disk2|rdisk2|md0|dm-0|mapper/vg|loop0|mem|kmem|nbd0»": "deny",
    "dd if=/dev/zero of=/dev/«ada0|da0|da1»": "deny",
    "zpool labelclear /dev/sda": "deny",
    "zfs «destroy|rollback» tank/a": "deny",
    "diskutil «eraseVolume|reformat|partitionDisk|secureErase|zeroDisk» disk2": "deny",
    "diskutil apfs «deleteVolume|deleteContainer|eraseVolume» disk2": "deny",
    "nvme «format|sanitize» /dev/nvme0": "deny",
    "cryptsetup «erase|luksErase|luksKillSlot|reencrypt» /dev/sda2": "deny",
    "mdadm «--zero-superblock|--stop|--remove» /dev/md0": "deny",
    "btrfs subvolume delete /mnt/a": "deny",
    "hdparm --security-erase x /dev/sda": "deny",
    "«pvremove|vgremove|lvremove» «-f|-y|--force|--yes» vg": "deny",
    "badblocks -w /dev/sda": "deny",
    "wipefs «--all|-o 0|-t ext4» /dev/sda": "deny",
    "parted /dev/sda «mklabel|mktable|mkpart|resizepart» x": "deny",
    "echo d | fdisk /dev/sda": "deny",
    "«fdisk|cfdisk|gdisk» /dev/sda < script": "deny",
    "lvremove vg/data": "ask",
    "swapoff -a": "ask",
    "mount -o remount,rw /": "ask",
    "mkfs.ext4 disk.img": "ask",
    'dd if=image.iso of="$DISK"': "ask",
    "«cfdisk|gdisk» /dev/sda": "ask",
    "«pvremove|vgremove» vg": "ask",
    "«fsck|e2fsck|xfs_repair|tune2fs» /dev/sda1": "ask",
    "mount «-o|--options» remount,rw /data": "ask",
    "umount «-a|--all|-l|--lazy» /mnt/usb": "ask",
    "umount /": "ask",
    "fdisk -l": None,
    "parted -l": None,
    "dd if=/dev/sda of=/tmp/boot.img count=1": None,
    "dd if=/dev/urandom bs=32 count=1": None,
    "zpool status": None,
    "wipefs /dev/sda": None,
    "lsblk": None,
    "mount": None,
    "umount /mnt/usb": None,
    "mkfs.ext4 /dev/sdb1 «-n|--version|-V|--dry-run»": None,
    "sfdisk «-l|--list|--no-act|--print» /dev/sda": None,
    "blkdiscard -p 1M /dev/sda": None,
    "badblocks /dev/sda": None,
    "parted /dev/sda print": None,
    "fsck": None,
    "tune2fs disk.img": None,
    "diskutil apfs list": None,
    "btrfs subvolume list /mnt": None,
    "btrfs filesystem delete x": None,
    "mdadm --detail /dev/md0": None,
    "mount /dev/sdb1 /mnt/usb": None,
    "mount -o ro /dev/sdb1 /mnt/usb": None,
}

ASKING = ("-l", "--list", "-n", "--no-act", "--version", "-V", "--print", "-p", "--dry-run")
VERBS = {
    "zpool": "destroy labelclear",
    "zfs": "destroy rollback",
    "diskutil": "eraseDisk eraseVolume reformat partitionDisk secureErase zeroDisk apfs",
    "nvme": "format sanitize",
    "cryptsetup": "luksFormat erase luksErase luksKillSlot reencrypt",
    "mdadm": "",
    "btrfs": "subvolume",
    "hdparm": "",
}
REMOVES = ("pvremove", "vgremove", "lvremove")
LOOK = "lsblk"


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if program in ("dd", "gdd"):
        return check_dd(call)
    if program in VERBS:
        return check_volume_manager(call, program)
    disks = [word for word in call.args if word.startswith(DISKS)]
    if program in ("mount", "umount", "swapoff"):
        return check_mount(call)
    if program in REMOVES:
        return check_removal(call)
    if program == "badblocks" and not call.has_flag("-w"):
        return None
    if (program != "shred" and call.has_flag(*ASKING)) or (
        program == "wipefs" and not call.has_flag("-a", "--all", "-o", "-t")
    ):
        return None
    if program in ("fdisk", "cfdisk", "gdisk"):
        if disks and (call.producers or any(redirect.op[:1] == "<" for redirect in call.redirects)):
            return deny(f"`{format_call(call)}` changes the partitions of {disks[0]} without a look", LOOK)
        return ask(f"`{format_call(call)}` changes the partitions of a disk", LOOK) if disks else None
    if program == "parted" and not {"rm", "mklabel", "mktable", "mkpart", "resizepart"}.intersection(call.args):
        return None
    if disks and program in ("fsck", "e2fsck", "xfs_repair", "tune2fs"):
        return ask(f"`{format_call(call)}` changes the file system on {disks[0]}", LOOK)
    if disks:
        return deny(f"`{format_call(call)}` destroys what is on {disks[0]}", LOOK)
    if program in ("shred", "badblocks", "parted", "tune2fs", "fsck"):
        return None
    return (
        ask(f"`{format_call(call)}` makes a new, empty file system over what was there", LOOK)
        if call.operands()
        else None
    )


def check_removal(call: Call) -> Finding | None:
    if call.has_flag("--test", "-t", "-h", "-?"):
        return None
    said = f"`{format_call(call)}` removes a volume with everything on it"
    return deny(said, LOOK) if call.has_flag("-f", "-y", "--force", "--yes") else ask(said, LOOK)


def check_dd(call: Call) -> Finding | None:
    for word in call.args:
        if word.startswith("of="):
            if word.startswith(tuple("of=" + disk for disk in DISKS)):
                return deny(f"`{format_call(call)}` overwrites the disk {word[3:]}", LOOK)
            if not word.literal:
                return ask(f"`{format_call(call)}` overwrites something that is only known when it runs", LOOK)
    return None


def check_mount(call: Call) -> Finding | None:
    again = call.program == "mount" and "remount" in (call.option("-o", "--options") or "")
    if again or call.has_flag("-a", "--all", "-l", "--lazy") or "/" in call.operands():
        return ask(f"`{format_call(call)}` changes file systems under everything that runs", "findmnt")
    return None


def check_volume_manager(call: Call, program: str) -> Finding | None:
    verb = call.verb
    if program == "mdadm":
        hit = call.has_flag("--zero-superblock", "--stop", "--remove")
    elif program == "hdparm":
        hit = any(word.startswith("--security-erase") for word in call.args)
    elif program == "btrfs":
        hit = verb == "subvolume" and "delete" in call.args
    else:
        hit = verb in VERBS[program].split() and (
            verb != "apfs" or bool({"deleteVolume", "deleteContainer", "eraseVolume"} & {*call.args})
        )
    return deny(f"`{format_call(call)}` destroys a file system with everything on it", LOOK) if hit else None
