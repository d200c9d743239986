"""The small model's prompt: one function's signature and the moment, trimmed; no pool."""

import re
from collections.abc import Iterable, Iterator

from collectors.context import RenderedContext
from function_pool.spec import FunctionSpec, ParameterSpec
from models.perceptor.features import phrases
from models.prompt import Prompt, PromptText
from models.prompt.history import tokens_of

VERSION = "small-1"
SYSTEM = "Fill in the call from the moment. Leave out what it does not say."
_PROFILE, _WORLD, _PHONE, _STEPS = 48, 32, 84, 110
"""Most tokens of each part, estimated."""
_STATUS = re.compile(
    r"\b(battery|charging|wi-?fi|mobile data|[45]g|lte|signal|ringer|volume|bluetooth|storage|free|torch)\b"
    r"|\bscreen (on|off)\b"
    r"|电量|网络|[45]G|铃声|音量|蓝牙|存储|亮屏",
    re.IGNORECASE,
)
"""Words of the phone's state that only functions of the device need."""
_DEVICE = "Device & System"
_SHORT = {"int": "int", "float": "number", "bool": "true|false", "list": "list"}


def small_prompt(spec: FunctionSpec, said: RenderedContext) -> Prompt:
    """The two messages that ask for one call of ``spec``."""
    status = spec.scenario == _DEVICE
    phone = [one for one in phrases(said.phone) if status or not _STATUS.search(one) or _quotes(one)]
    lines = (
        _signature(spec),
        f"Owner: {_joined(_fitting(phrases(said.profile), _PROFILE))}",
        f"World: {_joined(_fitting(phrases(said.world), _WORLD))}",
        f"Phone: {_joined(_fitting(phone, _PHONE))}",
        "Steps:",
        *reversed(list(_fitting(reversed(said.trace), _STEPS))),
    )
    return Prompt(system=SYSTEM, user=(PromptText(text="\n".join(lines)),), version=VERSION)


def _quotes(phrase: str) -> bool:
    """Whether a phrase quotes something, such as a notification."""
    return any(mark in phrase for mark in "'\"“‘「『《")


def _fitting(parts: Iterable[str], most: int) -> Iterator[str]:
    """The first parts that fit; of the one that does not, its beginning."""
    for part in parts:
        size = tokens_of(part)
        if size > most:
            yield from filter(None, [part[: int(len(part) * most / size)].strip()])
            return
        most -= size
        yield part.strip()


def _joined(parts: Iterable[str]) -> str:
    return " ".join(parts)


def _signature(spec: FunctionSpec) -> str:
    return f"{spec.name}({', '.join(_parameter(name, one) for name, one in spec.parameters.items())})"


def _parameter(name: str, parameter: ParameterSpec) -> str:
    mark = "" if parameter.required else "?"
    kind = "|".join(map(str, parameter.choices[:12])) or _SHORT.get(parameter.type, "")
    return f"{name}{mark}: {kind}" if kind else f"{name}{mark}"
