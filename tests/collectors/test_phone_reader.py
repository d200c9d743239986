"""Nobody waits for a slow reading, and what was read is kept while it is fresh."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from android_bridge.device import Device
from android_bridge.facts.reader import Reader, UnreadableError
from collectors import phone_reader
from collectors.phone_reader import PhoneReader
from collectors.source import Cost, Need
from heed.clock import ManualClock
from heed.errors import DeviceError
from tests.android_bridge.wire import WireServer
from tests.collectors.shell_phone import shell_phone


def number(text: str) -> int:
    if not text.strip().isdigit():
        raise UnreadableError("no number")
    return int(text)


ONE = Reader("one", "echo 1", number)
TWO = Reader("two", "echo 2", number)
HANGS = Reader("hangs", "sleep 600", number)
GARBLED = Reader("garbled", "echo something else", number)
REFUSED = Reader("refused", "no-such-command", number)
LEAVES = Reader("leaves", "exit 3", number)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 2, 6, tzinfo=UTC))


@pytest.fixture
async def phone(tmp_path: Path) -> AsyncIterator[tuple[Device, WireServer]]:
    async with shell_phone(tmp_path) as both:
        yield both


@pytest.fixture(autouse=True)
def short_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_reader, "TOGETHER_S", 0.5)
    monkeypatch.setattr(phone_reader, "ALONE_S", dict.fromkeys(Cost, 0.5))


def commands(wire: WireServer) -> list[str]:
    return [request for request in wire.requests if request.startswith(("shell", "exec"))]


async def test_quick_readings_share_a_round_trip_and_slow_ones_run_beside_it(
    phone: tuple[Device, WireServer], clock: ManualClock
) -> None:
    device, wire = phone
    samples = await PhoneReader(device, clock).read([Need(ONE), Need(TWO), Need(GARBLED, cost=Cost.SLOW)])
    assert (samples[ONE].value, samples[TWO].value) == (1, 2)
    assert len(commands(wire)) == 2


@pytest.mark.parametrize("bad", [HANGS, GARBLED, REFUSED, LEAVES], ids=lambda reader: reader.name)
@pytest.mark.parametrize("cost", Cost)
async def test_a_bad_reading_costs_only_itself(
    phone: tuple[Device, WireServer], clock: ManualClock, bad: Reader[int], cost: Cost
) -> None:
    samples = await PhoneReader(phone[0], clock).read([Need(ONE), Need(bad, cost=cost), Need(TWO)])
    assert (samples[ONE].value, samples[TWO].value) == (1, 2)
    assert samples[bad].failed


async def test_what_hung_is_asked_apart_until_it_answers(
    phone: tuple[Device, WireServer], clock: ManualClock, tmp_path: Path
) -> None:
    device, wire = phone
    moody = Reader("moody", f"test -e {tmp_path}/well && echo 3 || sleep 600", number)
    reader = PhoneReader(device, clock)
    needs = [Need(ONE), Need(moody), Need(TWO)]
    await reader.read(needs)
    (tmp_path / "well").touch()
    for expected in (2, 1):  # apart once more, then together again
        wire.requests.clear()
        samples = await reader.read(needs)
        assert [samples[need.reader].value for need in needs] == [1, 3, 2]
        assert len(commands(wire)) == expected


async def test_a_fresh_value_is_not_read_again(phone: tuple[Device, WireServer], clock: ManualClock) -> None:
    device, wire = phone
    reader, needs = PhoneReader(device, clock), [Need(ONE, fresh=60.0)]
    await reader.read(needs)
    clock.advance(59)
    await reader.read(needs)
    assert len(commands(wire)) == 1
    clock.advance(2)
    await reader.read(needs)
    assert len(commands(wire)) == 2


async def test_a_forgotten_value_and_a_failed_one_are_read_again(
    phone: tuple[Device, WireServer], clock: ManualClock
) -> None:
    device, wire = phone
    reader, needs = PhoneReader(device, clock), [Need(ONE, fresh=60.0), Need(GARBLED, fresh=60.0)]
    await reader.read(needs)
    await reader.read(needs)
    assert len(commands(wire)) == 2 and "echo 1" not in commands(wire)[1]
    reader.forget(needs[:1])
    await reader.read(needs)
    assert "echo 1" in commands(wire)[2]


async def test_the_strictest_need_decides(phone: tuple[Device, WireServer], clock: ManualClock) -> None:
    device, wire = phone
    reader = PhoneReader(device, clock)
    for _ in range(2):
        await reader.read([Need(ONE, fresh=60.0), Need(ONE)])
    assert len(commands(wire)) == 2


async def test_a_phone_that_is_gone_is_an_error_and_not_many_missing_facts(
    phone: tuple[Device, WireServer], clock: ManualClock
) -> None:
    device, wire = phone
    wire.phones.clear()
    with pytest.raises(DeviceError, match="not found"):
        await PhoneReader(device, clock).read([Need(ONE), Need(TWO)])


async def test_a_single_hung_command_is_no_lost_phone(phone: tuple[Device, WireServer], clock: ManualClock) -> None:
    samples = await PhoneReader(phone[0], clock).read([Need(HANGS)])
    assert samples[HANGS].failed
