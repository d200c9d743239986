import pytest

from agent.console.access_tokens import AccessTokens, NotAllowedError


def test_a_token_is_exchanged_once() -> None:
    tokens = AccessTokens()
    token = tokens.invite()
    session = tokens.exchange(token)
    assert tokens.session(session.secret, session.key) == session
    with pytest.raises(NotAllowedError, match="used already"):
        tokens.exchange(token)


@pytest.mark.parametrize("token", ["", "guessed", "é"])
def test_a_token_that_was_never_given_opens_nothing(token: str) -> None:
    with pytest.raises(NotAllowedError):
        AccessTokens().exchange(token)


def test_neither_the_cookie_nor_the_key_opens_anything_alone() -> None:
    tokens = AccessTokens()
    mine, other = tokens.exchange(tokens.invite()), tokens.exchange(tokens.invite())
    for secret, key in ((mine.secret, ""), ("", mine.key), (mine.secret, other.key), (mine.key, mine.secret)):
        with pytest.raises(NotAllowedError):
            tokens.session(secret, key)


def test_links_that_nobody_opens_are_forgotten_oldest_first() -> None:
    tokens = AccessTokens()
    links = [tokens.invite() for _ in range(40)]
    with pytest.raises(NotAllowedError):
        tokens.exchange(links[0])
    assert tokens.exchange(links[-1])
