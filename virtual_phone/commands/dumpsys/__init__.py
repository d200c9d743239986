"""``dumpsys``: each service's dump is a function of the state, in the line formats of Android 14 captures."""

from collections.abc import Callable, Sequence

from virtual_phone.commands.battery import battery
from virtual_phone.commands.dumpsys import activity, connections, device, notification, packages, sound
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.state import PhoneState

Dump = Callable[[PhoneState, Sequence[str]], str]

SERVICES: dict[str, Dump] = {
    "activity": activity.activity,
    "alarm": device.alarm,
    "audio": sound.audio,
    "battery": device.battery,
    "bluetooth_manager": connections.bluetooth_manager,
    "color_display": device.color_display,
    "connectivity": connections.connectivity,
    "deviceidle": device.deviceidle,
    "display": device.display,
    "input": device.input_devices,
    "input_method": activity.input_method,
    "location": connections.location,
    "meminfo": device.meminfo,
    "media_session": sound.media_session,
    "nfc": connections.nfc,
    "notification": notification.notification,
    "package": packages.package,
    "power": device.power,
    "SurfaceFlinger": device.surface_flinger,
    "telecom": connections.telecom,
    "telephony.registry": connections.telephony_registry,
    "uimode": device.uimode,
    "usagestats": packages.usagestats,
    "wifi": connections.wifi,
    "window": activity.window,
}


async def dumpsys(call: ProgramCall) -> int:
    """``dumpsys [-l] [-t SECONDS] [SERVICE [args]]``; without a service, the dumps of all."""
    args = list(call.args)
    while args[:1] in (["-t"], ["-T"]):
        args = args[2:]
    if not args or args == ["-l"]:
        names = "".join(f"  {name}\n" for name in sorted(SERVICES))
        await call.out("Currently running services:\n" + names)
        for name in sorted(SERVICES) if not args else ():
            await call.out(_section(call.state, name))
        return 0
    name, rest = args[0], args[1:]
    if name == "battery" and rest:
        await call.out(battery(call.state, rest).stdout)
        return 0
    dump = SERVICES.get(name)
    if dump is None:
        return await call.fail(f"Can't find service: {name}", 0)
    await call.out(dump(call.state, rest))
    return 0


def _section(state: PhoneState, name: str) -> str:
    """One service's dump among all (AOSP frameworks/native, cmds/dumpsys/dumpsys.cpp)."""
    moment = f"{state.clock.wall():%Y-%m-%d %H:%M:%S}"
    end = f"--------- 0.002s was the duration of dumpsys {name}, ending at: {moment}\n"
    return f"{'-' * 79}\nDUMP OF SERVICE {name}:\n{SERVICES[name](state, [])}{end}"


PROGRAMS: dict[str, Program] = {"dumpsys": dumpsys}
