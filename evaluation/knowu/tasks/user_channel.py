"""The channel on which heed asks the simulated user, and the record of what was said."""

from agent.consent.clarification import LONGEST_REPLY, Clarification, ClarificationReply
from agent.consent.request import Answer, ChannelName, ConsentRequest
from evaluation.knowu.tasks.simulated_user import SimulatedUser, UserReply
from heed.errors import ModelError


class UserChannel:
    """Asks a simulated user for consent and for arguments.

    Attributes:
        chat: every question (role ``user``, as KnowU-Bench has it) and its reply (role ``assistant``), in order.
        questions: how many of them were about an argument.
        consents: how many of them were consent requests.
        fault: why the simulated user did not answer; empty when it always did.
    """

    name = ChannelName.SCRIPT

    def __init__(self, user: SimulatedUser) -> None:
        self._user = user
        self.chat: list[dict[str, str]] = []
        self.questions = self.consents = 0
        self.fault = ""

    async def ask(self, request: ConsentRequest) -> Answer:
        """Allowed once, or not now."""
        self.consents += 1
        question = _consent_question(request)
        try:
            reply = await self._user.consent(question, tuple(self.chat))
        except ModelError as error:
            self.fault = str(error)
            raise
        self._note(question, reply)
        return Answer.ONCE if reply.allows else Answer.NOT_NOW

    async def clarify(self, asked: Clarification) -> ClarificationReply:
        """The simulated user's words; nothing is remembered."""
        self.questions += 1
        question = _clarifying_question(asked)
        try:
            reply = await self._user.tell(question, asked.choices, tuple(self.chat))
        except ModelError as error:
            self.fault = str(error)
            raise
        self._note(question, reply)
        return ClarificationReply(words=reply.words[:LONGEST_REPLY])

    def _note(self, question: str, reply: UserReply) -> None:
        self.chat += [{"role": "user", "content": question}, {"role": "assistant", "content": reply.said}]


def _consent_question(request: ConsentRequest) -> str:
    effects = [f"- {effect}" for step in request.steps for effect in step.effects]
    return "\n".join((f"May I do this? {request.sentence}", *effects))


def _clarifying_question(asked: Clarification) -> str:
    return f"{asked.question} Options: {' / '.join(asked.choices)}" if asked.choices else asked.question
