"""What commands do to a phone: through the daemon where one runs, else through the same code in this process."""

from agent.compose import open_books, phone_agent
from agent.config import Config
from agent.loop import control_socket as control
from agent.loop.control_socket import Request
from executors.plan import Outcome


async def undo(config: Config, action_id: int) -> Outcome:
    """Take one action back on the phone it was done on."""
    if control.is_running():
        return Outcome.model_validate(await control.call(Request(op="undo", arguments={"action": action_id})))
    with open_books(config) as books:
        serial = books.journal.action(action_id).serial
    bridge = config.bridge.model_copy(update={"serial": serial})
    async with phone_agent(config.model_copy(update={"bridge": bridge})) as agent:
        return await agent.undo(action_id)
