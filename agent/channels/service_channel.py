"""One messaging service as a channel: sends the question, takes the answer, and closes the message."""

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from contextlib import aclosing
from enum import StrEnum
from typing import Any

from agent.channels.answer_codes import AnswerCodes, CodedAnswer
from agent.channels.channel_status import ChannelState, ChannelStatus
from agent.channels.config import ShownTexts
from agent.channels.question_text import question_text
from agent.channels.registry import LoadedService
from agent.channels.service import AnswerButton, ChannelError, MessageService, Press, ServiceQuestion
from agent.consent.pending_requests import (
    SETTLE_SECONDS,
    PendingRequest,
    PendingRequests,
    RequestClosedError,
    answer_within,
    answered_where,
)
from agent.consent.request import Answer, ConsentRequest, GivenAnswer, Reply
from agent.loop.failures import failure_text
from agent.wording import WORDS, word
from heed.errors import PersonError
from heed.language import Language
from heed.messages import Text, msg, translate

log = logging.getLogger(__name__)

REQUEST_SECONDS = 20.0
"""Deadline of one request to the service."""
_FIRST_RETRY, _LONGEST_RETRY = 1.0, 60.0
"""Seconds between attempts to reach a service that keeps failing; doubled each time."""
_REFUSAL_SECONDS = 1.0
"""Between two presses of no open question that are replied to: whoever may press could press without end."""
_CLOSING_SECONDS = 5.0
"""Seconds that the end of heed waits for messages to be closed."""


