"""Files below /proc: views of the state."""

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
        return "".join(f"processor\t: {core}\nBogoMIPS\t: 49.15\n\n" for core in range(8))

    return {"/proc/uptime": uptime, "/proc/meminfo": meminfo, "/proc/version": version, "/proc/cpuinfo": cpuinfo}
