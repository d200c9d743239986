"""Behaviour logs of made-up people, for mining: habits, and what must not become one."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone

from collectors.context import LogEntry

ZONE = timezone(timedelta(hours=2))
FIRST = datetime(2026, 3, 2, tzinfo=ZONE)
"""A Monday."""
HOME, OFFICE, GYM = "Flat 4, Harbour Lane", "Mill House, third floor", "Sports hall"

NOISE = (
    "She opened a puzzle game and closed it again.",
    "A push notification from a news app appeared. She swiped it away.",
    "She declined a call from an unsaved number.",
    "She looked at a few pictures in the gallery and locked the phone.",
    "An SMS about a data plan promotion arrived. She deleted it.",
    "She scrolled through holiday offers for two minutes.",
    "A weather app pushed a rain warning. She dismissed it.",
    "她打开计算器算了一个数，然后关掉了。",
    "收到一条促销短信，她直接删掉了。",
)


def at(day: int, clock: str, place: str, action: str) -> LogEntry:
    """An entry on the ``day``-th day of the log."""
    hour, minute = map(int, clock.split(":"))
    return LogEntry(time=FIRST + timedelta(days=day, hours=hour, minutes=minute), location=place, action=action)


def numbered(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The entries in time order with their line numbers, as a log file has them."""
    ordered = sorted(entries, key=lambda entry: entry.time)
    return [entry.model_copy(update={"line": number}) for number, entry in enumerate(ordered, 1)]


def weekdays(days: int, weekday: Sequence[int]) -> Iterator[int]:
    """The days among the first ``days`` that fall on one of these weekdays (Monday is 0)."""
    return (day for day in range(days) if day % 7 in weekday)


def english(days: int = 35) -> list[LogEntry]:
    """Five weeks: weekday, weekly and event habits, in several wordings."""
    log: list[LogEntry] = []
    for day in weekdays(days, range(5)):
        log.append(at(day, "07:05", HOME, "She looked up bus times to the office."))
        log.append(at(day, "12:30", OFFICE, "She locked her phone and went to lunch."))
        quiet = ("She put the phone on do not disturb.", "Turned on Do Not Disturb for the ward round.")[day % 2]
        log.append(at(day, "09:30", OFFICE, quiet))
        log.append(at(day, "17:31", OFFICE, "She sent 'Done for today' in the #ward-3 channel of Slack."))
    log += [at(day, "22:40", HOME, "Switched the 06:15 alarm off for the weekend.") for day in weekdays(days, [4])]
    for day in weekdays(days, [6]):
        fortnight_ago = FIRST + timedelta(days=day - 14)
        log.append(at(day, "20:10", HOME, f"She deleted all screenshots from before {fortnight_ago:%Y-%m-%d}."))
    low = "Battery down to 16 percent. She turned on battery saver."
    log += [at(day, "15:20", OFFICE, low) for day in (2, 9, 17, 30)]
    return numbered(log)


def chinese(days: int = 35) -> list[LogEntry]:
    """The same kinds of habits in Chinese."""
    log: list[LogEntry] = []
    for day in weekdays(days, range(5)):
        log.append(at(day, "08:10", "家", "8点10分，查看明天的天气。"))
        log.append(at(day, "14:00", "公司", "打开美团点了一杯冰美式（少冰）。"))
        log.append(at(day, "18:02", "公司", "打开钉钉，在“值班”群发送：“下班了，明天见”"))
    log += [at(day, "23:00", "家", "睡前把早上7点的闹钟关掉了。") for day in weekdays(days, [4])]
    log += [at(day, "19:40", "家", "手机电量降到15%，她打开了省电模式。") for day in (3, 12, 25)]
    return numbered(log)


def elderly(days: int = 35) -> list[LogEntry]:
    """Somebody at home all day: calls, weather, and scam messages blocked."""
    log: list[LogEntry] = []
    for day in range(days):
        log.append(at(day, "08:10", HOME, "She read the weather forecast before going out."))
        if day % 7 != 3:
            log.append(at(day, "19:45", HOME, "She called her son Otto and talked for ten minutes."))
    scam = "An SMS from an unknown number said that she had won a prize. She blocked the number."
    log += [at(day, "11:20", HOME, scam) for day in (4, 13, 26)]
    log += [at(day, "16:20", HOME, "An SMS from the pharmacy arrived. She read it.") for day in (6, 18)]
    greeting = "It was her sister's birthday, so on her birthday she sent 'Happy birthday, dear!' to Marta on WhatsApp."
    log += [at(day, "09:00", HOME, greeting) for day in (10, 20)]
    return numbered(log)


def disturbed(log: Sequence[LogEntry], seed: int, *, noise: float, missing: float, jitter: float) -> list[LogEntry]:
    """The log with a share of noise lines, without a share of its days, and with times shifted by some minutes."""
    dice = random.Random(seed)
    days = sorted({entry.time.date() for entry in log})
    gone = set(dice.sample(days, round(missing * len(days))))
    kept = [entry for entry in log if entry.time.date() not in gone]
    moved = [_moved(entry, dice.uniform(-jitter, jitter)) for entry in kept]
    lines = round(len(moved) * noise / (1 - noise))
    return numbered([*moved, *(_noise(dice, days) for _ in range(lines))])


def _moved(entry: LogEntry, minutes: float) -> LogEntry:
    return entry.model_copy(update={"time": entry.time + timedelta(minutes=minutes)})


def _noise(dice: random.Random, days: Sequence[object]) -> LogEntry:
    place: Callable[[], str] = lambda: dice.choice([HOME, OFFICE, GYM])  # noqa: E731
    clock = f"{dice.randrange(7, 24):02}:{dice.randrange(60):02}"
    return at(dice.randrange(len(days)), clock, place(), dice.choice(NOISE))
