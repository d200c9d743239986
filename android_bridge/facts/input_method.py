"""The keyboard and the type of its field, from ``dumpsys input_method``.

``mInputShown`` checked against a part of the output of an emulator (Android 15); no capture shows a field's type.
``inputType`` follows AOSP's ``EditorInfo.dump``, its numbers ``android.text.InputType``.
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, parser
from heed.messages import msg
from heed.model import Frozen


class InputMethod(Frozen):
    """The state of the keyboard."""

    shown: bool
    password: bool
    """True while the keyboard is shown for a password field, masked or not."""


_SHOWN = re.compile(r"\bmInputShown=(true|false)\b")
_TYPE = re.compile(r"\binputType=0x([0-9a-f]{1,8})\b", re.ASCII)
_CLASS, _VARIATION = 0xF, 0xFF0
_PASSWORDS = frozenset({0x81, 0x91, 0xE1, 0x12})
"""Text: password, visible password, password of a web page; number: password."""


@parser(msg("The keyboard"))
def parse_input_method(text: str) -> InputMethod:
    """Parses ``dumpsys input_method``; it prints several field types, and one password type is enough."""
    shown = find(_SHOWN, text, msg("mInputShown")) == "true"
    types = (int(printed, 16) & (_CLASS | _VARIATION) for printed in _TYPE.findall(text))
    return InputMethod(shown=shown, password=shown and any(kind in _PASSWORDS for kind in types))


INPUT_METHOD = Reader("input_method", "dumpsys input_method", parse_input_method, verified=False)
