"""Opens files in an app, passes them to an app to share, and opens reading material."""

from pydantic import JsonValue

from android_bridge.commands import am_start
from android_bridge.device import Device
from executors.apps import find_app
from executors.media_store import File, file_at, file_called
from executors.pages import PageExecutor
from executors.plan import Effect, Preparation
from executors.screen import HandOverExecutor, app_for, hand_over, require_screen
from executors.sharing import receiver, share
from function_pool.call import FunctionCall

_VIEW = "android.intent.action.VIEW"
_TEXT = "android.intent.extra.TEXT"


class OpenDocument(HandOverExecutor):
    """Finds a file by its name and opens it for reading."""

    function = "open_document"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        kind = str(call.parameters.get("file_type", "any"))
        file = await file_called(phone, str(call.parameters["file_name"]), kind)
        preparation = await opening(phone, file, str(call.parameters.get("app_name", "")))
        if "page" not in call.parameters:
            return preparation
        by_hand = Effect(kind="page_number_by_hand", detail={"page": call.parameters["page"]})
        return preparation.model_copy(update={"effects": (*preparation.effects, by_hand)})


async def opening(phone: Device, file: File, app_name: str = "") -> Preparation:
    """Returns the step that opens a file, in the named app if one is given."""
    front = await require_screen(phone)
    named = await find_app(phone, app_name) if app_name else None
    package = named.package if named else ""
    app = await app_for(phone, _VIEW, file.mime_type, data=file.uri, package=package)
    command = am_start(action=_VIEW, data=file.uri, mime_type=file.mime_type, package=package or app, grant_read=True)
    detail: dict[str, JsonValue] = {"name": file.name, "folder": file.folder}
    return hand_over(command, package or app, Effect(kind="document_opened", detail=detail), before=front)


class ShareFile(HandOverExecutor):
    """Opens an app with the file attached; the owner chooses the receiver there."""

    function = "share_file"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        front = await require_screen(phone)
        file = await file_at(phone, str(call.parameters["content_uri_or_path"]))
        target = str(call.parameters.get("target_app", ""))
        named = await find_app(phone, target) if target else None
        app = await receiver(phone, file, named.package if named else "")
        caption = {_TEXT: str(call.parameters["caption"])} if "caption" in call.parameters else {}
        words: JsonValue = named.words if named else {"en": "the apps that take it", "zh": "可接收的应用"}
        effects = [Effect(kind="file_shared", detail={"app": words, "name": file.name})]
        if "caption" in call.parameters:
            effects.append(Effect(kind="share_caption", detail={"text": call.parameters["caption"]}))
        if "recipient" in call.parameters:
            effects.append(Effect(kind="share_recipient", detail={"name": call.parameters["recipient"]}))
        return hand_over(share(caption, file, app), app, *effects, before=front)


class OpenReadingMaterial(PageExecutor):
    """Opens a local file, an https address or the search of a site."""

    function = "open_reading_material"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        if call.parameters.get("source") != "local_file":
            return await super().prepare(phone, call)
        return await opening(phone, await file_called(phone, str(call.parameters["topic_or_title"])))
