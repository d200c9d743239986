"""The collaborators of the page's routes."""

from typing import NamedTuple

from agent.compose import Runtime
from agent.consent.pending_requests import PendingRequests
from agent.console.browser_sessions import BrowserSessions
from agent.console.live_screen import LiveScreens
from agent.console.page_updates import PageUpdates
from agent.console.pending_clarifications import PendingClarifications
from agent.console.plan_pictures import PlanPictures
from agent.console.views import Wording
from agent.loop.control_socket import Handler


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
