"""The mail app: inbox and sent, one letter, writing one."""

from collections.abc import Mapping
from urllib.parse import parse_qs, unquote

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity
from virtual_phone.state.intents import Intent
from virtual_phone.state.mail import Letter
from virtual_phone.state.well_known import MAIL_APP
from virtual_phone.ui.page import ScreenPage, Tool, center_note, go, number_of
from virtual_phone.ui.theme import color_of
from virtual_phone.ui.tree import Action, ViewNode
from virtual_phone.ui.words import ago, word

_COMPOSE = f"{MAIL_APP}/.ComposeActivityGmail"
_EXTRA = "android.intent.extra."


def mailbox(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The letters of a folder, the latest first."""
    page = ScreenPage(state, activity)
    folder = page.tabs({"inbox": "mail", "sent": "send"}, [word(state, "inbox"), word(state, "sent")])
    page.bar(word(state, folder), back=False)
    letters = [letter for letter in state.mail.letters if letter.folder == folder]
    for letter in sorted(letters, key=lambda letter: -letter.date):
        page.row(
            letter.person, letter.subject, initial=letter.person[:1].upper(), color=color_of(letter.person),
            trailing=ago(state, letter.date), bold=not letter.read, tap=_open(letter), resource="letter",
        )  # fmt: skip
    if not letters:
        center_note(page, word(state, "no_mail"))
    page.floating("pencil", word(state, "compose"), _compose({}))
    return page.finish()


def _open(letter: Letter) -> Action:
    def action(state: PhoneState) -> None:
        state.mail.mark_read(letter)
        go(".LetterActivity", letter=str(letter.identifier))(state)

    return action


def _compose(extras: Mapping[str, object]) -> Action:
    return lambda state: state.apps.start(Intent(component=_COMPOSE, extras=dict(extras)))


def letter(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """One letter, with reply, forward and delete."""
    page = ScreenPage(state, activity)
    known = state.mail.find(number_of(activity, "letter"))
    if known is None:
        page.bar(word(state, "inbox"))
        center_note(page, word(state, "gone"))
        return page.finish()
    page.bar("", tools=[Tool("trash", word(state, "delete"), _remove(known))])
    page.text(known.subject, size=60, bold=True, resource="subject")
    page.row(known.person, ago(state, known.date), initial=known.person[:1].upper(), color=color_of(known.person))
    page.gap(24)
    page.text(known.body, size=45, resource="body")
    page.gap(36)
    quoted = f"\n\n> {known.body}".replace("\n>", "\n> ")
    answer = {f"{_EXTRA}EMAIL": [known.person], f"{_EXTRA}SUBJECT": f"Re: {known.subject}"}
    forward = {f"{_EXTRA}SUBJECT": f"Fwd: {known.subject}", f"{_EXTRA}TEXT": quoted}
    page.button(word(state, "reply"), _compose(answer), resource="reply")
    page.button(word(state, "forward"), _compose(forward), filled=False, resource="forward")
    return page.finish()


def _remove(known: Letter) -> Action:
    def remove(state: PhoneState) -> None:
        state.mail.remove(known)
        state.apps.back()

    return remove


def mail_compose(state: PhoneState, activity: RunningActivity) -> ViewNode:
    """The form for an e-mail."""
    page = ScreenPage(state, activity)
    given = _given(activity)
    page.bar(word(state, "compose"), tools=[Tool("send", word(state, "send"), _send(activity, given))])
    page.field("from", word(state, "from"), state.calendar.calendars[0].account)
    page.field("to", word(state, "to"), given["to"])
    if given["cc"]:
        page.field("cc", word(state, "copy_to"), given["cc"])
    page.field("subject", word(state, "subject"), given["subject"])
    page.field("body", word(state, "mail_text"), given["body"], lines=10)
    attached = activity.intent.extras.get(f"{_EXTRA}STREAM")
    if attached:
        page.row(word(state, "attachment"), str(attached), glyph="lines", resource="attachment")
    return page.finish()


def _given(activity: RunningActivity) -> dict[str, str]:
    """The fields given by the intent: a ``mailto:`` address with its query (RFC 6068), or the extras."""
    data, _, query = activity.intent.data.partition("?")
    values, extras = parse_qs(query), activity.intent.extras

    def one(extra: str, name: str) -> str:
        value = extras.get(_EXTRA + extra) or values.get(name) or ""
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

    to = one("EMAIL", "to") or unquote(data.partition(":")[2])
    return {"to": to, "cc": one("CC", "cc"), "subject": one("SUBJECT", "subject"), "body": one("TEXT", "body")}


def _send(activity: RunningActivity, given: dict[str, str]) -> Action:
    """Send the typed text, or what the intent gave; without a receiver nothing is sent."""
    values = {name: activity.fields.get(name, text) for name, text in given.items()}

    def send(state: PhoneState) -> None:
        if values["to"].strip():
            state.mail.send(values["to"], values["subject"], values["body"])
            state.apps.back()

    return send
