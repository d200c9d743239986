"""The log's own net: what slipped into a record is taken out on the way to stderr."""

import logging
from collections.abc import Iterator

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
