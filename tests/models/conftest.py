"""Models of the tests of this room: real llama.cpp on random weights of the real architecture."""

import hashlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from collectors.context import StoredFrame
from models.llama import tiny
from tests.models.cases import NOW


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> tiny.TinyModel:
    """The smallest model: bytes and a few words for a vocabulary."""
    return tiny.build(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def wide_model(tmp_path_factory: pytest.TempPathFactory) -> tiny.TinyModel:
    """The tiny model with the real vocabulary's size."""
    return tiny.build(tmp_path_factory.mktemp("wide"), tiny.TextShape(vocabulary=tiny.REAL_VOCABULARY))


@pytest.fixture
def picture(tmp_path: Path) -> Callable[..., StoredFrame]:
    """Writes a random screenshot and gives its frame."""

    def make(seed: int = 0, width: int = 180, height: int = 400) -> StoredFrame:
        pixels = random.Random(seed).randbytes(12 * 26 * 3)
        path = tmp_path / f"frame-{seed}-{width}x{height}.png"
        Image.frombytes("RGB", (12, 26), pixels).resize((width, height)).save(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        return StoredFrame(sha256=digest, path=str(path), width=width, height=height, taken_at=NOW)

    return make
