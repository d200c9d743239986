"""The check of commands against their documented usage finds what is wrong."""

import shlex

import pytest

from tests.executors.usage import fault


@pytest.mark.parametrize(
    "command",
    [
        "am start -W -a android.intent.action.DIAL -d tel:123 --es sms_body '--es a b' --eial days 1,2",
        "content insert --uri content://com.android.contacts/data --bind data1:s:--where",
        "settings put system font_scale 1.15",
        "cmd wifi connect-network 'a b; c' wpa2 'pass word'",
    ],
)
def test_a_right_command_has_no_fault(command: str) -> None:
    assert fault(shlex.split(command)) == ""


@pytest.mark.parametrize(
    "command",
    [
        "am start -W --component com.android.settings/.Settings",
        "am start -a android.intent.action.VIEW tel:123",
        "am start --ei hour seven",
        "am start -d intent:#Intent;end",
        "am broadcast -a android.intent.action.AIRPLANE_MODE",
        "am force-stop",
        "content query --uri content://sms --where ''",
        "content delete --uri content://media/external/file --bind a:s:b",
        "settings put system font_scale large",
        "settings put private key 1",
        "cmd notification set_dnd priority now",
        "cmd wifi connect-network --help open",
        "rm -rf /sdcard",
        "pm uninstall com.whatsapp",
        "svc wifi disable",
    ],
)
def test_a_wrong_or_unknown_command_has_one(command: str) -> None:
    assert fault(shlex.split(command)) != ""
