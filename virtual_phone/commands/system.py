"""System tools: date, getprop, id, ps, uname, uptime, svc, input method and window manager commands."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone

from virtual_phone.commands.options import ProgramUsageError, parse
from virtual_phone.shell.call import Program, ProgramCall, ProgramReply, Responder, answering
from virtual_phone.state import PhoneState
from virtual_phone.state.proc import MOUNTS

_SVC_USAGE = """Available commands:
    help     Show information about the subcommands
    power    Control the power manager
    data     Control mobile data connectivity
    wifi     Control the Wi-Fi manager
    nfc      Control NFC functions
    bluetooth Control Bluetooth service
"""
_SUPPLEMENTARY = (
    "1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),1078(ext_data_rw),1079(ext_obb_rw),"
    "3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),3011(uhid),3012(readtracefs)"
)
_GROUPS = {
    "shell": f"uid=2000(shell) gid=2000(shell) groups=2000(shell),{_SUPPLEMENTARY} context=u:r:shell:s0",
    "root": f"uid=0(root) gid=0(root) groups=0(root),{_SUPPLEMENTARY} context=u:r:su:s0",
}
_DEBUG_PROPERTIES = ("debug.", "log.tag.", "persist.log.tag")
_SET_DATE = re.compile(r"(\d\d)(\d\d)(\d\d)(\d\d)((?:\d\d){1,2})?(?:\.(\d\d))?")


async def date(call: ProgramCall) -> int:
    """``date [+FORMAT]`` with ``-u``, ``-d @SECONDS``; ``date [-u] MMDDhhmm[[CC]YY][.ss]`` sets the clock as root."""
    try:
        options, operands = parse(call.args, "ur", "dDs")
    except ProgramUsageError as error:
        return await call.fail(f"date: {error}")
    wanted = options.get("s") or (operands[0] if operands and not operands[0].startswith("+") else "")
    if wanted:
        return await _set_date(call, wanted, "u" in options)
    await call.out(_date(call.state, options, operands))
    return 0


async def _set_date(call: ProgramCall, text: str, utc: bool) -> int:
    now = call.state.clock.wall()
    try:
        moment = parse_date(text, now.astimezone(timezone.utc) if utc else now)  # noqa: UP017
    except ValueError:
        return await call.fail(f"date: bad date '{text}'")
    if call.shell.user != "root":
        return await call.fail("date: cannot set date: Operation not permitted")
    call.state.turn_clock(moment)
    await call.out(_date(call.state, {"u": ""} if utc else {}, []))
    return 0


def parse_date(text: str, now: datetime) -> datetime:
    """``MMDDhhmm[[CC]YY][.ss]`` (toybox, ``date.c``) in the zone of ``now``; ``ValueError`` for another text."""
    match = _SET_DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    month, day, hour, minute = map(int, match.group(1, 2, 3, 4))
    year, second = match[5] or str(now.year), int(match[6] or 0)
    century = 2000 if len(year) == 2 else 0
    return now.replace(century + int(year), month, day, hour, minute, second, 0)


def _date(state: PhoneState, options: Mapping[str, str], operands: Sequence[str]) -> str:
    moment = state.clock.wall()
    if options.get("d", "").startswith("@"):
        moment = datetime.fromtimestamp(float(options["d"][1:]), moment.tzinfo)
    if "u" in options:
        moment = moment.astimezone(timezone.utc)  # noqa: UP017
    if not operands:
        return f"{moment:%a %b} {moment.day:>2} {moment:%H:%M:%S} {_zone(moment)} {moment:%Y}\n"
    return format_time(moment, operands[0][1:]) + "\n"


def format_time(moment: datetime, pattern: str) -> str:
    """``strftime`` with seconds since 1970 (``%s``), nanoseconds (``%N``) and the zone's name (``%Z``)."""
    pattern = pattern.replace("%s", str(int(moment.timestamp()))).replace("%N", f"{moment.microsecond * 1000:09d}")
    return moment.strftime(pattern.replace("%Z", _zone(moment)))


