"""A text that arrived on the phone."""

from heed.model import Frozen


class IncomingText(Frozen):
    """A message, mail or notification."""

    app: str
    """Package of the app, or ``sms`` or ``mail``."""
    app_name: str = ""
    """The app's usual English name; empty = not known."""
    sender: str = ""
    """Number or name, as the phone shows it."""
    known: bool | None = None
    """Whether the sender is in the contacts; None = not known."""
    title: str = ""
    """Subject of a mail, title of a notification."""
    text: str
