"""The keyboard and what kind of field has it, from ``dumpsys input_method``.

No capture exists. ``mInputShown`` follows AOSP's ``InputMethodManagerService.dump``, ``inputType`` its
``EditorInfo.dump``, the numbers ``android.text.InputType``.
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import find, parser
from heed.messages import msg
from heed.model import Frozen


class InputMethod(Frozen):
    """The keyboard as it is now."""

    shown: bool
    password: bool
    """True while the field that is typed into holds a password, shown in dots or not."""


_SHOWN = re.compile(r"\bmInputShown=(true|false)\b")
_TYPE = re.compile(r"\binputType=0x([0-9a-f]{1,8})\b", re.ASCII)
_CLASS, _VARIATION = 0xF, 0xFF0
_PASSWORDS = frozenset({0x81, 0x91, 0xE1, 0x12})
"""Text: password, visible password, password of a web page; number: password."""


@parser(msg("The keyboard"))
def parse_input_method(text: str) -> InputMethod:
    """``dumpsys input_method``; several parts of it may tell the field's type, and one password is enough."""
    shown = find(_SHOWN, text, msg("mInputShown")) == "true"
    types = (int(printed, 16) & (_CLASS | _VARIATION) for printed in _TYPE.findall(text))
    return InputMethod(shown=shown, password=shown and any(kind in _PASSWORDS for kind in types))


INPUT_METHOD = Reader("input_method", "dumpsys input_method", parse_input_method, verified=False)
