"""The execution track: whether a task is done, and done as this user does it rather than as another one."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from evaluation.embeddings import TextVectors
from evaluation.fingertip.judge import FingertipJudge
from evaluation.fingertip.records import Episode, Execution, FingertipData, Key
from evaluation.fingertip.similarity import edit_ratio
from evaluation.fingertip.suggestion import earlier
from heed.errors import ModelError
from heed.model import Frozen

SAME_TASK = 0.8
"""From this cosine on, an earlier episode in the same app counts as the task that was shown before."""
_NOTHING_IN_COMMON = 0.4
"""What the benchmark's script takes for a similarity of 0 to the other user's actions."""
_LONGEST = 2.5
"""Times the user's number of actions: the benchmark stops an agent there, and the task has failed."""
_SEPARATOR = "，"
"""Between the actions of a sequence, as in the benchmark's script."""


class Executed(Frozen):
    """One episode of the execution track.

    Attributes:
        actions: what was done; none where nothing was known to do.
        source: ``shown`` for actions that the user showed before, ``given`` for those of ``--executions``.
        to_user: similarity to this user's actions.
        to_other: similarity to another user's actions for the nearest intent; None where there is no other user.
        steps: number of actions, divided by that of the user's.
        success: whether the task was done; None where nobody says.
        fault: why the judge did not answer.
    """

    user: str
    stamp: str
    intent: str
    actions: tuple[str, ...] = ()
    source: str = ""
    to_user: float | None = None
    to_other: float | None = None
    steps: float | None = None
    success: bool | None = None
    fault: str = ""

    @property
    def personal(self) -> float | None:
        """Sim2: similarity to this user's actions by that to another user's."""
        if self.to_user is None or self.to_other is None:
            return None
        return self.to_user / (self.to_other or _NOTHING_IN_COMMON)


def execution_episodes(data: FingertipData) -> list[Episode]:
    """The episodes of the track; those without actions cannot be compared."""
    acted = [one for one in data.episodes if one.actions]
    if data.execution is not None:
        return [one for one in acted if one.key in data.execution]
    return [one for one in acted if earlier(data, one)]


def execute(
    data: FingertipData, episode: Episode, given: Mapping[Key, Execution] | None, vectors: TextVectors
) -> Executed:
    """What was done for an episode, compared; the intents of all episodes are in ``vectors``.

    Args:
        given: what an agent did; None = heed plays what the user showed before for the same task, as a taught task.
    """
    blank = Executed(user=episode.user, stamp=episode.stamp, intent=episode.intent)
    run = given.get(episode.key) if given is not None else _shown_before(data, episode, vectors)
    if run is None:
        return blank
    steps = len(run.actions) / len(episode.actions)
    other = _nearest(episode, [one for one in data.episodes if one.user != episode.user and one.actions], vectors)
    return blank.model_copy(
        update={
            "actions": run.actions,
            "source": "shown" if given is None else "given",
            "to_user": _alike(run.actions, episode.actions),
            "to_other": None if other is None else _alike(run.actions, other.actions),
            "steps": steps,
            "success": False if steps > _LONGEST else run.success,
        }
    )


async def succeeded(episode: Episode, made: Executed, judge: FingertipJudge) -> Executed:
    """The same with the judge's verdict, where nobody else gave one."""
    if not made.actions or made.success is not None:
        return made
    try:
        return made.model_copy(update={"success": await judge.execution(episode, made.actions)})
    except ModelError as error:
        return made.model_copy(update={"fault": str(error)})


def success_rate(made: Sequence[Executed]) -> float | None:
    """SR2: the share of tasks that were done; what was not executed failed. None where no execution has a verdict."""
    verdicts = [bool(one.success) for one in made if one.success is not None or not one.actions]
    return fmean(verdicts) if any(one.success is not None for one in made) else None


def _shown_before(data: FingertipData, episode: Episode, vectors: TextVectors) -> Execution | None:
    past = [one for one in earlier(data, episode) if one.actions and one.app == episode.app]
    shown = _nearest(episode, past, vectors)
    if shown is None or vectors.cosine(shown.intent, episode.intent) < SAME_TASK:
        return None
    return Execution(user_id=episode.user, time=episode.stamp, actions=shown.actions)


def _nearest(episode: Episode, others: Sequence[Episode], vectors: TextVectors) -> Episode | None:
    """The episode with the nearest intent, the latest among equals."""
    return max(others, key=lambda one: (vectors.cosine(one.intent, episode.intent), one.stamp), default=None)


def _alike(first: Sequence[str], second: Sequence[str]) -> float:
    return edit_ratio(_SEPARATOR.join(first), _SEPARATOR.join(second))
