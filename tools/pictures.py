"""Draw the pictures of the documentation: `make pictures`. The demo is played for real; nothing is posed."""

import asyncio
import tempfile
from pathlib import Path

from rich.console import Console

from agent.cli import demo
from android_bridge.virtual.scenario import Scenario
from heed.language import Language

DOCS = Path(__file__).parent.parent / "docs"
WIDTH = 110


def main() -> None:
    """The demo's day as the terminal shows it, in English and Chinese."""
    day = Scenario.load("demo")
    for language in Language:
        screen = Console(record=True, width=WIDTH, force_terminal=True, highlight=False)
        vars(demo)["console"] = screen
        with tempfile.TemporaryDirectory() as home:
            asyncio.run(demo.play(Path(home), day, language, asks=False, quiet=False))
        screen.save_svg(str(DOCS / f"demo.{language}.svg"), title="heed demo")


if __name__ == "__main__":
    main()
