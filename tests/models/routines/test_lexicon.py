"""The declared lexicon covers the pool and is consistent; mistakes in files are reported with file and line."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from function_pool.call import FunctionCall
from function_pool.spec import default_pool
from heed.errors import UsageError
from heed.language import Language
from heed.model import Frozen
from models.routines.documents import load_document, parse_document
from models.routines.filling import SOURCES
from models.routines.language.lexicon import default_lexicon
from models.routines.language.parameters import EXTRACTORS
from models.routines.wording import offer

POOL = default_pool()
LEXICON = default_lexicon()


class Sample(Frozen):
    name: str
    counts: tuple[int, ...]


def test_the_lexicon_covers_every_function_of_the_pool() -> None:
    assert set(LEXICON.functions) == {spec.name for spec in POOL}


@pytest.mark.parametrize("spec", list(POOL), ids=lambda spec: spec.name)
def test_the_vocabulary_of_a_function_names_only_what_exists(spec: object) -> None:
    vocabulary = LEXICON.functions[spec.name]  # type: ignore[attr-defined]
    parameters = set(spec.parameters)  # type: ignore[attr-defined]
    named = {*vocabulary.identity, *vocabulary.fill, *vocabulary.default}
    for pattern in vocabulary.patterns:
        named |= {*pattern.values, *pattern.extract, *pattern.required}
        assert set().union(*pattern.extract.values()) <= set(EXTRACTORS)
    for state in vocabulary.already_satisfied:
        named |= set(state.given)
    assert named <= parameters
    assert set().union(*vocabulary.fill.values()) <= set(SOURCES)


@pytest.mark.parametrize("spec", list(POOL), ids=lambda spec: spec.name)
@pytest.mark.parametrize("language", list(Language))
def test_every_function_has_an_offer_in_words(spec: object, language: Language) -> None:
    name: str = spec.name  # type: ignore[attr-defined]
    required = {key: "x" for key, one in spec.parameters.items() if one.required}  # type: ignore[attr-defined]
    words = offer(FunctionCall(name=name, parameters=required), language)
    assert name not in words
    assert not any(mark in words for mark in "[]{}")
    assert not words.endswith(".")


def test_common_reactions_name_known_functions_and_objects() -> None:
    for known in LEXICON.events.common_reactions:
        assert known.function in POOL
        assert set(known.objects) <= set(LEXICON.objects)


def test_longer_phrases_win_and_equal_ones_stay_close() -> None:
    text = LEXICON.parse("switched airplane mode on before take-off")
    verbs = [mention.names for mention in LEXICON.mentions("verb", text)]
    assert any("enable" in names for names in verbs)
    assert not any("disable" in names for names in verbs)


def test_a_fault_in_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "sample.yaml"
    path.write_text("name: a\ncounts:\n  - 1\n  - many\n", "utf-8")
    with pytest.raises(UsageError, match=r"sample\.yaml, line 4: counts\.1: Input should be a valid integer"):
        load_document(path, TypeAdapter(Sample))


def test_broken_yaml_is_named_with_its_line() -> None:
    with pytest.raises(UsageError, match=r"^x\.yaml, line 3: "):
        parse_document("name: a\ncounts: [1, 2\nmore: }", TypeAdapter(Sample), "x.yaml")


@pytest.mark.parametrize("text", ["", "[]", "name: 3", "just words"])
def test_another_document_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="line 1"):
        parse_document(text, TypeAdapter(Sample), "x.yaml")


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot read"):
        load_document(tmp_path / "none.yaml", TypeAdapter(Sample))
