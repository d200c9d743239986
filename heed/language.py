"""The languages heed speaks; each room keeps its own table of words."""

from enum import StrEnum


class Language(StrEnum):
    """A language of sentences shown to the person or to a model."""

    EN = "en"
    ZH = "zh"
