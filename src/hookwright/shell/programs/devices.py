"""Boards, chips and emulators: flashing takes a while, monitors and debug servers stay.

force    idf.py flash monitor
force    pio run -t upload
force    openocd -f board/stm32f4.cfg
suggest  esptool.py --port /dev/ttyUSB0 write_flash 0x0 fw.bin
none     esptool.py chip_id
force    qemu-system-arm -M virt -kernel zImage
force    probe-rs run firmware.elf
none     pio device list
"""

from __future__ import annotations

from hookwright.shell.programs import each

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

BUILDS: Row = ("force", "build", "builds")
FLASHES: Row = ("suggest", "transfer", "writes to a device")
FOLLOWS: Row = ("force", "follow", "follows a device")
SERVES: Row = ("force", "server", "stays until somebody stops it")
SYNTHESISES: Row = ("force", "build", "synthesises a circuit")


def board(call: Call) -> Row | None:
    """West, ESP-IDF, PlatformIO, Arduino."""
    words = set(call.words)
    if "monitor" in words or call.has_flag("--monitor"):
        return FOLLOWS
    if not words.isdisjoint({"build", "flash", "compile", "upload", "run", "test", "check", "all"}):
        return BUILDS
    if call.verb in {"device", "board", "boards", "system"}:
        return None
    return ("suggest", "install", "downloads packages") if {"update", "install", "init"} & words else None


def flasher(call: Call) -> Row | None:
    """esptool, st-flash, avrdude, dfu-util, probe-rs, espflash."""
    if "monitor" in call.words or call.has_flag("--monitor", "-M") or call.verb in {"run", "attach", "gdb", "rtt"}:
        return FOLLOWS
    text = call.text
    marks = ("write", "flash", "erase", "read", "download", "-U", "-D", " save ", " load ", "verify")
    return FLASHES if any(mark in text.partition(" ")[2] for mark in marks) else None


def emulator(call: Call) -> Row | None:
    return None if call.has_flag("-daemonize", "--version", "-version", "-help") or not call.args else SERVES


def synthesis(call: Call) -> Row | None:
    return SYNTHESISES if call.args else ("force", "terminal", "waits for a person")


PROGRAMS: dict[str, Handler] = {
    **each("west idf.py platformio pio arduino-cli", board),
    **each("esptool.py esptool st-flash avrdude dfu-util probe-rs espflash picotool bossac teensy_loader_cli", flasher),
    **each("openocd JLinkGDBServer st-util pyocd renode", emulator),
    **each(
        "qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386 qemu-system-riscv64 "
        "qemu-system-riscv32 qemu-system-mips qemu-system-ppc64 simavr",
        emulator,
    ),
    **each("vivado quartus_sh yosys nextpnr-ice40 nextpnr-ecp5 vitis_hls", synthesis),
    "verilator": ("suggest", "build", "compiles a circuit"),
}
