"""Opening, pausing and ending apps. Nothing is ever uninstalled or cleared by heed itself."""

from android_bridge.commands import am_start, quote
from android_bridge.device import Device
from android_bridge.facts.packages import package
from executors.apps import Installed, find_app, launch
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import look, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.processes import processes
from executors.screen import OnScreen, app_for, opened, require_screen, shown
from function_pool.call import FunctionCall
from heed.messages import msg

_DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"
_DELETE = "android.intent.action.DELETE"
_NEVER = ("android", "com.android.systemui", "com.android.settings", "com.android.shell", "com.android.phone")
"""Packages without which the phone, or heed's way to it, does not work."""


class LaunchApp(OnScreen):
    """Opens an app as its icon does."""

    function = "launch_app"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        app = await find_app(phone, str(call.parameters["app_name"]))
        effects = [Effect(kind="app_opened", detail={"app": app.words})]
        if "page" in call.parameters:
            effects.append(Effect(kind="app_page_by_hand", detail={"page": call.parameters["page"]}))
        return shown(await launch(phone, app), app.package, *effects, before=front)


class ManageApp(Executor):
    """Ends, pauses and resumes an app; its settings and its uninstallation are Android's own pages."""

    function = "manage_app"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        app = await find_app(phone, str(call.parameters["app_name"]))
        action = str(call.parameters["action"])
        if app.package in _NEVER and action != "open_settings":
            raise RefusedError(msg("{name} belongs to Android itself; heed leaves it alone.", name=app.name))
        match action:
            case "force_stop":
                return await self._stop(phone, app)
            case "suspend" | "resume":
                return await self._suspend(phone, app, call)
        return await self._page(phone, app, action)

    async def _stop(self, phone: Device, app: Installed) -> Preparation:
        effect = Effect(kind="app_stopped", detail={"app": app.words})
        (running,) = await look(phone, processes(app.package))
        if not running:
            return Preparation(effects=(effect,), already=True)
        return Preparation(
            commands=(f"am force-stop {quote(app.package)}",), effects=(effect,), before={"package": app.package}
        )

    async def _suspend(self, phone: Device, app: Installed, call: FunctionCall) -> Preparation:
        suspends = call.parameters["action"] == "suspend"
        (found,) = await look(phone, package(app.package))
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

    async def _page(self, phone: Device, app: Installed, action: str) -> Preparation:
        front = await require_screen(phone)
        kind, intent = ("app_settings", _DETAILS) if action == "open_settings" else ("app_uninstall", _DELETE)
        data = f"package:{app.package}"
        package_of_page = await app_for(phone, intent, data=data)
        command = am_start(action=intent, data=data, package=package_of_page)
        return shown(command, package_of_page, Effect(kind=kind, detail={"app": app.words}), before=front)

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await opened(phone, str(step.before["app"]))
        if step.call.parameters["action"] == "force_stop":
            return await _has_ended(phone, str(step.before["package"]))
        return await _is_suspended(phone, step, step.call.parameters["action"] == "suspend")

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        await run(phone, _suspend(str(step.before["package"]), step.call.parameters["action"] == "resume"))

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await _is_suspended(phone, step, step.call.parameters["action"] == "resume")


def _suspend(name: str, suspends: bool) -> str:
    return f"pm {'suspend' if suspends else 'unsuspend'} --user current {quote(name)}"


async def _has_ended(phone: Device, name: str) -> Outcome:
    reader = processes(name)
    (running,) = await look(phone, reader)
    shown = (proof(reader, running or "no process"),)
    if not running:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    return Outcome(kind=OutcomeKind.FAILED, message=msg("{name} still runs.", name=name), proof=shown)


async def _is_suspended(phone: Device, step: Step, wanted: bool) -> Outcome:
    reader = package(str(step.before["package"]))
    (found,) = await look(phone, reader)
    suspended = found is not None and found.suspended
    shown = (proof(reader, f"suspended={str(suspended).lower()}"),)
    if suspended is wanted:
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
    message = msg("The app is {value}.", value=msg("paused") if suspended else msg("not paused"))
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)
