"""Questions of the system over an app: chooser, permission, uninstall, USB debugging."""

from virtual_phone.apps.api_calls import handle
from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.ui.dialog import DialogButton, SheetRow, dialog, sheet
from virtual_phone.ui.tree import Action, ViewNode
from virtual_phone.ui.words import word

_PERMISSIONS = {
    "android.permission.ACCESS_FINE_LOCATION": ("pin", "may_locate"),
    "android.permission.CAMERA": ("camera", "may_photograph"),
    "android.permission.READ_CONTACTS": ("person", "may_read_contacts"),
    "android.permission.POST_NOTIFICATIONS": ("bell", "may_notify"),
}
"""The text and icon of each permission question."""


def chooser(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The chooser between apps that handle an intent."""
    answers = []
    for component in state.apps.handlers(activity.intent.model_copy(update={"component": ""})):
        package = component.partition("/")[0]
        app = state.apps.find(package)
        glyph, color = (app.glyph or "app", app.color) if app else ("app", "#5f6368")
        answers.append(SheetRow(glyph, color, state.apps.label(package), _choose(component)))
    return sheet(word(state, "open_with"), answers, away=lambda state: state.apps.back())


def _choose(component: str) -> Action:
    def choose(state: PhoneState) -> None:
        intent = state.apps.foreground.intent
        state.apps.choose(component)
        handle(state, intent, component)

    return choose


def permission(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The permission question: while using the app, once, or not."""
    extras = activity.intent.extras
    package, name = str(extras.get("package", "")), str(extras.get("permission", ""))
    glyph, question = _PERMISSIONS.get(name, ("lock", "may_do"))
    text = word(state, question, state.apps.label(package), name.rpartition(".")[2])
    answers = (
        ("while_using", "permission_allow_foreground_only_button", True),
        ("only_this_time", "permission_allow_one_time_button", True),
        ("deny", "permission_deny_button", False),
    )
    choices = [
        DialogButton(word(state, label), _answer(package, name, allowed), resource)
        for label, resource, allowed in answers
    ]
    return dialog(text, "", choices, glyph=glyph)


def _answer(package: str, name: str, allowed: bool) -> Action:
    def answer(state: PhoneState) -> None:
        state.apps.grant(package, name, allowed)
        state.apps.back_to(package)

    return answer


def uninstall(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The question before an uninstall."""
    package = activity.intent.data.partition(":")[2]
    choices = [
        DialogButton(word(state, "ok"), lambda state: _uninstall(state, package), "button1"),
        DialogButton(word(state, "cancel"), lambda state: state.apps.back(), "button2"),
    ]
    return dialog(state.apps.label(package), word(state, "are_you_sure"), choices)


def usb_debugging(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The question whether a computer may debug the phone, with the fingerprint of its key."""
    choices = [
        DialogButton(word(state, "allow"), _answer_key(True), "button1"),
        DialogButton(word(state, "cancel"), _answer_key(False), "button2"),
    ]
    text = word(state, "key_fingerprint", state.adb_keys.fingerprint)
    return dialog(word(state, "allow_usb_debugging"), text, choices)


def _answer_key(allowed: bool) -> Action:
    def answer(state: PhoneState) -> None:
        state.apps.back()
        state.adb_keys.answer(allowed)

    return answer


def _uninstall(state: PhoneState, package: str) -> None:
    state.apps.back()
    state.apps.uninstall(package)
