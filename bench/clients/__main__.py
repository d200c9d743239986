"""Outside clients against the virtual phone: ``python -m bench.clients [NAME …]``.

Each call of each client is compared with the phone's own state. Prints a table, and the calls that are wrong with what
came back; ends with 1 when fewer than 98 of 100 calls are right, or a client cannot be installed or started.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence

from bench.clients import CLIENTS
from bench.clients.call import Client
from bench.clients.environment import make
from bench.clients.judging import Judge, Verdict
from virtual_phone import LocalAdbServer

LEAST = 0.98
"""The part of all calls that has to be right."""
_SHOWN = 160
"""Characters of an answer that are shown."""
_ROW = "{:24} {:12} {:>5} {:>5}"


def judge(clients: Sequence[Client]) -> Iterator[tuple[Client, list[Verdict]]]:
    """The verdicts on each client."""
    with LocalAdbServer.private() as server:
        for client in clients:
            yield client, Judge(client, server).verdicts()


def table(clients: Sequence[Client]) -> bool:
    """Prints the table and what is wrong; whether enough is right and every client started."""
    print(_ROW.format("client", "version", "calls", "right"))
    found: list[tuple[str, Verdict]] = []
    started = True
    for client, verdicts in judge(clients):
        right = sum(verdict.right for verdict in verdicts)
        started &= right > 0
        found += [(client.name, verdict) for verdict in verdicts]
        print(_ROW.format(client.name, client.version, len(verdicts), right), flush=True)
    wrong = [(name, verdict) for name, verdict in found if not verdict.right]
    share = 1 - len(wrong) / len(found)
    print(_ROW.format("all", "", len(found), len(found) - len(wrong)), f" {share:.1%}\n")
    for name, verdict in wrong:
        print(f"wrong: {name}: {verdict.code}\n    {' '.join(verdict.got.split())[:_SHOWN]}")
    return started and share >= LEAST


def main(names: Sequence[str]) -> int:
    """The named clients, or all; 0 when enough is right, 2 for an unknown name."""
    unknown = set(names) - {client.name for client in CLIENTS}
    if unknown:
        print(f"no such client: {', '.join(sorted(unknown))}; there are: {', '.join(one.name for one in CLIENTS)}")
        return 2
    chosen = [client for client in CLIENTS if not names or client.name in names]
    left_out = [client for client in chosen if client.source is not None and not client.source.is_dir()]
    for client in left_out:
        print(f"{client.name} is left out: there is no {client.source}")
    try:
        make(CLIENTS)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"the clients could not be installed: {error}")
        return 1
    clients = [client for client in chosen if client not in left_out]
    return 0 if not clients or table(clients) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
