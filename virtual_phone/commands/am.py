"""``am``: starting, stopping, broadcasting (AOSP ActivityManagerShellCommand.java, android-14)."""

import functools
from collections.abc import Callable, Collection, Sequence

from virtual_phone.apps.api_calls import handle
from virtual_phone.apps.receivers import deliver
from virtual_phone.builds import Quirk
from virtual_phone.commands.intent_arguments import IntentUsageError, parse_intent
from virtual_phone.shell.call import Program, ProgramCall, ProgramReply, answering, thrown
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import ResolveError
from virtual_phone.state.intents import Intent

_START_OPTIONS = {"-W": 0, "-D": 0, "-S": 0, "-R": 1, "--user": 1, "--display": 1, "--windowingMode": 1, "-N": 0}
_LAUNCH_MS = {"COLD": 412, "WARM": 187}
_PRIVILEGED = ("android.intent.action.CALL_EMERGENCY", "android.intent.action.CALL_PRIVILEGED")
# Actions that only the system may broadcast (AOSP core/res/AndroidManifest.xml, protected-broadcast).
_PROTECTED = (
    "android.intent.action.AIRPLANE_MODE", "android.intent.action.BATTERY_CHANGED",
    "android.intent.action.BOOT_COMPLETED", "android.bluetooth.device.action.ACL_DISCONNECTED",
    "android.bluetooth.device.action.ACL_CONNECTED",
)  # fmt: skip


def am(state: PhoneState, args: Sequence[str], *, privileged: bool = False) -> ProgramReply:
    """The activity manager's shell commands; root (``privileged``) may send the system's broadcasts."""
    verb, rest = (args[0] if args else ""), args[1:]
    command = _VERBS.get(verb)
    if command is None:
        return ProgramReply(
            stderr=f"Unknown command: {verb}\n" if verb else "Activity manager (activity) commands:\n", status=255
        )
    try:
        if command is broadcast and privileged:
            return broadcast(state, rest, protected=())
        return command(state, rest)
    except IntentUsageError as error:
        return thrown(verb, f"java.lang.IllegalArgumentException: {error}")


def start(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``am start``: exits 0 even when nothing was started; with ``-W`` errors go to standard output."""
    intent, own = parse_intent(args, _START_OPTIONS)
    if "-S" in own:
        state.apps.force_stop(intent.component.partition("/")[0] or intent.package)
    wait = "-W" in own
    begin = f"Starting: {intent.describe()}\n"
    if intent.action in _PRIVILEGED:
        who = f"starting {intent.describe()} from null (pid=4242, uid=2000)"
        return thrown("start", _denial(f"{who} requires android.permission.CALL_PRIVILEGED"), begin)
    previous = state.apps.foreground.component
    try:
        started = state.apps.start(intent)
    except ResolveError as error:
        said = _start_error(state, intent, error)
        status = int(Quirk.FAILED_START_EXITS_1 in state.build.quirks)
        return ProgramReply(begin + said, "", status) if wait else ProgramReply(begin, said, status)
    state.apps.check_grant(started.component.partition("/")[0], intent)
    handle(state, intent, started.component)
    warning = ""
    if previous == started.component and "-S" not in own:
        warning = "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n"
    return ProgramReply(begin + warning + (_waited(started.launch, started.component) if wait else ""))


def _waited(launch: str, component: str) -> str:
    total = _LAUNCH_MS.get(launch, 0)
    timing = f"TotalTime: {total}\n" if total else ""
    return f"Status: ok\nLaunchState: {launch}\nActivity: {component}\n{timing}WaitTime: {total + 6}\nComplete\n"


def _start_error(state: PhoneState, intent: Intent, error: ResolveError) -> str:
    if error.kind == "missing":
        package, _, name = intent.component.partition("/")
        in_full = Quirk.FAILED_START_EXITS_1 in state.build.quirks and name.startswith(".")
        component = f"{package}/{package}{name}" if in_full else intent.component
        return f"Error type 3\nError: Activity class {{{component}}} does not exist.\n"
    return f"Error: Activity not started, unable to resolve {intent.describe()}\n"


def _denial(what: str) -> str:
    return f"java.lang.SecurityException: Permission Denial: {what}"


def force_stop(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    words = [word for word in args if not word.startswith("--") and not word.isdigit() and word != "current"]
    if not words:
        return thrown("force-stop", 'java.lang.IllegalArgumentException: Argument expected after "force-stop"')
    state.apps.force_stop(words[0])
    return ProgramReply()


def broadcast(state: PhoneState, args: Sequence[str], protected: Collection[str] = _PROTECTED) -> ProgramReply:
    intent, _ = parse_intent(args, {"--user": 1, "--receiver-permission": 1, "--allow-background-activity-starts": 0})
    begin = f"Broadcasting: {intent.describe()}\n"
    if intent.action in protected:
        denial = _denial(f"not allowed to send broadcast {intent.action} from pid=4242, uid=2000")
        return thrown("broadcast", denial, begin)
    result = deliver(state, intent)
    data = "" if result.data is None else f', data="{result.data}"'
    return ProgramReply(f"{begin}Broadcast completed: result={result.code}{data}\n")


def start_service(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``am start-service|start-foreground-service``: the apps here have no services."""
    intent, _ = parse_intent(args, {"--user": 1})
    begin = f"Starting service: {intent.describe()}\n"
    return ProgramReply(begin, "Error: Not found; no service started.\n", 255)


def stop_service(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``am stop-service``."""
    intent, _ = parse_intent(args, {"--user": 1})
    return ProgramReply(f"Stopping service: {intent.describe()}\n", "Service not stopped: was not running.\n", 255)


def current_user(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    return ProgramReply("0\n")


def kill(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    return ProgramReply()


def stack(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``am stack list``: tasks from the top (``ActivityTaskManager.java``, ``RootTaskInfo.toString``)."""
    rows = []
    bounds = f"bounds=[0,0][{state.display.width},{state.display.height}]"
    for task in state.apps.tasks:
        front = task.activities[-1]
        visible = "true" if task is state.apps.tasks[0] else "false"
        rows.append(
            f"RootTask id={task.identifier} {bounds} displayId=0 userId=0\n"
            f"  taskId={task.identifier}: {task.activities[0].flat} {bounds} userId=0 visible={visible}"
            f" topActivity=ComponentInfo{{{front.flat}}}\n"
        )
    return ProgramReply("\n".join(rows))


_VERBS: dict[str, Callable[[PhoneState, Sequence[str]], ProgramReply]] = {
    "start": start, "start-activity": start, "force-stop": force_stop, "broadcast": broadcast, "kill": kill,
    "kill-all": kill, "get-current-user": current_user, "stack": stack, "switch-user": kill,
    "startservice": start_service, "start-service": start_service, "startforegroundservice": start_service,
    "start-foreground-service": start_service, "stopservice": stop_service, "stop-service": stop_service,
}  # fmt: skip


async def _am(call: ProgramCall) -> int:
    run = functools.partial(am, privileged=call.shell.user == "root")
    return await answering(run)(call)


PROGRAMS: dict[str, Program] = {"am": _am}
