"""The routes of the console's page that need a session. They act through the daemon only, with commands' requests."""

from fastapi import APIRouter, Depends

from agent.console.journal_routes import journal_routes
from agent.console.memory_routes import memory_routes
from agent.console.parts import ConsoleParts
from agent.console.request_routes import request_routes
from agent.console.session_routes import require_session
from agent.console.taught_routes import taught_routes
from agent.console.watching_routes import watching_routes


def guarded(parts: ConsoleParts, cookie: str) -> APIRouter:
    """Every route that needs a session, below ``/api``."""
    router = APIRouter(prefix="/api", dependencies=[Depends(require_session(parts.sessions, cookie))])
    for routes in (watching_routes, request_routes, journal_routes, memory_routes, taught_routes):
        router.include_router(routes(parts))
    return router
