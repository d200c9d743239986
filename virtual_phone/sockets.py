"""``/proc/net/tcp`` and ``/proc/net/tcp6``: the listening sockets on the phone.

Format: Linux ``proc_net_tcp`` (net/ipv4/tcp_ipv4.c). Java listens on ``::``, which shows in the second file alone.
"""

from collections.abc import Mapping
from typing import NamedTuple

from virtual_phone.adbd.transport import Handler

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
SHELL, APP = 2000, 10_199
"""Linux users: adb's shell, and an installed app."""

_HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
_HEADER_6 = (
    "  sl  local_address                         remote_address                        st tx_queue rx_queue"
    " tr tm->when retrnsmt   uid  timeout inode\n"
)


class LocalService(NamedTuple):
    """A program on the phone that listens on ``localhost``."""

    handler: Handler
    uid: int
    inode: int


def table(path: str, services: Mapping[int, LocalService]) -> str:
    """Returns the contents of one of ``TABLES``."""
    if path == TABLES[0]:
        return _HEADER
    anywhere = "0" * 32
    return _HEADER_6 + "".join(
        f"{row:4d}: {anywhere}:{port:04X} {anywhere}:0000 0A 00000000:00000000 00:00000000 00000000 "
        f"{service.uid:5d}        0 {service.inode} 1 0000000000000000 100 0 0 10 0\n"
        for row, (port, service) in enumerate(services.items())
    )
