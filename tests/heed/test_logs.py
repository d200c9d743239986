"""The log's own net: what slipped into a record is taken out on the way to stderr."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from heed import logs


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root logger, as it was afterwards."""
    logger = logging.getLogger()
    handlers, level = logger.handlers[:], logger.level
    yield logger
    logger.handlers[:] = handlers
    logger.setLevel(level)


def test_a_secret_in_a_record_or_its_traceback_is_not_written(
    root: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("INFO")
    try:
        raise ValueError("your code is 482913")
    except ValueError:
        root.exception("it said: %s", "password: hunter2!x")
    written = capsys.readouterr().err
    assert "ValueError" in written
    assert "482913" not in written
    assert "hunter2" not in written


def test_the_file_has_heeds_own_lines_and_no_address_that_a_library_tells(
    root: logging.Logger, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_HOME", str(tmp_path))
    logs.configure("ERROR")
    logs.write_to_file()
    logging.getLogger("agent.loop.daemon").info("a phone came, password: hunter2!x")
    logging.getLogger("httpx").info("GET http://127.0.0.1/#token")
    logging.getLogger("httpx").warning("a server is gone")
    written = logs.log_path().read_text("utf-8")
    assert "a phone came" in written and "a server is gone" in written
    assert "token" not in written and "hunter2" not in written
    assert capsys.readouterr().err == ""
