"""The sockets that programs on the phone listen on, with the Linux user that owns each.

Format: Linux ``Documentation/networking/proc_net_tcp.rst``. Apps may not read these files since Android 10; adb's shell
may (AOSP ``shell.te``). No capture of a phone confirms it.
"""

import re
from typing import NamedTuple

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser


class Listener(NamedTuple):
    """One listening TCP socket."""

    port: int
    uid: int
    """The Linux user of the program: 2000 is adb's shell, 10000 and more are apps."""
    inode: int
    """The kernel's number of the socket, which no other open socket has."""


_HEADER = re.compile(r"^ +sl +local_address ", re.MULTILINE)
_LISTEN = "0A"
_ROW = re.compile(
    r"^ *\d+: [0-9A-F]{8,32}:([0-9A-F]{4}) [0-9A-F]{8,32}:[0-9A-F]{4} ([0-9A-F]{2}) "
    r"\S+ \S+ \S+ +(\d{1,10}) +\d+ (\d{1,20}) ",
    re.MULTILINE | re.ASCII,
)


@parser("The listening sockets")
def parse_listeners(text: str) -> tuple[Listener, ...]:
    """Parses ``/proc/net/tcp`` and ``/proc/net/tcp6``; refuses when one of them could not be read."""
    if len(_HEADER.findall(text)) != 2:
        raise missing("table of /proc/net/tcp or /proc/net/tcp6")
    rows = (match.groups() for match in _ROW.finditer(text))
    return tuple(Listener(int(port, 16), int(uid), int(inode)) for port, state, uid, inode in rows if state == _LISTEN)


LISTENERS = Reader("listeners", "cat /proc/net/tcp /proc/net/tcp6", parse_listeners, verified=False)
