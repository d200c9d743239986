"""This room's section of the configuration."""

from pathlib import Path

from pydantic import Field, field_validator

from collectors import apps
from heed import paths
from heed.language import Language
from heed.model import Frozen
from heed.stored_files import FileKind, StoredFile


class FramesConfig(Frozen):
    """Screenshots: whether they are taken, and what is kept of them."""

    enabled: bool = True
    """Take one screen frame per snapshot; off = heed never sees the screen."""
    per_context: int = Field(default=3, ge=1, le=10)
    """Most recent frames given to a reasoner; ten is the benchmark's limit."""
    longest_side: int = Field(default=1200, ge=320, le=4096)
    """Stored frames are scaled down to this many pixels on their longer side."""
    quality: int = Field(default=75, ge=30, le=95)
    """JPEG quality of stored frames."""
    max_megabytes: float = Field(default=200.0, gt=0)
    """The oldest frames are deleted beyond this size of the folder."""
    max_days: float = Field(default=7.0, gt=0)
    """Frames older than this are deleted."""


class TrajectoryConfig(Frozen):
    """What the person does on the phone, step by step, while `heed run` monitors it."""

    enabled: bool = True
    """Record it; off = only what other facts tell."""
    typed_text: bool = True
    """Keep what is typed, redacted, for ten minutes (never passwords); off = only that something was typed."""
    helper: bool = False
    """Let heed start uiautomator2's helper process on the phone, which reads what was touched in milliseconds instead
    of starting a Java process for each look, and is removed when heed stops; off = none is started, and none that
    another program started is asked."""
    log: bool = True
    """Write a line per visit to an app into the long-term log, without what was typed."""


class ServicesConfig(Frozen):
    """Services on the internet; none is asked unless ``network_services`` is on."""

    weather_url: str = "https://api.open-meteo.com/v1/forecast"
    """Open-Meteo, or a server of your own that answers alike. It learns a position to about 11 km."""
    rates_url: str = "https://api.frankfurter.dev/v1/latest"
    """Frankfurter (rates of the European Central Bank), or a server of your own that answers alike."""
    currencies: tuple[str, ...] = ("CNY", "USD", "EUR")
    """ISO 4217 codes: the first is told in the others; fewer than two = no rates."""
    news_feeds: tuple[str, ...] = ("https://feeds.bbci.co.uk/news/world/rss.xml",)
    """Addresses of RSS or Atom feeds."""


class CollectorsConfig(Frozen):
    """What is looked at, and what never is."""

    language: Language = Language.EN
    """Language of holiday names and of the rendered context."""
    country: str = ""
    """ISO 3166 code whose public holidays count, e.g. ``CN``; empty = the phone's locale."""
    region: str = ""
    """Subdivision of the country as the ``holidays`` library names it, e.g. ``BY``; empty = the whole country."""
    profile: Path = Field(default_factory=lambda: paths.config_dir() / "profile.yaml")
    """The owner's profile."""
    behaviour_log: Path = Field(default_factory=lambda: paths.data_dir() / "behaviour.jsonl")
    """The long-term log of the owner's actions, one JSON object per line."""
    frames_folder: Path = Field(default_factory=lambda: paths.data_dir() / "frames")
    """Where screenshots are stored."""
    frames: FramesConfig = FramesConfig()
    trajectory: TrajectoryConfig = TrajectoryConfig()
    excluded_apps: frozenset[str] = frozenset()
    """Apps never looked at, as packages or as names that heed knows ("WeChat"): no picture while one is in front, no
    touches in it, none of their notifications."""
    disabled: frozenset[str] = frozenset()
    """Names of sources that are switched off."""
    network_services: bool = False
    """Allow sources that ask services on the internet (weather, rates, news); off = nothing leaves the machine."""
    services: ServicesConfig = ServicesConfig()
    calendar_lead_minutes: int = Field(default=10, ge=0)
    """So long before an event of the calendar heed looks whether something is needed."""
    screen_time_minutes: int = Field(default=30, ge=0)
    """Each time the phone was in use for so long without a break, heed looks; 0 = never."""
    recent_actions: int = Field(default=10, ge=0, le=100)
    """Latest behaviour-log entries that a context holds."""
    old_screenshot_days: int = Field(default=30, ge=1)
    """A screenshot older than this counts as old."""

    @field_validator("excluded_apps")
    @classmethod
    def _as_packages(cls, named: frozenset[str]) -> frozenset[str]:
        return frozenset(package for name in sorted(named) for package in apps.packages_of(name))


def stored_files(config: CollectorsConfig) -> tuple[StoredFile, ...]:
    """The files that the collectors write, and the profile."""
    log, frames = config.behaviour_log, config.frames_folder
    return (
        StoredFile(path=config.profile, holds="your profile", kind=FileKind.OWNER),
        StoredFile(path=log, holds="the behaviour log", kind=FileKind.LINES, companions=(f"{log.name}.new",)),
        StoredFile(path=frames, holds="pictures of the screen", kind=FileKind.PICTURES),
    )
