"""The command line loads what the wanted command needs, and everything where it does not know better."""

from typing import Any

import typer.main

from heed.__main__ import build_app


def names(wanted: str = "") -> set[str]:
    group: Any = typer.main.get_command(build_app(wanted))
    return set(group.commands)


def test_a_wanted_command_is_there_and_others_need_not_be() -> None:
    assert "status" in names("status")
    assert "demo" not in names("status")
    assert "eval" in names("eval")


def test_help_and_unknown_words_see_every_command() -> None:
    assert names() == names("nosuch") >= {"demo", "status", "eval", "model", "scaffold"}
