"""The run of one task: a model proposes a step, the guards decide on it, the player does it, within the task's budget.

Whatever ends a recipe's run ends this one as well. What could not be done because the screen is otherwise than the
model thought is told to the model; after three such proposals in a row the run ends.
"""

import asyncio
from typing import NamedTuple

from android_bridge.device import Device
from android_bridge.facts.hierarchy import Hierarchy
from executors.plan import Effect
from executors.proposals.answer import Proposal, answer_schema, read_answer, step_of
from executors.proposals.listing import Listing, listed
from executors.proposals.prompt import SYSTEM, question_text
from executors.proposals.support import RunSupport, ScreenModel, StepQuestion
from executors.proposals.task import ModelTask
from executors.steps.drivers import ScreenDriver
from executors.steps.effects import step_effects
from executors.steps.guards import PASSING, Halt, HaltReason
from executors.steps.pictures import ScreenPicture
from executors.steps.player import DoneStep, Player, Progress, ProgressRecorder
from executors.steps.vocabulary import AnyStep, AskStep, WaitForStep
from heed.errors import DeviceError, DeviceLostError, PersonError
from heed.messages import message_of, msg

_READY_S = 5.0
"""Deadline until the app is in front and can be read."""
_MOST_FAULTS = 3
"""Proposals in a row that could not be done."""
_PAUSE_S = 1.0
"""Length of a wait that the model proposes."""
_TOLD = PASSING - {HaltReason.OTHER_APP} | {HaltReason.NOT_SHOWN, HaltReason.NO_FIELD, HaltReason.MODEL}
"""Reasons after which the model may propose something else."""


class _End(NamedTuple):
    """The end of a run, with its reason; None where the model finished."""

    halt: Halt | None


class _Seen(NamedTuple):
    """The screen that a step was proposed on."""

    hierarchy: Hierarchy
    listing: Listing
    picture: ScreenPicture


class ModelRun:
    """One run; nothing of it is kept for another."""

    def __init__(
        self,
        phone: Device,
        driver: ScreenDriver,
        player: Player,
        note: ProgressRecorder,
        *,
        task: ModelTask,
        support: RunSupport,
        model: ScreenModel,
        answer_seconds: float,
    ) -> None:
        """Does nothing yet.

        Args:
            phone: the phone, for pictures.
            driver: reads its screen.
            player: does the steps, in the task's app.
            note: stores the progress before each step.
            task: the task that the owner allowed.
            support: takes the pictures.
            model: proposes the steps.
            answer_seconds: deadline of one proposal.
        """
        self._phone, self._driver, self._player, self._note = phone, driver, player, note
        self._task, self._pictures, self._model = task, support.pictures, model
        self._answer_seconds = answer_seconds
        self._did: list[DoneStep] = []
        self._faults = 0
        self.last: AnyStep | None = None
        """The step that was proposed last."""

    async def play(self) -> Progress:
        """Plays until the model finishes, something ends the run, or the budget is used up; returns how far it got.

        Raises ``DeviceLostError`` when the phone goes away: whether the step noted last was done is then unknown.
        """
        end = asyncio.get_running_loop().time() + self._task.seconds
        for number in range(1, self._task.steps + 1):
            self._note(self._progress(number))
            ended = await self._turn(number, end)
            if ended is not None:
                return self._progress(number).model_copy(update={"ended": True, "halt": ended.halt})
        message = msg("The {steps} steps that you allowed are used up.", steps=self._task.steps)
        halt = Halt(reason=HaltReason.BUDGET, message=message)
        return self._progress(self._task.steps).model_copy(update={"ended": True, "halt": halt})

    async def _turn(self, number: int, end: float) -> _End | None:
        """Asks for one step and does it; returns the end of the run where it ends."""
        screen = await self._player.settled(_READY_S)
        if isinstance(screen, Halt):
            return _End(screen)
        left = end - asyncio.get_running_loop().time()
        if left <= 0:
            message = msg("The {seconds:.0f} seconds that you allowed are over.", seconds=self._task.seconds)
            return _End(Halt(reason=HaltReason.BUDGET, message=message))
        try:
            picture = await self._pictures.take(self._phone, self._driver.views)
        except DeviceLostError:
            raise
        except DeviceError as error:
            return _End(Halt(reason=HaltReason.NO_PICTURE, message=message_of(error)))
        listing = listed(screen.hierarchy, self._task.app)
        text = question_text(self._task, self._did, listing, self._task.steps - number + 1)
        question = StepQuestion(SYSTEM, text, picture, answer_schema(listing, self._task))
        try:
            answer = await self._model.answer(question, timeout=min(left, self._answer_seconds))
        except PersonError as error:  # of the model, or of its configuration
            return _End(Halt(reason=HaltReason.MODEL, message=message_of(error)))
        return await self._carry_out(number, read_answer(answer), _Seen(screen.hierarchy, listing, picture))

    async def _carry_out(self, number: int, proposal: Proposal | Halt, seen: _Seen) -> _End | None:
        if isinstance(proposal, Proposal) and proposal.do == "finish":
            self._did.append(DoneStep(effect=Effect(kind="screen_prepared"), picture=seen.picture))
            return _End(None)
        step = proposal if isinstance(proposal, Halt) else step_of(proposal, seen.listing, seen.hierarchy, self._task)
        if isinstance(step, Halt):
            self._did.append(DoneStep(effect=Effect(kind="screen_unusable"), picture=seen.picture))
            return self._stopped(step)
        self.last = step
        self._did.append(DoneStep(effect=_effect(step), picture=seen.picture))
        self._note(self._progress(number))
        halt = await self._player.do(step)
        if halt is not None:
            return self._stopped(halt)
        self._faults = 0
        if isinstance(step, WaitForStep):
            await asyncio.sleep(_PAUSE_S)
        return None

    def _stopped(self, halt: Halt) -> _End | None:
        """Records why the newest proposal was not done; returns the end of the run where nothing else may be tried."""
        self._did[-1] = self._did[-1].model_copy(update={"halt": halt})
        self._faults += 1
        return None if halt.reason in _TOLD and self._faults < _MOST_FAULTS else _End(halt)

    def _progress(self, number: int) -> Progress:
        return Progress(step=number, of=self._task.steps, did=tuple(self._did))


def _effect(step: AnyStep) -> Effect:
    """Returns a proposed step in words."""
    match step:
        case WaitForStep():
            return Effect(kind="screen_wait")
        case AskStep():
            return Effect(kind="screen_needs_you")
    return step_effects(step)[0]
