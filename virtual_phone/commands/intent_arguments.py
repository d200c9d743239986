"""Intent arguments of ``am`` and ``cmd package`` (AOSP Intent.parseCommandArgs, android-14)."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from virtual_phone.state.intents import Intent


class IntentUsageError(Exception):
    """Arguments that do not make an intent."""


def _list_of(convert: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    # Commas separate values; a backslash escapes a comma.
    return lambda text: [convert(part.replace("\\,", ",")) for part in re.split(r"(?<!\\),", text)]


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "t", "false", "f", "0", "1", "-1"):
        raise ValueError(text)
    return text.lower() in ("true", "t", "1", "-1")


_EXTRAS: dict[str, Callable[[str], Any]] = {
    "-e": str, "--es": str, "--ei": lambda text: int(text, 0), "--el": int, "--ef": float, "--ed": float, "--ez": _flag,
    "--eu": str, "--ecn": str, "--esa": _list_of(str), "--esal": _list_of(str), "--eia": _list_of(int),
    "--eial": _list_of(int), "--ela": _list_of(int), "--elal": _list_of(int), "--efa": _list_of(float),
    "--efal": _list_of(float),
}  # fmt: skip
_VALUED = {"-a": "action", "-d": "data", "-t": "mime", "-n": "component", "-p": "package", "-i": "identifier"}
_FLAG_BITS = {
    "--activity-clear-task": 0x8000, "--activity-clear-top": 0x04000000, "--activity-no-history": 0x40000000,
    "--activity-single-top": 0x20000000, "--activity-new-task": 0x10000000, "--grant-read-uri-permission": 0x1,
    "--grant-write-uri-permission": 0x2, "--include-stopped-packages": 0x20, "--exclude-stopped-packages": 0x10,
    "--activity-brought-to-front": 0x400000, "--receiver-foreground": 0x10000000,
}  # fmt: skip


def parse_intent(args: Sequence[str], own_options: dict[str, int]) -> tuple[Intent, dict[str, str]]:
    """The intent, and the command's own options (name → how many values they take).

    A last positional word is a URI, a component or a package, as in Android.
    """
    words = list(args)
    intent = Intent()
    own: dict[str, str] = {}
    while words:
        word = words.pop(0)
        if word in own_options:
            own[word] = words.pop(0) if own_options[word] and words else ""
        elif word in _FLAG_BITS:
            intent.flags |= _FLAG_BITS[word]
        elif word == "-f":
            intent.flags = int(_next(words, word), 0)
        elif word == "-c":
            intent.categories.append(_next(words, word))
        elif word in _VALUED:
            _set(intent, _VALUED[word], _next(words, word))
        elif word in _EXTRAS:
            _extra(intent, word, _next(words, word), _next(words, word))
        elif word == "--esn":
            intent.extras[_next(words, word)] = None
        elif word.startswith("-"):
            raise IntentUsageError(f"Unknown option: {word}")
        else:
            _positional(intent, word)
            break
    return intent, own


def _next(words: list[str], option: str) -> str:
    if not words:
        raise IntentUsageError(f'Argument expected after "{option}"')
    return words.pop(0)


def _set(intent: Intent, field: str, value: str) -> None:
    if field == "component":
        if "/" not in value:
            raise IntentUsageError(f"Bad component name: {value}")
        value = _short_component(value)
    if field != "identifier":
        setattr(intent, field, value)


def _short_component(value: str) -> str:
    package, _, name = value.partition("/")
    return f"{package}/{name.removeprefix(package)}" if name.startswith(package + ".") else value


def _extra(intent: Intent, option: str, name: str, text: str) -> None:
    try:
        intent.extras[name] = _EXTRAS[option](text)
    except ValueError as error:
        raise IntentUsageError(f'For input string: "{text}"') from error


def _positional(intent: Intent, word: str) -> None:
    if ":" in word:
        intent.data = word
    elif "/" in word:
        intent.component = _short_component(word)
    else:
        intent.package = word
    if not intent.action:
        intent.action = "android.intent.action.VIEW" if intent.data else "android.intent.action.MAIN"
        if not intent.data and not intent.categories:
            intent.categories.append("android.intent.category.LAUNCHER")
