"""Files below /proc and /sys: views of the state."""

import functools
from collections.abc import Callable

from virtual_phone.state.interfaces import PhoneParts

_TOTAL_KB = 7_819_264


def computed_files(phone: PhoneParts) -> dict[str, Callable[[], str]]:
    """The files by path; contents are computed when read."""

    def uptime() -> str:
        seconds = phone.clock.uptime().total_seconds()
        return f"{seconds:.2f} {seconds * 5.1:.2f}\n"

    def meminfo() -> str:
        used = 120_000 * len(phone.apps.running()) + 1_900_000
        available = max(400_000, _TOTAL_KB - used)
        rows = {
            "MemTotal": _TOTAL_KB,
            "MemFree": available // 4,
            "MemAvailable": available,
            "Buffers": 5_120,
            "Cached": available // 2,
            "SwapCached": 0,
            "Active": used // 2,
            "Inactive": used // 3,
            "SwapTotal": 3_145_724,
            "SwapFree": 2_900_112,
        }
        return "".join(f"{name + ':':<15}{value:>9} kB\n" for name, value in rows.items())

    def version() -> str:
        return "Linux version 5.15.123-android14-11 (build-user@build-host) #1 SMP PREEMPT\n"

    def cpuinfo() -> str:
        return "".join(map(_processor, range(_CORES)))

    def stat() -> str:
        return _times(phone.clock.uptime().total_seconds(), phone.clock.milliseconds() // 1000)

    return {
        **_CPU_FILES,
        "/proc/mounts": lambda: "".join(f"{' '.join(mount)} 0 0\n" for mount in MOUNTS),
        "/proc/uptime": uptime,
        "/proc/meminfo": meminfo,
        "/proc/version": version,
        "/proc/cpuinfo": cpuinfo,
        "/proc/stat": stat,
    }


_PARTS = (*["0xd46"] * 4, *["0xd47"] * 4, "0xd4e")
"""Arm's part numbers of the small, middle and big cores."""
_CORES = len(_PARTS)


_KILOHERTZ = (*[1_704_000] * 4, *[2_367_000] * 4, 2_914_000)
"""The cores' highest frequencies: 1.70, 2.37 and 2.91 GHz (Google Tensor G3)."""


def _cpu_files() -> dict[str, Callable[[], str]]:
    """``/sys/devices/system/cpu`` (Linux, Documentation/ABI/testing/sysfs-devices-system-cpu)."""
    root = "/sys/devices/system/cpu"
    texts = {f"{root}/{name}": f"0-{_CORES - 1}\n" for name in ("online", "possible", "present")}
    for core, speed in enumerate(_KILOHERTZ):
        texts[f"{root}/cpu{core}/cpufreq/cpuinfo_max_freq"] = f"{speed}\n"
        texts[f"{root}/cpu{core}/online"] = "1\n"
    return {path: functools.partial(str, text) for path, text in texts.items()}


_CPU_FILES = _cpu_files()
MOUNTS = (
    ("/dev/block/dm-7", "/", "erofs", "ro,seclabel,relatime,user_xattr,acl"),
    ("tmpfs", "/dev", "tmpfs", "rw,seclabel,nosuid,relatime,mode=755"),
    ("devpts", "/dev/pts", "devpts", "rw,seclabel,relatime,mode=600,ptmxmode=000"),
    ("proc", "/proc", "proc", "rw,relatime,gid=3009,hidepid=invisible"),
    ("sysfs", "/sys", "sysfs", "rw,seclabel,relatime"),
    ("/dev/block/dm-9", "/product", "erofs", "ro,seclabel,relatime,user_xattr,acl"),
    ("/dev/block/dm-10", "/vendor", "erofs", "ro,seclabel,relatime,user_xattr,acl"),
    ("/dev/block/dm-52", "/data", "f2fs", "rw,lazytime,seclabel,nosuid,nodev,noatime"),
    ("/dev/fuse", "/storage/emulated", "fuse", "rw,lazytime,nosuid,nodev,noexec,noatime,user_id=0,group_id=0"),
)
"""Device, place, kind and options of each file system."""


def _processor(core: int) -> str:
    """One core, in the lines of Linux's arch/arm64/kernel/cpuinfo.c."""
    rows = {
        "processor": str(core),
        "BogoMIPS": "49.15",
        "Features": "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc",
        "CPU implementer": "0x41",
        "CPU architecture": "8",
        "CPU variant": "0x1",
        "CPU part": _PARTS[core],
        "CPU revision": "0",
    }
    return "".join(f"{name}\t: {value}\n" for name, value in rows.items()) + "\n"


def _times(uptime: float, now: int) -> str:
    """``/proc/stat`` (Linux, proc(5)): hundredths of seconds in each mode, in all and per core."""
    each = tuple(round(uptime * share) for share in (11, 1, 7, 79, 1, 0, 1, 0, 0, 0))
    total = " ".join(str(value * _CORES) for value in each)
    cores = "".join(f"cpu{core} {' '.join(map(str, each))}\n" for core in range(_CORES))
    return (
        f"cpu  {total}\n{cores}intr {round(uptime * 900)}\nctxt {round(uptime * 4000)}\nbtime {now - round(uptime)}\n"
        f"processes {4000 + round(uptime)}\nprocs_running 1\nprocs_blocked 0\n"
    )
