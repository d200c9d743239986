"""The sentence of a recorded visit: how it begins, and how to recognise one that carries no mark."""

import re

from collectors import apps
from collectors.wording.words import table
from heed.language import Language

# The templates of ``visits`` in ``words.yaml`` as versions without ``LogEntry.package`` wrote them. "[" begins the
# label of a redacted secret.
_UNMARKED = re.compile(
    r"opened (?P<en>[^:]+): (?:tapped|held|scrolled|entered|\[)"
    r"|打开(?P<zh>[^：]+)：(?:点击|长按|滚动|输入|\[)"
    r"|(?:opened |打开)(?P<package>\w+(?:\.\w+){2,})$"
)


def opening(package: str, language: Language) -> str:
    """Returns the words for opening an app: by its usual name, or by its package where no table knows it."""
    return table().visits[language].opened.format(app=apps.name(package, language) or package)


def known_app(package: str, sentence: str) -> str:
    """Returns the app's name as the sentence of a recorded visit has it, if heed's own table names the app.

    Empty for any other app, whose author chose the package.
    """
    names = ((language, apps.name(package, language)) for language in Language)
    return next((name for language, name in names if name and sentence.startswith(opening(package, language))), "")


def unmarked_package(sentence: str) -> str:
    """Returns the package of a visit that a version without marks recorded; empty for any other sentence.

    Where no table knows the app, the result is the app as the sentence names it.
    """
    match = _UNMARKED.match(sentence)
    if match is None:
        return ""
    app: str = match[match.lastgroup or 0]
    return apps.package_of(app) or app
