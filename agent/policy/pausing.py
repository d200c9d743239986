"""When a pause ends, and the words for it."""

from datetime import datetime, time, timedelta

from agent.config import PolicyConfig
from agent.journal.pauses import Pause
from heed.messages import Message, msg

MORNING = time(7, 0)
"""When "tomorrow" begins where the quiet hours do not end in the morning."""
_NIGHT_ENDS = time(4, 0)
"""Before this time "tomorrow" is the coming morning."""


def morning(now: datetime, config: PolicyConfig) -> datetime:
    """The morning that "until tomorrow" means at ``now`` on the phone's clock: the end of the night's quiet hours."""
    day = now.date() if now.time() < _NIGHT_ENDS else now.date() + timedelta(days=1)
    begin, end = config.quiet_from, config.quiet_until
    over_night = (begin <= _NIGHT_ENDS < end) if begin <= end else end > _NIGHT_ENDS
    return datetime.combine(day, end if over_night else MORNING, now.tzinfo)


def until_text(pause: Pause, now: datetime) -> Message:
    """Until when a pause lasts, on a clock that shows ``now``."""
    if pause.until is None:
        return msg("until you resume it")
    same_day = pause.until.date() == now.date()
    return msg("until {time}", time=f"{pause.until:%H:%M}" if same_day else f"{pause.until:%m-%d %H:%M}")


def paused_text(pause: Pause, now: datetime) -> Message:
    """A pause as one sentence."""
    return msg("heed is paused {until}.", until=until_text(pause, now))
