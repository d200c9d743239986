"""The task that a model is given: one goal in one app, with what it may type and how far it may go."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from pydantic import Field

from executors.config import ModelStepsConfig
from executors.payment_windows import is_payment_window
from function_pool.assessment import RiskReason, assess
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.spec import FunctionSpec
from heed.model import Frozen

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


def task_for(
    call: FunctionCall, spec: FunctionSpec, app: str, config: ModelStepsConfig, *, by_hand: bool
) -> ModelTask | None:
    """Returns the task of carrying a call further in an app; None where nothing is left to do or no model may.

    Args:
        call: the validated call.
        spec: its function.
        app: the package that was opened; empty where Android asks which one.
        config: the budget.
        by_hand: whether the page that was opened lacks arguments of the call.
    """
    risk = assess(spec, call).risk
    nothing_left = risk is Risk.R0 and not by_hand
    if nothing_left or risk is Risk.R5 or not may_operate(app):
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


def may_operate(app: str) -> bool:
    """Whether a model may operate an app: no settings, stores, launchers, browsers, wallets or banks."""
    closed = any(app == name or app.startswith(name if name.endswith(".") else f"{name}.") for name in _closed())
    return bool(app) and not closed and not is_payment_window(f"{app}/")


@cache
def _closed() -> frozenset[str]:
    raw = files("executors.proposals").joinpath("closed_apps.yaml").read_text("utf-8")
    return frozenset(name for names in yaml.safe_load(raw).values() for name in names)


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
