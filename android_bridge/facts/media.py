"""The media sessions, from ``dumpsys media_session``.

Checked against Samsung One UI (two phones), Transsion and a newer phone. Titles come from apps, so
they are third-party text.
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser, pieces
from heed.messages import msg
from heed.model import Frozen


class MediaSession(Frozen):
    """One session. Some apps stay ``PLAYING`` when they are not, so ``playing`` without a description is uncertain."""

    package: str
    active: bool
    state: str | None
    """``PLAYING``, ``PAUSED``, ``STOPPED``, ``NONE``, … (``PlaybackState.STATE_*``); None when the app sets none."""
    description: str | None
    """Title, artist and album, joined by commas that titles may contain too."""

    @property
    def playing(self) -> bool:
        return self.active and self.state == "PLAYING"


# android.media.session.PlaybackState.STATE_*: phones before Android 12 print the number alone.
_STATES = {
    str(number): name
    for number, name in enumerate(
        (
            *("NONE", "STOPPED", "PAUSED", "PLAYING", "FAST_FORWARDING", "REWINDING", "BUFFERING", "ERROR"),
            *("CONNECTING", "SKIPPING_TO_PREVIOUS", "SKIPPING_TO_NEXT", "SKIPPING_TO_QUEUE_ITEM"),
        )
    )
}
_OWNER = re.compile(r"^ {4,6}ownerPid=\d+", re.MULTILINE)
_PACKAGE = re.compile(r"^ {4,6}package=([\w.]+)$", re.MULTILINE | re.ASCII)
_ACTIVE = re.compile(r"^ {4,6}active=(true|false)$", re.MULTILINE)
_STATE = re.compile(r"^ {4,6}state=PlaybackState \{state=(?:([A-Z_]+)\(\d+\)|(\d{1,2}))", re.MULTILINE | re.ASCII)
_DESCRIPTION = re.compile(r"^ {4,6}metadata: ?size=\d+, description=(.*)$", re.MULTILINE | re.ASCII)


@parser(msg("The media sessions"))
def parse_media_sessions(text: str) -> tuple[MediaSession, ...]:
    """Parses ``dumpsys media_session``: every session as printed, the one of the media buttons first."""
    if not text.startswith("MEDIA SESSION SERVICE"):
        raise missing(msg("MEDIA SESSION SERVICE heading"))
    return tuple(_session(block) for block in pieces(list(_OWNER.finditer(text)), text))


def _session(block: str) -> MediaSession:
    package, active = _PACKAGE.search(block), _ACTIVE.search(block)
    if package is None or active is None:
        raise missing(msg("package of a session"))
    state, description = _STATE.search(block), _DESCRIPTION.search(block)
    return MediaSession(
        package=package[1],
        active=active[1] == "true",
        state=(state[1] or _STATES.get(state[2])) if state else None,
        description=description[1] if description else None,
    )


MEDIA_SESSIONS = Reader("media_sessions", "dumpsys media_session", parse_media_sessions)
