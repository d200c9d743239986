"""Music search and media buttons."""

from collections.abc import Sequence

from pydantic import JsonValue

from android_bridge.commands import am_start
from android_bridge.device import Device
from android_bridge.facts.media import MEDIA_SESSIONS, MediaSession
from android_bridge.facts.packages import PACKAGES
from executors.apps import Installed, apps, find_app, launch, on_phone, package_name
from executors.executor import Executor, Receipt, RefusedError, run
from executors.observation import observe, proof
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Step
from executors.screen import app_for, handler, require_screen, requires_app, verify_opened
from function_pool.app_names import chinese_app_names
from function_pool.call import FunctionCall
from heed.messages import msg

_PLAY = "android.media.action.MEDIA_PLAY_FROM_SEARCH"
_FOCUS = {
    "artist": "vnd.android.cursor.item/artist",
    "album": "vnd.android.cursor.item/album",
    "song": "vnd.android.cursor.item/audio",
    "playlist": "vnd.android.cursor.item/playlist",
    "radio": "vnd.android.cursor.item/radio",
}
"""``MediaStore.EXTRA_MEDIA_FOCUS`` (developer.android.com, common intents)."""
_ANY_FOCUS = "vnd.android.cursor.item/*"
_PLAYING, _STOPPED = ("PLAYING",), ("PAUSED", "STOPPED", "NONE")


class PlayMusic(Executor):
    """Requests music from a player; where it begins to play, undo pauses it."""

    function = "play_music"
    requirements = (requires_app(_PLAY),)

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        await require_screen(phone)
        sessions, packages = await observe(phone, MEDIA_SESSIONS, PACKAGES)
        app = await self._player(phone, call, packages)
        (takes,) = await observe(phone, handler(_PLAY, package=app.package)) if app.package else (app.package,)
        query = str(call.parameters["query"])
        asks = takes == app.package
        focus = _FOCUS.get(str(call.parameters.get("content_type", "")), _ANY_FOCUS)
        extras = {"query": query, "android.intent.extra.focus": focus}
        command = am_start(action=_PLAY, package=app.package, extras=extras) if asks else await launch(phone, app)
        detail: dict[str, JsonValue] = {"app": app.words, "query": query, "title": query}
        effects = [Effect(kind="music_plays" if asks else "music_found", detail=detail)]
        if call.parameters.get("play_mode", "order") != "order":
            effects.append(Effect(kind="music_mode", detail={"mode": call.parameters["play_mode"]}))
        return Preparation(
            commands=(command,),
            effects=tuple(effects),
            undo=(Effect(kind="music_paused"),) if asks else (),
            before={"app": app.package, "was": _description(sessions, app.package)},
            hands_over=not asks,
        )

    async def _player(self, phone: Device, call: FunctionCall, packages: frozenset[str]) -> Installed:
        named = str(call.parameters.get("app_name", ""))
        if named:
            app = on_phone(named, packages) if named in apps() else None
            return app or await find_app(phone, named)
        package = await app_for(phone, _PLAY)
        name = package_name(package) if package else ""
        return Installed(
            package=package, name=name or package or "a player", zh=chinese_app_names()[name] if name else "播放器"
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        app = str(step.before["app"])
        if step.hands_over:
            return await verify_opened(phone, app)
        (sessions,) = await observe(phone, MEDIA_SESSIONS)
        shown = (proof(MEDIA_SESSIONS, _told(sessions)),)
        playing = next((one for one in sessions if one.playing and app in ("", one.package)), None)
        if playing is not None:
            detail = {**step.effects[0].detail, "title": playing.description or "…"}
            told = (Effect(kind="music_plays", detail=detail), *step.effects[1:])
            return Outcome(kind=OutcomeKind.VERIFIED, told=told, proof=shown)
        waiting = await verify_opened(phone, app)
        # Many players only show their results; the owner chooses there.
        found = (Effect(kind="music_found", detail=step.effects[0].detail),)
        return waiting.model_copy(update={"told": found if waiting.ok else (), "proof": (*shown, *waiting.proof)})

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        await run(phone, "cmd media_session dispatch pause")

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        (sessions,) = await observe(phone, MEDIA_SESSIONS)
        shown = (proof(MEDIA_SESSIONS, _told(sessions)),)
        if any(one.playing for one in sessions):
            return Outcome(kind=OutcomeKind.FAILED, message=msg("Something is still playing."), proof=shown)
        return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)


