"""Dumps of packages and usage statistics."""

from collections.abc import Sequence

from virtual_phone.state import PhoneState
from virtual_phone.state.packages import RUNTIME_PERMISSIONS, InstalledPackage


def package(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys package [NAME]``."""
    names = [word for word in args if not word.startswith("-")]
    apps = [app for app in state.apps.packages if not names or app.package == names[0]]
    if not apps:
        return f"Unable to find package: {names[0]}\n"
    return "Packages:\n" + "".join(_package(app) for app in apps)


def _package(app: InstalledPackage) -> str:
    granted = "".join(
        f"        {name}: granted={'true' if name in app.granted else 'false'}, flags=[ USER_SET]\n"
        for name in RUNTIME_PERMISSIONS
    )
    flags = "SYSTEM HAS_CODE ALLOW_BACKUP" if app.system else "HAS_CODE ALLOW_BACKUP"
    return (
        f"  Package [{app.package}] ({app.uid:x}):\n"
        f"    appId={app.uid}\n"
        f"    codePath=/data/app/{app.package}\n"
        f"    versionCode={app.version_code} minSdk=26 targetSdk=34\n"
        f"    versionName={app.version_name}\n"
        f"    flags=[ {flags} ]\n"
        f"    lastUpdateTime=2026-01-12 08:14:02\n"
        f"    requested permissions:\n{''.join(f'      {name}{chr(10)}' for name in RUNTIME_PERMISSIONS)}"
        f"    User 0: ceDataInode=8521 installed=true hidden=false suspended={str(app.suspended).lower()} "
        f"distractionFlags=0 stopped={str(app.stopped).lower()} notLaunched=false enabled={0 if app.enabled else 3} "
        "instant=false virtual=false\n"
        "      firstInstallTime=2026-01-02 09:30:00\n"
        f"      runtime permissions:\n{granted}"
    )


def usagestats(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys usagestats``: resumed activities of the event log, as the last day's events."""
    rows = []
    for entry in state.log.entries(frozenset(["events"])):
        if entry.tag == "wm_set_resumed_activity":
            component = entry.message.strip("[]").split(",")[1]
            name, _, activity = component.partition("/")
            full = name + activity if activity.startswith(".") else activity
            rows.append(
                f'    time="{entry.moment:%Y-%m-%d %H:%M:%S}" type=ACTIVITY_RESUMED package={name} class={full} '
                f"instanceId={entry.sequence} taskRootPackage={name} taskRootClass={full} flags=0x0 \n"
            )
    return 'user=0\n  Last 24 hour events (timeRange="" )\n' + "".join(rows)
