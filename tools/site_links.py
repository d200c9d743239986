"""A hook of mkdocs: links to files outside docs/ lead to the repository."""

import re
from typing import Any

_OUTSIDE = re.compile(r"\]\(\.\./([^)\s]+)\)")


def on_page_markdown(markdown: str, *, config: Any, **_: Any) -> str:
    """Return the page's text with such links made absolute."""
    return _OUTSIDE.sub(lambda link: f"]({config['repo_url']}/blob/main/{link[1]})", markdown)
