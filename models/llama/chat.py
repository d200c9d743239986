"""The chat markup of a model, as three texts around the two messages of a decision.

The model's own template is rendered once, around two placeholders; what a prompt holds never passes through it,
so nothing in a prompt can be taken for markup.
"""

from typing import NamedTuple

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from heed.errors import ModelError
from heed.messages import msg

_SYSTEM, _USER = "[[the system message]]", "[[the user message]]"
_Message = dict[str, object]


class Markup(NamedTuple):
    """What stands before the system message, before the user message, and before the answer."""

    before_system: str
    before_user: str
    before_answer: str


def markup(template: str, name: str) -> Markup:
    """The markup of the chat template; ``name`` names the model in the ``ModelError`` for one that has none."""
    if not template:
        raise ModelError(
            msg("{name} has no chat template, so it is not a chat model.", name=name),
            msg("Use an instruction-tuned model."),
        )
    separate = [_message("system", _SYSTEM), _message("user", _USER)]
    together = [_message("user", f"{_SYSTEM}\n\n{_USER}")]  # for templates without a system role
    for messages in (separate, _in_parts(separate), together, _in_parts(together)):
        found = _split(_render(template, messages))
        if found:
            return found
    raise ModelError(
        msg("The chat template of {name} cannot be used.", name=name),
        msg("Use a model with a template for plain messages."),
    )


def _message(role: str, text: str) -> _Message:
    return {"role": role, "content": text}


def _in_parts(messages: list[_Message]) -> list[_Message]:
    """For templates that take contents in parts only, such as SmolVLM's."""
    return [{**message, "content": [{"type": "text", "text": message["content"]}]} for message in messages]


def _render(template: str, messages: list[_Message]) -> str:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )

    def refuse(message: str) -> None:
        raise TemplateError(message)

    try:
        return environment.from_string(template).render(
            messages=messages,
            add_generation_prompt=True,
            raise_exception=refuse,
            bos_token="",
            eos_token="",
            tools=None,
        )
    except (TemplateError, TypeError, ValueError):
        return ""


def _split(rendered: str) -> Markup | None:
    before_system, found_system, rest = rendered.partition(_SYSTEM)
    before_user, found_user, before_answer = rest.partition(_USER)
    return Markup(before_system, before_user, before_answer) if found_system and found_user else None
