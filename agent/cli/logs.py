"""``heed logs``: print the newest lines of the daemon's log, and follow it."""

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer

from heed import logs as log_file
from heed.errors import PersonError
from heed.messages import msg
from heed.printing import print_lines

_LOOK_EVERY = 0.5
"""Seconds between two looks for new lines."""


def register(app: typer.Typer) -> None:
    """Add ``logs``."""
    app.command(name="logs")(logs)


def logs(
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, max=100_000, help="How many of the newest lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Print new lines as they come, until Ctrl-C.")] = False,
) -> None:
    """Print the newest lines of the daemon's log; secrets are redacted in it."""
    path = log_file.log_path()
    if not path.exists():
        raise PersonError(msg("There is no log yet."), msg("`heed run` writes it."))
    newest = _read(path, 0).splitlines()
    if shown := newest[len(newest) - min(lines, len(newest)) :]:
        print_lines("\n".join(shown))
    if follow:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_follow(path, _size(path)))


async def _follow(path: Path, begin: int) -> None:
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        size = _size(path)
        begin = begin if size >= begin else 0  # a new file was begun
        if size > begin:
            print_lines(_read(path, begin, size).removesuffix("\n"))
            begin = size


def _size(path: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _read(path: Path, begin: int, end: int | None = None) -> str:
    with path.open("rb") as file:
        file.seek(begin)
        return file.read(-1 if end is None else end - begin).decode(errors="replace")
