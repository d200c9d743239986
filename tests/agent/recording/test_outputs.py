"""Private values in the forms in which phones print them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.cli.recording import _KINDS
from agent.recording.outputs import scrub
from agent.recording.stand_ins import StandIns
from android_bridge.facts.reader import UnreadableError
from tests.android_bridge.facts.test_captures import PARSERS

DUMPS = {
    "dumpsys wifi": 'SSID: "Quill, upstairs", BSSID: 9c:5a:81:3e:77:d2, MAC: 9c:5a:81:3e:77:d3, IP: /192.168.77.41',
    "dumpsys power": "PARTIAL_WAKE_LOCK '*sync*/com.android.contacts/com.google/quill.t@larkspur.example' (uid=10051)",
    "dumpsys account": "Account {name=theodora-q, type=com.example.mail}",
    "dumpsys telephony.registry": "    mCallIncomingNumber=07700900123\n mCi=27462391 mTac=41207",
    "dumpsys telecom": "  handle: tel:07700%20900123, callerDisplayName: Theodora Quill,",
    "dumpsys location": "  last location=Location[fused 53.806710,-1.555230 hAcc=12.0 et=+1h2m3s4ms]",
    "dumpsys iphonesubinfo": "  Device ID = 356938035643809",
    "dumpsys connectivity": "Addresses: [ fe80::9e5a:81ff:fe3e:77d2/64,2a02:8071:b69:1c00::41/64,192.168.77.41/24 ]",
    "dumpsys bluetooth_manager": " 9C:5A:81:3E:77:D4 [ DUAL ] Theodora's Buds\n 9C:5A:81:3E:77:D5 [BR/EDR] 静怡",
    "dumpsys activity activities": "  Intent { act=a.VIEW dat=https://larkspur.example/quill cmp=a.b/.C }",
    "settings list secure": "lock_screen_owner_info=call theodora\nandroid_id=8f3a1c5be7d29046\nenabled=1",
    "getprop": "[ro.serialno]: [R5CT90XKZ1K]\n[ro.product.model]: [Pixel 8]\n[net.hostname]: [Theodora-Quill]",
    "cat /proc/net/tcp": "   0: 294DA8C0:A1B2 2938475A:01BB 01 00000000:00000000",
    "uiautomator dump /dev/tty": '<node text="静怡 &amp; Theodora" content-desc="07700 900123" bounds="[0,0][1,2]" />',
}
PRIVATE = (
    "quill", "upstairs", "9c:5a:81:3e:77", "192.168.77.41", "larkspur", "theodora", "07700", "900123", "27462391",
    "41207", "53.806", "1.5552", "356938035643809", "77d2", "2a02:8071", "b69", "静怡", "8f3a1c5be7d29046",
    "r5ct90xkz1k", "294da8c0", "2938475a",
)  # fmt: skip


@pytest.fixture(scope="module")
def scrubbed() -> dict[str, str]:
    return scrub(DUMPS, "R5CT90XKZ1K", StandIns())


@pytest.mark.parametrize("command", DUMPS)
def test_private_values_are_replaced_and_the_form_stays(scrubbed: dict[str, str], command: str) -> None:
    text = scrubbed[command]
    assert [value for value in PRIVATE if value in text.casefold()] == []
    assert len(text) == len(DUMPS[command])
    assert re.sub(r"\w", "", text) == re.sub(r"\w", "", DUMPS[command])


def test_what_is_not_private_stays(scrubbed: dict[str, str]) -> None:
    for command, kept in (
        ("getprop", "[ro.product.model]: [Pixel 8]"),
        ("settings list secure", "enabled=1"),
        ("dumpsys power", "com.android.contacts/com.google/"),
        ("dumpsys activity activities", "cmp=a.b/.C"),
        ("cat /proc/net/tcp", ":01BB 01 00000000:00000000"),
    ):
        assert kept in scrubbed[command]


def test_a_value_has_one_stand_in_in_all_outputs(scrubbed: dict[str, str]) -> None:
    address = re.search(r"IP: /(\S+)", scrubbed["dumpsys wifi"])
    assert address is not None
    assert f",{address[1]}/24" in scrubbed["dumpsys connectivity"]


def test_every_capture_that_is_read_is_read_after_the_replacement(captures_folder: Path) -> None:
    for folder, parse in PARSERS.items():
        for path in sorted((captures_folder / folder).glob("*.txt")):
            text = path.read_text("utf-8", "replace")
            if len(text) < 60_000 and can(parse, text):
                command = folder.replace("-", " ", 2 if folder.startswith("settings") else 1)
                stand_ins = StandIns()
                (replaced,) = scrub({command: text}, "", stand_ins).values()
                assert can(parse, replaced), path.name
                assert len(replaced) == len(text)
                assert stand_ins.kinds.keys() <= _KINDS.keys()


def can(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except UnreadableError:
        return False
    return True
