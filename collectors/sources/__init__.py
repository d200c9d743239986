"""The built-in sources, in the order in which their facts appear in a context."""

from collectors.source import Source
from collectors.sources.agenda import CalendarSource, RegularSource
from collectors.sources.apps import AppTimesSource, InstalledSource
from collectors.sources.attention import GuidanceSource, KeyboardSource, MotionSource
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
    SleepSource,
    SoundSource,
    StorageSource,
)
from collectors.sources.log import LogSource
from collectors.sources.media import ScreenshotSource
from collectors.sources.messages import ContactSource, NotificationSource, SmsSource
from collectors.sources.owner import PlaceSource, ProfileSource
from collectors.sources.people import MissedCallSource, PeopleSource
from collectors.sources.services import NewsSource, RateSource, WeatherSource
from collectors.sources.sky import SunSource
from collectors.sources.world import TimeSource

SOURCES: tuple[type[Source], ...] = (
    ProfileSource,
    PeopleSource,
    InstalledSource,
    AppTimesSource,
    RegularSource,
    SleepSource,
    PhoneSource,
    BatterySource,
    PowerSource,
    NetworkSource,
    PlaceSource,
    ScreenSource,
    ForegroundSource,
    KeyboardSource,
    CallSource,
    DoNotDisturbSource,
    SoundSource,
    PlayerSource,
    BluetoothSource,
    GuidanceSource,
    MotionSource,
    AppearanceSource,
    AlarmSource,
    CalendarSource,
    StorageSource,
    ScreenshotSource,
    NotificationSource,
    SmsSource,
    ContactSource,
    MissedCallSource,
    TimeSource,
    SunSource,
    WeatherSource,
    RateSource,
    NewsSource,
    LogSource,
)
