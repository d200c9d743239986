"""Smart devices and scenes, through Home Assistant's REST API or in the platform's own app.

https://developers.home-assistant.io/docs/api/rest/: ``GET /api/states``, ``POST /api/services/<domain>/<service>``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from android_bridge.device import Device
from executors.apps import find_app, launch
from executors.executor import Executor, Receipt, RefusedError
from executors.home_assistant import HomeAssistant, HomeEntity
from executors.plan import Effect, Outcome, OutcomeKind, Preparation, Proof, Step
from executors.screen import by_hand, hand_over, require_screen, verify_opened
from function_pool.assessment import RiskReason
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from heed.messages import msg

_OURS = "Home Assistant"


class _Service(NamedTuple):
    """A service of a domain, the state it leads to (None: any), and the name of the value it takes."""

    name: str
    state: str | None = None
    value: str = ""


# https://www.home-assistant.io/integrations/light, …/cover, …/vacuum, …/media_player, …/climate, …/lock
_ON_OFF = {"turn_on": _Service("turn_on", "on"), "turn_off": _Service("turn_off", "off")}
_SERVICES: Mapping[str, Mapping[str, _Service]] = {
    "light": {**_ON_OFF, "set_value": _Service("turn_on", "on", "brightness_pct")},
    "switch": _ON_OFF,
    "fan": {**_ON_OFF, "set_value": _Service("set_percentage", None, "percentage")},
    "input_boolean": _ON_OFF,
    "humidifier": {**_ON_OFF, "set_value": _Service("set_humidity", None, "humidity")},
    "climate": {
        "turn_on": _Service("turn_on"),
        "turn_off": _Service("turn_off", "off"),
        "set_value": _Service("set_temperature", None, "temperature"),
    },
    "cover": {
        "open": _Service("open_cover", "open"),
        "close": _Service("close_cover", "closed"),
        "stop": _Service("stop_cover"),
        "set_value": _Service("set_cover_position", None, "position"),
    },
    "media_player": {
        **_ON_OFF,
        "start": _Service("media_play", "playing"),
        "pause": _Service("media_pause", "paused"),
        "stop": _Service("media_stop", "idle"),
    },
    "vacuum": {
        "start": _Service("start", "cleaning"),
        "pause": _Service("pause", "paused"),
        "stop": _Service("return_to_base"),
    },
    "lock": {"open": _Service("unlock", "unlocked"), "close": _Service("lock", "locked")},
}
_BACK = {
    ("light", "on"): "turn_on",
    ("light", "off"): "turn_off",
    ("switch", "on"): "turn_on",
    ("switch", "off"): "turn_off",
    ("fan", "on"): "turn_on",
    ("fan", "off"): "turn_off",
    ("input_boolean", "on"): "turn_on",
    ("input_boolean", "off"): "turn_off",
    ("humidifier", "on"): "turn_on",
    ("humidifier", "off"): "turn_off",
    ("cover", "open"): "open_cover",
    ("cover", "closed"): "close_cover",
    ("media_player", "playing"): "media_play",
    ("media_player", "paused"): "media_pause",
}
"""The service that restores a recorded state. Undo never opens a lock."""
_GUARDED = ("lock", "alarm_control_panel", "valve", "water_heater", "siren")
_GATES = ("garage", "gate", "door")
"""``device_class`` of covers that give access to the home."""
_KEPT = {"light": ("brightness",), "cover": (), "fan": ("percentage",)}
"""Attributes that are restored with the state, per domain."""


class HomeExecutor(Executor):
    """Base class of the smart home functions: gives access to Home Assistant."""

    def _platform(self, call: FunctionCall) -> str:
        """Returns the platform that the call names, or Home Assistant where it is configured."""
        named = str(call.parameters.get("platform", ""))
        return named or _OURS

    def _assistant(self) -> HomeAssistant:
        return HomeAssistant(self.config.home_assistant, self.config.service_timeout)

    async def _in_app(self, phone: Device, call: FunctionCall, wanted: str) -> Preparation:
        """Returns the step that opens the platform's own app, where the owner finishes."""
        front = await require_screen(phone)
        app = await find_app(phone, self._platform(call))
        left = {name: value for name, value in call.parameters.items() if name != "platform"}
        shows: JsonValue = {"en": wanted, "zh": wanted}
        return hand_over(
            await launch(phone, app),
            app.package,
            Effect(kind="page_app", detail={"app": app.words, "shows": shows}),
            *by_hand(left),
            before=front,
        )


