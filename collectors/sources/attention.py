"""The owner's attention: typing, navigation, speed."""

from collections.abc import Iterable

from android_bridge.facts.input_method import INPUT_METHOD
from android_bridge.facts.location import LOCATION
from android_bridge.facts.notifications import NOTIFICATIONS
from collectors.context import Dimension
from collectors.source import PhoneValues, ReaderNeed, Reading, Source
from heed.trust import Trust

_NAVIGATION = "navigation"
"""``Notification.CATEGORY_NAVIGATION``: turn by turn, for as long as it goes on."""
_RECENT_S = 60.0
"""An older place tells nothing about how fast the phone moves now."""
_KMH = 3.6


class KeyboardSource(Source):
    """Whether the keyboard shows."""

    name = "keyboard"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(INPUT_METHOD),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        return [Reading("keyboard.shown", phone[INPUT_METHOD].shown)]


class GuidanceSource(Source):
    """Whether an app guides the way. It says so itself, in a notification that stays."""

    name = "guidance"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(NOTIFICATIONS),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        guiding = any(one.ongoing and one.category == _NAVIGATION for one in phone[NOTIFICATIONS].items)
        return [Reading("navigation.guiding", True, Trust.THIRD_PARTY)] if guiding else []


class MotionSource(Source):
    """How fast the phone moves; nothing when no app has asked where it is within the last minute."""

    name = "motion"
    dimension = Dimension.DEVICE
    needs = (ReaderNeed(LOCATION),)

    async def read(self, phone: PhoneValues) -> Iterable[Reading]:
        place = phone[LOCATION]
        if place is None or place.speed is None or place.age is None or place.age > _RECENT_S:
            return []
        return [Reading("motion.speed", round(place.speed * _KMH))]
