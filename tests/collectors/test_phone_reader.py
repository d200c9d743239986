"""Nobody waits for a slow reading, and what was read is kept while it is fresh."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from android_bridge.device import Device
from android_bridge.facts.reader import Reader, UnreadableError
from android_bridge.shell import ShellResult
from collectors import phone_reader
from collectors.phone_reader import PhoneReader
from collectors.source import ReaderNeed, ReadingCost
from heed.clock import ManualClock
from heed.errors import DeviceError


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


class Watched(Device):
    """A device that remembers the lines it ran."""

    def __init__(self, device: Device) -> None:
        super().__init__(device.server, device.serial)
        self.lines: list[str] = []

    async def shell(self, line: str, *, timeout: float | None = None) -> ShellResult:
        self.lines.append(line)
        return await super().shell(line, timeout=timeout)

    async def batch(self, lines: Sequence[str], *, timeout: float | None = None) -> list[ShellResult]:
        self.lines.append("; ".join(lines))
        return await super().batch(lines, timeout=timeout)


@pytest.fixture
def watched(device: Device) -> Watched:
    return Watched(device)


@pytest.fixture
def short_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_reader, "TOGETHER_S", 1.0)
    monkeypatch.setattr(phone_reader, "ALONE_S", dict.fromkeys(ReadingCost, 1.0))


async def test_quick_readings_share_a_round_trip_and_slow_ones_run_beside_it(
    watched: Watched, clock: ManualClock
) -> None:
    samples = await PhoneReader(watched, clock).read(
        [ReaderNeed(ONE), ReaderNeed(TWO), ReaderNeed(GARBLED, cost=ReadingCost.SLOW)]
    )
    assert (samples[ONE].value, samples[TWO].value) == (1, 2)
    assert len(watched.lines) == 2


@pytest.mark.usefixtures("short_deadlines")
@pytest.mark.parametrize("bad", [HANGS, GARBLED, REFUSED, LEAVES], ids=lambda reader: reader.name)
@pytest.mark.parametrize("cost", ReadingCost)
async def test_a_bad_reading_costs_only_itself(
    watched: Watched, clock: ManualClock, bad: Reader[int], cost: ReadingCost
) -> None:
    samples = await PhoneReader(watched, clock).read([ReaderNeed(ONE), ReaderNeed(bad, cost=cost), ReaderNeed(TWO)])
    assert (samples[ONE].value, samples[TWO].value) == (1, 2)
    assert samples[bad].failed


@pytest.mark.usefixtures("short_deadlines")
async def test_what_hung_is_asked_apart_until_it_answers(watched: Watched, clock: ManualClock) -> None:
    moody = Reader("moody", "test -e /sdcard/well && echo 3 || sleep 600", number)
    reader = PhoneReader(watched, clock)
    needs = [ReaderNeed(ONE), ReaderNeed(moody), ReaderNeed(TWO)]
    assert (await reader.read(needs))[moody].failed
    await watched.shell("echo > /sdcard/well")
    watched.lines.clear()
    assert (await reader.read(needs))[moody].failed  # it rests: nobody waits for it again
    assert len(watched.lines) == 1
    for expected in (2, 1):  # apart once more, then together again
        clock.advance(phone_reader.REST_S)
        watched.lines.clear()
        samples = await reader.read(needs)
        assert [samples[need.reader].value for need in needs] == [1, 3, 2]
        assert len(watched.lines) == expected


async def test_a_fresh_value_is_not_read_again(watched: Watched, clock: ManualClock) -> None:
    reader, needs = PhoneReader(watched, clock), [ReaderNeed(ONE, fresh=60.0)]
    await reader.read(needs)
    clock.advance(59)
    await reader.read(needs)
    assert len(watched.lines) == 1
    clock.advance(2)
    await reader.read(needs)
    assert len(watched.lines) == 2


async def test_a_forgotten_value_and_a_failed_one_are_read_again(watched: Watched, clock: ManualClock) -> None:
    reader, needs = PhoneReader(watched, clock), [ReaderNeed(ONE, fresh=60.0), ReaderNeed(GARBLED, fresh=60.0)]
    await reader.read(needs)
    await reader.read(needs)
    assert len(watched.lines) == 2 and "echo 1" not in watched.lines[1]
    reader.forget(needs[:1])
    await reader.read(needs)
    assert "echo 1" in watched.lines[2]


async def test_the_strictest_need_decides(watched: Watched, clock: ManualClock) -> None:
    reader = PhoneReader(watched, clock)
    for _ in range(2):
        await reader.read([ReaderNeed(ONE, fresh=60.0), ReaderNeed(ONE)])
    assert len(watched.lines) == 2


async def test_a_phone_that_is_gone_is_an_error_and_not_many_missing_facts(
    watched: Watched, clock: ManualClock
) -> None:
    await watched.server.disconnect(watched.serial)
    reader = PhoneReader(watched, clock)
    for _ in range(2):
        with pytest.raises(DeviceError, match="not found"):
            await reader.read([ReaderNeed(ONE), ReaderNeed(TWO)])


@pytest.mark.usefixtures("short_deadlines")
async def test_a_single_hung_command_is_no_lost_phone(watched: Watched, clock: ManualClock) -> None:
    samples = await PhoneReader(watched, clock).read([ReaderNeed(HANGS)])
    assert samples[HANGS].failed
