"""``pm`` and ``cmd package``: packages, and which activity an intent resolves to."""

import re
from collections.abc import Callable, Sequence

from virtual_phone.builds.build import UserAccount
from virtual_phone.commands import refusals
from virtual_phone.commands.intent_arguments import IntentUsageError, parse_intent
from virtual_phone.shell.call import Program, ProgramCall, ProgramReply, thrown
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RESOLVER
from virtual_phone.state.files import FileError
from virtual_phone.state.packages import RUNTIME_PERMISSIONS, InstalledPackage

_FEATURES = (
    "reqGlEsVersion=0x30002", "android.hardware.bluetooth", "android.hardware.camera", "android.hardware.nfc",
    "android.hardware.telephony", "android.hardware.touchscreen", "android.hardware.wifi",
    "android.software.home_screen",
)  # fmt: skip
_MATCH_LINE = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"


def _base(app: InstalledPackage) -> str:
    return (
        f"/product/app/{app.package}/base.apk" if app.system else f"/data/app/~~{app.uid:x}==/{app.package}-1/base.apk"
    )


def listing(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``pm list packages [-3|-s|-d|-e|-f|-U] [FILTER]`` and ``pm list features``."""
    if args[:1] == ["features"]:
        return ProgramReply("".join(f"feature:{feature}\n" for feature in _FEATURES))
    if args[:1] == ["users"]:
        return ProgramReply("Users:\n" + "".join(map(_user, state.build.users)))
    if args[:1] not in (["packages"], ["package"]):
        return ProgramReply(stderr=f"Error: unknown list type '{' '.join(args)}'\n", status=255)
    if state.build.closed_users and _user_argument(args) in ("all", "-1"):
        return refusals.closed(state.build.closed_users[0], "list")
    words = _operands(args[1:])
    rows = []
    for app in state.apps.packages:
        wanted = not ("-3" in args and app.system) and not ("-s" in args and not app.system)
        wanted = wanted and not ("-d" in args and app.enabled) and not ("-e" in args and not app.enabled)
        if wanted and (not words or words[0] in app.package):
            path = f"{_base(app)}=" if "-f" in args else ""
            uid = f" uid:{app.uid}" if "-U" in args else ""
            rows.append(f"package:{path}{app.package}{uid}\n")
    return ProgramReply("".join(rows))


def _user(user: UserAccount) -> str:
    return f"\tUserInfo{{{user.identifier}:{user.name}:{user.flags}}} running\n"


def _user_argument(args: Sequence[str]) -> str:
    """The value of ``--user``; without one, ``pm list packages`` lists the apps of all users."""
    return args[args.index("--user") + 1] if "--user" in args[:-1] else "all"


def path(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    app = state.apps.find(args[-1]) if args else None
    return ProgramReply(f"package:{_base(app)}\n") if app else ProgramReply(status=1)


def resolve_activity(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``resolve-activity [--brief] INTENT``: the activity, the chooser for several, or ``No activity found``."""
    intent, own = parse_intent(args, {"--brief": 0, "--components": 0, "--user": 1, "--query-flags": 1})
    handlers = state.apps.handlers(intent)
    if not handlers:
        return ProgramReply("No activity found\n")
    component = handlers[0] if len(handlers) == 1 else RESOLVER
    if "--brief" in own:
        return ProgramReply(f"{_MATCH_LINE}\n{component}\n")
    if "--components" in own:
        return ProgramReply(component + "\n")
    return ProgramReply(f"{_MATCH_LINE}\nActivityInfo:\n{_activity_info(component)}")


def query_activities(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``query-activities [--brief] INTENT``: every activity that handles it."""
    intent, own = parse_intent(args, {"--brief": 0, "--components": 0, "--user": 1, "--query-flags": 1})
    handlers = state.apps.handlers(intent)
    if not handlers:
        return ProgramReply("No activities found\n")
    if "--components" in own:
        return ProgramReply("".join(f"{component}\n" for component in handlers))
    begin = f"{len(handlers)} activities found:\n"
    if "--brief" in own:
        return ProgramReply(
            begin + "".join(f"  Activity #{n}:\n    {_MATCH_LINE}\n    {c}\n" for n, c in enumerate(handlers))
        )
    rows = (
        f"  Activity #{n}:\n    {_MATCH_LINE}\n    ActivityInfo:\n{_activity_info(c, '      ')}"
        for n, c in enumerate(handlers)
    )
    return ProgramReply(begin + "".join(rows))


def _activity_info(component: str, indent: str = "  ") -> str:
    package, _, name = component.partition("/")
    full = package + name if name.startswith(".") else name
    lines = (f"name={full}", f"packageName={package}", "enabled=true exported=true directBootAware=false")
    return "".join(f"{indent}{line}\n" for line in lines)


def suspend(state: PhoneState, args: Sequence[str], on: bool) -> ProgramReply:
    names = _operands(args)
    rows = []
    for name in names:
        if not state.apps.suspend(name, on):
            rows.append(f"Failed to {'suspend' if on else 'unsuspend'}: {name}\n")
        else:
            rows.append(f"Package {name} new suspended state: {str(on).lower()}\n")
    return ProgramReply("".join(rows), status=0 if names else 1)


def _operands(args: Sequence[str]) -> list[str]:
    words = list(args)
    if "--user" in words:
        at = words.index("--user")
        del words[at : at + 2]
    return [word for word in words if not word.startswith("-")]


def uninstall(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    names = _operands(args)
    if names and state.apps.uninstall(names[0]):
        return ProgramReply("Success\n")
    return ProgramReply("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", status=1)


def clear(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    names = _operands(args)
    done = bool(names) and state.apps.clear_data(names[0])
    return ProgramReply("Success\n") if done else ProgramReply("Failed\n", status=1)


def grant(state: PhoneState, args: Sequence[str], verb: str = "grant") -> ProgramReply:
    """``pm grant|revoke PACKAGE PERMISSION`` (AOSP PermissionManagerServiceImpl.java)."""
    package, permission = (*_operands(args), "", "")[:2]
    if permission not in RUNTIME_PERMISSIONS:
        return thrown(verb, f"java.lang.IllegalArgumentException: Unknown permission: {permission}")
    if not state.apps.grant(package, permission, on=verb == "grant"):
        return thrown(verb, f"java.lang.IllegalArgumentException: Unknown package: {package}")
    return ProgramReply()


_VERBS: dict[str, Callable[[PhoneState, Sequence[str]], ProgramReply]] = {
    "list": listing, "path": path, "resolve-activity": resolve_activity, "query-activities": query_activities,
    "query-intent-activities": query_activities, "suspend": lambda state, args: suspend(state, args, True),
    "unsuspend": lambda state, args: suspend(state, args, False), "uninstall": uninstall, "clear": clear,
    "grant": grant, "revoke": lambda state, args: grant(state, args, "revoke"),
}  # fmt: skip


async def pm(call: ProgramCall) -> int:
    """``pm …``; ``install`` reads the package from a file or, streamed, from standard input."""
    verb, rest = (call.args[0] if call.args else ""), call.args[1:]
    if verb in ("install", "install-incremental"):
        return await install(call, rest)
    command = _VERBS.get(verb)
    if command is None:
        return await call.fail(f"Unknown command: {verb}" if verb else "Package manager (package) commands:", 255)
    try:
        reply = command(call.state, rest)
    except IntentUsageError as error:
        return await call.fail(
            f"\nException occurred while executing '{verb}':\njava.lang.IllegalArgumentException: {error}", 255
        )
    await call.out(reply.stdout)
    await call.err(reply.stderr)
    return reply.status


async def install(call: ProgramCall, args: Sequence[str]) -> int:
    """An APK becomes an app named after its file; there is nothing to run in it."""
    try:
        if "-S" in args:
            left = int(args[args.index("-S") + 1])
            magic = b""
            while left and (chunk := await call.streams.stdin.read(min(left, 65536))):
                magic = magic or chunk[:4]
                left -= len(chunk)
            name = "com.installed.streamed"
        else:
            magic = call.state.files.read(args[-1]).read(0, 4)
            name = _package_name(args[-1])
    except FileError:
        await call.out("Failure [INSTALL_FAILED_INVALID_URI]\n")
        return 1
    if magic[:2] != b"PK":
        await call.out("Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse the package]\n")
        return 1
    call.state.apps.install(name, name.rpartition(".")[2])
    await call.out("Success\n")
    return 0


def _package_name(path: str) -> str:
    name = path.rpartition("/")[2].removesuffix(".apk")
    plain = re.sub(r"[^a-zA-Z0-9.]+", "_", name)
    return plain if "." in plain else f"com.installed.{plain}"


PROGRAMS: dict[str, Program] = {"pm": pm}
