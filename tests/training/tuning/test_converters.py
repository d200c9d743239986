"""The converters of llama.cpp run in processes of their own."""

from pathlib import Path

import pytest

from heed.errors import UsageError
from training.tuning.converters import Converters


def tree(folder: Path, script: str) -> Path:
    """A source tree with a converter that does as it is told."""
    (folder / "convert_hf_to_gguf.py").write_text(script, "utf-8")
    (folder / "conversion").mkdir()
    (folder / "conversion" / "__init__.py").touch()
    (folder / "conversion" / "base.py").write_text(
        "class TextModel:\n    def get_vocab_base_pre(self, tokenizer):\n        return 'recognised'\n", "utf-8"
    )
    return folder


_TELLS = """\
import sys
from pathlib import Path
from conversion.base import TextModel

target = Path(sys.argv[sys.argv.index("--outfile") + 1])
target.write_text(" ".join([TextModel().get_vocab_base_pre(None), *sys.argv[1:4]]))
"""


@pytest.mark.parametrize(("named", "used"), [("", "recognised"), ("qwen2", "qwen2")])
def test_a_vocabulary_that_is_not_recognised_can_be_named(tmp_path: Path, named: str, used: str) -> None:
    target = tmp_path / "out" / "model.gguf"
    made = Converters(tree(tmp_path, _TELLS), named).model(tmp_path / "model", target, "f16")
    assert made.read_text("utf-8") == f"{used} {tmp_path / 'model'} --outtype f16"


def test_a_conversion_that_fails_is_told_with_its_last_line(tmp_path: Path) -> None:
    converters = Converters(tree(tmp_path, "import sys\nsys.exit('no such architecture')\n"))
    with pytest.raises(UsageError, match=r"convert_hf_to_gguf.py failed: no such architecture"):
        converters.model(tmp_path, tmp_path / "model.gguf", "f16")


def test_a_folder_without_converters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no source tree"):
        Converters(tmp_path)
