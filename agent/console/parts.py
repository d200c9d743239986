"""The collaborators of the page's routes."""

from collections.abc import Mapping
from typing import NamedTuple

from agent.compose import Runtime, configured_situations
from agent.consent.pending_requests import PendingRequests
from agent.console.browser_sessions import BrowserSessions
from agent.console.live_screen import LiveScreens
from agent.console.page_updates import PageUpdates
from agent.console.page_wording import Wording
from agent.console.pending_clarifications import PendingClarifications
from agent.console.plan_pictures import PlanPictures
from agent.loop.control_socket import Handler
from heed.messages import Text


class ConsoleParts(NamedTuple):
    """What the routes of the page read, and the handler through which they act."""

    runtime: Runtime
    handler: Handler
    pending: PendingRequests
    updates: PageUpdates
    sessions: BrowserSessions
    screens: LiveScreens
    pictures: PlanPictures
    wording: Wording
    clarifications: PendingClarifications
    deletion: tuple[Text, ...] = ()
    """What was deleted before this run because the owner asked for it on the page."""

    def subjects(self) -> Mapping[str, str]:
        """The words of what suggestions are about: situations, the owner's rules, habits and functions."""
        situations = (*configured_situations(self.runtime.config), *self.runtime.situations())
        return self.wording.subjects(situations, self.runtime.habits())
