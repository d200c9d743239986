"""What is offered is said in words, never in the pool's own values."""

import re

import pytest

from function_pool.call import FunctionCall
from function_pool.spec import FunctionSpec, default_pool
from heed.language import Language
from models.routines.wording import offer

_LISTED = re.compile(r"[a-z]+(?:_[a-z]+)*")
"""A value that is a word of the pool's, not the name of an app or a place."""


def listed(spec: FunctionSpec) -> list[tuple[str, str]]:
    values = ((name, value) for name, one in spec.parameters.items() for value in one.choices)
    return [(name, value) for name, value in values if isinstance(value, str) and _LISTED.fullmatch(value)]


@pytest.mark.parametrize("spec", default_pool(), ids=lambda spec: spec.name)
def test_an_offer_says_every_value_that_the_pool_lists_in_words(spec: FunctionSpec) -> None:
    for name, value in listed(spec):
        call = FunctionCall(name=spec.name, parameters={name: value})
        assert "_" not in offer(call, Language.EN)
        chinese = re.sub(r"[A-Z][\w-]*", "", offer(call, Language.ZH))
        assert not re.search(rf"\b{value}\b", chinese, re.ASCII), chinese


def test_old_videos_are_reviewed_in_both_languages() -> None:
    call = FunctionCall(name="clean_up_media_files", parameters={"category": "large_videos", "action": "review_only"})
    assert offer(call, Language.EN) == "review old large videos"
    assert offer(call, Language.ZH) == "查看旧的大视频"
