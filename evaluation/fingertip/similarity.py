"""How much two texts have in common by their characters."""

from collections.abc import Sequence


def edit_similarity(first: str, second: str) -> float:
    """Levenshtein similarity: 1 minus the number of edits by the length of the longer text; 1 for two empty ones."""
    longest = max(len(first), len(second))
    return 1 - _distance(first, second, replacing=1) / longest if longest else 1.0


def edit_ratio(first: str, second: str) -> float:
    """The *ratio* of the Levenshtein libraries: replacing counts as two edits, divided by the length of both texts."""
    both = len(first) + len(second)
    return 1 - _distance(first, second, replacing=2) / both if both else 1.0


def _distance(first: Sequence[str], second: Sequence[str], replacing: int) -> int:
    """The least cost of insertions and deletions (1 each) and replacements that make one text of the other."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        corner, row[0] = row[0], number
        for place, other in enumerate(second, 1):
            kept = corner + (0 if one == other else replacing)
            corner, row[place] = row[place], min(kept, row[place] + 1, row[place - 1] + 1)
    return row[-1]
