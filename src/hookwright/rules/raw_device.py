"""Stops writing to disks, and making, wiping or removing file systems and volumes.

Why: there is no way back from an overwritten partition table, and a wrong letter is the wrong disk.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
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
    "lvremove vg/data": "ask",
    "swapoff -a": "ask",
    "mount -o remount,rw /": "ask",
    "mkfs.ext4 disk.img": "ask",
    'dd if=image.iso of="$DISK"': "ask",
    "fdisk -l": None,
    "parted -l": None,
    "dd if=/dev/sda of=/tmp/boot.img count=1": None,
    "dd if=/dev/urandom bs=32 count=1": None,
    "zpool status": None,
    "wipefs /dev/sda": None,
    "lsblk": None,
    "mount": None,
    "umount /mnt/usb": None,
}

DISKS = ("/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/disk",
         "/dev/rdisk", "/dev/md", "/dev/dm-", "/dev/mapper/", "/dev/loop", "/dev/mem", "/dev/kmem",
         "/dev/nbd", "/dev/ada", "/dev/da0", "/dev/da1")  # fmt: skip
ASKING = ("-l", "--list", "-n", "--no-act", "--help", "--version", "-V", "--print", "-p", "--dry-run")
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
        return dd(call)
    if program in VERBS:
        return managed(call, program)
    disks = [word for word in call.args if word.startswith(DISKS)]
    if program in ("mount", "umount", "swapoff"):
        return mounts(call)
    if program in REMOVES:
        said = f"`{shown(call)}` removes a volume with everything on it"
        return deny(said, LOOK) if call.has_flag("-f", "-y", "--force", "--yes") else ask(said, LOOK)
    if program == "badblocks" and not call.has_flag("-w"):
        return None
    if (program != "shred" and call.has_flag(*ASKING)) or (
        program == "wipefs" and not call.has_flag("-a", "--all", "-o", "-t")
    ):
        return None
    if program in ("fdisk", "cfdisk", "gdisk"):
        if disks and (call.producers or any(redirect.op[:1] == "<" for redirect in call.redirects)):
            return deny(f"`{shown(call)}` changes the partitions of {disks[0]} without a look", LOOK)
        return ask(f"`{shown(call)}` changes the partitions of a disk", LOOK) if disks else None
    if program == "parted" and not {"rm", "mklabel", "mktable", "mkpart", "resizepart"}.intersection(call.args):
        return None
    if disks and program in ("fsck", "e2fsck", "xfs_repair", "tune2fs"):
        return ask(f"`{shown(call)}` changes the file system on {disks[0]}", LOOK)
    if disks:
        return deny(f"`{shown(call)}` destroys what is on {disks[0]}", LOOK)
    if program in ("shred", "badblocks", "parted", "tune2fs", "fsck"):
        return None
    return ask(f"`{shown(call)}` makes a new, empty file system over what was there", LOOK) if call.operands() else None


def dd(call: Call) -> Finding | None:
    for word in call.args:
        if word.startswith("of="):
            if word.startswith(tuple("of=" + disk for disk in DISKS)):
                return deny(f"`{shown(call)}` overwrites the disk {word[3:]}", LOOK)
            if not word.literal:
                return ask(f"`{shown(call)}` overwrites something that is only known when it runs", LOOK)
    return None


def mounts(call: Call) -> Finding | None:
    again = call.program == "mount" and "remount" in (call.option("-o", "--options") or "")
    if again or call.has_flag("-a", "--all", "-l", "--lazy") or "/" in call.operands():
        return ask(f"`{shown(call)}` changes file systems under everything that runs", "findmnt")
    return None


def managed(call: Call, program: str) -> Finding | None:
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
    return deny(f"`{shown(call)}` destroys a file system with everything on it", LOOK) if hit else None
