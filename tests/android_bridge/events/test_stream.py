"""The stream of events: what is told, once, through interruptions, and by asking where the log is silent."""

import asyncio
import logging
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from android_bridge.events import PhoneEvent, PhoneEvents, phone_events
from heed.errors import DeviceError, DeviceLostError
from tests.android_bridge import wire

NEVER = 3600.0


@dataclass
class LoggingPhone:
    """A phone that knows ``logcat`` and answers readers from a table of outputs."""

    lines: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    cut: bool = False
    """The live stream ends after the lines that are there."""
    frozen: bool = False
    """Commands get no answer any more; the live stream stays open."""
    more: asyncio.Event = field(default_factory=asyncio.Event)
    live: asyncio.Event = field(default_factory=asyncio.Event)
    answered: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def listened_to(self) -> None:
        """Wait until the first look is over and the live stream is open."""
        async with asyncio.timeout(20):
            await self.live.wait()
        self.live.clear()

    async def is_asked(self, command: str, times: int) -> None:
        """Wait until ``command`` was asked for so many times from now on."""
        wanted = self.asked.count(command) + times
        async with asyncio.timeout(20), self.answered:
            await self.answered.wait_for(lambda: self.asked.count(command) >= wanted)

    def log(self, text: str, second: int) -> None:
        self.lines.append(f"2026-11-20 23:05:{second:02}.000 +0800  1508  1612 I {text}\n")
        self.more.set()

    async def __call__(self, service: str, reader: StreamReader, writer: StreamWriter) -> None:
        wire.okay(writer)
        kind, _, line = service.partition(":")
        if kind == "exec":
            await self._live(line, writer)
        else:
            await wire.standing_answers(reader, writer, self._answer)

    async def _answer(self, line: str) -> tuple[str, str]:
        if self.frozen:
            await asyncio.Event().wait()
        if line.startswith("logcat"):
            return "".join(self.lines), ""
        self.asked.append(line)
        async with self.answered:
            self.answered.notify_all()
        return self.outputs.get(line, ""), ""

    async def _live(self, line: str, writer: StreamWriter) -> None:
        # Like logcat: what has the time given to `-T`, or one line, and then what comes.
        since = line.partition(" -T ")[2].partition(" -s ")[0].strip("'")
        sent = len([entry for entry in self.lines if entry[:23] < since]) if since != "1" else len(self.lines)
        self.live.set()
        while True:
            self.more.clear()
            writer.write("".join(self.lines[sent:]).encode())
            sent = len(self.lines)
            await writer.drain()
            if self.cut:
                return
            await self.more.wait()


BATTERY = "Current Battery Service state:\n  AC powered: false\n  USB powered: false\n  status: 3\n  level: {}\n"
CLOCK = {"date '+%Y-%m-%dT%H:%M:%S%z'": "2026-11-20T23:05:59+0800\n"}
ALL_TAGS = [
    "wm_set_resumed_activity: [0,a.b/.Main,x]",
    "screen_toggled: 2",
    "battery_level: [50,1,1]",
    "battery_status: [4,2,1,0,Li-ion]",
    "notification_enqueue: [1,1,a.b,7,NULL,0,Notification(channel=c shortcut=null category=msg vis=PRIVATE),0]",
]


def logging_phone(*texts: str) -> LoggingPhone:
    phone = LoggingPhone(outputs=dict(CLOCK))
    for text in texts:
        phone.log(text, 1)
    return phone


@pytest.fixture
async def start() -> AsyncIterator[Callable[[LoggingPhone], "wire.WireServer"]]:
    """Serves phones for one test."""
    async with wire.wire_server() as server:

        def serve(phone: LoggingPhone) -> wire.WireServer:
            server.phones[wire.SERIAL] = phone
            return server

        yield serve


async def take(events: AsyncIterator[PhoneEvent], count: int) -> list[str]:
    async with asyncio.timeout(20):
        return [_brief(await anext(events)) for _ in range(count)]


def _brief(event: PhoneEvent) -> str:
    values = event.model_dump(mode="json", exclude={"kind", "at", "polled", "user", "activity", "channel"})
    return " ".join([event.kind, *(str(value) for value in values.values()), *(["(asked)"] if event.polled else [])])


Start = Callable[[LoggingPhone], wire.WireServer]


async def test_what_happened_before_is_not_told_and_what_happens_is_told_once(start: Start) -> None:
    phone = logging_phone(*ALL_TAGS)
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=NEVER)) as events:
        first = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.log("battery_level: [50,9,9]", 2)
        phone.log("battery_level: [49,9,9]", 3)
        phone.log("screen_toggled: 0", 4)
        assert _brief(await first) == "battery_level 49"
        assert await take(events, 1) == ["screen off"]


async def test_events_of_the_same_millisecond_as_the_last_known_are_not_lost(start: Start) -> None:
    phone = logging_phone(*ALL_TAGS)
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=NEVER)) as events:
        first = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.log("battery_level: [48,1,1]", 1)
        assert _brief(await first) == "battery_level 48"


