"""``app_process``: Java programs from a jar on the phone, of which the phone knows uiautomator2's server."""

from virtual_phone.automation.server import AutomationServer
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.sockets import SHELL

_SERVER = "com.wetest.uia2.Main"
_ABORTED = 134
"""128 and SIGABRT."""
_DEFAULT_PORT = "9008"


async def app_process(call: ProgramCall) -> int:
    """``CLASSPATH=JAR app_process / CLASS [-p PORT]``: serves until its starter closes the stream."""
    name = call.args[1] if len(call.args) > 1 else ""
    jar = call.state.files.stat(call.environment.get("CLASSPATH", ""))
    if name != _SERVER or jar is None or not jar.size:
        return await _abort(call, name)
    at = call.args.index("-p") + 1 if "-p" in call.args[:-1] else 0
    port = call.args[at] if at else _DEFAULT_PORT
    if not port.isdecimal() or call.phone.local_service(port) is not None:
        return await call.fail("java.net.BindException: bind failed: EADDRINUSE (Address already in use)")
    server = AutomationServer(call.phone.screen, call.phone.faults)
    with call.phone.serving_locally(int(port), server.serve, uid=SHELL):
        await call.out("[server] INFO: [UiAutomator2Server] Starting Server\n")
        while await call.streams.stdin.read():
            pass
    return 129


async def _abort(call: ProgramCall, name: str) -> int:
    """A class that is not found: the process aborts, and the shell says so (Genymobile/scrcpy, issues 268 and 5178)."""
    missing = f'Didn\'t find class "{name}" on path: DexPathList'
    call.state.log.line("appproc", f"ERROR: could not find class '{name}'", "E", process=2000)
    call.state.log.line(
        "app_process", f"No pending exception expected: java.lang.ClassNotFoundException: {missing}", "F", process=2000
    )
    await call.err("Aborted \n")
    return _ABORTED


PROGRAMS: dict[str, Program] = {"app_process": app_process}
