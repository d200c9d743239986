"""The documentation can be built as a site without a broken link, and its pages need no other host."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPO

_LOADED = re.compile(r"<(?:script|link|img)[^>]*(?:src|href)=\"?(https?://[^\"\s>]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with every warning as an error."""
    folder: Path = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder))
    built = subprocess.run(command, cwd=REPO, capture_output=True, text=True, timeout=200, check=False)
    assert built.returncode == 0, built.stderr[-2000:]
    return folder


def test_every_page_is_part_of_it(site: Path) -> None:
    pages = {path.stem for path in (REPO / "docs").glob("*.md")} - {"index"}
    assert {path.parent.name for path in site.glob("*/index.html")} >= pages


def test_its_pages_load_nothing_from_another_host(site: Path) -> None:
    loaded = {url for page in site.rglob("*.html") for url in _LOADED.findall(page.read_text(encoding="utf-8"))}
    assert loaded == set()
