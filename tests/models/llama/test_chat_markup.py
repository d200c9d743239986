"""The markup of a chat model, from its own template."""

import pytest

from heed.errors import ModelError
from models.llama.chat import Markup, markup
from models.llama.tiny import CHAT_TEMPLATE

CHATML = Markup("<|im_start|>system\n", "<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n")


def test_chatml_is_split_around_its_messages() -> None:
    assert markup(CHAT_TEMPLATE, "tiny") == CHATML


def test_parts_of_content_are_rendered_too() -> None:
    template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.content is string %}{{ m.content }}"
        "{% else %}{% for c in m.content %}{{ c.text }}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    assert markup(template, "m") == CHATML


def test_a_template_that_takes_parts_alone_is_given_parts() -> None:
    """SmolVLM's."""
    template = (
        "<|im_start|>{% for m in messages %}{{ m.role | capitalize }}: "
        "{% for c in m.content %}{% if c['type'] == 'text' %}{{ c['text'] }}{% endif %}{% endfor %}<end_of_utterance>\n"
        "{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}"
    )
    found = markup(template, "smolvlm")
    assert found == Markup("<|im_start|>System: ", "<end_of_utterance>\nUser: ", "<end_of_utterance>\nAssistant:")


def test_a_template_without_a_system_role_gets_one_message() -> None:
    template = (
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
        "<start_of_turn>{{ m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
        "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
    )
    found = markup(template, "gemma")
    assert found == Markup("<start_of_turn>user\n", "\n\n", "<end_of_turn>\n<start_of_turn>model\n")


@pytest.mark.parametrize(
    "template", ["", "no slots", "{{ unclosed", "{{ messages[5].content }}", "{{ cycler.__init__.__globals__.os }}"]
)
def test_a_template_that_cannot_be_used_is_said_to_be(template: str) -> None:
    with pytest.raises(ModelError, match="chat"):
        markup(template, "some.gguf")
