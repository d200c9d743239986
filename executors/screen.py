"""Executors that open something on the screen: preconditions, the app for an intent, verification."""

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from android_bridge.commands import am_start, resolve_activity
from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES, Activities
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from android_bridge.facts.windows import SECURE_WINDOWS
from executors.capability import Requirement
from executors.executor import Executor, OutOfReachError, Receipt, RefusedError
from executors.observation import observe, proof
from executors.payment_windows import is_payment_window
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from heed.messages import Message, msg, sentences

COMPONENT = re.compile(r"^([A-Za-z][\w.]*)/[\w.$]+$", re.MULTILINE | re.ASCII)
_NONE = "No activity found"
_CHOOSER = "android"
# In front instead of the app where a vendor asks before one app opens another
# (docs/android-notes.md, "Vendor switches").
_GUARDS = re.compile(r"com\.miui\.securitycenter/|com\.(?:coloros|oplus)\.safecenter/|com\.vivo\.permissionmanager/")


async def require_screen(phone: Device) -> Activities:
    """Returns the activities in front, when something may be opened over them.

    Raises ``OutOfReachError`` while the phone sleeps or is locked, or a payment or secure window is in front that the
    owner has not left (``Device.left_app``).
    """
    power, activities, secure = await observe(phone, POWER, ACTIVITIES, SECURE_WINDOWS)
    if not power.awake:
        raise OutOfReachError(
            msg("The screen is off, so nothing is opened on it."), msg("Wake the phone and ask again.")
        )
    if activities.locked:
        raise OutOfReachError(msg("The phone is locked, so nothing is opened on it."), msg("Unlock it and ask again."))
    front = window_title(activities)
    if phone.left_app and front.startswith(f"{phone.left_app}/"):
        return activities  # type: ignore[no-any-return]
    if is_payment_window(front):
        raise OutOfReachError(
            msg("A payment app is in front; heed opens nothing over it."), msg("Finish or leave it first.")
        )
    if front in secure or activities.focus in secure:
        raise OutOfReachError(
            msg("A protected window is in front; heed opens nothing over it."), msg("Finish or leave it first.")
        )
    return activities  # type: ignore[no-any-return]


def window_title(activities: Activities) -> str:
    """Returns ``package/activity`` of the app in front; empty when there is none."""
    app = activities.foreground
    return f"{app.package}/{app.activity}" if app else ""


async def verify_opened(phone: Device, app: str, left: str = "") -> Outcome:
    """Reads the phone once and returns ``HANDED_OVER`` when ``app`` is in front, otherwise ``FAILED``.

    Args:
        phone: the phone to read.
        app: the package that must be in front; empty where Android asks which app: then any window but ``left``.
        left: ``package/activity`` of the window that was in front before.
    """
    (activities,) = await observe(phone, ACTIVITIES)
    shown = (proof(ACTIVITIES, activities),)
    front = activities.foreground
    if front is not None and (front.package == app if app else window_title(activities) != left):
        return Outcome(kind=OutcomeKind.HANDED_OVER, proof=shown)
    there = window_title(activities)
    message = sentences(
        _not_in_front(app, there),
        msg("This phone asks before one app opens another: allow it there.") if _GUARDS.match(there) else "",
    )
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=shown)


def _not_in_front(app: str, there: str) -> Message:
    front = there or msg("nothing")
    if not app:
        return msg("No new page came to the front; {front} is in front.", front=front)
    return msg("{app} did not come to the front; {front} is in front.", app=app, front=front)


@parser(msg("The app that handles an action"))
def parse_handler(text: str) -> str | None:
    """Parses ``cmd package resolve-activity --brief``.

    Returns the package, an empty text when Android would ask which app, None when no app handles it.
    """
    components = COMPONENT.findall(text)
    if not components:
        if _NONE in text:
            return None
        raise missing(msg("component"))
    return "" if components[-1] == _CHOOSER else str(components[-1])


def handler(
    action: str, mime_type: str = "", *, data: str = "", categories: Sequence[str] = (), package: str = ""
) -> Reader[str | None]:
    """Returns the reader of the package that handles an intent (see ``parse_handler``)."""
    command = resolve_activity(action=action, data=data, mime_type=mime_type, categories=categories, package=package)
    return Reader(f"handler.{action}", command, parse_handler, verified=False)


async def app_for(phone: Device, action: str, mime_type: str = "", *, data: str = "", package: str = "") -> str:
    """Returns the package that handles an intent; empty when Android would ask which app.

    Raises ``RefusedError`` when no app handles it.
    """
    (app,) = await observe(phone, handler(action, mime_type, data=data, package=package))
    if app is None:
        what = data.partition(":")[0] if data else mime_type
        opened = msg("{action} for {what}", action=action, what=what) if what else action
        raise RefusedError(msg("No app on the phone opens {action}.", action=opened))
    return str(app)


def requires_app(action: str, mime_type: str = "", *, data: str = "") -> Requirement:
    """Returns the requirement of an app that handles an intent."""
    what = action.rpartition(".")[2].lower().replace("_", " ")
    return Requirement(
        handler(action, mime_type, data=data), msg("No app opens “{what}”.", what=what), lambda app: app is not None
    )


def hand_over(command: str, app: str, *effects: Effect, before: Activities | None = None) -> Preparation:
    """Returns the preparation of a step that opens a page on which the owner finishes.

    Args:
        command: the shell line that opens it.
        app: the package that must come to the front; empty where Android asks which app.
        effects: what the consent request shows.
        before: the activities in front now, from ``require_screen``.
    """
    front = window_title(before) if before is not None else ""
    return Preparation(commands=(command,), effects=effects, before={"app": app, "front": front}, hands_over=True)


async def settings_page(phone: Device, action: str, *effects: Effect) -> Preparation:
    """Returns the preparation of a step that opens a page of the settings, where the owner finishes.

    Args:
        phone: the phone to read.
        action: the page, such as ``android.settings.WIFI_SETTINGS``.
        effects: what the consent request shows.

    Raises ``RefusedError`` where nothing may be opened on the screen now, or no app has the page.
    """
    front = await require_screen(phone)
    app = await app_for(phone, action)
    return hand_over(am_start(action=action, package=app), app, *effects, before=front)


def by_hand(parameters: Mapping[str, JsonValue]) -> tuple[Effect, ...]:
    """Returns the effect that names the arguments which a page does not take; none without arguments.

    Of an argument that is None only the name is shown.
    """
    fields: list[JsonValue] = [[name, value] for name, value in parameters.items()]
    return (Effect(kind="page_by_hand", detail={"fields": fields}),) if fields else ()


class HandOverExecutor(Executor):
    """Base class of executors whose ``prepare`` returns ``hand_over(…)``: verifies that the page is in front."""

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await verify_opened(phone, str(step.before["app"]), str(step.before.get("front", "")))
