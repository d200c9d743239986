"""Access to the console: one-time tokens in links, exchanged for sessions.

A link carries its token in the fragment, which browsers send to nobody. The page exchanges it, once, for a session:
a secret in a cookie that scripts cannot read, and a key that the page sends in a header with every request. The cookie
alone opens nothing: cookies know no ports, so any server on this machine may be sent it.
"""

import hashlib
import secrets
from typing import NamedTuple, TypeVar

from heed.errors import PersonError
from heed.messages import msg

T = TypeVar("T")

_MOST = 32
"""Tokens, and sessions, kept at a time; the oldest go first."""


class NotAllowedError(PersonError):
    """No session, a wrong key, or a token that is used up."""


class BrowserSession(NamedTuple):
    """A signed-in browser."""

    secret: str
    """The cookie's value."""
    key: str
    """The token that every request carries in a header."""


class AccessTokens:
    """The tokens that may still be exchanged, and the sessions; gone with the process."""

    def __init__(self) -> None:
        self._tokens: dict[str, None] = {}
        self._sessions: dict[str, BrowserSession] = {}

    def invite(self) -> str:
        """A token that can be exchanged for a session once."""
        token = secrets.token_urlsafe(32)
        _remember(self._tokens, _digest(token), None)
        return token

    def exchange(self, token: str) -> BrowserSession:
        """The session for a token; ``NotAllowedError`` for one that was never given or was used before."""
        if _digest(token) not in self._tokens:
            raise NotAllowedError(
                msg("This link was used already, or is not from this run of heed."), msg("Run `heed console`.")
            )
        del self._tokens[_digest(token)]
        session = BrowserSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        _remember(self._sessions, _digest(session.secret), session)
        return session

    def session(self, secret: str, key: str) -> BrowserSession:
        """The session of a cookie and its key; ``NotAllowedError`` unless both are right."""
        session = self._sessions.get(_digest(secret))
        if session is None or not secrets.compare_digest(session.key.encode(), key.encode()):
            raise NotAllowedError(msg("You are not signed in."), msg("Run `heed console` and open the link it prints."))
        return session


def _digest(secret: str) -> str:
    # Secrets are looked up by their digest, so that the time of a lookup reveals nothing about them.
    return hashlib.sha256(secret.encode()).hexdigest()


def _remember(table: dict[str, T], name: str, value: T) -> None:
    table[name] = value
    while len(table) > _MOST:
        del table[next(iter(table))]
