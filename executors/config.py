"""This room's section of the configuration."""

from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from heed import paths
from heed.model import Frozen
from heed.stored_files import FileKind, StoredFile


class HomeAssistantConfig(Frozen):
    """Home Assistant, asked over its REST API; off until both fields are set."""

    url: str = ""
    """Its address, e.g. ``http://homeassistant.local:8123``."""
    token: SecretStr = SecretStr("")
    """A long-lived access token (Home Assistant: your profile, Security)."""


class WeatherConfig(Frozen):
    """Weather services that speak Open-Meteo's API; each is off while its address is empty."""

    forecast_url: str = ""
    """E.g. ``https://api.open-meteo.com/v1/forecast``; sees a place rounded to 0.1 degrees (about 11 km)."""
    air_quality_url: str = ""
    """E.g. ``https://air-quality-api.open-meteo.com/v1/air-quality``."""
    geocoding_url: str = ""
    """E.g. ``https://geocoding-api.open-meteo.com/v1/search``; sees the names of places that are asked about."""


class ModelStepsConfig(Frozen):
    """Steps in an app that a model proposes one by one, where no recipe fits; off by default."""

    model: Literal["none", "llama", "openai"] = "none"
    """The model that sees the app's screen and proposes the steps, as set up under ``models.llama`` or
    ``models.openai``; ``none`` = off. With ``openai``, pictures and texts of that screen go to its server."""
    steps: int = Field(default=15, ge=1, le=40)
    """Most proposals of one run."""
    seconds: float = Field(default=180.0, gt=0, le=1800)
    """Seconds after which a run proposes nothing more."""
    answer_seconds: float = Field(default=60.0, gt=0)
    """Deadline of one proposal, seconds."""


class LastButtonRule(StrEnum):
    """What happens where a run stands before a last button."""

    HAND_OVER = "hand_over"
    """You press it yourself."""
    ASK = "ask"
    """heed asks again, with a picture of the screen, and presses it after a yes while the screen is the same; never
    where it pays, orders, deletes or grants."""


class ExecutorsConfig(Frozen):
    """Services and files of functions that need no phone. Nothing leaves the machine until an address is set."""

    home_assistant: HomeAssistantConfig = HomeAssistantConfig()
    weather: WeatherConfig = WeatherConfig()
    ledger: Path = Field(default_factory=lambda: paths.data_dir() / "ledger.jsonl")
    """Recorded expenses and income, one JSON object per line."""
    reminders: Path = Field(default_factory=lambda: paths.data_dir() / "reminders.jsonl")
    """Reminders without a time, one JSON object per line."""
    recipes: bool = True
    """Go on in an app after its page is open, where a recipe fits: fill in, and stop before the last button."""
    recipe_folder: Path = Field(default_factory=lambda: paths.config_dir() / "recipes")
    """Your own recipes, one ``FUNCTION.yaml`` per function; they come before heed's own."""
    model_steps: ModelStepsConfig = ModelStepsConfig()
    last_button: LastButtonRule = LastButtonRule.HAND_OVER
    """At a button that sends, publishes or confirms: ``hand_over`` = you press it; ``ask`` = heed asks again with a
    picture of the screen, and presses it after a yes. What pays, orders, deletes or grants is yours in any case."""
    taught_folder: Path = Field(default_factory=lambda: paths.data_dir() / "taught")
    """The tasks that you taught with `heed teach`, one file each."""
    calendar_app: str = ""
    """Your calendar app, where it keeps events to itself: ``com.simplemobiletools.calendar.pro``; else the phone's."""
    service_timeout: float = Field(default=10.0, gt=0)
    """Deadline of one question to a service, seconds."""


def stored_files(config: ExecutorsConfig) -> tuple[StoredFile, ...]:
    """The lists that executors write on this machine, and the tasks that were taught."""
    taught = StoredFile(path=config.taught_folder, holds="the tasks that you taught", kind=FileKind.DOCUMENTS)
    lists = ((config.ledger, "recorded expenses and income"), (config.reminders, "reminders without a time"))
    return (
        *(
            StoredFile(path=path, holds=holds, kind=FileKind.LINES, companions=(f"{path.name}.new", f".{path.name}.*"))
            for path, holds in lists
        ),
        taught,
    )
