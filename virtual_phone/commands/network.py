"""``ip``: addresses and routes (iproute2, as Android ships it)."""

from collections.abc import Sequence
from typing import NamedTuple

from virtual_phone.shell.call import Program, ProgramReply, answering
from virtual_phone.state import PhoneState

_USAGE = "Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }\n"


class _Interface(NamedTuple):
    name: str
    address: str
    length: int
    link: str
    subnet: str
    gateway: str


_LOOPBACK = _Interface("lo", "127.0.0.1", 8, "00:00:00:00:00:00", "", "")
_WIFI = _Interface("wlan0", "192.168.1.54", 24, "02:00:00:44:55:66", "192.168.1.0/24", "192.168.1.1")
_MOBILE = _Interface("rmnet_data0", "10.21.34.55", 30, "", "10.21.34.52/30", "10.21.34.53")


def ip(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``ip addr|route|link [show] [dev] [INTERFACE]`` and ``ip route get ADDRESS``."""
    words = [word for word in args if not word.startswith("-") and word != "inet"]
    kind, rest = (words[0] if words else ""), [word for word in words[1:] if word not in ("show", "list", "ls", "dev")]
    interfaces = _interfaces(state)
    if kind and "route".startswith(kind):
        return _route(interfaces, rest)
    if not kind or not ("address".startswith(kind) or kind == "addr" or "link".startswith(kind)):
        return ProgramReply(stderr=f'Object "{kind}" is unknown, try "ip help".\n' if kind else _USAGE, status=1)
    names = [interface.name for interface in interfaces]
    if rest and rest[0] not in names:
        return ProgramReply(stderr=f'Device "{rest[0]}" does not exist.\n', status=1)
    addresses = not "link".startswith(kind)
    only_4 = "-4" in args or "inet" in args
    rows = [
        _shown(number, interface, addresses=addresses, links=not only_4)
        for number, interface in enumerate(interfaces, start=1)
        if not rest or interface.name == rest[0]
    ]
    return ProgramReply("".join(rows))


def _interfaces(state: PhoneState) -> list[_Interface]:
    network = state.network
    return [_LOOPBACK, *[_WIFI] * network.wifi_connected, *[_MOBILE] * network.mobile_connected]


def _shown(number: int, interface: _Interface, *, addresses: bool, links: bool) -> str:
    loop = interface is _LOOPBACK
    flags = "LOOPBACK,UP,LOWER_UP" if loop else "BROADCAST,MULTICAST,UP,LOWER_UP"
    text = f"{number}: {interface.name}: <{flags}> mtu {65536 if loop else 1500} qdisc noqueue state UP group default\n"
    if links and interface.link:
        text += f"    link/{'loopback' if loop else 'ether'} {interface.link} brd ff:ff:ff:ff:ff:ff\n"
    if addresses:
        scope = "host" if loop else "global"
        text += f"    inet {interface.address}/{interface.length} scope {scope} {interface.name}\n"
        text += "       valid_lft forever preferred_lft forever\n"
    return text


def _route(interfaces: Sequence[_Interface], words: Sequence[str]) -> ProgramReply:
    outer = [interface for interface in interfaces if interface is not _LOOPBACK]
    if words[:1] == ["get"]:
        if not outer or len(words) < 2:
            return ProgramReply(stderr="RTNETLINK answers: Network is unreachable\n", status=2)
        first = outer[0]
        return ProgramReply(
            f"{words[1]} via {first.gateway} dev {first.name} src {first.address} uid 2000\n    cache\n"
        )
    shown = (interface for interface in outer if not words or interface.name in words)
    return ProgramReply(
        "".join(f"{one.subnet} dev {one.name} proto kernel scope link src {one.address}\n" for one in shown)
    )


PROGRAMS: dict[str, Program] = {"ip": answering(ip)}