class ControlMediaPlayback(Executor):
    """Sends a media button with ``cmd media_session dispatch``; Android chooses the player."""

    function = "control_media_playback"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        action = str(call.parameters["action"])
        (sessions,) = await observe(phone, MEDIA_SESSIONS)
        active = [one for one in sessions if one.active]
        if not active:
            raise RefusedError(msg("No player is running."), msg("Ask for music instead."))
        player = active[0]
        named = str(call.parameters.get("app_name", ""))
        if named and (app := await find_app(phone, named)).package != player.package:
            raise RefusedError(
                msg(
                    "{name} is not the player that gets the buttons now; {package} is.",
                    name=app.name,
                    package=player.package,
                )
            )
        name = package_name(player.package)
        words: JsonValue = {"en": name or player.package, "zh": chinese_app_names()[name] if name else player.package}
        effect = Effect(kind=f"media_{action}", detail={"app": words, "title": "…"})
        before: dict[str, JsonValue] = {"app": player.package, "state": player.state, "was": player.description}
        back = {"play": "pause", "pause": "play"}.get(action)
        if player.state in {"play": _PLAYING, "pause": _STOPPED, "stop": _STOPPED}.get(action, ()):
            return Preparation(effects=(effect,), already=True)
        return Preparation(
            commands=(f"cmd media_session dispatch {_key(action)}",),
            effects=(effect,),
            undo=(Effect(kind=f"media_{back}", detail={"app": words}),) if back else (),
            before=before,
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        action = str(step.call.parameters["action"])
        (sessions,) = await observe(phone, MEDIA_SESSIONS)
        shown = (proof(MEDIA_SESSIONS, _told(sessions)),)
        player = next((one for one in sessions if one.package == step.before["app"]), None)
        state = player.state if player is not None else "NONE"
        wanted = {"play": _PLAYING, "pause": _STOPPED, "stop": _STOPPED}.get(action)
        if wanted is not None and state not in wanted:
            return Outcome(kind=OutcomeKind.FAILED, message=msg("The player is {state}.", state=state), proof=shown)
        # The phone reports no reliable sign of seeking or skipping, so the outcome only names what plays.
        detail = {**step.effects[0].detail, "title": (player.description if player else None) or "…"}
        return Outcome(kind=OutcomeKind.VERIFIED, told=(Effect(kind=f"media_{action}", detail=detail),), proof=shown)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        back = {"play": "pause", "pause": "play"}[str(step.call.parameters["action"])]
        await run(phone, f"cmd media_session dispatch {back}")

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        (sessions,) = await observe(phone, MEDIA_SESSIONS)
        shown = (proof(MEDIA_SESSIONS, _told(sessions)),)
        wanted = _STOPPED if step.call.parameters["action"] == "play" else _PLAYING
        player = next((one for one in sessions if one.package == step.before["app"]), None)
        if player is not None and player.state in wanted:
            return Outcome(kind=OutcomeKind.VERIFIED, proof=shown)
        return Outcome(kind=OutcomeKind.FAILED, message=msg("The player is not as it was before."), proof=shown)


def _key(action: str) -> str:
    """Returns the key name of ``cmd media_session dispatch`` (AOSP ``MediaShellCommand.java``)."""
    return action.replace("_", "-")


def _description(sessions: Sequence[MediaSession], package: str) -> JsonValue:
    return next((one.description for one in sessions if one.package == package), None)


def _told(sessions: Sequence[MediaSession]) -> str:
    return "; ".join(f"{one.package} {one.state} {one.description}" for one in sessions) or "no session"
