"""Words in a picture: the virtual phone draws a screen, and what stands on it is read."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from collectors.context import RenderedContext
from evaluation.proactivemobile.cases import ProactiveCase
from evaluation.proactivemobile.metrics import ProactivePrediction
from evaluation.proactivemobile.pictures import WithWords
from function_pool.spec import Pool, default_pool
from heed.errors import UsageError
from models.perceptor.ocr import PictureReader
from tests.phones import START
from virtual_phone import PhoneState, VirtualPhone

NEEDS_OCR = pytest.mark.skipif(find_spec("rapidocr_onnxruntime") is None, reason="the extra `ocr` is not installed")


class Remembers:
    """A predictor that keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[ProactiveCase] = []

    async def predict(self, case: ProactiveCase, pool: Pool) -> ProactivePrediction:
        self.given.append(case)
        return ProactivePrediction(id=case.id)


@pytest.fixture(scope="module")
def phone() -> VirtualPhone:
    phone = VirtualPhone(PhoneState.standard(START))
    phone.state.open_app("com.android.settings")
    return phone


@pytest.fixture(scope="module")
def screen(phone: VirtualPhone, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("screens") / "settings.png"
    path.write_bytes(phone.screen.png())
    return path


@NEEDS_OCR
def test_the_lines_of_a_screen_are_read_from_top_to_bottom(phone: VirtualPhone, screen: Path) -> None:
    shown = {node.text for window in phone.screen.windows() for node in window.root.walk() if node.text}
    lines = PictureReader().lines(screen)
    assert lines.index("Settings") < lines.index("Wi-Fi")
    read = [text for text in shown if any(text in line for line in lines)]
    assert len(read) >= 0.8 * len(shown), shown - set(read)


@NEEDS_OCR
async def test_what_stands_in_a_picture_is_told_at_its_place_in_the_trace(screen: Path) -> None:
    seen, said = Remembers(), RenderedContext(profile="", phone="", world="", trace=("Opened Settings", "Went back"))
    words = ProactiveCase(id="1", said=said, answers=((),))
    both = words.model_copy(update={"id": "2", "pictures": (screen.name, screen.name), "places": (0, 1)})
    predictor = WithWords(seen, PictureReader(), screen.parent)
    for case in (words, both):
        await predictor.predict(case, default_pool())
    assert seen.given[0] == words
    first, opened, second, back = seen.given[1].said.trace
    assert (opened, back) == said.trace
    assert first == second
    assert "Battery" in first
    assert seen.given[1].pictures == both.pictures


@NEEDS_OCR
def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    (tmp_path / "torn.png").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(UsageError, match=r"torn\.png cannot be read as a picture"):
        PictureReader().lines(tmp_path / "torn.png")


def test_without_the_extra_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr_onnxruntime", None)
    with pytest.raises(UsageError) as told:
        PictureReader()
    assert "heed-android[ocr]" in str(told.value.remedy)
