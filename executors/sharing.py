"""Passes text and a file to an app, which shows them to the owner (``ACTION_SEND``)."""

from collections.abc import Mapping

from android_bridge.commands import Extra, Uri, am_start
from android_bridge.device import Device
from executors.executor import RefusedError
from executors.media_store import File
from executors.observation import observe
from executors.screen import handler
from heed.messages import msg

_SEND = "android.intent.action.SEND"
_STREAM = "android.intent.extra.STREAM"
_PLAIN_TEXT = "text/plain"


async def receiver(phone: Device, file: File | None, package: str = "") -> str:
    """Returns the app that takes a file, or text where there is none; empty when Android would ask which app.

    Raises ``RefusedError`` when ``package``, or without one no app, takes it.
    """
    mime_type, data = (file.mime_type, file.uri) if file else (_PLAIN_TEXT, "")
    (app,) = await observe(phone, handler(_SEND, mime_type, data=data, package=package))
    if app is None:
        raise RefusedError(
            msg(
                "{package} does not take {mime_type}.",
                package=package or msg("No app on the phone"),
                mime_type=mime_type,
            )
        )
    return str(app) or package


def share(extras: Mapping[str, Extra], file: File | None, package: str = "") -> str:
    """Returns the shell line that passes ``extras`` and a file to an app.

    The file stands in the data, too: of an intent that ``am`` starts, Android lets the receiver read the data alone
    (``UriGrantsManagerService``; ``EXTRA_STREAM`` is granted by the sending app's own code, which ``am`` does not run).
    """
    if file is None:
        return am_start(action=_SEND, mime_type=_PLAIN_TEXT, package=package, extras=extras)
    return am_start(
        action=_SEND,
        data=file.uri,
        mime_type=file.mime_type,
        package=package,
        extras={_STREAM: Uri(file.uri), **extras},
        grant_read=True,
    )
