"""The scenario's owner: scripted answers, and the action to undo."""

from agent.consent.request import Answer, ChannelName, ConsentRequest
from agent.loop.phone_agent import PhoneAgent


class ScriptedChannel:
    """A channel that answers every consent request with ``answer``, which the playback sets for each entry."""

    name = ChannelName.SCRIPT
    answer = Answer.NOT_NOW

    async def ask(self, request: ConsentRequest) -> Answer:
        """Return the current entry's answer."""
        return self.answer


def newest_action(agent: PhoneAgent, function: str) -> int | None:
    """Return the newest action of ``function`` that can be undone."""
    for entry in agent.stores.journal.timeline():
        for action in entry.actions:
            if action.step.call.name == function and action.can_be_undone:
                return action.id
    return None
