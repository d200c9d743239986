"""Access to the console: one-time links, and the sessions of the browsers that opened them.

A link carries its token in the fragment, which browsers send to nobody. The page exchanges it, once, for a session of
its browser, which outlives tabs and restarts of heed. A session has three secrets:

* the *cookie*, which scripts cannot read; stored as its digest. It opens nothing alone: cookies know no ports, so any
  server on this machine may be sent it;
* the *proof key*, which the page keeps where no script can read it again (a non-extractable key of WebCrypto) and
  never sends: it answers a challenge of this run of heed with it, and names the address that it believes to talk to.
  So a program that takes heed's port while heed is not running learns nothing that opens heed later, and one that
  takes another port cannot pass answers on;
* the *page key*, which is given for a right answer, stands in a header of every request, and ends with the process.

The file of the sessions holds no cookie, so whoever reads it alone opens nothing.
"""

import hashlib
import hmac
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from heed.errors import PersonError
from heed.messages import msg
from heed.model import Frozen

log = logging.getLogger(__name__)

T = TypeVar("T")

IDLE_SECONDS = 30 * 24 * 3600
"""A session ends when it was not used for so long, in elapsed time."""
_NOTE_SECONDS = 24 * 3600
"""That a session is used is stored this often."""
_MOST = 32
"""Tokens and sessions kept at a time; the oldest go first."""
_MOST_CHALLENGES = 1024
"""The same of challenges, which whoever reaches the port may ask for."""


class NotAllowedError(PersonError):
    """No session, a wrong key or proof, or a token that is used up."""


class StoredSession(Frozen):
    """One signed-in browser, as it is stored."""

    digest: str
    """SHA-256 of the cookie."""
    proof_key: str
    """Hexadecimal."""
    used: float
    """When it was used last, in elapsed time."""


class SessionFile(Frozen):
    """What is kept over restarts."""

    port: int = 0
    """The port that the console had; 0 = none yet. Bookmarks and sessions are for it alone."""
    sessions: tuple[StoredSession, ...] = ()


class NewSession(NamedTuple):
    """The secrets of a session that was just begun."""

    cookie: str
    proof_key: str
    page_key: str


