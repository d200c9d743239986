"""Runs a converter of llama.cpp: ``python -m training.tuning.converter_process TREE PRE_TOKENIZER SCRIPT ...``.

The converters recognise a vocabulary's pre-tokenizer by a hash of its tokens. A vocabulary of one's own has another
hash; ``PRE_TOKENIZER`` says which pre-tokenizer it has (empty = recognise it).
"""

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run the script with the remaining arguments."""
    tree, pre_tokenizer, script = sys.argv[1:4]
    sys.path[:0] = [tree, str(Path(tree) / "gguf-py")]
    if pre_tokenizer:
        from conversion.base import TextModel

        TextModel.get_vocab_base_pre = lambda self, tokenizer: pre_tokenizer
    sys.argv = [str(Path(tree) / script), *sys.argv[4:]]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
