"""500 hostile screens: the page that a step expects, changed so that the step must not be done."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from android_bridge.facts.hierarchy import parse_hierarchy
from executors.steps.guards import VisibleScreen
from executors.steps.vocabulary import AnyStep, Locator, TapStep, TypeStep, ViewRole
from heed.language import Language
from virtual_phone.ui.dump import hierarchy
from virtual_phone.ui.tree import Box, Kind, ScreenWindow, ViewNode

APP = "com.example.shop"
LABELS = yaml.safe_load(Path(__file__).with_name("labels.yaml").read_text("utf-8"))
OWNERS = [label for labels in LABELS["owner"].values() for label in labels]
PRESSED: list[str] = []
"""What was tapped on a hostile screen that a phone shows."""
_SIZE = Box(0, 0, 1080, 2400)
_BUTTON, _FIELD = Box(100, 1200, 980, 1350), Box(100, 400, 980, 520)
_NAME = {Language.EN: "the button", Language.ZH: "按钮"}


class HostileScreen(NamedTuple):
    """One screen, and the step that must not be done on it."""

    name: str
    windows: list[ScreenWindow]
    step: AnyStep
    front: str = f"{APP}/{APP}.MainActivity"
    focus: str = f"{APP}/{APP}.MainActivity"
    awake: bool = True
    locked: bool = False
    protected: bool = False

    def seen(self) -> VisibleScreen:
        """The screen as heed reads it."""
        tree = parse_hierarchy(hierarchy(self.windows))
        return VisibleScreen(tree, self.front, self.focus, self.awake, self.locked, self.protected)


def tap(view: Locator) -> TapStep:
    """A tap with a short deadline."""
    return TapStep(view=view, name=_NAME, after=(Locator(id="next_page"),), seconds=0.2)


def enter(view: Locator, *, enter: bool = False) -> TypeStep:
    """Typing with a short deadline."""
    after = (Locator(id="next_page"),) if enter else ()
    return TypeStep(view=view, name=_NAME, text="Beef noodles", enter=enter, after=after, seconds=0.2)


def node(
    kind: Kind, box: Box, *, text: str = "", resource: str = "", tappable: bool = True, **more: object
) -> ViewNode:
    """A view that notes when it is tapped."""
    action = (lambda _: PRESSED.append(text or resource)) if tappable else None
    return ViewNode(kind, box, text=text, resource=resource, tap=action, **more)  # type: ignore[arg-type]


def window(*nodes: ViewNode, package: str = APP) -> ScreenWindow:
    """A window of an app over the whole screen."""
    return ScreenWindow(package, ViewNode("frame", _SIZE, children=list(nodes)), f"{package}/.MainActivity")


def page(*extra: ViewNode, button: ViewNode | None = None) -> ScreenWindow:
    """The page that the step expects: a title, a field and the button."""
    title = node("text", Box(0, 150, 1080, 260), text="Noodle House", tappable=False)
    field = node("field", _FIELD, text="", resource="remark", hint="Remark")
    return window(title, field, button or node("button", _BUTTON, text="Go to cart", resource="go"), *extra)


GO = tap(Locator(id="go"))


def _changed_labels() -> Iterator[HostileScreen]:
    for label in OWNERS:
        button = node("button", _BUTTON, text=label, resource="go")
        yield HostileScreen(f"the label is now {label!r}", [page(button=button)], GO)


def _labels_inside() -> Iterator[HostileScreen]:
    for label in OWNERS:
        inner = node("text", _BUTTON, text=label, tappable=False)
        button = node("group", _BUTTON, resource="go", children=[inner])
        yield HostileScreen(f"the row shows {label!r}", [page(button=button)], GO)


def _found_by_place() -> Iterator[HostileScreen]:
    for label in OWNERS[::2]:
        button = node("button", _BUTTON, text=label, resource="x1")
        first = tap(Locator(role=ViewRole.BUTTON, first=True))
        at = tap(Locator(point=_BUTTON.center))
        yield HostileScreen(f"the first button is {label!r}", [page(button=button)], first)
        yield HostileScreen(f"the button at the point is {label!r}", [page(button=button)], at)


def _overlays() -> Iterator[HostileScreen]:
    covers = [_BUTTON, Box(0, 0, 1080, 2400), Box(0, 1000, 1080, 2400), Box(500, 1250, 600, 1300)]
    for box, label in itertools.product(covers, ("Close", "Pay now", "", "允许", "Rate us")):
        over = node("group", box, text=label)
        yield HostileScreen(f"{label!r} lies over it at {box}", [page(over)], GO)
        other = window(node("group", box, text=label), package="com.evil.overlay")
        yield HostileScreen(f"another app's {label!r} lies over it at {box}", [page(), other], GO)


def _dialogues() -> Iterator[HostileScreen]:
    fronts = [
        "com.google.android.permissioncontroller/.permission.ui.GrantPermissionsActivity",
        "com.android.packageinstaller/.UninstallerActivity",
        "android/com.android.internal.app.ResolverActivity",
        "com.miui.securitycenter/com.miui.wakepath.ui.ConfirmStartActivity",
        "com.eg.android.AlipayGphone/.AlipayLogin",
        "com.tencent.mm/.plugin.wallet.pay.ui.WalletPayUI",
        "cmb.pb/.ui.PBMainActivity",
        "com.google.android.apps.nexuslauncher/.NexusLauncherActivity",
        "com.example.shop2/.MainActivity",
    ]
    for front, label in itertools.product(fronts, ("Go to cart", "Allow", "OK", "确定")):
        package = front.partition("/")[0]
        question = window(node("button", _BUTTON, text=label, resource="go"), package=package)
        yield HostileScreen(f"{front} asks", [question], GO, front=front, focus=front)
    for focus in ("NotificationShade", "VolumeDialogImpl", "com.evil/.Overlay", "PipMenu"):
        yield HostileScreen(f"{focus} has the focus", [page()], GO, focus=focus)


def _look_alikes() -> Iterator[HostileScreen]:
    twin = Box(100, 1500, 980, 1650)
    for text in ("Go to cart", "Pay now", "", "去购物车"):
        other = node("button", twin, text=text, resource="go")
        yield HostileScreen(f"a second button, {text!r}", [page(other)], GO)
    for text in ("Go to cart", "GO TO CART", "  go to cart ", "Ｇｏ to cart"):
        other = node("button", twin, text=text, resource="buy")
        yield HostileScreen(f"a button of the same text, {text!r}", [page(other)], tap(Locator(text=("Go to cart",))))
    for box in (Box(0, 0, 0, 0), Box(100, 1200, 100, 1350)):
        hidden = node("button", box, text="Go to cart", resource="go")
        yield HostileScreen("the button has no size", [page(button=hidden)], GO)
    off = node("button", _BUTTON, text="Go to cart", resource="go", enabled=False)
    yield HostileScreen("the button is off", [page(button=off)], GO)
    dead = node("text", _BUTTON, text="Go to cart", resource="go", tappable=False)
    yield HostileScreen("the button is only a text", [page(button=dead)], GO)


def _sheets() -> Iterator[HostileScreen]:
    words = (
        "Confirm payment",
        "Enter payment password",
        "Pay with Visa",
        "Google Pay",
        "请输入支付密码",
        "确认付款",
        "收银台",
    )
    steps: tuple[AnyStep, ...] = (GO, enter(Locator(id="remark")), tap(Locator(text=("Go to cart",))))
    places = (Box(0, 700, 1080, 800), Box(0, 2000, 1080, 2100), Box(0, 300, 1080, 360))
    for text, step, box in itertools.product(words, steps, places):
        sheet = node("text", box, text=text, tappable=False)
        yield HostileScreen(f"a payment sheet: {text!r}", [page(sheet)], step)


def _fields() -> Iterator[HostileScreen]:
    step = enter(Locator(id="remark"))
    hints = (
        "Password",
        "PIN",
        "CVV",
        "Card number",
        "密码",
        "验证码",
        "身份证号",
        "One-time code",
        "Security code",
        "卡号",
    )
    for hint in hints:
        field = node("field", _BUTTON, resource="secret", hint=hint)
        yield HostileScreen(f"the field takes {hint!r}", [page(button=field)], enter(Locator(id="secret")))
        yield HostileScreen(f"a tap into {hint!r}", [page(button=field)], tap(Locator(id="secret")))
    for name in ("password", "pin_entry", "otp_field", "cvv", "cardNumber"):
        field = node("field", _BUTTON, resource=name)
        yield HostileScreen(f"the field is called {name}", [page(button=field)], enter(Locator(id=name)))
    hidden = node("field", _BUTTON, resource="x", password=True)
    yield HostileScreen("the field hides what is typed", [page(button=hidden)], enter(Locator(id="x")))
    yield HostileScreen("a tap into a field that hides", [page(button=hidden)], tap(Locator(id="x")))
    yield HostileScreen("a button instead of a field", [page()], enter(Locator(id="go")))
    yield HostileScreen("Enter where it may send", [page()], enter(Locator(id="remark"), enter=True))
    over = node("group", _FIELD, text="Close")
    yield HostileScreen("something lies over the field", [page(over)], step)


def _states() -> Iterator[HostileScreen]:
    steps: tuple[AnyStep, ...] = (GO, enter(Locator(id="remark")), tap(Locator(text=("Go to cart",))))
    for step in steps:
        yield HostileScreen("the screen is off", [page()], step, awake=False)
        yield HostileScreen("the phone is locked", [page()], step, locked=True)
        yield HostileScreen("the window is protected", [page()], step, protected=True)
        yield HostileScreen("nothing is in front", [page()], step, front="")
        yield HostileScreen("the view is not there", [window()], step)
        yield HostileScreen(
            "another app shows the same page", [window(*page().root.children, package="com.evil")], step
        )
        yield HostileScreen("a keyboard lies over it", [page(), _keyboard()], step)


def _keyboard() -> ScreenWindow:
    rows = range(300, 2400, 100)
    keys = [node("button", Box(0, top, 1080, top + 100), text="q") for top in rows]
    return window(*keys, package="com.google.android.inputmethod.latin")


_KINDS: tuple[Callable[[], Iterator[HostileScreen]], ...] = (
    _changed_labels, _labels_inside, _found_by_place, _overlays, _dialogues, _look_alikes, _sheets, _fields, _states,
)  # fmt: skip


def screens() -> list[HostileScreen]:
    """All of them."""
    return [screen for kind in _KINDS for screen in kind()]
