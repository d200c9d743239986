"""Finds the apps that the pool names in a text."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from function_pool.spec import FunctionSpec, Pool
from models.routines.documents import parse_document
from models.routines.language.lexicon import Lexicon, PhraseIndex
from models.routines.language.tokens import TokenizedText

_NO_APP = frozenset({"other", "none", "default", "system", "auto", "phone", "bank app", "web", "local_file"})
APP_PARAMETERS = ("app_name", "platform_info", "platform", "map_app", "carrier", "source", "order_platform")
"""The pool's parameters whose values are names of apps and services."""


@cache
def _other_names() -> Mapping[str, list[str]]:
    text = files("models.routines").joinpath("data").joinpath("apps.yaml").read_text("utf-8")
    return parse_document(text, TypeAdapter(dict[str, list[str]]), "apps.yaml")


def spellings(app: str | None) -> tuple[str, ...]:
    """All names of an app that the pool spells ``app``."""
    return (app, *_other_names().get(app, ())) if app else ()


def app_names(lexicon: Lexicon, pool: Pool) -> PhraseIndex:
    """All names of apps that heed knows."""
    listed = {value for spec in pool for value in _listed(spec)}
    spelled = {name for names in _other_names().values() for name in names}
    return lexicon.index((name, name) for name in {*listed, *spelled, *_other_names()})


def _listed(spec: FunctionSpec) -> Iterator[str]:
    """The apps that the pool lists for a function."""
    for name in APP_PARAMETERS:
        choices = spec.parameters[name].choices if name in spec.parameters else ()
        yield from (str(choice) for choice in choices if choice not in _NO_APP)


class AppFinder:
    """Finds apps in texts, per function of one pool."""

    def __init__(self, lexicon: Lexicon, pool: Pool) -> None:
        self._of_function = {spec.name: self._index(lexicon, spec) for spec in pool}

    def _index(self, lexicon: Lexicon, spec: FunctionSpec) -> PhraseIndex:
        return lexicon.index(
            (name, value) for value in _listed(spec) for name in (value, *_other_names().get(value, ()))
        )

    def mentioned(self, function: str, text: TokenizedText) -> str | None:
        """The pool's name of the first app in ``text`` that it lists for ``function``; None without one."""
        index = self._of_function.get(function)
        found = index.find(text) if index else ()
        return min(found[0].names) if found else None

    def functions(self, text: TokenizedText) -> frozenset[str]:
        """The functions for which the pool lists an app that ``text`` mentions."""
        return frozenset(name for name in self._of_function if self.mentioned(name, text))
