"""Opening the console in the person's browser."""

import os
import sys
import webbrowser

from heed import paths

_PAGE = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={link}"><title>heed</title>\n'


def has_display() -> bool:
    """Whether a browser can show anything here."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(link: str) -> bool:
    """Open ``link`` in a browser; whether one was found.

    Through a file that only this user can read: a link on a browser's command line would be there for every user of
    the machine to see.
    """
    path = paths.runtime_dir() / "console.html"
    paths.create_folder(path.parent)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(_PAGE.format(link=link))
    return webbrowser.open(path.as_uri())
