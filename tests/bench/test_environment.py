"""Environments beside heed's own: made once, anew for other packages, and modules run in them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench import environment
from bench.environment import Environment

PACKAGES = ("pip",)  # is in every new environment, so that nothing is downloaded


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    return tmp_path


def test_two_that_need_it_make_it_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = Environment("proof", PACKAGES)
    assert not wanted.ready()
    with ThreadPoolExecutor() as pool:
        assert {made.result() for made in [pool.submit(wanted.python) for _ in range(2)]} == {
            root / ".venv-proof" / "bin" / "python"
        }
    assert wanted.ready()
    assert capsys.readouterr().out.count("making .venv-proof") == 1


def test_it_is_made_anew_for_other_packages_and_beside_another_heed(root: Path) -> None:
    Environment("proof", PACKAGES).python()
    assert not Environment("proof", (*PACKAGES, "another")).ready()
    assert not Environment("proof", PACKAGES, sees_heed=False).ready()


@pytest.mark.parametrize(("sees_heed", "status"), [(True, 0), (False, 1)])
def test_a_module_runs_in_it_with_or_without_the_packages_of_heed(root: Path, sees_heed: bool, status: int) -> None:
    (root / "needing.py").write_text("import pydantic", "utf-8")
    assert Environment("proof", PACKAGES, sees_heed=sees_heed).run("needing") == status
