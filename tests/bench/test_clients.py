"""The judging of outside clients, with clients that need no package; ``python -m bench.clients`` runs the others."""

import sys
from pathlib import Path

import pytest

import bench.clients
from bench.clients import CLIENTS, scrcpy
from bench.clients.call import Call, Client, done, refused, returned
from bench.clients.judging import Judge, Verdict
from virtual_phone import LocalAdbServer

EVALUATE = Path(bench.clients.__file__).with_name("evaluate.py")


def judged(client: Client, server: LocalAdbServer) -> list[Verdict]:
    """The verdicts on a client that runs in this environment."""
    return Judge(client, server, [sys.executable, "-P", str(EVALUATE)]).verdicts()


def plain(*calls: Call, start: str = "") -> Client:
    """A client of Python's own."""
    return Client("plain", "1", "python", (), start, calls)


def test_the_start_of_scrcpys_server_is_refused_as_without_its_jar(virtual_phone_server: LocalAdbServer) -> None:
    verdicts = judged(scrcpy.CLIENT, virtual_phone_server)
    assert [verdict.code for verdict in verdicts if not verdict.right] == []
    assert len(verdicts) == len(scrcpy.CLIENT.calls)


def test_wrong_answers_errors_and_a_dead_client_are_told_apart(virtual_phone_server: LocalAdbServer) -> None:
    client = plain(
        Call("1 + 1", returned(2)),
        Call("1 + 1", returned(3)),
        Call("[][0]", refused("IndexError")),
        Call("value", returned("x")),
        Call("1", done(lambda state: state.power.locked)),
        Call("1", done(lambda state: state.power.locked), before=lambda state: state.power.sleep()),
        Call("1", lambda got, phone: got["missing"]),
        Call("__import__('os')._exit(1)", returned(None)),
        Call("1", returned(1)),
        start="value = 'x'",
    )
    verdicts = judged(client, virtual_phone_server)
    assert [verdict.right for verdict in verdicts] == [True, False, True, True, False, True, False, False, False]
    assert "process ended" in verdicts[-1].got


def test_a_client_that_does_not_start_is_one_wrong_call(virtual_phone_server: LocalAdbServer) -> None:
    (verdict,) = judged(plain(Call("1", returned(1)), start="import nothing_of_this_name"), virtual_phone_server)
    assert not verdict.right
    assert "ModuleNotFoundError" in verdict.got


def test_a_text_on_the_screen_gives_a_call_its_place(virtual_phone_server: LocalAdbServer) -> None:
    call = Call("(X, Y)", lambda got, phone: tuple(got) == phone.screen.find("Contacts"), where="Contacts")
    (verdict,) = judged(plain(call), virtual_phone_server)
    assert verdict.right, verdict


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_each_client_says_what_it_is_and_has_calls_of_its_own(client: Client) -> None:
    codes = [call.code for call in client.calls]
    assert client.version
    assert client.language in ("python", "node")
    assert len(codes) > 5
    assert client.version in " ".join(client.requires) or client.source or not client.requires
