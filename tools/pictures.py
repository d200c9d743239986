"""Draw the pictures of the documentation: `make pictures`. The demo is played for real; nothing is posed."""

import asyncio
import html
import re
import tempfile
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from agent.cli import demo_playback, output
from heed.language import Language
from virtual_phone.scenario import Scenario

DOCS = Path(__file__).parent.parent / "docs"
WIDTH = 110
CELL = 12.2
"""Width of one cell in rich's SVG, in its own units."""
_TEXT = re.compile(r'textLength="[^"]*"([^>]*)>([^<]*)</text>')


def main() -> None:
    """The demo's day as the terminal shows it, in English and Chinese."""
    day = Scenario.load("demo")
    for language in Language:
        screen = Console(record=True, width=WIDTH, force_terminal=True, highlight=False)
        vars(output)["console"] = vars(demo_playback)["console"] = screen
        with tempfile.TemporaryDirectory() as home:
            asyncio.run(demo_playback.play(Path(home), day, language, ask=False, quiet=False))
        picture = screen.export_svg(title="heed demo")
        (DOCS / f"demo.{language}.svg").write_text(_TEXT.sub(_wide, picture), encoding="utf-8")


def _wide(found: re.Match[str]) -> str:
    """rich counts characters where it should count cells, and squeezes Chinese into half its width."""
    cells = cell_len(html.unescape(found[2]))
    return f'textLength="{cells * CELL:g}"{found[1]}>{found[2]}</text>'


if __name__ == "__main__":
    main()
