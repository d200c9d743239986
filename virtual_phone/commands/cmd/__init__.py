"""``cmd SERVICE …``: the services' own shell commands."""

from virtual_phone.builds import verbs_of
from virtual_phone.commands import am, pm, settings, system
from virtual_phone.commands.battery import battery
from virtual_phone.commands.cmd import device, notification, radios
from virtual_phone.commands.cmd.lock_settings import lock_settings
from virtual_phone.shell.call import Program, ProgramCall, Responder

SERVICES: dict[str, Responder] = {
    "power": device.power, "notification": notification.notification, "uimode": device.uimode, "wifi": radios.wifi,
    "connectivity": radios.connectivity, "phone": radios.phone, "location": radios.location,
    "bluetooth_manager": radios.bluetooth, "media_session": device.media_session, "audio": device.audio,
    "alarm": device.alarm, "battery": battery, "lock_settings": lock_settings,
    "display": device.display, "statusbar": device.statusbar, "appops": device.appops, "activity": am.am,
    "settings": settings.settings, "window": system.wm, "input_method": system.ime,
}  # fmt: skip
_HEADING = "commands:\n"
_SILENT = ("clipboard", "jobscheduler", "netpolicy", "role", "overlay", "telecom")
"""Services that exist here but take no shell commands."""


async def cmd(call: ProgramCall) -> int:
    """``cmd [-l] [-w] SERVICE …``."""
    args = [word for word in call.args[:1] if word != "-w"] + call.args[1:]
    if args[:1] == ["-l"]:
        await call.out(
            "Currently running services:\n" + "".join(f"  {name}\n" for name in sorted([*SERVICES, "package"]))
        )
        return 0
    if not args:
        return await call.fail("cmd: No service specified; use -l to list all services", 20)
    name, rest = args[0], args[1:]
    if name == "package":
        call.args = rest
        return await pm.pm(call)
    if name in _SILENT:
        return await call.fail("No shell command implementation.", 255)
    if name not in SERVICES:
        return await call.fail(f"cmd: Can't find service: {name}", 20)
    reply = SERVICES[name](call.state, rest)
    await call.out(reply.stdout)
    if rest[:1] in (["help"], ["-h"]) and reply.stdout.endswith(_HEADING):
        # What the shell may use: WifiShellCommand.onHelp adds what needs root for root alone.
        await call.out("".join(f"  {verb}\n" for verb in ("help", *verbs_of(call.state.build, name))))
    await call.err(reply.stderr)
    return reply.status


async def appops_program(call: ProgramCall) -> int:
    """``appops …`` is ``cmd appops …``."""
    call.args = ["appops", *call.args]
    return await cmd(call)


async def media_program(call: ProgramCall) -> int:
    """``media dispatch …`` is ``cmd media_session …``."""
    call.args = ["media_session", *call.args]
    return await cmd(call)


async def locksettings_program(call: ProgramCall) -> int:
    """``locksettings …`` is ``cmd lock_settings …``."""
    call.args = ["lock_settings", *call.args]
    return await cmd(call)


PROGRAMS: dict[str, Program] = {
    "cmd": cmd,
    "appops": appops_program,
    "media": media_program,
    "locksettings": locksettings_program,
}
