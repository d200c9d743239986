"""Asks the owner about the last button that a run stands before, and presses it after a yes."""

from collections.abc import Awaitable, Callable

from executors.apps import app_of
from executors.executor import AskOwner
from executors.plan import Effect, Step
from executors.steps.guards import Halt, HaltReason
from executors.steps.pictures import ScreenPicture
from executors.steps.player import Player, Progress, ProgressRecorder
from executors.steps.press import AskedPress, judge_press, last_view
from executors.steps.vocabulary import AnyStep, FinishStep, Locator, TapStep
from function_pool.risk import Risk
from heed.errors import DeviceError, DeviceLostError


def button_before(progress: Progress, last: AnyStep | None) -> Locator | None:
    """Returns the last button that a run which ended stands before; None where it stands before none.

    Args:
        progress: how far it got.
        last: the step at which it ended.
    """
    if progress.halt is None:
        return last.last_button if isinstance(last, FinishStep) else None
    stands = progress.halt.reason is HaltReason.LAST_BUTTON and isinstance(last, TapStep) and last.times == 1
    return last.view if stands and isinstance(last, TapStep) else None


class LastPress:
    """The second question of one run, and the press that it allows."""

    def __init__(
        self,
        step: Step,
        player: Player,
        note: ProgressRecorder,
        ask: AskOwner,
        take: Callable[[], Awaitable[ScreenPicture]],
    ) -> None:
        """Does nothing yet.

        Args:
            step: the consented step whose run ended.
            player: reads the screen and presses.
            note: stores the progress before the question and before the press.
            ask: asks the owner.
            take: takes a picture of the screen.
        """
        self._step, self._player, self._note, self._ask, self._take = step, player, note, ask, take

    async def after(self, progress: Progress, button: Locator) -> Progress:
        """Returns how far the run got with the question; unchanged where the owner is not asked or does not allow it.

        Raises ``DeviceLostError`` when the phone goes away: whether the button was pressed is then unknown.
        """
        asked = await self._seen(button)
        if asked is None:
            return progress
        asking = progress.model_copy(update={"asked": asked.view, "ended": False})
        self._note(asking)
        if not await self._ask(self._question(asked)):
            return asking.model_copy(update={"ended": True})
        pressing = asking.model_copy(update={"pressing": True, "halt": None})
        self._note(pressing)
        halt = await self._player.press(asked.view)
        return pressing.model_copy(update={"ended": True, "pressing": halt is None, "halt": halt})

    async def _seen(self, button: Locator) -> AskedPress | None:
        """Returns the button with a picture of the screen; None where it stays the owner's or the screen changes."""
        app = str(self._step.before["app"])
        try:
            view = last_view(await self._player.look(), button, app, self._step.risk)
            if isinstance(view, Halt):
                return None
            picture = await self._take()
            same = judge_press(await self._player.look(), view, self._step.risk)
        except DeviceLostError:
            raise
        except DeviceError:
            return None
        return None if isinstance(same, Halt) else AskedPress(view=view, picture=picture)

    def _question(self, asked: AskedPress) -> Step:
        effect = Effect(
            kind="last_button_pressed", detail={"button": f"“{asked.view.name}”", "app": app_of(asked.view.app).words}
        )
        return Step(
            call=self._step.call,
            risk=max(self._step.risk, Risk.R2),
            effects=(effect,),
            press=asked,
            before={"app": asked.view.app},
            hands_over=True,
        )
