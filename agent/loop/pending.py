"""What is still to be found out or undone on each phone, in words."""

from agent.journal import ActionState, AgendaKind, Stores
from agent.wording import WORDS
from heed.language import Language


def pending_texts(stores: Stores, language: Language) -> dict[str, tuple[str, ...]]:
    """One sentence per action in doubt and per timed undo, by the key of the phone."""
    found: dict[str, list[str]] = {}
    for record in stores.journal.all_in_doubt():
        key = "undo_pending" if record.state is ActionState.UNDOING else "in_doubt"
        text = WORDS[key][language].format(action=record.id, function=record.step.call.name)
        found.setdefault(record.phone_id, []).append(text)
    for phone_id, entry in stores.agenda.waiting(AgendaKind.UNDO):
        due = f"{entry.due.astimezone():%m-%d %H:%M}"
        text = WORDS["timed_undo"][language].format(action=entry.body.get("action"), due=due)
        found.setdefault(phone_id, []).append(text)
    return {phone_id: tuple(texts) for phone_id, texts in found.items()}
