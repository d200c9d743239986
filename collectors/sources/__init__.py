"""The built-in sources, in the order in which their facts appear in a context."""

from collectors.source import Source
from collectors.sources.device import (
    AlarmSource,
    AppearanceSource,
    BatterySource,
    BluetoothSource,
    CallSource,
    DoNotDisturbSource,
    ForegroundSource,
    NetworkSource,
    PhoneSource,
    PlayerSource,
    PowerSource,
    ScreenSource,
    SoundSource,
)
from collectors.sources.log import LogSource
from collectors.sources.media import ScreenshotSource
from collectors.sources.messages import ContactSource, NotificationSource, SmsSource
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
    DoNotDisturbSource,
    SoundSource,
    PlayerSource,
    BluetoothSource,
    AppearanceSource,
    AlarmSource,
    ScreenshotSource,
    NotificationSource,
    SmsSource,
    ContactSource,
    TimeSource,
    LogSource,
)
