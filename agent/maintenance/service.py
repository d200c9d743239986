"""Installs and removes a systemd user unit for ``heed run``."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from heed import paths
from heed.errors import PersonError
from heed.messages import msg

_NAME = "heed.service"
_TIMEOUT = 30.0
_VARIABLES = (
    "HEED_HOME", "HEED_LANGUAGE", "HEED_LOG_LEVEL", "ANDROID_ADB_SERVER_HOST",
    "ANDROID_ADB_SERVER_PORT", "ADBUTILS_ADB_PATH",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
)  # fmt: skip
"""Variables, beside those of the configuration's fields, that decide where files are and how adb is reached."""

_UNIT = """\
[Unit]
Description=heed, a proactive assistant for an Android phone
After=default.target

[Service]
{environment}ExecStart={command}
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
    which = f"--serial {_word(serial)}" if serial else "--all"
    environment = "".join(f"Environment={_quoted(f'{name}={value}')}\n" for name, value in _environment())
    return _UNIT.format(command=f"{_word(python)} -m heed run --wait {which}", environment=environment)


def left_out() -> tuple[str, ...]:
    """Return the variables with secrets that are set here and are not written into the unit."""
    return tuple(sorted(name for name in os.environ if name.startswith("HEED_") and _is_secret(name)))


def _environment() -> Iterator[tuple[str, str]]:
    """The variables by which heed finds its files and adb's server, as they are set here."""
    for name, value in sorted(os.environ.items()):
        if value and _belongs(name) and not _is_secret(name):
            yield name, str(Path(value).absolute()) if name == "HEED_HOME" else value


def _belongs(name: str) -> bool:
    return name in _VARIABLES or (name.startswith("HEED_") and "__" in name)


def _is_secret(name: str) -> bool:
    return name.endswith(("KEY", "TOKEN", "SECRET", "PASSWORD"))


def _word(word: str) -> str:
    """Quote one word of a systemd command line, in which `$` is expanded too."""
    return _quoted(word).replace("$", "$$")


def _quoted(text: str) -> str:
    """Quote one value of a unit file, in which `%` is expanded, on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + "".join(one if one.isprintable() else _escaped(one) for one in escaped) + '"'


def _escaped(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


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
