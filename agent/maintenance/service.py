"""Installs and removes a systemd user unit for ``heed run``."""

import os
import shutil
import subprocess
from pathlib import Path

from heed import paths
from heed.errors import PersonError
from heed.messages import msg

_NAME = "heed.service"
_TIMEOUT = 30.0

_UNIT = """\
[Unit]
Description=heed, a proactive assistant for an Android phone
After=default.target

[Service]
ExecStart={command}
Restart=on-failure
RestartSec=5
# SIGTERM stops heed between two steps; an action in doubt is checked on the phone at the next start.
TimeoutStopSec=30
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


def unit(python: str, serial: str) -> str:
    """Return the unit's text; with an empty ``serial`` every phone is monitored."""
    which = f"--serial {_quoted(serial)}" if serial else "--all"
    return _UNIT.format(command=f"{_quoted(python)} -m heed run --wait {which}")


def _quoted(word: str) -> str:
    """Quote one word of a systemd command line, in which `%` and `$` are expanded."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def unit_path() -> Path:
    """Return the unit's path in the folder of systemd's user units."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "systemd" / "user" / _NAME


def install(python: str, serial: str, *, start: bool) -> Path:
    """Write, enable and (with ``start``) start the unit; return its path."""
    path = unit_path()
    paths.create_folder(path.parent)
    path.write_text(unit(python, serial), encoding="utf-8")
    _systemctl("daemon-reload")
    _systemctl("enable", *(["--now"] if start else []), _NAME)
    return path


def uninstall() -> Path:
    """Stop, disable and delete the unit; return its path. Raises ``PersonError`` when there is none."""
    path = unit_path()
    if not path.exists():
        raise PersonError(msg("There is no {path}.", path=path), msg("`heed service install` writes it."))
    _systemctl("disable", "--now", _NAME)
    path.unlink()
    _systemctl("daemon-reload")
    return path


def _systemctl(*arguments: str) -> None:
    if shutil.which("systemctl") is None:
        raise PersonError(
            msg("This machine has no systemd."), msg("Start `heed run --wait` with whatever starts your session.")
        )
    try:
        done = subprocess.run(
            ["systemctl", "--user", *arguments], capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise PersonError(
            msg("systemctl {arguments} did not end in {timeout:g} s.", arguments=arguments[0], timeout=_TIMEOUT)
        ) from error
    if done.returncode:
        raise PersonError(
            msg("systemctl {arguments} failed: {stderr}.", arguments=arguments[0], stderr=done.stderr.strip()),
            msg("See `systemctl --user status`."),
        )
