"""``app_process``: Java programs from a jar on the phone, of which the phone knows uiautomator2's server."""

from virtual_phone.automation.server import AutomationServer
from virtual_phone.shell.call import Program, ProgramCall
from virtual_phone.sockets import SHELL

_SERVER = "com.wetest.uia2.Main"
_DEFAULT_PORT = "9008"


async def app_process(call: ProgramCall) -> int:
    """``CLASSPATH=JAR app_process / CLASS [-p PORT]``: serves until its starter closes the stream."""
    name = call.args[1] if len(call.args) > 1 else ""
    jar = call.state.files.stat(call.environment.get("CLASSPATH", ""))
    if name != _SERVER or jar is None or not jar.size:
        await call.err(f"Error: could not find or load main class {name}\n")
        return 1
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


PROGRAMS: dict[str, Program] = {"app_process": app_process}
