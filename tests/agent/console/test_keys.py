import pytest

from agent.console.access_tokens import Keys, NotAllowedError


def test_a_token_is_exchanged_once() -> None:
    keys = Keys()
    token = keys.invite()
    session = keys.exchange(token)
    assert keys.session(session.secret, session.key) == session
    with pytest.raises(NotAllowedError, match="used already"):
        keys.exchange(token)


@pytest.mark.parametrize("token", ["", "guessed", "é"])
def test_a_token_that_was_never_given_opens_nothing(token: str) -> None:
    with pytest.raises(NotAllowedError):
        Keys().exchange(token)


def test_neither_the_cookie_nor_the_key_opens_anything_alone() -> None:
    keys = Keys()
    mine, other = keys.exchange(keys.invite()), keys.exchange(keys.invite())
    for secret, key in ((mine.secret, ""), ("", mine.key), (mine.secret, other.key), (mine.key, mine.secret)):
        with pytest.raises(NotAllowedError):
            keys.session(secret, key)


def test_links_that_nobody_opens_are_forgotten_oldest_first() -> None:
    keys = Keys()
    tokens = [keys.invite() for _ in range(40)]
    with pytest.raises(NotAllowedError):
        keys.exchange(tokens[0])
    assert keys.exchange(tokens[-1])
