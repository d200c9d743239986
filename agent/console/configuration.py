"""The configuration in force, for reading: which values were set, and where they are changed."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from agent.config import Config, default_path
from heed.language import Language
from heed.model import Frozen
from heed.safe_text import Shown
from heed.value_text import value_text


class ConfigurationFieldView(Frozen):
    """One field of the configuration."""

    name: str
    """As it is written in the file, after its section."""
    value: Shown
    is_set: bool
    """Whether it differs from the default."""


class ConfigurationSectionView(Frozen):
    """One section of the configuration."""

    name: str
    settings: tuple[ConfigurationFieldView, ...]


class ConfigurationView(Frozen):
    """The configuration in force."""

    file: str
    """Where the owner changes it."""
    sections: tuple[ConfigurationSectionView, ...]


def configuration_view(config: Config, language: Language) -> ConfigurationView:
    """The fields of every section; secrets are masked."""
    values, defaults = config.model_dump(mode="json"), Config().model_dump(mode="json")
    usual = dict(_flat(defaults))
    sections = {
        name: [(field, value) for field, value in _flat(values) if field.split(".")[0] == name] for name in values
    }
    return ConfigurationView(
        file=str(default_path()),
        sections=tuple(
            ConfigurationSectionView(name=name, settings=tuple(_setting(*field, usual, language) for field in fields))
            for name, fields in sections.items()
        ),
    )


def _setting(
    field: str, value: JsonValue, usual: Mapping[str, JsonValue], language: Language
) -> ConfigurationFieldView:
    short = field.partition(".")[2] or field
    return ConfigurationFieldView(name=short, value=value_text(value, language), is_set=usual.get(field) != value)


def _flat(values: Mapping[str, JsonValue], prefix: str = "") -> Iterator[tuple[str, JsonValue]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
