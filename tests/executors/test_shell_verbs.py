"""The verbs of a service are those of its help; what its help leaves out, the shell may not use."""

import pytest

from android_bridge.facts.reader import UnreadableError
from executors.shell_verbs import has_verb, parse_verbs

HELP = """Wi-Fi (wifi) commands:
  help or -h
    Print this help text.
  set-wifi-enabled enabled|disabled
    Enables/disables Wifi on this device.
  connect-network <ssid> open|owe|wpa2|wpa3 [<passphrase>] [-m]
    Connect to a network with provided params and add to saved networks list
"""
"""The form of ``WifiShellCommand.onHelp``."""


def test_each_line_of_a_help_begins_with_a_verb() -> None:
    assert parse_verbs(HELP) == frozenset({"help", "set-wifi-enabled", "connect-network"})
    assert has_verb("wifi", "connect-network").parse(HELP)
    assert not has_verb("wifi", "status").parse(HELP)


def test_a_verb_is_tried_where_the_shell_may_not_ask_for_the_help() -> None:
    said = "java.lang.SecurityException: Uid 2000 does not have access to help wifi command"
    assert has_verb("wifi", "connect-network").parse(f"Exception occurred while executing 'help':\n{said}\n")


@pytest.mark.parametrize("said", ["No shell command implementation.", "cmd: Can't find service: audio"])
def test_a_service_without_commands_has_no_verb(said: str) -> None:
    assert not has_verb("audio", "set-ringer-mode").parse(f"{said}\n")


def test_an_empty_answer_is_not_read() -> None:
    with pytest.raises(UnreadableError):
        parse_verbs("")
