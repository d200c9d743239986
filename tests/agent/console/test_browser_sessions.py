"""The sessions of browsers: links, proofs, the file, and what somebody who steals one of the secrets cannot do."""

import stat
from pathlib import Path

import pytest

from agent.console.browser_sessions import (
    IDLE_SECONDS,
    BrowserSessions,
    NewSession,
    NotAllowedError,
    proof_of,
    read_sessions,
    revoke_stored,
)

HOST = "127.0.0.1:8080"


class Elapsed:
    """The elapsed time, as a test sets it."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def started(folder: Path, elapsed: Elapsed | None = None, port: int = 8080) -> BrowserSessions:
    """The sessions in a new run of heed at ``port``."""
    sessions = BrowserSessions(folder / "sessions.json", elapsed or Elapsed())
    sessions.serve_at(port)
    return sessions


def signed_in(sessions: BrowserSessions) -> NewSession:
    return sessions.exchange(sessions.invite())


def resumed(sessions: BrowserSessions, session: NewSession, *, host: str = HOST) -> str:
    challenge = sessions.challenge()
    return sessions.resume(session.cookie, host, challenge, proof_of(session.proof_key, host, challenge))


def test_a_token_is_exchanged_once(tmp_path: Path) -> None:
    sessions = started(tmp_path)
    token = sessions.invite()
    session = sessions.exchange(token)
    sessions.check(session.cookie, session.page_key)
    with pytest.raises(NotAllowedError, match="used already"):
        sessions.exchange(token)


@pytest.mark.parametrize("token", ["", "guessed", "é"])
def test_a_token_that_was_never_given_opens_nothing(tmp_path: Path, token: str) -> None:
    with pytest.raises(NotAllowedError):
        started(tmp_path).exchange(token)


def test_neither_the_cookie_nor_the_page_key_opens_anything_alone(tmp_path: Path) -> None:
    sessions = started(tmp_path)
    mine, other = signed_in(sessions), signed_in(sessions)
    pairs = (
        (mine.cookie, ""),
        ("", mine.page_key),
        (mine.cookie, other.page_key),
        (mine.page_key, mine.cookie),
        ("", ""),
    )
    for cookie, key in pairs:
        with pytest.raises(NotAllowedError):
            sessions.check(cookie, key)


def test_links_that_nobody_opens_are_forgotten_oldest_first(tmp_path: Path) -> None:
    sessions = started(tmp_path)
    links = [sessions.invite() for _ in range(40)]
    with pytest.raises(NotAllowedError):
        sessions.exchange(links[0])
    assert sessions.exchange(links[-1])


def test_a_session_goes_on_in_the_next_run_with_a_new_page_key(tmp_path: Path) -> None:
    session = signed_in(started(tmp_path))
    restarted = started(tmp_path)
    with pytest.raises(NotAllowedError):
        restarted.check(session.cookie, session.page_key)
    key = resumed(restarted, session)
    restarted.check(session.cookie, key)
    assert resumed(restarted, session) == key


def test_a_proof_is_for_one_challenge_of_this_run_and_for_this_address(tmp_path: Path) -> None:
    first = started(tmp_path)
    session, old = signed_in(first), first.challenge()
    sessions = started(tmp_path)
    right = proof_of(session.proof_key, HOST, old)
    challenge = sessions.challenge()
    elsewhere = proof_of(session.proof_key, "127.0.0.1:1", challenge)
    for asked, proof in (
        (old, right),
        ("made up", right),
        (challenge, elsewhere),
        (sessions.challenge(), ""),
        ("", ""),
    ):
        with pytest.raises(NotAllowedError):
            sessions.resume(session.cookie, HOST, asked, proof)
    used = sessions.challenge()
    sessions.resume(session.cookie, HOST, used, proof_of(session.proof_key, HOST, used))
    with pytest.raises(NotAllowedError):
        sessions.resume(session.cookie, HOST, used, proof_of(session.proof_key, HOST, used))


def test_whoever_reads_the_file_alone_is_not_signed_in(tmp_path: Path) -> None:
    sessions = started(tmp_path)
    session = signed_in(sessions)
    path = tmp_path / "sessions.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert session.cookie not in path.read_text()
    (stored,) = read_sessions(path).sessions
    stolen = NewSession(stored.digest, stored.proof_key, "")
    with pytest.raises(NotAllowedError):
        resumed(sessions, stolen)


def test_whoever_took_the_port_while_heed_was_away_learnt_no_secret_that_opens_it(tmp_path: Path) -> None:
    session = signed_in(started(tmp_path))
    # What the page sends to a program at the port: its cookie, its page key, and a proof for any text.
    chosen = "a text of the other program"
    proof = proof_of(session.proof_key, HOST, chosen)
    restarted = started(tmp_path)
    with pytest.raises(NotAllowedError):
        restarted.check(session.cookie, session.page_key)
    with pytest.raises(NotAllowedError):
        restarted.resume(session.cookie, HOST, chosen, proof)
    with pytest.raises(NotAllowedError):
        restarted.resume(session.cookie, HOST, restarted.challenge(), proof)


def test_sessions_are_for_the_port_that_they_were_begun_at(tmp_path: Path) -> None:
    session = signed_in(started(tmp_path))
    moved = started(tmp_path, port=9090)
    with pytest.raises(NotAllowedError):
        resumed(moved, session)
    assert read_sessions(tmp_path / "sessions.json").port == 9090


def test_a_session_ends_when_it_is_not_used_and_lasts_while_it_is(tmp_path: Path) -> None:
    elapsed = Elapsed()
    sessions = started(tmp_path, elapsed)
    idle, busy = signed_in(sessions), signed_in(sessions)
    for _ in range(3):
        elapsed.seconds += IDLE_SECONDS / 2
        sessions.check(busy.cookie, busy.page_key)
    for refused in (lambda: sessions.check(idle.cookie, idle.page_key), lambda: resumed(sessions, idle)):
        with pytest.raises(NotAllowedError):
            refused()


def test_revoking_ends_sessions_and_links_at_once_and_for_good(tmp_path: Path) -> None:
    sessions = started(tmp_path)
    session, link = signed_in(sessions), sessions.invite()
    assert sessions.revoke() == 1
    with pytest.raises(NotAllowedError):
        sessions.check(session.cookie, session.page_key)
    with pytest.raises(NotAllowedError):
        sessions.exchange(link)
    with pytest.raises(NotAllowedError):
        resumed(started(tmp_path), session)


def test_sessions_are_revoked_while_heed_does_not_run(tmp_path: Path) -> None:
    session = signed_in(started(tmp_path))
    assert revoke_stored(tmp_path / "sessions.json") == 1
    with pytest.raises(NotAllowedError):
        resumed(started(tmp_path), session)


@pytest.mark.parametrize("content", [b"", b"{", b'{"sessions": 1}', b"\xff"])
def test_a_damaged_file_signs_everybody_out_and_nothing_else(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "sessions.json").write_bytes(content)
    sessions = started(tmp_path)
    session = signed_in(sessions)
    sessions.check(session.cookie, session.page_key)
