"""Prompts: complete, stable from the front, and only words where others may write."""

import hashlib
import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from collectors.context import RenderedContext, StoredFrame
from function_pool.spec import parse_pool
from heed.errors import UsageError
from heed.language import Language
from models.grammar import Limits, OutputFormat
from models.prompt import PromptBuilder, PromptImage, PromptText
from models.prompt.pool_text import as_json, compact
from models.prompt.template import load, names
from tests.function_pool.official_style import official_style_pool
from tests.models.cases import NOW, POOL

WORDS = RenderedContext(profile="Ann, 34", phone="15 %", world="rain", trace=("opened Maps", "battery 15 %"))
PAST = WORDS.model_copy(update={"habits": ("set_alarm {}: daily",), "log": ("2026-02-05 22:10: slept",)})
EVERY = list(itertools.product(names(), Language, OutputFormat))


def builder(
    name: str = "heed-2", language: Language = Language.EN, output: OutputFormat = OutputFormat.REC_FUNC
) -> PromptBuilder:
    return PromptBuilder(load(name), language, output, Limits())


def words(parts: tuple[PromptText | PromptImage, ...]) -> str:
    return "".join(part.text if isinstance(part, PromptText) else f"[{part.sha256}]" for part in parts)


@pytest.mark.parametrize(("name", "language", "output"), EVERY)
def test_every_template_is_filled(name: str, language: Language, output: OutputFormat) -> None:
    prompt = builder(name, language, output).build(POOL, WORDS)
    for hole in ("{calls}", "{format}", "{pool}"):
        assert hole not in prompt.system
    assert "model_recommendation" in prompt.system
    assert all(function in prompt.system for function in POOL.functions)
    assert prompt.version == f"{name}/{language}/{output}"
    for part in (WORDS.profile, WORDS.phone, WORDS.world, *WORDS.trace):
        assert part in words(prompt.user)


VERSIONS = {"benchmark-1": "6f7bcfa424a68e1c", "heed-1": "a2a56567253d4226", "heed-2": "fcc88c95f527fadf"}
FIXED = parse_pool(
    {
        "ring": {
            "name": "ring",
            "description": "Ring",
            "similar": [],
            "parameters": {
                "times": {"description": "how often", "type": "int", "must_fill": "required"},
                "tone": {"description": "", "type": "string", "must_fill": "optional", "value": ["low", "high"]},
            },
        }
    },
    "fixed",
)


@pytest.mark.parametrize("name", names())
def test_a_versions_prompts_never_change(name: str) -> None:
    """Models are tuned on them and decisions replayed with them: other words are a new version, in a new file."""
    prompts = [builder(name, language, output).build(FIXED, WORDS) for language in Language for output in OutputFormat]
    digest = hashlib.sha256("".join(prompt.model_dump_json() for prompt in prompts).encode()).hexdigest()
    assert digest[:16] == VERSIONS[name]


def test_only_the_end_changes_with_the_moment(picture: Callable[..., StoredFrame]) -> None:
    first, second = picture(1), picture(2)
    before = builder().build(POOL, WORDS, (first,))
    later = builder().build(POOL, WORDS.model_copy(update={"phone": "14 %"}), (first, second))
    assert before.system == later.system
    start = (
        PromptText(text="The owner:\nAnn, 34\n\nScreenshots, oldest first:\n"),
        PromptImage(path=first.path, sha256=first.sha256),
    )
    assert before.user[:2] == later.user[:2] == start
    text = words(later.user)
    assert text.index("Ann") < text.index(first.sha256) < text.index(second.sha256) < text.index("14 %")


def test_a_screenshot_that_is_gone_is_said_to_be() -> None:
    gone = StoredFrame(sha256="0" * 64, path="/nowhere/frame.png", width=1, height=1, taken_at=NOW)
    prompt = builder().build(POOL, WORDS, (gone,))
    assert all(isinstance(part, PromptText) for part in prompt.user)
    assert "no longer stored" in words(prompt.user)


