"""What must hold before anything is opened on the person's screen, and what is in front of it."""

import re
from collections.abc import Sequence

from android_bridge.commands import resolve_activity
from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES, Activities
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from android_bridge.facts.windows import SECURE_WINDOWS
from executors.capability import Need
from executors.executor import Executor, OutOfReachError, Receipt, RefusedError
from executors.observation import look, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from heed.messages import Message, msg, sentences

# Wallets and banks, and the pages of other apps on which money moves. While one of them is in front, nothing is
# opened over it and nothing is typed into it.
_PAYMENT = re.compile(
    r"com\.eg\.android\.AlipayGphone/|com\.unionpay/|com\.paypal\.android\.p2pmobile/|com\.mipay\.wallet/"
    r"|com\.google\.android\.apps\.wallet\w*/|com\.samsung\.android\.(?:spay|samsungpay)\w*/|com\.huawei\.wallet/"
    r"|com\.tencent\.mm/.*\.(?:wallet|remittance|offline)\.|com\.coinbase\.android/|com\.revolut\.revolut/"
    r"|cmb\.pb/|com\.icbc/|com\.chinamworld\.main/|com\.android\.bankabc/|com\.chinamworld\.bocmbci/|com\.yitong\.mbank"
    r"|[\w.]*\.(?:bank|banking|mobilebank\w*)[\w.]*/",
    re.IGNORECASE,
)
COMPONENT = re.compile(r"^([A-Za-z][\w.]*)/[\w.$]+$", re.MULTILINE | re.ASCII)
_NONE = "No activity found"
_CHOOSER = "android"
# What comes in front instead when a vendor's chain-start control asks first (notes: functions.md, D9).
_GUARDS = re.compile(r"com\.miui\.securitycenter/|com\.(?:coloros|oplus)\.safecenter/|com\.vivo\.permissionmanager/")


async def require_screen(phone: Device) -> Activities:
    """What is in front, when something may be opened over it.

    Raises ``OutOfReachError`` while the phone sleeps or is locked, or a payment or secure window is in front.
    """
    power, activities, secure = await look(phone, POWER, ACTIVITIES, SECURE_WINDOWS)
    if not power.awake:
        raise OutOfReachError(
            msg("The screen is off, so nothing is opened on it."), msg("Wake the phone and ask again.")
        )
    if activities.locked:
        raise OutOfReachError(msg("The phone is locked, so nothing is opened on it."), msg("Unlock it and ask again."))
    front = title(activities)
    if _PAYMENT.match(front):
        raise OutOfReachError(
            msg("A payment app is in front; heed opens nothing over it."), msg("Finish or leave it first.")
        )
    if front in secure or activities.focus in secure:
        raise OutOfReachError(
            msg("A protected window is in front; heed opens nothing over it."), msg("Finish or leave it first.")
        )
    return activities  # type: ignore[no-any-return]


def title(activities: Activities) -> str:
    """``package/activity`` of the app in front; empty when there is none."""
    app = activities.foreground
    return f"{app.package}/{app.activity}" if app else ""


async def opened(phone: Device, app: str, left: str = "") -> Outcome:
    """One look: is ``app`` in front, waiting for the person?

    Where Android asks which app (``app`` is empty), anything but ``left``, which was in front before, is its answer.
    """
    (activities,) = await look(phone, ACTIVITIES)
    shown = (proof(ACTIVITIES, activities),)
    front = activities.foreground
    if front is not None and (front.package == app if app else title(activities) != left):
        return Outcome(kind=OutcomeKind.HANDED_OVER, proof=shown)
    there = title(activities)
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
    """``cmd package resolve-activity --brief``: the package; empty when Android would ask which, None for none."""
    components = COMPONENT.findall(text)
    if not components:
        if _NONE in text:
            return None
        raise missing(msg("component"))
    return "" if components[-1] == _CHOOSER else str(components[-1])


def handler(
    action: str, mime_type: str = "", *, data: str = "", categories: Sequence[str] = (), package: str = ""
) -> Reader[str | None]:
    """The reader of the package that opens an intent without asking."""
    command = resolve_activity(action=action, data=data, mime_type=mime_type, categories=categories, package=package)
    return Reader(f"handler.{action}", command, parse_handler, verified=False)


async def app_for(phone: Device, action: str, mime_type: str = "", *, data: str = "", package: str = "") -> str:
    """The package that opens ``action``; empty when Android would ask which; ``RefusedError`` when there is none."""
    (app,) = await look(phone, handler(action, mime_type, data=data, package=package))
    if app is None:
        what = data.partition(":")[0] if data else mime_type
        opened = msg("{action} for {what}", action=action, what=what) if what else action
        raise RefusedError(msg("No app on the phone opens {action}.", action=opened))
    return str(app)


def opens(action: str, mime_type: str = "", *, data: str = "") -> Need:
    """The need of an app that opens an intent."""
    what = action.rpartition(".")[2].lower().replace("_", " ")
    return Need(
        handler(action, mime_type, data=data), msg("No app opens “{what}”.", what=what), lambda app: app is not None
    )


def shown(command: str, app: str, *effects: Effect, before: Activities | None = None) -> Preparation:
    """A step that opens something on the screen and leaves the rest to the person there."""
    front = title(before) if before is not None else ""
    return Preparation(commands=(command,), effects=effects, before={"app": app, "front": front}, hands_over=True)


class OnScreen(Executor):
    """An executor that opens something (``shown``) and sees that it came to the front."""

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        return await opened(phone, str(step.before["app"]), str(step.before.get("front", "")))
