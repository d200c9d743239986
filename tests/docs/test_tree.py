"""The packages and files that docs/design.md names are those of the file system."""

import re

from tests.conftest import REPO

DESIGN = (REPO / "docs" / "design.md").read_text(encoding="utf-8")
_ELSEWHERE = {"tests", "examples"}
"""Folders whose packages the page does not list."""


def packages() -> list[str]:
    """Every folder with an ``__init__.py``, as the page writes it."""
    folders = [path.parent.relative_to(REPO) for path in REPO.glob("[!.]*/**/__init__.py")]
    return sorted(f"{folder.as_posix()}/" for folder in folders if folder.parts[0] not in _ELSEWHERE)


def test_the_table_of_packages_lists_each_package_once_and_no_other() -> None:
    assert sorted(re.findall(r"^\| `([\w/]+/)` \|", DESIGN, re.MULTILINE)) == packages()


def test_every_file_that_the_page_names_exists() -> None:
    named = re.findall(r"`([\w/]+/[\w.]+\.(?:py|md))`", DESIGN)
    assert named
    assert [path for path in named if not (REPO / path).exists()] == []
