"""One recording on a phone: opens the app at its first page and records what the owner does there."""

import asyncio

from agent.teaching.recorder import TaskRecorder, Told
from agent.teaching.recording import TaskRecording
from android_bridge.device import Device
from collectors.trajectory.views import Views
from executors.apps import app_of, launch
from executors.executor import run
from executors.screen import require_screen
from executors.taught.executor import language_of


async def record_task(
    device: Device,
    app: str,
    *,
    stop: asyncio.Event,
    told: Told,
    excluded: frozenset[str] = frozenset(),
) -> TaskRecording:
    """Opens an app and records until ``stop`` is set, or the app is left.

    Args:
        device: the phone.
        app: the app's package.
        stop: set by whoever ends the recording.
        told: called after each touch, and at the beginning.
        excluded: apps in which nothing is recorded.

    Raises ``TeachingError`` where it cannot go on, ``RefusedError`` where nothing may be opened on the screen now.
    """
    await require_screen(device)
    language = await language_of(device)
    await run(device, await launch(device, app_of(app), afresh=True))
    views = Views(device, uses_helper=True)
    try:
        return await TaskRecorder(device, app, excluded, views, told).record(language, stop)
    finally:
        await views.close()
