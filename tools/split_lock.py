"""Move llama-cpp-python, which is compiled on install, from constraints.txt into a file of its own."""

import re
from pathlib import Path

PINNED = Path("constraints.txt")
COMPILED = Path("constraints-llama.txt")
PINNED_HEAD = "# What was tested, with hashes; written by `make lock`. No index addresses: your own are used.\n"
COMPILED_HEAD = "# Compiled from source (3 to 6 minutes on two cores), hence a file and a step of its own.\n"


def main() -> None:
    """Split the file in place."""
    blocks = [block for block in re.split(r"(?m)^(?=[a-zA-Z0-9])", PINNED.read_text()) if block[:1].isalnum()]
    compiled = [block for block in blocks if block.startswith("llama-cpp-python==")]
    PINNED.write_text(PINNED_HEAD + "".join(block for block in blocks if block not in compiled))
    COMPILED.write_text(COMPILED_HEAD + "".join(compiled))


if __name__ == "__main__":
    main()
