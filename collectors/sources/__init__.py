"""The built-in sources, in the order in which their facts appear in a context."""

from collectors.source import Source
from collectors.sources.device import (
    AlarmSource,
    AppearanceSource,
    BatterySource,
    CallSource,
    ForegroundSource,
    InterruptionSource,
    NetworkSource,
    PhoneSource,
    PowerSource,
    ScreenSource,
)
from collectors.sources.log import LogSource
from collectors.sources.messages import ContactSource, NotificationSource, SmsSource
from collectors.sources.media import ScreenshotSource
from collectors.sources.owner import PlaceSource, ProfileSource
from collectors.sources.world import TimeSource

SOURCES: tuple[type[Source], ...] = (
    ProfileSource,
    PhoneSource,
    BatterySource,
    PowerSource,
    NetworkSource,
    PlaceSource,
    ScreenSource,
    ForegroundSource,
    CallSource,
    InterruptionSource,
    AppearanceSource,
    AlarmSource,
    ScreenshotSource,
    NotificationSource,
    SmsSource,
    ContactSource,
    TimeSource,
    LogSource,
)