def _zone(moment: datetime) -> str:
    offset = moment.utcoffset() or timedelta()
    if not offset:
        return "UTC"
    hours = int(offset.total_seconds() // 3600)
    return {8: "CST", 1: "CET", 9: "JST", -5: "EST", -8: "PST"}.get(hours, f"GMT{hours:+03d}:00")


def getprop(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``getprop [NAME [DEFAULT]]``."""
    properties = state.identity.all_properties()
    if not args:
        return ProgramReply("".join(f"[{name}]: [{value}]\n" for name, value in sorted(properties.items())))
    default = args[1] if len(args) > 1 else ""
    return ProgramReply((properties.get(args[0]) or default) + "\n")


async def setprop(call: ProgramCall) -> int:
    """``setprop``: the shell user may set debug properties only, root all but read-only ones that are set."""
    if len(call.args) != 2:
        return await call.fail("usage: setprop NAME VALUE")
    name, value = call.args
    allowed = not name.startswith("ro.") if call.shell.user == "root" else name.startswith(_DEBUG_PROPERTIES)
    if not allowed:
        return await call.fail(f"Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.")
    call.state.identity.properties[name] = value
    return 0


async def identity(call: ProgramCall) -> int:
    """``id``."""
    user = call.shell.user
    number = {"shell": "2000", "root": "0"}[user]
    short = {"-u": number, "-un": user, "-g": number}
    await call.out(short.get(call.args[0] if call.args else "", _GROUPS[user]) + "\n")
    return 0


async def whoami(call: ProgramCall) -> int:
    await call.out(call.shell.user + "\n")
    return 0


def uname(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    full = "Linux localhost 5.15.123-android14-11 #1 SMP PREEMPT aarch64 Toybox"
    return ProgramReply(
        {"-a": full, "-m": "aarch64", "-r": "5.15.123-android14-11"}.get(args[0] if args else "", "Linux") + "\n"
    )


def ps(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``ps [-A|-e]``: the shell user sees every app's process."""
    rows = [f"{'USER':<15}{'PID':>5}{'PPID':>6} {'VSZ':>11}{'RSS':>8} {'WCHAN':<16}{'ADDR':>8} S NAME"]
    for package in state.apps.running():
        uid = state.apps.uid(package)
        user = f"u0_a{uid - 10000}" if uid >= 10000 else "system"
        rows.append(
            f"{user:<15}{state.apps.pid(package):>5}{380:>6} {14567890:>11}{150000:>8} {'0':<16}{'0':>8} S {package}"
        )
    return ProgramReply("\n".join(rows) + "\n")


def pidof(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    names = [word for word in args if not word.startswith("-")]
    pids = [str(state.apps.pid(name)) for name in names if name in state.apps.running()]
    return ProgramReply(" ".join(pids) + "\n") if pids else ProgramReply(status=1)


def mount(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``mount``: the file systems; only root may mount one."""
    if args:
        return ProgramReply(stderr=f"mount: '{args[0]}': Permission denied\n", status=1)
    return ProgramReply("".join(f"{what} on {where} type {kind} ({how})\n" for what, where, kind, how in MOUNTS))


def uptime(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    up = state.clock.uptime()
    hours, minutes = int(up.total_seconds() // 3600 % 24), int(up.total_seconds() // 60 % 60)
    since = f" {state.clock.wall():%H:%M:%S} up {up.days} days, {hours}:{minutes:02d}"
    return ProgramReply(f"{since},  0 users,  load average: 1.02, 0.98, 0.95\n")


def svc(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``svc power|data|wifi|bluetooth|nfc …``."""
    switches = {
        "wifi": state.network.set_wifi,
        "data": state.network.set_mobile_data,
        "bluetooth": state.bluetooth.set_enabled,
        "nfc": state.network.set_nfc,
    }
    if len(args) == 2 and args[0] in switches and args[1] in ("enable", "disable"):
        switches[args[0]](args[1] == "enable")
        return ProgramReply()
    if list(args[:2]) == ["power", "stayon"] and len(args) == 3:
        values = {"true": "15", "false": "0", "usb": "2", "ac": "1", "wireless": "4"}
        state.settings.store("global", "stay_on_while_plugged_in", values.get(args[2], "0"))
        return ProgramReply()
    return ProgramReply(stderr=_SVC_USAGE)


def wm(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``wm size|density``."""
    display = state.display
    if args[:1] == ["size"]:
        return ProgramReply(f"Physical size: {display.width}x{display.height}\n")
    if args[:1] == ["density"]:
        return ProgramReply(f"Physical density: {display.density}\n")
    if args[:1] == ["dismiss-keyguard"]:
        state.power.wake()
        if not state.power.secure_lock:
            state.power.unlock()
        return ProgramReply()
    return ProgramReply(stdout="Window manager (window) commands:\n", status=255)


def ime(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``ime list|set|enable|disable``."""
    words = [word for word in args if not word.startswith("-")]
    verb, method = (words[0] if words else ""), (words[1] if len(words) > 1 else "")
    if verb == "list":
        methods = state.keyboard.installed if "-a" in args else state.keyboard.enabled
        return ProgramReply("".join(f"{name}\n" for name in methods))
    if verb == "set":
        if state.keyboard.choose(method):
            return ProgramReply(f"Input method {method} selected for user #0\n")
        return ProgramReply(stderr=f"Unknown input method {method} cannot be selected for user #0\n", status=255)
    if verb in ("enable", "disable"):
        if state.keyboard.enable(method, verb == "enable"):
            return ProgramReply(f"Input method {method}: now {verb}d for user #0\n")
        return ProgramReply(stderr=f"Unknown input method {method} cannot be {verb}d for user #0\n", status=255)
    return ProgramReply(stdout="InputMethodManagerService commands:\n", status=255)


_ANSWERS: dict[str, Responder] = {
    "getprop": getprop, "uname": uname, "ps": ps, "mount": mount, "pidof": pidof, "uptime": uptime, "svc": svc,
    "wm": wm, "ime": ime,
}  # fmt: skip
PROGRAMS: dict[str, Program] = {
    "date": date,
    "setprop": setprop,
    "id": identity,
    "whoami": whoami,
    **{name: answering(answer) for name, answer in _ANSWERS.items()},
}
