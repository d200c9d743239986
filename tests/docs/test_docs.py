"""What the documentation names exists."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from heed.__main__ import build_app
from models.routines.rules.situations import load_situations
from tests.conftest import REPO

PAGES = sorted([*REPO.glob("*.md"), *(REPO / "docs").glob("*.md")])
FOLDERS = {
    *("agent", "android_bridge", "bench", "collectors", "docs", "evaluation", "examples", "executors", "function_pool"),
    *("heed", "models", "tests", "tools", "training", "virtual_phone"),
}
_LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)")
_CODE = re.compile(r"```sh\n(.*?)```|(?<!`)`(heed [^`\n]+)`|^ {4}(heed [^\n]*)$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"^\s*heed ((?:-s \S+ )?[a-z]+(?: [a-z]+)?)(.*)", re.MULTILINE)
_SHOWN_BY = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH = re.compile(r"(?<![\w~/$<.-])(?:[\w.-]+/)+[\w.*-]*")
_FILE = re.compile(r"\w\.(?:py|md|yaml|jsonl?|toml|txt|onnx)$")
_OPTION = re.compile(r"(?<=\s)--[a-z][a-z-]+")


def _ids(page: Path) -> str:
    return page.name


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", _text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in _LINK.findall(_text(page)):
        if target.startswith(("http://", "https://")):
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), f"{page.name} links to {target}"
        if anchor and file.suffix == ".md":
            assert anchor[1:] in _anchors(file), f"{page.name} links to {target}{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_every_test_that_shows_a_claim_exists(page: Path) -> None:
    for file, name in _SHOWN_BY.findall(_text(page)):
        assert (REPO / file).exists(), f"{page.name} names {file}"
        text = (REPO / file).read_text(encoding="utf-8")
        assert not name or re.search(rf"^(async )?def {name}\(", text, re.MULTILINE), (
            f"{page.name} names {file}::{name}"
        )


@pytest.fixture(scope="module")
def tree() -> set[str]:
    """Every file and folder of the checkout, without what tools leave behind."""
    tops = [path for path in REPO.iterdir() if path.is_file() or path.name in {*FOLDERS, ".github"}]
    below = [path for top in tops if top.is_dir() for path in top.rglob("*") if "__pycache__" not in path.parts]
    return {path.relative_to(REPO).as_posix() for path in (*tops, *below)}


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_every_path_that_is_cited_exists(page: Path, tree: set[str]) -> None:
    """A path below a folder of the checkout, and a file's path from any folder on (`facts/network.py`)."""
    cited = [path.rstrip("/") for code in _INLINE.findall(_text(page)) for path in _PATH.findall(code)]
    ours = {path for path in cited if "*" not in path and path.split("/")[0] in FOLDERS}
    # A package `heed_...` is what `heed scaffold` writes.
    files = {path for path in cited if "*" not in path and not path.startswith("heed_") and _FILE.search(path)}
    unknown = {path for path in ours if path not in tree}
    unknown |= {path for path in files if not any(f"/{known}".endswith(f"/{path}") for known in tree)}
    assert unknown == set()


@pytest.mark.parametrize("page", PAGES, ids=_ids)
def test_every_command_exists_with_its_options(page: Path) -> None:
    top = typer.main.get_command(build_app())
    for words, rest in _commands(page):
        command = _command(top, words.removeprefix("-s").split())
        shown = re.split(r"[|;]|  ", rest)[0]
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        unknown = set(_OPTION.findall(" " + shown)) - known - {"--help"}
        assert not unknown, f"{page.name}: heed {words}{shown}"


def _commands(page: Path) -> list[tuple[str, str]]:
    """Each command that the page's code holds: its words, and what follows them."""
    blocks = ["".join(found) for found in _CODE.findall(_text(page))]
    return [found for block in blocks for found in _NAMED.findall(block)]


def _command(top: Any, words: list[str]) -> Any:
    """The command that the words name; what follows a command without subcommands is an argument."""
    known = [word for word in words if word in top.commands]
    assert known, f"there is no command in {words}"
    command = top.commands[known[0]]
    if hasattr(command, "commands") and words[-1] != known[0]:
        assert words[-1] in command.commands, f"there is no {words}"
        return command.commands[words[-1]]
    return command


def test_the_situation_of_the_how_to_is_one(tmp_path: Path) -> None:
    text = (REPO / "docs" / "add-a-situation.md").read_text(encoding="utf-8")
    block = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert block is not None
    file = tmp_path / "situations.yaml"
    file.write_text(block[1], encoding="utf-8")
    assert [one.id for one in load_situations(file)] == [yaml.safe_load(block[1])["situations"][0]["id"]]
