"""The manual page ``heed(1)`` and the completion scripts of the shells, written from the commands."""

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from heed import __version__
from heed.__main__ import APP_HELP, build_app
from tools.commands import commands_of

_SECTIONS = """\
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed.
.TP
.B 2
Wrong usage: argument, configuration, file.
.TP
.B 3
No adb, no phone, or several and none chosen.
.TP
.B 4
Declined.
.TP
.B 130
Interrupted.
.SH FILES
.TP
.I ~/.config/heed/config.toml
The configuration; \\fBheed config\\fR prints the one in force.
.SH SEE ALSO
.BR adb (1)
"""


def manual() -> str:
    """One page for all commands."""
    lines = [
        r".\" Written by `make reference` from the code; do not edit.",
        f'.TH HEED 1 "" "heed {__version__}" "User Commands"',
        ".SH NAME",
        r"heed \- proactive assistant for an Android phone",
        ".SH SYNOPSIS",
        r".B heed",
        r"[\fIOPTION\fR]... \fICOMMAND\fR [\fIARGUMENT\fR]...",
        ".SH DESCRIPTION",
        _escaped(APP_HELP),
        ".SH COMMANDS",
    ]
    for name, command in commands_of(typer.main.get_command(build_app())):
        lines += _command(name, command)
    return "\n".join(lines) + "\n" + _SECTIONS


def _command(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=f"heed {name}")
    yield f".SS heed {_escaped(name)} {_escaped(' '.join(command.collect_usage_pieces(context)))}"
    for number, paragraph in enumerate(inspect.cleandoc(command.help or "").split("\n\n")):
        yield from ([".PP"] if number else [])
        yield _escaped(" ".join(paragraph.split()))
    for parameter in command.params:
        if record := parameter.get_help_record(context):
            option, meaning = record
            yield from (".TP", rf"\fB{_escaped(option)}\fR", _escaped(meaning) or r"\&")


def _escaped(text: str) -> str:
    """Text as roff prints it: no escapes, no requests, hyphens that can be searched for."""
    plain = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", plain)


def completion(shell: str) -> str:
    """The script that makes ``shell`` complete heed's commands and options, as heed prints it."""
    environment = {**os.environ, "_HEED_COMPLETE": f"source_{shell}"}
    heed = Path(sys.executable).with_name("heed")
    printed = subprocess.run([heed], env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    return printed.strip() + "\n"