class ControlSmartDevice(HomeExecutor):
    """Calls one service for one entity; undo restores the recorded state where a service can."""

    function = "control_smart_device"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        device, action = str(call.parameters["device_name"]), str(call.parameters["action"])
        if self._platform(call) != _OURS:
            return await self._in_app(phone, call, device)
        assistant = self._assistant()
        entity = await assistant.find(device, str(call.parameters.get("room", "")))
        service = _SERVICES.get(entity.domain, {}).get(action)
        if service is None:
            raise RefusedError(
                msg(
                    "{name} ({domain}) cannot be told to {replace}.",
                    name=entity.name,
                    domain=entity.domain,
                    replace=action.replace("_", " "),
                )
            )
        if service.state == entity.state and not service.value:
            detail: dict[str, JsonValue] = {"device": entity.name, "state": entity.state}
            return Preparation(effects=(Effect(kind="home_already", detail=detail),), already=True)
        data = {"entity_id": entity.identifier, **_value(call, service)}
        told = " ".join([action, *(str(call.parameters[name]) for name in ("value",) if name in call.parameters)])
        back = _BACK.get((entity.domain, entity.state))
        return Preparation(
            requests=(assistant.request(entity.domain, service.name, data),),
            effects=(Effect(kind="home_service", detail={"device": entity.name, "action": told, "state": "…"}),),
            undo=(Effect(kind="home_back", detail={"device": entity.name, "state": entity.state}),) if back else (),
            before={"entity": entity.identifier, "state": entity.state, "attributes": dict(_kept(entity))},
            reasons=_reasons([entity]),
        )

    async def perform(self, phone: Device, step: Step) -> Receipt:
        if step.hands_over:
            return await super().perform(phone, step)
        entity = str(step.before["entity"])
        domain = entity.partition(".")[0]
        service = _SERVICES[domain][str(step.call.parameters["action"])]
        await self._assistant().call(domain, service.name, {"entity_id": entity, **_value(step.call, service)})
        return {}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        entity = await self._assistant().entity(str(step.before["entity"]))
        service = _SERVICES[entity.domain][str(step.call.parameters["action"])]
        reached = service.state in (None, entity.state) and _has_value(entity, _value(step.call, service))
        told = Effect(kind="home_service", detail={"device": entity.name, "action": "", "state": entity.state})
        return _outcome(entity, reached, told)

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        entity, state = str(step.before["entity"]), str(step.before["state"])
        domain = entity.partition(".")[0]
        kept = step.before["attributes"] if state not in ("off", "closed") else {}
        values = dict(kept) if isinstance(kept, dict) else {}
        await self._assistant().call(domain, _BACK[(domain, state)], {"entity_id": entity, **values})

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        entity = await self._assistant().entity(str(step.before["entity"]))
        reached = entity.state == step.before["state"] and dict(_kept(entity)) == step.before["attributes"]
        return _outcome(
            entity, reached, Effect(kind="home_back", detail={"device": entity.name, "state": entity.state})
        )


class QuerySmartDeviceState(HomeExecutor):
    """Reads the state of one entity."""

    function = "query_smart_device_state"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        device = str(call.parameters["device_name"])
        if self._platform(call) != _OURS:
            return await self._in_app(phone, call, device)
        entity = await self._assistant().find(device, str(call.parameters.get("room", "")))
        return Preparation(
            requests=(self._assistant().question(entity.identifier),),
            effects=(Effect(kind="home_asked", detail={"device": entity.name}),),
            before={"entity": entity.identifier},
        )

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        entity = await self._assistant().entity(str(step.before["entity"]))
        attribute = str(step.call.parameters.get("attribute", ""))
        value = entity.attributes.get(attribute, entity.state) if attribute else entity.state
        unit = entity.attributes.get("unit_of_measurement", "") if value == entity.state else ""
        detail: dict[str, JsonValue] = {"device": entity.name, "state": f"{value} {unit}".strip()}
        return _outcome(entity, True, Effect(kind="home_told", detail=detail))


