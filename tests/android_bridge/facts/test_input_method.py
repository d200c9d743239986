"""The keyboard, and whether it types a password."""

from collections.abc import Callable

import pytest

from android_bridge.device import Device
from android_bridge.facts.input_method import INPUT_METHOD, InputMethod, parse_input_method
from android_bridge.facts.reader import UnreadableError
from virtual_phone import VirtualPhone

DUMP = """Current Input Method Manager state:
  mShowRequested=true mShowExplicitlyRequested=false mShowForced=false mInputShown=true
  mInputEditorInfo:
    inputType=0x{} imeOptions=0x6 privateImeOptions=null
"""


@pytest.mark.parametrize(
    ("kind", "password"),
    [
        ("1", False),
        ("81", True),
        ("91", True),
        ("e1", True),
        ("12", True),
        ("2", False),
        ("80081", True),
        ("21", False),
    ],
)
def test_a_password_field_is_known_by_its_type(kind: str, password: bool) -> None:
    assert parse_input_method(DUMP.format(kind)) == InputMethod(shown=True, password=password)


def test_a_hidden_keyboard_types_nothing() -> None:
    hidden = DUMP.format("81").replace("mInputShown=true", "mInputShown=false")
    assert parse_input_method(hidden) == InputMethod(shown=False, password=False)
    with pytest.raises(UnreadableError, match="keyboard"):
        parse_input_method("Can't find service: input_method")


def test_the_keyboard_of_an_emulator_is_up(capture: Callable[[str], str]) -> None:
    text = capture("dumpsys-input_method/emulator-pixel7-api35-shown-tail.txt")
    assert parse_input_method(text) == InputMethod(shown=True, password=False)


async def test_on_the_virtual_phone(phone: VirtualPhone, device: Device) -> None:
    phone.state.apps.install("a.shop", "Shop", screen="sign_in")
    phone.state.open_app("a.shop")
    assert await device.read(INPUT_METHOD) == InputMethod(shown=False, password=False)
    phone.state.apps.focus("password")
    assert await device.read(INPUT_METHOD) == InputMethod(shown=True, password=True)
