"""The actions in doubt and the timed undos of each phone, in words."""

from datetime import datetime

from agent.journal import ActionState, AgendaKind, Stores
from agent.wording import WORDS
from heed.messages import Message


def pending_texts(stores: Stores, now: datetime) -> dict[str, tuple[Message, ...]]:
    """One sentence per action in doubt and per timed undo, by the key of the phone. ``now`` is the host's time."""
    found: dict[str, list[Message]] = {}
    for record in stores.journal.all_in_doubt():
        key = "undo_pending" if record.state is ActionState.UNDOING else "in_doubt"
        text = WORDS[key].filled(action=record.id, function=record.step.call.name)
        found.setdefault(record.phone_id, []).append(text)
    for phone_id, entry in stores.agenda.waiting(AgendaKind.UNDO, now):
        due = f"{entry.due.astimezone():%m-%d %H:%M}"
        text = WORDS["timed_undo"].filled(action=entry.body.get("action"), due=due)
        found.setdefault(phone_id, []).append(text)
    return {phone_id: tuple(texts) for phone_id, texts in found.items()}
