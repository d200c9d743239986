"""What installed apps do on a broadcast."""

import base64
import binascii
import stat
from collections.abc import Callable
from typing import NamedTuple

from virtual_phone.state import PhoneState
from virtual_phone.state.intents import Intent

_OK, _CANCELED = -1, 0
"""``Activity.RESULT_OK`` and ``RESULT_CANCELED``."""
_CLIPPER = "ca.zgrs.clipper"


class BroadcastResult(NamedTuple):
    """What the last receiver of an ordered broadcast leaves: ``am broadcast`` prints it."""

    code: int = _CANCELED
    data: str | None = None


def deliver(state: PhoneState, intent: Intent) -> BroadcastResult:
    """Give a broadcast to the app that receives its action, if that is installed."""
    receiver = _RECEIVERS.get(intent.action)
    return receiver(state, intent) if receiver else BroadcastResult()


def _type(state: PhoneState, intent: Intent) -> BroadcastResult:
    """ADBKeyBoard types text that comes in Base64."""
    if "adbkeyboard" in state.keyboard.current:
        try:
            text = base64.b64decode(str(intent.extras.get("msg", ""))).decode(errors="replace")
        except binascii.Error:
            text = ""
        state.apps.type_text(text)
    return BroadcastResult()


def _scan(state: PhoneState, intent: Intent) -> BroadcastResult:
    """The media provider indexes a file, or the files in a folder."""
    path = state.files.resolve(intent.data.removeprefix("file://"))
    status = state.files.stat(path)
    if status is not None:
        for found in state.files.below(path) if stat.S_ISDIR(status.mode) else [path]:
            state.media.index(found)
    return BroadcastResult()


def _set_clipboard(state: PhoneState, intent: Intent) -> BroadcastResult:
    """Clipper (majido/clipper, ``ClipperReceiver.java``) puts a text on the clipboard."""
    if state.apps.find(_CLIPPER) is None:
        return BroadcastResult()
    if "text" not in intent.extras:
        return BroadcastResult(_CANCELED, 'No text is provided. Use -e text "text to be pasted"')
    state.keyboard.put_on_clipboard(str(intent.extras["text"]))
    return BroadcastResult(_OK, "Text is copied into clipboard.")


def _get_clipboard(state: PhoneState, intent: Intent) -> BroadcastResult:
    """Clipper tells what is on the clipboard, which Android shows to the app in front only."""
    if state.apps.foreground.package != _CLIPPER:
        return BroadcastResult(_CANCELED, "") if state.apps.find(_CLIPPER) else BroadcastResult()
    return BroadcastResult(_OK, state.keyboard.clipboard)


_RECEIVERS: dict[str, Callable[[PhoneState, Intent], BroadcastResult]] = {
    "ADB_INPUT_B64": _type,
    "android.intent.action.MEDIA_SCANNER_SCAN_FILE": _scan,
    "clipper.set": _set_clipboard,
    "clipper.get": _get_clipboard,
}
