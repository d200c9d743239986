"""In Chinese mode, whatever a command prints is Chinese: help, usage errors and output."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from android_bridge.adb import AdbServer
from android_bridge.device import Device
from heed.__main__ import build_app
from heed.help_texts import localise, use_language
from heed.language import Language
from tests.agent.command import heed, write_config
from virtual_phone import VirtualPhone

ENGLISH = re.compile(r"\b(?:the|is|are|was|of|for|to|not|that|which|with|and|it|cannot|been|no|so)\b", re.IGNORECASE)
"""Words that stand in every English sentence, and in no name of a command, a setting or a product."""
QUOTED = re.compile(r"`[^`]*`|'[^']*'|“[^”]*”|\S*[-_/.]\S*|[\[<(][^])>]*[\])>]|→.*")
"""Commands, values, code names, metavariables and proofs (a command and its answer)."""


def english_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if ENGLISH.search(QUOTED.sub("", line))]


@pytest.fixture
def chinese_app(monkeypatch: pytest.MonkeyPatch) -> Iterator[typer.Typer]:
    monkeypatch.setenv("HEED_LANGUAGE", "zh")
    monkeypatch.setenv("LANGUAGE", "zh")
    monkeypatch.setenv("COLUMNS", "400")
    yield build_app()
    use_language(Language.EN)


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(one, (*path, name))


async def test_the_help_of_every_command_is_chinese(chinese_app: typer.Typer) -> None:
    command = localise(typer.main.get_command(chinese_app), Language.ZH)
    for path in commands(command):
        assert english_lines(_help(command, path)) == [], path


def _help(command: Any, path: tuple[str, ...]) -> str:
    context = command.make_context("heed", [], resilient_parsing=True)
    for name in path:
        command = command.commands[name]
        context = command.make_context(name, [], parent=context, resilient_parsing=True)
    texts = [command.help or "", *(option.help or "" for option in command.params), command.get_usage(context)]
    return "\n".join(texts)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["call"],
        ["journal", "x"],
        ["journal", "1", "2"],
        ["journal", "-n", "0"],
        ["--unknown"],
        ["journa"],
        ["collect", "--dimension", "smell"],
        ["eval", "knowu", "/nowhere"],
        ["undo", "99"],
        ["status"],
        ["habits", "x", "--off"],
        ["forget"],
        ["functions", "nothing_known"],
        ["functions"],
        ["functions", "set_display"],
        ["config", "--help"],
        ["scaffold", "collector", "Bad Name"],
        ["model", "check", "/nowhere.gguf"],
    ],
)
async def test_help_usage_errors_and_refusals_are_chinese(heed_home: Path, arguments: list[str]) -> None:
    ended = await heed(*arguments, HEED_LANGUAGE="zh", COLUMNS="300")
    assert re.search("[一-鿿]", ended.out + ended.err)
    assert english_lines(ended.out + ended.err) == []


async def test_what_commands_print_about_a_phone_is_chinese(
    heed_home: Path, adb_server: AdbServer, phone: VirtualPhone, device: Device
) -> None:
    write_config(heed_home, 'language = "zh"\n')
    port = adb_server.port
    done = await heed("call", "set_power_saving_mode", "enabled=true", "--yes", port=port)
    ended = [done] + [
        await heed(*words, port=port, COLUMNS="300")
        for words in (
            ["decide"],
            ["collect"],
            ["doctor"],
            ["journal"],
            ["journal", "1"],
            ["call", "set_alarm", "time=07:00", "--dry-run"],
            ["call", "set_alarm", "time=99"],
            ["undo", "1"],
            ["replay", "1"],
            ["habits"],
        )
    ]
    assert [line for one in ended for line in english_lines(one.out + one.err)] == []
