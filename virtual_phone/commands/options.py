"""Short options of command-line tools, as toybox reads them."""

from collections.abc import Sequence


class ProgramUsageError(Exception):
    """An option that the tool does not know or that lacks its value."""


def parse(args: Sequence[str], flags: str, valued: str = "") -> tuple[dict[str, str], list[str]]:
    """Options and operands: ``flags`` are letters without, ``valued`` letters with a value; ``-nVALUE`` is accepted."""
    options: dict[str, str] = {}
    operands: list[str] = []
    queue = list(args)
    while queue:
        word = queue.pop(0)
        if word == "--":
            return options, operands + queue
        if len(word) < 2 or word[0] != "-":
            operands.append(word)
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in valued:
                if not letters and not queue:
                    raise ProgramUsageError(f"-{letter} needs an argument")
                options[letter] = letters or queue.pop(0)
                break
            if letter not in flags:
                raise ProgramUsageError(f"Unknown option '{letter}'")
            options[letter] = ""
    return options, operands
