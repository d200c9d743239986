"""What must hold before anything is opened on the person's screen, and what is in front of it."""

import re

from android_bridge.device import Device
from android_bridge.facts.activities import ACTIVITIES, Activities
from android_bridge.facts.power import POWER
from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from android_bridge.facts.windows import SECURE_WINDOWS
from executors.executor import RefusedError
from executors.look import look, proof
from executors.plan import Outcome, OutcomeKind

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
_COMPONENT = re.compile(r"^([A-Za-z][\w.]*)/[\w.$]+$", re.MULTILINE | re.ASCII)
_NONE = "No activity found"
_CHOOSER = "android"


async def require_screen(phone: Device) -> Activities:
    """What is in front, when something may be opened over it.

    Raises ``RefusedError`` while the phone sleeps or is locked, or a payment or secure window is in front.
    """
    power, activities, secure = await look(phone, POWER, ACTIVITIES, SECURE_WINDOWS)
    if not power.awake:
        raise RefusedError("The screen is off, so nothing is opened on it.", "Wake the phone and ask again.")
    if activities.locked:
        raise RefusedError("The phone is locked, so nothing is opened on it.", "Unlock it and ask again.")
    front = title(activities)
    if _PAYMENT.match(front):
        raise RefusedError("A payment app is in front; heed opens nothing over it.", "Finish or leave it first.")
    if front in secure or activities.focus in secure:
        raise RefusedError("A protected window is in front; heed opens nothing over it.", "Finish or leave it first.")
    return activities  # type: ignore[no-any-return]


def title(activities: Activities) -> str:
    """``package/activity`` of the app in front; empty when there is none."""
    app = activities.foreground
    return f"{app.package}/{app.activity}" if app else ""


async def opened(phone: Device, app: str, message: str) -> Outcome:
    """One look: is ``app`` (any, when it is empty because Android asks which) in front, waiting for the person?"""
    (activities,) = await look(phone, ACTIVITIES)
    shown = (proof(ACTIVITIES, activities),)
    front = activities.foreground
    if front is not None and app in ("", front.package):
        return Outcome(kind=OutcomeKind.HANDED_OVER, message=message, proof=shown)
    there = title(activities) or "nothing"
    return Outcome(kind=OutcomeKind.FAILED, message=f"{app} did not come to the front, {there} is.", proof=shown)


@parser("The app that handles an action")
def parse_handler(text: str) -> str | None:
    """``cmd package resolve-activity --brief``: the package; empty when Android would ask which, None for none."""
    components = _COMPONENT.findall(text)
    if not components:
        if _NONE in text:
            return None
        raise missing("component")
    return "" if components[-1] == _CHOOSER else str(components[-1])


def handler(action: str, mime_type: str = "") -> Reader[str | None]:
    """The reader of the package that opens ``action`` (constants of ours) without asking."""
    type_option = f" -t {mime_type}" if mime_type else ""
    command = f"cmd package resolve-activity --brief -a {action}{type_option}"
    return Reader(f"handler.{action}", command, parse_handler, verified=False)


async def app_for(phone: Device, action: str, mime_type: str = "") -> str:
    """The package that opens ``action``; empty when Android would ask which; ``RefusedError`` when there is none."""
    (app,) = await look(phone, handler(action, mime_type))
    if app is None:
        raise RefusedError(f"No app on the phone opens {action}.")
    return str(app)