async def test_listening_again_after_the_cable_was_out_goes_on_without_gap_or_repetition(start: Start) -> None:
    phone = logging_phone(*ALL_TAGS)
    listener = PhoneEvents(wire.device(start(phone)), poll_seconds=NEVER)
    async with aclosing(listener.listen()) as events:
        first = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.log("battery_level: [49,1,1]", 2)
        assert _brief(await first) == "battery_level 49"
        phone.cut = True
        phone.log("screen_toggled: 0", 3)
        assert await take(events, 1) == ["screen off"]
        with pytest.raises(DeviceLostError):
            await anext(events)
    phone.log("screen_toggled: 1", 4)
    phone.log("screen_toggled: 2", 5)
    phone.cut = False
    phone.live.clear()
    async with aclosing(listener.listen()) as events:
        assert await take(events, 2) == ["screen on", "screen unlocked"]
        last = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.log("battery_level: [48,1,1]", 6)
        assert _brief(await last) == "battery_level 48"


async def test_a_fact_that_the_phone_does_not_log_is_asked_for_and_said_once(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    phone = logging_phone(*[text for text in ALL_TAGS if "battery_level" not in text])
    phone.outputs["dumpsys battery"] = BATTERY.format(50)
    listener = PhoneEvents(wire.device(start(phone)), poll_seconds=0.05)
    with caplog.at_level(logging.WARNING):
        for level, again in ((49, []), (48, ["battery_level 49 (asked)"])):
            async with aclosing(listener.listen()) as events:
                # The test left before it asked for the next event.
                assert [_brief(await anext(events)) for _ in again] == again
                waiting = asyncio.ensure_future(anext(events))
                await phone.listened_to()
                phone.outputs["dumpsys battery"] = BATTERY.format(level)
                assert _brief(await waiting) == f"battery_level {level} (asked)"
    assert [record.getMessage() for record in caplog.records] == [
        "wire-1 has not logged the battery level; heed asks every 0.05 s until it does."
    ]


async def test_asking_stops_when_the_phone_logs_the_fact_after_all(start: Start) -> None:
    phone = logging_phone(*[text for text in ALL_TAGS if "battery" not in text])
    phone.outputs["dumpsys battery"] = BATTERY.format(50)
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=0.05)) as events:
        waiting = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.log("battery_status: [4,2,1,0,Li-ion]", 2)
        phone.log("battery_level: [49,1,1]", 3)
        assert _brief(await waiting) == "battery_level 49"
        phone.asked.clear()
        waiting = asyncio.ensure_future(anext(events))
        await phone.is_asked("dumpsys connectivity", 2)
        assert "dumpsys battery" not in phone.asked
        phone.log("battery_level: [48,1,1]", 4)
        assert _brief(await waiting) == "battery_level 48"


async def test_a_call_is_asked_for_when_a_call_notification_comes_and_goes(start: Start) -> None:
    phone = logging_phone(*ALL_TAGS)
    ringing = "  Phone Id=0\n    mCallState={}\n    mCallIncomingNumber=+15550100\n"
    phone.outputs["dumpsys telephony.registry"] = ringing.format(0)
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=NEVER)) as events:
        waiting = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.outputs["dumpsys telephony.registry"] = ringing.format(1)
        phone.log(ALL_TAGS[-1].replace("category=msg", "category=call"), 2)
        assert _brief(await waiting) == "notification_posted a.b 7 None call False"
        assert await take(events, 1) == ["call ringing +15550100 (asked)"]
        phone.outputs["dumpsys telephony.registry"] = ringing.format(0)
        phone.log("notification_canceled: [0|a.b|7|null|10021,8,33,33,0,NULL]", 3)
        assert await take(events, 2) == ["notification_removed a.b 7 None 8", "call idle None (asked)"]


async def test_a_phone_without_any_event_log_is_asked_for_everything(start: Start) -> None:
    phone = logging_phone()
    phone.cut = True
    phone.outputs["dumpsys battery"] = BATTERY.format(50)
    posted = "Current Notification Manager state:\n  Notification List:\n"
    phone.outputs["dumpsys notification --noredact"] = posted
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=0.05)) as events:
        waiting = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        record = (
            "    NotificationRecord(0x1: pkg=a.b user=UserHandle{0} id=7 tag=null importance=4 key=0|a.b|7|null|1: "
            "Notification(channel=c shortcut=null flags=0x10 category=alarm vis=PRIVATE))\n"
        )
        phone.outputs["dumpsys notification --noredact"] = posted + record
        assert _brief(await waiting) == "notification_posted a.b 7 None alarm False (asked)"
        assert await take(events, 1) == ["alarm a.b (asked)"]
        phone.outputs["dumpsys notification --noredact"] = posted
        assert await take(events, 1) == ["notification_removed a.b 7 None None (asked)"]


async def test_a_frozen_phone_is_noticed_although_its_stream_stays_open(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = logging_phone(*ALL_TAGS)
    monkeypatch.setattr("android_bridge.events.stream._TIMEOUT", 0.1)
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=0.05)) as events:
        waiting = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.frozen = True
        with pytest.raises(DeviceError):
            async with asyncio.timeout(20):
                await waiting


async def test_garbage_in_the_stream_is_passed_over(start: Start) -> None:
    phone = logging_phone(*ALL_TAGS)
    async with aclosing(phone_events(wire.device(start(phone)), poll_seconds=NEVER)) as events:
        waiting = asyncio.ensure_future(anext(events))
        await phone.listened_to()
        phone.lines += ["--------- beginning of events\n", "?\x00\n"]
        phone.log("notification_enqueue: [1,1,a.b,8,two", 2)
        phone.log("notification_enqueue: lines,0,Notification(channel=c shortcut=null vis=PRIVATE),0]", 2)
        phone.log("battery_level: [49,1,1]", 3)
        assert _brief(await waiting) == "notification_posted a.b 8 two\nlines  False"
        assert await take(events, 1) == ["battery_level 49"]
