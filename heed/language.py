"""The languages of what heed shows; ``heed.messages`` translates."""

import contextlib
import os
import re
import tomllib
from enum import StrEnum

HAN = "\u4e00-\u9fff"
"""Chinese characters, as a range in a pattern."""


class Language(StrEnum):
    """A language of sentences shown to the person or to a model."""

    EN = "en"
    ZH = "zh"


def language_of(text: str) -> Language:
    """The language of a text: Chinese where it holds a Chinese character, else English."""
    return Language.ZH if re.search(f"[{HAN}]", text) else Language.EN


def chosen() -> Language:
    """The owner's language, for errors that come before the configuration is known: from environment or file."""
    from heed import paths  # whose errors are messages in a language

    language: object = os.environ.get("HEED_LANGUAGE")
    if not language:
        with contextlib.suppress(OSError, ValueError):
            language = tomllib.loads((paths.config_dir() / "config.toml").read_text("utf-8")).get("language")
    return Language.ZH if language == Language.ZH else Language.EN