class ServiceChannel:
    """Asks over one messaging service. A service that is dead costs nobody else anything.

    Args:
        loaded: the service and its settings.
        pending: the requests that services show.
        language: the owner's.
    """

    def __init__(self, loaded: LoadedService, pending: PendingRequests, language: Language) -> None:
        self._service: MessageService = loaded.service
        self._texts: ShownTexts = loaded.settings.texts
        self._pending, self._language = pending, language
        self._codes = AnswerCodes()
        self._work: set[asyncio.Task[None]] = set()
        self._refusing: asyncio.Task[None] | None = None
        self._faults: dict[_Part, Text] = {}
        self._is_connected = False

    @property
    def name(self) -> str:
        """The service's name."""
        return self._service.name

    @property
    def status(self) -> ChannelStatus:
        """Whether the service works now."""
        if self._faults:
            return ChannelStatus(name=self.name, state=ChannelState.FAILING, reason=next(iter(self._faults.values())))
        return ChannelStatus(
            name=self.name, state=ChannelState.WORKING if self._is_connected else ChannelState.CONNECTING
        )

    # --- asking ----------------------------------------------------------------------------------------------

    async def ask(self, request: ConsentRequest) -> Reply:
        """Send the question, again and again while the service fails, and wait for the answer."""
        question = self._question(request)
        posting = asyncio.create_task(self._post(question), name=f"send on {self.name}")
        with self._pending.shown_on(request, self.name) as shown:
            try:
                return await self._pending.answer_on(shown, self.name)
            finally:
                self._codes.take_back(button.code for button in question.buttons)
                # The answer does not wait for a slow service.
                self._spawn(self._close(question, posting, shown))

    def _question(self, request: ConsentRequest) -> ServiceQuestion:
        title, text, is_whole = question_text(request, self._texts, self._service.longest, self._language)
        offered = [
            answer
            for answer in self._service.answers
            if answer.rejects or (is_whole and (request.may_always or not answer.is_lasting))
        ]
        codes = self._codes.give(request, offered)
        buttons = tuple(
            AnswerButton(answer=answer, label=word(answer.value, self._language), code=code)
            for answer, code in codes.items()
        )
        return ServiceQuestion(id=secrets.token_hex(8), title=title, text=text, buttons=buttons)

    async def _post(self, question: ServiceQuestion) -> str:
        pause = _FIRST_RETRY
        while True:
            try:
                async with asyncio.timeout(REQUEST_SECONDS):
                    message = await self._service.send(question)
                self._worked(_Part.SENDING)
                return message
            except (PersonError, TimeoutError) as error:
                self._failed(_Part.SENDING, error)
            except Exception as error:  # a fault of one service, perhaps a plug-in, must not end the question
                log.exception("channel %s has a mistake", self.name)
                self._failed(_Part.SENDING, error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_RETRY)

    async def _close(self, question: ServiceQuestion, posting: asyncio.Task[str], shown: PendingRequest) -> None:
        """Show how the question ended, where the message was sent at all."""
        try:
            given = await answer_within(SETTLE_SECONDS, shown.over)
            # A message that is on its way arrives; one that failed is not sent again.
            async with asyncio.timeout(0 if _Part.SENDING in self._faults else REQUEST_SECONDS):
                message = await asyncio.shield(posting)
        except TimeoutError:
            return
        finally:
            posting.cancel()
        ending = translate(_ending(given), self._language)
        await self._try(self._service.close(message, question, ending))

    # --- listening -------------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Take presses for as long as heed runs; when the connection breaks, connect again."""
        pause = _FIRST_RETRY
        while True:
            try:
                async with aclosing(self._service.presses()) as presses:
                    async for press in presses:
                        pause = _FIRST_RETRY
                        self._is_connected = True
                        self._worked(_Part.LISTENING)
                        if press is not None:
                            self._take(press)
                raise ChannelError(msg("The connection ended."))
            except (PersonError, TimeoutError) as error:
                self._failed(_Part.LISTENING, error)
            except Exception as error:  # whatever fails, the channel listens again
                log.exception("channel %s has a mistake", self.name)
                self._failed(_Part.LISTENING, error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_RETRY)

    def _take(self, press: Press) -> None:
        """Let a press count, or tell why it does not; of many that do not, a few are told."""
        try:
            coded = self._codes.find(press.code)
        except RequestClosedError as refusal:
            if self._refusing is None or self._refusing.done():
                self._refusing = self._spawn(self._refuse(press, refusal.text))
            return
        self._spawn(self._answer(press, coded))

    async def _answer(self, press: Press, coded: CodedAnswer) -> None:
        try:
            given = await self._pending.answer(coded.plan_id, coded.plan_hash, coded.answer, self.name)
        except RequestClosedError as refusal:
            await self._reply(press, refusal.text, counts=False)
        else:
            await self._reply(press, msg("Your answer counts: {answer}.", answer=WORDS[given.answer]), counts=True)

    async def _refuse(self, press: Press, said: Text) -> None:
        await self._reply(press, said, counts=False)
        await asyncio.sleep(_REFUSAL_SECONDS)

    async def _reply(self, press: Press, said: Text, *, counts: bool) -> None:
        await self._try(self._service.reply(press, translate(said, self._language), counts=counts))

    # --- state -----------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """End: wait a moment for messages that are being closed, and release the service."""
        if self._work:
            await asyncio.wait(self._work, timeout=_CLOSING_SECONDS)
        for task in list(self._work):
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._try(self._service.aclose())

    async def _try(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                await work
        except (PersonError, TimeoutError) as error:
            # Telling how it ended is a courtesy: the answer counts without it.
            log.info("channel %s: %s", self.name, _fault(error))
        except Exception:
            log.exception("channel %s has a mistake", self.name)

    def _failed(self, part: "_Part", error: Exception) -> None:
        fault = _fault(error)
        if self._faults.get(part) != fault:
            log.warning("channel %s: %s", self.name, fault)
        self._faults[part] = fault

    def _worked(self, part: "_Part") -> None:
        self._faults.pop(part, None)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task


class _Part(StrEnum):
    """What can fail on its own."""

    LISTENING = "listening"
    SENDING = "sending"


def _fault(error: Exception) -> Text:
    if isinstance(error, TimeoutError):
        error = ChannelError(msg("The service did not answer in time."), msg("Is it on, and reachable?"))
    return failure_text(error)


def _ending(given: GivenAnswer | None) -> Text:
    if given is None:
        return msg("This question was withdrawn. Nothing was done.")
    if given.answer is Answer.NO_ANSWER:
        return msg("Nobody answered in time. Nothing was done.")
    return msg("Answered {channel}: {answer}.", channel=answered_where(given), answer=WORDS[given.answer])
