"""Protected windows are recognised by their flag, and only while they are on the screen."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from android_bridge.facts.reader import UnreadableError
from android_bridge.facts.windows import parse_secure_windows

WINDOW = """  Window #{number} Window{{41b3757 u0 {title}}}:
    mDisplayId=0 mSession=Session{{a939d1 1077:u0a10198}} mClient=android.os.BinderProxy@9349465
    mAttrs={{(0,0)(fillxfill) sim={{adjust=pan}} ty=BASE_APPLICATION wanim=0x10302fe
      fl=LAYOUT_IN_SCREEN {flags}HARDWARE_ACCELERATED
      pfl=NO_MOVE_ANIMATION}}
    isOnScreen={shown}
    isVisible={shown}
"""


def window(title: str, *, secure: bool = False, shown: bool = True, number: int = 0) -> str:
    return WINDOW.format(number=number, title=title, flags="SECURE " * secure, shown=str(shown).lower())


def test_a_window_with_the_flag_on_the_screen_is_protected() -> None:
    text = window("com.bank/com.bank.Login", secure=True) + window("StatusBar", number=1)
    assert parse_secure_windows(text) == {"com.bank/com.bank.Login"}


def test_a_protected_window_that_is_not_shown_does_not_count() -> None:
    assert parse_secure_windows(window("com.bank/com.bank.Login", secure=True, shown=False)) == frozenset()


@pytest.mark.parametrize(
    "name", [*(f"emulator-api{level}-settings" for level in (28, 30, 32, 34, 36)), "xiaomi-miui-2016"]
)
def test_captures_without_protected_windows_have_none(capture: Callable[[str], str], name: str) -> None:
    assert parse_secure_windows(capture(f"dumpsys-window/{name}.txt")) == frozenset()


@given(st.text())
def test_other_text_is_no_list_of_windows(text: str) -> None:
    try:
        assert isinstance(parse_secure_windows(text), frozenset)
    except UnreadableError:
        return
