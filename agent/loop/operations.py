"""Operations of commands on a phone: through the daemon where one runs, else in this process."""

from agent.compose import open_stores, phone_agent
from agent.config import Config
from agent.loop import control_socket as control
from agent.loop.daemon_requests import UndoRequest
from executors.plan import Outcome


async def undo(config: Config, action_id: int) -> Outcome:
    """Undo one action on the phone it was done on."""
    if control.is_running():
        return Outcome.model_validate(await control.call(UndoRequest(action=action_id)))
    with open_stores(config) as stores:
        serial = stores.journal.action(action_id).serial
    bridge = config.bridge.model_copy(update={"serial": serial})
    async with phone_agent(config.model_copy(update={"bridge": bridge})) as agent:
        return await agent.undo(action_id)