class BrowserSessions:
    """The tokens that may still be exchanged, and the sessions of the browsers."""

    def __init__(self, path: Path, elapsed: Callable[[], float]) -> None:
        """``path`` is the file of the sessions; ``elapsed`` gives the elapsed time in seconds."""
        self._path, self._elapsed = path, elapsed
        self._file = read_sessions(path)
        self._tokens: dict[str, None] = {}
        self._challenges: dict[str, None] = {}
        self._page_keys: dict[str, str] = {}
        """The page key of each session that proved itself in this run, by the cookie's digest."""

    @property
    def port(self) -> int:
        """The port that the sessions are for; 0 = none."""
        return self._file.port

    def serve_at(self, port: int) -> None:
        """Keep the port for the next run; sessions of another one are dropped."""
        sessions = self._file.sessions if port == self._file.port else ()
        self._save(SessionFile(port=port, sessions=sessions))

    def invite(self) -> str:
        """A token that can be exchanged for a session once."""
        token = secrets.token_urlsafe(32)
        _remember(self._tokens, _digest(token), None)
        return token

    def exchange(self, token: str) -> NewSession:
        """A new session for a token; ``NotAllowedError`` for one that was never given or was used before."""
        if _digest(token) not in self._tokens:
            raise NotAllowedError(
                msg("This link was used already, or is not from this run of heed."), msg("Run `heed console`.")
            )
        del self._tokens[_digest(token)]
        begun = NewSession(secrets.token_urlsafe(32), secrets.token_hex(32), secrets.token_urlsafe(32))
        stored = StoredSession(digest=_digest(begun.cookie), proof_key=begun.proof_key, used=self._elapsed())
        _remember(self._page_keys, stored.digest, begun.page_key)
        self._keep(stored)
        return begun

    def challenge(self) -> str:
        """A text that a page can answer once, in this run."""
        challenge = secrets.token_urlsafe(32)
        _remember(self._challenges, challenge, None, _MOST_CHALLENGES)
        return challenge

    def resume(self, cookie: str, host: str, challenge: str, proof: str) -> str:
        """The page key for a session's right answer to a challenge; ``NotAllowedError`` for any other.

        Args:
            cookie: the session's.
            host: the address that the request named, ``127.0.0.1:PORT``.
            challenge: as it was given.
            proof: ``proof_of`` the three, hexadecimal.
        """
        given = self._challenges.pop(challenge, "") is None
        session = self._session(cookie)
        if session is None or not given:
            raise _not_signed_in()
        if not hmac.compare_digest(proof_of(session.proof_key, host, challenge).encode(), proof.encode()):
            raise _not_signed_in()
        self._keep(session.model_copy(update={"used": self._elapsed()}))
        if session.digest not in self._page_keys:
            _remember(self._page_keys, session.digest, secrets.token_urlsafe(32))
        return self._page_keys[session.digest]

    def check(self, cookie: str, page_key: str) -> None:
        """``NotAllowedError`` unless the cookie and the page key are those of one session."""
        session = self._session(cookie)
        expected = self._page_keys.get(session.digest, "") if session else ""
        if not session or not expected or not hmac.compare_digest(expected.encode(), page_key.encode()):
            raise _not_signed_in()
        if self._elapsed() - session.used > _NOTE_SECONDS:
            self._keep(session.model_copy(update={"used": self._elapsed()}))

    def revoke(self) -> int:
        """End every session and every link; the number of sessions."""
        ended = len(self._current())
        self._tokens.clear()
        self._challenges.clear()
        self._page_keys.clear()
        self._save(SessionFile(port=self._file.port))
        return ended

    def _session(self, cookie: str) -> StoredSession | None:
        return next((one for one in self._current() if one.digest == _digest(cookie)), None)

    def _current(self) -> tuple[StoredSession, ...]:
        """The sessions that have not expired; one that was used in the future is of another journal."""
        now = self._elapsed()
        return tuple(one for one in self._file.sessions if 0 <= now - one.used < IDLE_SECONDS)

    def _keep(self, session: StoredSession) -> None:
        others = tuple(one for one in self._current() if one.digest != session.digest)
        self._save(SessionFile(port=self._file.port, sessions=(*others, session)[-_MOST:]))

    def _save(self, file: SessionFile) -> None:
        self._file = file
        try:
            write_sessions(self._path, file)
        except OSError as error:
            # This run goes on with what is in memory; the next one asks to sign in again.
            log.warning("the console's sessions could not be stored: %s", error)


def sessions_path(journal: Path) -> Path:
    """The file of the sessions, beside the journal."""
    return journal.with_name("console-sessions.json")


def revoke_stored(path: Path) -> int:
    """End the stored sessions while no daemon runs; their number."""
    file = read_sessions(path)
    if file.sessions:
        write_sessions(path, SessionFile(port=file.port))
    return len(file.sessions)


def read_sessions(path: Path) -> SessionFile:
    """What is stored; nothing where the file is missing or not readable as such, which signs everybody out."""
    try:
        return SessionFile.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return SessionFile()


def write_sessions(path: Path, file: SessionFile) -> None:
    """Replace the file; only its owner can read it."""
    partial = path.with_suffix(f".{os.getpid()}.part")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as writer:
        writer.write(file.model_dump_json())
    partial.replace(path)


def proof_of(proof_key: str, host: str, challenge: str) -> str:
    """The right answer to a challenge: HMAC-SHA-256 over the address and the challenge, hexadecimal."""
    return hmac.new(bytes.fromhex(proof_key), f"{host} {challenge}".encode(), hashlib.sha256).hexdigest()


def _not_signed_in() -> NotAllowedError:
    return NotAllowedError(msg("You are not signed in."), msg("Run `heed console` and open the link it prints."))


def _digest(secret: str) -> str:
    # Secrets are looked up by their digest, so that the time of a lookup reveals nothing about them.
    return hashlib.sha256(secret.encode()).hexdigest()


def _remember(table: dict[str, T], name: str, value: T, most: int = _MOST) -> None:
    table[name] = value
    while len(table) > most:
        del table[next(iter(table))]
