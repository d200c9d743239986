"""The request to read one parameter of a call."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from function_pool.spec import FunctionSpec, ParameterSpec
from models.values import titles
from models.values.incoming import IncomingText
from models.values.person import Person


class ValueRequest(NamedTuple):
    """One parameter to be read."""

    spec: FunctionSpec
    name: str
    spans: Mapping[str, str]
    text: IncomingText
    now: datetime
    person: Person

    @property
    def span(self) -> str:
        return self.spans.get(self.name, "").strip()

    @property
    def said(self) -> str:
        """Subject and text of a mail or notification; the text of a message."""
        own = self.text.title.strip() not in ("", self.text.sender)
        return f"{self.text.title}\n{self.text.text}" if own else self.text.text

    @property
    def parameter(self) -> ParameterSpec:
        return self.spec.parameters[self.name]

    def for_(self, name: str) -> "ValueRequest":
        """The request for another parameter of the same call."""
        return self._replace(name=name)


Reader = Callable[[ValueRequest], JsonValue]


def stated(given: ValueRequest) -> JsonValue:
    """The words of the span."""
    return titles.cleaned(given.span)