class ActivateHomeScene(HomeExecutor):
    """Runs a scene or script; undo restores the recorded states of a scene's devices."""

    function = "activate_home_scene"

    async def prepare(self, phone: Device, call: FunctionCall) -> Preparation:
        name = str(call.parameters["scene_name"])
        if self._platform(call) != _OURS:
            return await self._in_app(phone, call, name)
        if call.parameters.get("delay_minutes"):
            raise RefusedError(msg("heed runs scenes at once, not later."), msg("Ask again at that time."))
        assistant = self._assistant()
        scene = await assistant.find(name, domains=("scene", "script"))
        members = [await assistant.entity(member) for member in scene.members]
        restorable = bool(members) and all((one.domain, one.state) in _BACK for one in members)
        names: list[JsonValue] = [one.name for one in members]
        before: dict[str, JsonValue] = {"scene": scene.identifier, "last": scene.state}
        before["members"] = [
            {"entity": one.identifier, "state": one.state, "attributes": dict(_kept(one))} for one in members
        ]
        return Preparation(
            requests=(assistant.request(scene.domain, "turn_on", {"entity_id": scene.identifier}),),
            effects=(Effect(kind="home_scene", detail={"scene": scene.name}),),
            undo=(Effect(kind="home_scene_back", detail={"devices": names}),) if restorable else (),
            before=before,
            reasons=_reasons([scene, *members]),
        )

    async def perform(self, phone: Device, step: Step) -> Receipt:
        if step.hands_over:
            return await super().perform(phone, step)
        scene = str(step.before["scene"])
        await self._assistant().call(scene.partition(".")[0], "turn_on", {"entity_id": scene})
        return {}

    async def verify(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        if step.hands_over:
            return await verify_opened(phone, str(step.before["app"]))
        scene = await self._assistant().entity(str(step.before["scene"]))
        # A scene's state is the time at which it last ran; a script's says so in an attribute.
        ran = scene.state != step.before["last"] or scene.domain == "script"
        return _outcome(scene, ran, Effect(kind="home_scene", detail={"scene": scene.name}))

    async def undo(self, phone: Device, step: Step, receipt: Receipt) -> None:
        for member in _members(step):
            entity, state = str(member["entity"]), str(member["state"])
            domain = entity.partition(".")[0]
            kept = member["attributes"] if state not in ("off", "closed") else {}
            values = dict(kept) if isinstance(kept, dict) else {}
            await self._assistant().call(domain, _BACK[(domain, state)], {"entity_id": entity, **values})

    async def verify_undo(self, phone: Device, step: Step, receipt: Receipt) -> Outcome:
        assistant = self._assistant()
        wanted = {str(member["entity"]): member["state"] for member in _members(step)}
        entities = await asyncio.gather(*(assistant.entity(identifier) for identifier in wanted))
        proof = tuple(Proof(command=assistant.question(one.identifier), answer=one.state) for one in entities)
        if all(one.state == wanted[one.identifier] for one in entities):
            return Outcome(kind=OutcomeKind.VERIFIED, proof=proof)
        return Outcome(kind=OutcomeKind.FAILED, message=msg("Not every device is as it was before."), proof=proof)


def _reasons(entities: Sequence[HomeEntity]) -> tuple[RiskReason, ...]:
    """Returns reasons for a higher risk that only Home Assistant shows: locks, gates, and scripts."""
    if any(one.domain in _GUARDED or one.attributes.get("device_class") in _GATES for one in entities):
        return (RiskReason(rule="lock_or_fire", risk=Risk.R5),)
    if any(one.domain == "script" or (one.domain == "scene" and not one.members) for one in entities):
        return (RiskReason(rule="does_anything", risk=Risk.R5),)
    return ()


def _members(step: Step) -> list[dict[str, JsonValue]]:
    members = step.before["members"]
    return [member for member in members if isinstance(member, dict)] if isinstance(members, list) else []


def _value(call: FunctionCall, service: _Service) -> dict[str, JsonValue]:
    """Returns the call's value as the service takes it; raises ``RefusedError`` when it is no number."""
    if not service.value:
        return {}
    text = str(call.parameters.get("value", "")).strip().removesuffix("%").removesuffix("°C").removesuffix("°").strip()
    try:
        number = float(text)
    except ValueError:
        raise RefusedError(msg("A value like 40 is needed, not {text!r}.", text=text[:40])) from None
    return {service.value: int(number) if number == int(number) else number}


def _has_value(entity: HomeEntity, value: Mapping[str, JsonValue]) -> bool:
    """Whether the entity shows the value that was set; brightness has a scale of 255."""
    shown = {"brightness_pct": _percent(entity.attributes.get("brightness"))}
    places = {"percentage": "percentage", "temperature": "temperature", "humidity": "humidity"}
    places["position"] = "current_position"
    for name, wanted in value.items():
        there = shown[name] if name in shown else entity.attributes.get(places[name])
        if not isinstance(there, int | float) or abs(there - float(str(wanted))) > 1:
            return False
    return True


def _percent(brightness: JsonValue) -> float | None:
    return round(brightness * 100 / 255) if isinstance(brightness, int | float) else None


def _kept(entity: HomeEntity) -> Mapping[str, JsonValue]:
    names = _KEPT.get(entity.domain, ())
    return {name: entity.attributes[name] for name in names if entity.attributes.get(name) is not None}


def _outcome(entity: HomeEntity, reached: bool, told: Effect) -> Outcome:
    proof = (Proof(command=f"GET /api/states/{entity.identifier}", answer=entity.state),)
    if reached:
        return Outcome(kind=OutcomeKind.VERIFIED, told=(told,), proof=proof)
    message = msg("Home Assistant says that {name} is {state}.", name=entity.name, state=entity.state)
    return Outcome(kind=OutcomeKind.FAILED, message=message, proof=proof)
