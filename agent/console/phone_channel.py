"""Consent on the phone itself: a notification whose tap opens the consent page in the phone's browser."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

from agent.consent.pending_requests import PendingRequests, RequestClosedError
from agent.consent.request import Answer, ChannelName, ConsentRequest, Reply
from agent.console.consent_page import PageTokens
from android_bridge import consent_notification as invitation
from android_bridge.device import Device
from android_bridge.events import NotificationRemoved, PhoneEvents
from heed.errors import DeviceError
from heed.messages import msg

log = logging.getLogger(__name__)

_SWIPED = (2, 3)
"""``NotificationListenerService.REASON_CANCEL`` and ``REASON_CANCEL_ALL``: the person swiped it away."""


class PhoneChannel:
    """Asks on the phone that the plan is for. Swiping the notification away is "not now".

    While a question is open, the phone's ``phone_port`` leads to the consent page of this machine.
    """

    name = ChannelName.PHONE

    def __init__(
        self,
        pending: PendingRequests,
        page_tokens: PageTokens,
        *,
        device: Callable[[ConsentRequest], Device],
        title: str,
        phone_port: int,
        page_port: Callable[[], int],
    ) -> None:
        """``page_port`` says where on this machine the consent page is served."""
        self._pending, self._page_tokens, self._device, self._title = pending, page_tokens, device, title
        self._phone_port, self._page_port = phone_port, page_port
        self._clearing: set[asyncio.Task[None]] = set()

    async def ask(self, request: ConsentRequest) -> Reply:
        """Post the notification and wait for the page's answer; ``DeviceError`` when the phone cannot show it."""
        # Clearing the last question would also remove this one's port.
        await self.close()
        device, tag = self._device(request), invitation.new_tag(request.plan_id)
        token = self._page_tokens.give(request.plan_id)
        events = PhoneEvents(device)
        watching = asyncio.create_task(self._watch(device, events, tag, request))
        try:
            await _begun(events, device.timeout)
            with self._pending.shown_on(request, self.name) as question:
                await self._invite(device, tag, token, request)
                return await self._pending.answer_on(question, self.name)
        finally:
            watching.cancel()
            self._page_tokens.take_back(token)
            # The answer does not wait for a slow phone.
            self._spawn(self._clear(device, tag))

    async def close(self) -> None:
        """Wait until the notifications and ports of earlier questions are removed."""
        await asyncio.gather(*self._clearing)

    async def _invite(self, device: Device, tag: str, token: str, request: ConsentRequest) -> None:
        await device.reverse(self._remote, f"tcp:{self._page_port()}")
        url = f"http://127.0.0.1:{self._phone_port}/#{token}"
        title = f"{self._title} · {request.phone_name}" if request.phone_name else self._title
        shown = await device.shell(invitation.post(tag, title, request.sentence, url))
        if "posting" not in shown.text:
            raise DeviceError(
                msg("{serial} did not show the question: {text}.", serial=device.serial, text=shown.text.strip()[:200])
            )

    async def _watch(self, device: Device, events: PhoneEvents, tag: str, request: ConsentRequest) -> None:
        """Answer "not now" when the notification is swiped away.

        An app can write a line into the event log, so the phone is asked whether the notification is gone.
        """
        with contextlib.suppress(DeviceError, RequestClosedError):
            async with aclosing(events.listen()) as happening:
                async for event in happening:
                    if not isinstance(event, NotificationRemoved) or not _swiped(event, tag):
                        continue
                    if not await invitation.is_shown(device, tag):
                        self._pending.put(request.plan_id, request.plan_hash, Answer.NOT_NOW, self.name)
                        return

    async def _clear(self, device: Device, tag: str) -> None:
        try:
            await device.shell(invitation.withdraw(tag))
            await device.remove_reverse(self._remote)
        except DeviceError as error:
            log.info("%s: the notification was not removed: %s", device.serial, error)

    @property
    def _remote(self) -> str:
        return f"tcp:{self._phone_port}"

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._clearing.add(task)
        task.add_done_callback(self._clearing.discard)


def _swiped(event: NotificationRemoved, tag: str) -> bool:
    """Whether the owner swiped the notification away; removal by Android or by an app is no answer."""
    return event.reason in _SWIPED and invitation.is_same(event, tag)


async def _begun(events: PhoneEvents, seconds: float) -> None:
    """Wait until the event stream has begun, so that no swipe is missed; after the timeout, ask without it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await events.begun.wait()
