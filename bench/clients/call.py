"""A client, its calls, and what is right."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from virtual_phone import PhoneState, VirtualPhone

Right = Callable[[Any, VirtualPhone], object]
"""Whether what a call returned, and the phone after it, are as they should be."""


class Failed(str):
    """The error with which a call ended, in the client's words."""

    __slots__ = ()


class Call(NamedTuple):
    """One call of a client.

    Attributes:
        code: an expression in the client's language; the table of results shows it.
        right: compares the value that came back (as JSON; ``Failed`` for an error) with the phone's own state.
        before: changes the phone first.
        where: a text on the screen, whose place replaces ``X, Y`` in the code.
    """

    code: str
    right: Right
    before: Callable[[PhoneState], object] | None = None
    where: str = ""


class Client(NamedTuple):
    """A client and what it is asked to do.

    Attributes:
        name: of the package.
        version: that is installed.
        language: ``python`` or ``node``: the environment it is installed in.
        requires: what the environment's package manager installs.
        start: statements that run first, with ``serial``, ``server_port``, ``phone_port``, ``adb`` and ``folder`` set.
            In JavaScript they return the names that calls may use, as one object.
        calls: in order, on one phone.
        end: an expression that ends what the client leaves running.
        variables: of the environment.
        source: the folder of a client that no registry has; where it is missing, the client is left out.
        emulator: the client asks for an emulator, with a console.
    """

    name: str
    version: str
    language: str
    requires: tuple[str, ...]
    start: str
    calls: tuple[Call, ...]
    end: str = ""
    variables: Mapping[str, str] = {}
    source: Path | None = None
    emulator: bool = False


def returned(value: object) -> Right:
    """The call returns this value."""
    return lambda got, phone: got == value


def refused(text: str) -> Right:
    """The call ends with an error that says ``text``."""
    return lambda got, phone: isinstance(got, Failed) and text in got


def told(text: str) -> Right:
    """The call returns a text in which ``text`` stands."""
    return lambda got, phone: isinstance(got, str) and not isinstance(got, Failed) and text in got


def shows(text: str) -> Right:
    """After the call, something with this text can be tapped."""
    return lambda got, phone: not isinstance(got, Failed) and phone.screen.find(text) is not None


def done(holds: Callable[[PhoneState], object]) -> Right:
    """The call ends without an error, and the phone is in a state of which ``holds`` is true."""
    return lambda got, phone: not isinstance(got, Failed) and holds(phone.state)


def shown(value: Callable[[PhoneState], object]) -> Right:
    """The call returns what the phone's state holds."""
    return lambda got, phone: got == value(phone.state)
