"""Bring the catalogue of messages up to date with the code: ``python -m tools.messages`` (`make messages`).

Messages are the literals of ``msg`` and ``pmsg`` in the rooms, the help texts of the commands as typer shows them, the
fields of YAML tables that are named below, what the function pool says about itself, and the sentences of typer and
click, which find their translation in this catalogue too.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import yaml
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from function_pool.spec import default_pool
from function_pool.wording import parameter_words
from heed.__main__ import build_app
from heed.help_texts import help_texts
from heed.messages import DOMAIN, LOCALE

ROOT = Path(__file__).parents[1]
ROOMS = ("heed", "function_pool", "android_bridge", "collectors", "models", "executors", "agent", "evaluation")
KEYWORDS = {"msg": None}
LIBRARY_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
TABLES: Mapping[str, Callable[[tuple[str, ...]], bool]] = {
    "executors/wording.json": lambda place: True,
    "executors/pages.yaml": lambda place: place[-1] == "shows",
    "agent/console/words.yaml": lambda place: True,
    "function_pool/value_words.yaml": lambda place: True,
    "models/routines/data/wording.yaml": lambda place: not {"given", "known"} & set(place),
}
"""Tables that are data files, and which of their texts, told by their place in the file, are messages."""
LANGUAGES = ("zh",)

Found = tuple[str, str | tuple[str, ...]]
"""Where a message stands, and its template (or singular and plural)."""


def found() -> Iterator[Found]:
    """Every message of the code."""
    for room in ROOMS:
        for file, _, text, _, _ in extract_from_dir(ROOT / room, [("**.py", "python")], keywords=KEYWORDS):
            yield f"{room}/{file}", text
    for file, is_message in TABLES.items():
        document = yaml.safe_load((ROOT / file).read_text("utf-8"))
        yield from ((file, text) for place, text in _texts(document, ()) if is_message(place))
    yield from (("--help", text) for text in help_texts(build_app()))
    yield from (("function_pool/pool.json", text) for text in _pool())
    yield from (("typer", text) for text in _library("typer"))


def _texts(document: object, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text of a data file, with the keys that lead to it."""
    match document:
        case str():
            yield place, document
        case dict():
            for name, value in document.items():
                yield from _texts(value, (*place, str(name)))
        case list():
            for value in document:
                yield from _texts(value, place)


def _pool() -> Iterator[str]:
    for spec in default_pool():
        yield from (spec.description, spec.scenario)
        for name, parameter in spec.parameters.items():
            yield from filter(None, (parameter_words(name), parameter.description))


def _library(name: str) -> Iterator[str | tuple[str, ...]]:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return
    folder = Path(spec.origin).parent
    for _, _, text, _, _ in extract_from_dir(folder, [("**.py", "python")], keywords=LIBRARY_KEYWORDS):
        yield text


def template() -> Catalog:
    """The messages of the code, without translations."""
    catalogue = Catalog(domain=DOMAIN, project="heed", fuzzy=False)
    for place, text in sorted(found(), key=str):
        catalogue.add(text, locations=[(place, 0)])
    return catalogue


def path(language: str) -> Path:
    """The translations of one language."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """The committed catalogue of one language."""
    if not path(language).exists():
        return Catalog(locale=language, domain=DOMAIN, fuzzy=False)
    with path(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def write(language: str, catalogue: Catalog) -> None:
    """Write the catalogue of one language, and its compiled form."""
    path(language).parent.mkdir(parents=True, exist_ok=True)
    with path(language).open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False, sort_output=True)
    path(language).with_suffix(".mo").write_bytes(compiled(catalogue))


def compiled(catalogue: Catalog) -> bytes:
    """The catalogue as the standard library's gettext reads it."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def main() -> None:
    """Update every language's catalogue, compile it, and name what lacks a translation."""
    code = template()
    for language in LANGUAGES:
        catalogue = read(language)
        catalogue.update(code, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        write(language, catalogue)
        for message in catalogue:
            if message.id and not message.string:
                sys.stdout.write(f"{language}: no translation of {inspect.cleandoc(str(message.id))!r}\n")


if __name__ == "__main__":
    main()
