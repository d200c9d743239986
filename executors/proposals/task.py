"""The task that a model is given: one goal in one app, with what it may type and how far it may go."""

import re
from collections.abc import Mapping

from pydantic import Field

from executors.config import ModelStepsConfig
from function_pool.assessment import RiskReason, assess
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.spec import FunctionSpec
from heed.model import Frozen

_CLOSED = re.compile(
    r"android$|com\.android\.(?:settings|systemui|vending|shell|packageinstaller|permissioncontroller|launcher\w*)\b"
    r"|com\.google\.android\.(?:packageinstaller|permissioncontroller|gms|apps\.nexuslauncher)\b|com\.samsung\.android\.lool"
    r"|com\.miui\.(?:securitycenter|packageinstaller|home)|com\.xiaomi\.market|com\.(?:coloros|oplus)\.\w+|com\.oppo\.market"
    r"|com\.huawei\.(?:systemmanager|appmarket)|com\.vivo\.(?:permissionmanager|appstore)|com\.bbk\.appstore"
    r"|com\.tencent\.android\.qqdownloader|com\.topjohnwu\.magisk",
)
"""Apps in which one tap changes the phone or installs something, without a last button."""
BY_MODEL = RiskReason(rule="by_model", risk=Risk.R2)
"""Why a run by a model is asked about each time."""


class ModelTask(Frozen):
    """A task; consent binds to it."""

    app: str
    """The only package that may be operated."""
    goal: str
    """What the function does, in the pool's words."""
    texts: Mapping[str, str]
    """The call's arguments as text: what may be typed, by name. Secret ones are left out."""
    steps: int = Field(ge=1)
    """Proposals after which the run ends."""
    seconds: float = Field(gt=0)
    """Seconds after which nothing more is proposed."""
    model: str
    """Where the model runs: a value of ``ModelStepsConfig.model``."""


def task_for(call: FunctionCall, spec: FunctionSpec, app: str, config: ModelStepsConfig) -> ModelTask | None:
    """Returns the task of carrying a call further in an app; None where a model must not operate it.

    Args:
        call: the validated call.
        spec: its function.
        app: the package that was opened; empty where Android asks which one.
        config: the budget.
    """
    if not app or _CLOSED.match(app) or assess(spec, call).risk is Risk.R5:
        return None
    texts = {name: _text(value) for name, value in call.parameters.items() if name not in call.secret}
    return ModelTask(
        app=app,
        goal=spec.description,
        texts={name: text for name, text in texts.items() if text},
        steps=config.steps,
        seconds=config.seconds,
        model=config.model,
    )


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