def test_what_is_not_known_is_said_to_be() -> None:
    prompt = builder().build(POOL, RenderedContext(profile="", phone="", world=""))
    assert words(prompt.user).count("nothing known") == 4


def test_messages_neither_begin_nor_end_with_space() -> None:
    for name, language, output in EVERY:
        prompt = builder(name, language, output).build(POOL, WORDS)
        for text in (prompt.system, words(prompt.user)):
            assert text == text.strip()


def test_braces_in_a_context_are_only_braces() -> None:
    hostile = RenderedContext(profile="{pool} {format}", phone="{0}", world="%s", trace=("{calls}",))
    assert "{pool} {format}" in words(builder().build(POOL, hostile).user)


def test_the_compact_pool_has_one_line_for_each_function() -> None:
    lines = compact(POOL).splitlines()
    assert len(lines) == len(POOL)
    assert any(line.startswith("set_power_saving_mode(enabled: bool") for line in lines)
    assert len(compact(POOL)) < len(as_json(POOL)) / 2


def test_the_json_pool_is_in_the_benchmarks_schema() -> None:
    raw = json.loads(as_json(POOL))
    assert list(raw) == list(POOL.functions)
    assert set(raw["send_sms"]) == {"name", "description", "similar", "parameters"}
    assert set(raw["send_sms"]["parameters"]["content"]) == {"description", "type", "must_fill", "value"}


def test_an_official_style_pool_is_rendered() -> None:
    pool = parse_pool(official_style_pool(), "official")
    assert "选项?: {城市?: text, 数量?: int} 参数说明" in compact(pool)


def test_an_unknown_template_is_named_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="heed-1"):
        load("heed-9")


def test_the_past_stands_after_the_profile_and_at_the_end() -> None:
    text = words(builder().build(POOL, PAST).user)
    places = [text.index(part) for part in ("Ann, 34", "- set_alarm {}: daily", "15 %", "- 2026-02-05 22:10: slept")]
    assert places == sorted(places)
    assert words(builder().build(POOL, WORDS).user) == words(builder("heed-1").build(POOL, PAST).user)


def written(folder: Path, text: str) -> str:
    file = folder / "mine.yaml"
    file.write_text(text, "utf-8")
    return str(file)


def test_an_owners_file_changes_what_it_names(tmp_path: Path) -> None:
    file = written(tmp_path, "base: benchmark-1\ntexts: {en: {system: 'Decide. {format} {pool}', profile: 'Who:'}}\n")
    prompt = builder(file).build(POOL, WORDS)
    assert prompt.system.startswith("Decide. Output format: <rec>")
    assert words(prompt.user).startswith("Who:\nAnn, 34\n\nphone:")
    assert re.fullmatch(r"mine#[0-9a-f]{8}/en/rec\+func", prompt.version)


def test_a_changed_file_is_another_version(tmp_path: Path) -> None:
    versions = {
        load(written(tmp_path, f"base: heed-2\ntexts: {{en: {{profile: '{name}'}}}}\n")).version for name in "ab"
    }
    assert len(versions) == 2


def test_a_file_in_one_language_is_used_in_that_language(tmp_path: Path) -> None:
    text = "version: mine\npool: json\norder: [trace]\ntexts: {zh: {system: '{pool}', formats: {func: ''}, profile: '',"
    file = written(tmp_path, text + " frames: '', phone: '', world: '', trace: '', missing_frame: '', nothing: ''}}\n")
    assert builder(file, Language.EN, OutputFormat.FUNC).language is Language.ZH
    with pytest.raises(UsageError, match="no format rec\\+func"):
        builder(file)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- a list", "mapping"),
        ("base: heed-9", "no prompt template 'heed-9'"),
        ("base: heed-2\norder: [weather]", "order.0"),
        ("base: heed-2\ncolour: red", "colour"),
        ("{", "Cannot read"),
    ],
)
def test_a_faulty_file_is_refused_with_its_fault(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=fault):
        load(written(tmp_path, text))
