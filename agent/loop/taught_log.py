"""Notes in the behaviour log that the owner had a taught task done, so that it can become a habit."""

from collections.abc import Sequence

from collectors.behaviour_log import BehaviourLog
from collectors.config import CollectorsConfig
from collectors.context import Context, LogEntry
from collectors.limits import clean_text
from executors.plan import Outcome, Plan
from function_pool.taught import PREFIX, told


def note_taught(config: CollectorsConfig, context: Context, plan: Plan, outcomes: Sequence[Outcome]) -> None:
    """Write one line for each taught task that the owner asked for and that was done.

    Args:
        config: says where the log is, and whether it is kept.
        context: where the owner was.
        plan: what was carried out.
        outcomes: of each step.
    """
    if not config.trajectory.log:
        return
    done = [step for step, outcome in zip(plan.steps, outcomes, strict=False) if _is_done(outcome)]
    lines = [told(step.call.name, step.call.shown) for step in done if step.call.name.startswith(PREFIX)]
    place = "" if context.place == "unknown" else context.place
    entries = [LogEntry(time=context.now, location=place, action=clean_text(line)) for line in lines]
    if entries:
        BehaviourLog(config.behaviour_log).extend(entries)


def _is_done(outcome: Outcome) -> bool:
    """Whether it went on to its end, and did not stop on its way."""
    return outcome.ok and not any(effect.kind.startswith("screen_halted") for effect in outcome.told)
