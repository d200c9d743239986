"""Shared fixtures. Phones bind outside 5555-5585, adb servers are private, homes are temporary."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.phones import adb_server, device, phone
from tests.proof import PROVING

__all__ = ["adb_server", "device", "phone"]

# No test asserts a time, and `make test` finds today what it found yesterday; `make prove` looks for new examples.
settings.register_profile("heed", derandomize=not PROVING, deadline=None)
settings.load_profile("heed")

# A shell without job control starts what runs in its background deaf to Ctrl-C, and that is handed down: the commands
# under test hear it, as in a person's terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What a person's shell, or a runner, may say of its terminal.
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE"):
    os.environ.pop(name, None)

REPO = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def heed_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Every test has a heed home of its own and sees none of the tester's settings."""
    for name in ("ANDROID_SERIAL", "ANDROID_ADB_SERVER_HOST", "ANDROID_ADB_SERVER_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HEED_HOME", str(tmp_path / "heed"))
    yield tmp_path / "heed"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of captures and benchmark cases; absent outside the project's own machines."""
    path = Path(os.environ.get("HEED_SHARED", REPO.parent / "shared"))
    if not path.is_dir():
        reason = f"no shared data at {path} (set HEED_SHARED)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
