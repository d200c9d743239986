"""Opens, suspends and stops apps; heed never uninstalls an app or clears its data."""

from enum import StrEnum

from android_bridge.commands import am_start, quote
from android_bridge.device import Device
from android_bridge.facts.packages import package
from executors.apps import Installed, find_app, launch
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.processes import processes
from executors.screen import HandOverExecutor, app_for, hand_over, require_screen, verify_opened
from function_pool.call import FunctionCall
from heed.messages import msg

_DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"
_DELETE = "android.intent.action.DELETE"
_NEVER = ("android", "com.android.systemui", "com.android.settings", "com.android.shell", "com.android.phone")
"""Packages without which the phone or its adb connection does not work."""


class AppAction(StrEnum):
    """The values of ``action`` of manage_app in the function pool."""

    FORCE_STOP = "force_stop"
    SUSPEND = "suspend"
    RESUME = "resume"
    OPEN_SETTINGS = "open_settings"
    UNINSTALL = "uninstall"


class LaunchApp(HandOverExecutor):
    """Opens an app as its icon does."""

    function = "launch_app"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        app = await find_app(phone, str(call.parameters["app_name"]))
        effects = [Effect(kind="app_opened", detail={"app": app.words})]
        if "page" in call.parameters:
            effects.append(Effect(kind="app_page_by_hand", detail={"page": call.parameters["page"]}))
        return hand_over(await launch(phone, app), app.package, *effects, before=front)


class ManageApp(Executor):
    """Stops, suspends and resumes an app; opens Android's pages for its settings and its uninstallation."""

    function = "manage_app"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        app = await find_app(phone, str(call.parameters["app_name"]))
        action = _action(call)
        if app.package in _NEVER and action is not AppAction.OPEN_SETTINGS:
            raise RefusedError(msg("{name} belongs to Android itself; heed leaves it alone.", name=app.name))
        match action:
            case AppAction.FORCE_STOP:
                return await self._stop(phone, app)
            case AppAction.SUSPEND | AppAction.RESUME:
                return await self._suspend(phone, app, call)
        return await self._page(phone, app, action)

    async def _stop(self, phone: Device, app: Installed) -> Preparation:
        effect = Effect(kind="app_stopped", detail={"app": app.words})
        (running,) = await observe(phone, processes(app.package))
        if not running:
            return Preparation(effects=(effect,), already=True)
        return Preparation(
            commands=(f"am force-stop {quote(app.package)}",), effects=(effect,), before={"package": app.package}
        )

    async def _suspend(self, phone: Device, app: Installed, call: FunctionCall) -> Preparation:
        suspends = _action(call) is AppAction.SUSPEND
        (found,) = await observe(phone, package(app.package))
        paused, resumed = (Effect(kind=kind, detail={"app": app.words}) for kind in ("app_paused", "app_resumed"))
        effects: tuple[Effect, ...] = (paused if suspends else resumed,)
        if found is not None and found.suspended is suspends:
            return Preparation(effects=effects, already=True)
        minutes = call.parameters.get("duration_minutes")
        if suspends and isinstance(minutes, int):
            effects = (*effects, Effect(kind="ends_by_itself", detail={"minutes": minutes}))
        return Preparation(
            commands=(_suspend(app.package, suspends),),
            effects=effects,
            undo=(resumed if suspends else paused,),
            before={"package": app.package},
            expires_after_minutes=minutes if suspends and isinstance(minutes, int) else None,
        )

    async def _page(self, phone: Device, app: Installed, action: AppAction) -> Preparation:
        front = await require_screen(phone)
        kind, intent = ("app_settings", _DETAILS) if action is AppAction.OPEN_SETTINGS else ("app_uninstall", _DELETE)
        data = f"package:{app.package}"
        package_of_page = await app_for(phone, intent, data=data)
        command = am_start(action=intent, data=data, package=package_of_page)
        return hand_over(command, package_of_page, Effect(kind=kind, detail={"app": app.words}), before=front)

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        if _action(step.call) is AppAction.FORCE_STOP:
            return await _has_ended(phone, str(step.before["package"]))
        return await _is_suspended(phone, step, _action(step.call) is AppAction.SUSPEND)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        await run(phone, _suspend(str(step.before["package"]), _action(step.call) is AppAction.RESUME))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _is_suspended(phone, step, _action(step.call) is AppAction.RESUME)


def _action(call: FunctionCall) -> AppAction:
    return AppAction(str(call.parameters["action"]))


def _suspend(name: str, suspends: bool) -> str:
    return f"pm {'suspend' if suspends else 'unsuspend'} --user current {quote(name)}"


async def _has_ended(phone: Device, name: str) -> Outcome:
    reader = processes(name)
    (running,) = await observe(phone, reader)
    shown = (proof(reader, running or "no process"),)
    if not running:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    return Outcome(kind=OutcomeKind.FAILED, message=msg("{name} still runs.", name=name), proof=shown)


async def _is_suspended(phone: Device, step: Step, wanted: bool) -> Outcome:
    reader = package(str(step.before["package"]))
    (found,) = await observe(phone, reader)
    suspended = found is not None and found.suspended
    shown = (proof(reader, f"suspended={str(suspended).lower()}"),)
    if suspended is wanted:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    message = msg("The app is {value}.", value=msg("paused") if suspended else msg("not paused"))
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)
