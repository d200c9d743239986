"""Hostile text in every free-text parameter of every function: no command runs but documented ones.

Text that anyone may have written is shown to 20 hostile strings per parameter when proving, a few of them otherwise.
"""

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from android_bridge.adb import AdbServer
from executors.executor import RefusedError
from executors.plan import OutcomeKind
from executors.runner import VerifyTiming
from function_pool.spec import default_pool
from heed.errors import UsageError
from tests.executors.acting import Acting, WatchedPhone
from tests.executors.cases import CASES, Arguments, furnish
from tests.executors.servers import LocalServices
from tests.executors.test_golden_matrix import configured
from tests.executors.test_injection import HOSTILE
from tests.executors.usage import fault, of_the_helper
from tests.phones import START, connected_device
from tests.proof import examples
from virtual_phone import PhoneState

WORST = HOSTILE[:20]


def places(function: str) -> Iterator[tuple[Arguments, str]]:
    """Every free-text parameter of the function's calls, once, with the harmless arguments beside it."""
    seen = set()
    for arguments in CASES[function]:
        for name in arguments:
            parameter = default_pool().get(function).parameters[name]
            free = parameter.open or not parameter.choices
            if parameter.type in ("string", "list") and free and name not in seen:
                seen.add(name)
                yield arguments, name


def some(function: str, name: str) -> list[str]:
    """A few of the worst strings, others for each parameter; all of them when proving."""
    count = examples(3, len(WORST))
    first = zlib.crc32(f"{function}.{name}".encode()) % len(WORST)
    return [(WORST * 2)[first + step] for step in range(count)]


@pytest.mark.parametrize("function", [function for function in CASES if any(places(function))])
async def test_no_text_becomes_a_command(adb_server: AdbServer, tmp_path: Path, function: str) -> None:
    state = PhoneState.standard(now=START)
    state.clock.freeze()
    furnish(state)
    phone, services = WatchedPhone(state), LocalServices()
    async with connected_device(phone, adb_server) as device, services.serving():
        acting = Acting(phone, device, configured(services, tmp_path))
        acting.timing = VerifyTiming(deadline=0.04, interval=0.02, settle=0.0)
        for arguments, name in places(function):
            for text in some(function, name):
                await _try(acting, function, arguments, name, text)
    assert not phone.state.files.stat("/sdcard/pwned")
    assert not [asked for asked in services.asked if asked.split()[1].startswith("/pwned")]


async def _try(acting: Acting, function: str, arguments: Arguments, name: str, text: str) -> None:
    acting.phone.ran.clear()
    acting.phone.state.apps.home()
    value: Any = [text] if isinstance(arguments[name], list) else text
    try:
        outcome = await acting.do(function, **(dict(arguments) | {name: value}))
    except (UsageError, RefusedError) as refusal:
        assert refusal.message
    else:
        assert outcome.kind is not OutcomeKind.UNKNOWN, (name, text, outcome)
    ran = [words for words in acting.phone.ran if not of_the_helper(words)]
    odd = {" ".join(words): fault(words) for words in ran if fault(words)}
    assert {words: what for words, what in odd.items() if not words.startswith("echo heed-")} == {}, (name, text)
