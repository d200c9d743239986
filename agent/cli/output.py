"""Tables with translated headings."""

from rich.table import Table

from heed.language import Language
from heed.messages import Text
from heed.printing import shown


def headed(*headings: Text, language: Language, whole: str = "") -> Table:
    """Return an empty table with translated headings; the column ``whole`` is never wrapped."""
    table = Table(box=None, header_style="dim")
    for heading in headings:
        table.add_column(shown(heading, language), no_wrap=bool(whole) and str(heading) == whole, overflow="fold")
    return table
