"""Text that a stranger may have written is data: it never becomes a command, an option, a column or a row."""

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from executors.runner import VerifyTiming
from heed.errors import UsageError
from tests.executors.acting import Acting

HOSTILE = (
    "a; pwned",
    "a' ; pwned ; echo '",
    "a'\\''; pwned; '",
    '"; pwned; "',
    "$(pwned)",
    "`pwned`",
    "${IFS}pwned",
    "a\npwned\n",
    "a\r\npwned",
    "a && pwned || pwned & pwned",
    "a > /sdcard/pwned",
    "a | pwned",
    "--es sms_body pwned",
    "-n com.android.settings/.Settings",
    "-a android.intent.action.CALL -d tel:999",
    "intent:#Intent;component=com.android.settings/.Settings;end",
    "123?body=pwned&x=y#z",
    "%00%0apwned%27",
    "x:s:y, mimetype=pwned, data1=z",
    "a', data1='pwned' --",
    "Row: 9 _id=1, is_trashed=1",
    "\u202e\u2066dwnp\u2069 🙂 你好 \u200b",
    "{raw_contact} %s %(x)s \\0 \\x00 $raw_contact",
    "x" * 10_000,
    "nul\0byte",
    "\ud800 half a character",
)

CAROL = {"name": "Carol", "phone_number": "+447700900461"}
CAROL |= {"email": "c@example.com", "company": "C", "job_title": "J", "note": "N"}
OLD = {"category": "screenshots", "action": "trash", "before_date": "2026-01-01"}
# Function, its harmless arguments, and the free-text parameters that hostile strings go through.
CALLS = (
    ("send_sms", {"recipient": "Alice Chen", "content": "Hi"}, ("recipient", "content")),
    (
        "save_contact",
        CAROL,
        ("name", "phone_number", "email", "company", "job_title", "note"),
    ),
    ("cancel_alarm", {"search_mode": "label", "label": "Work"}, ("label",)),
    ("set_display", {"setting": "brightness", "value": "40"}, ("value",)),
    ("set_do_not_disturb", {"mode": "priority", "reason": "work"}, ("reason",)),
    ("clean_up_media_files", {"category": "selected", "action": "trash", "media_ids": ["1"]}, ("media_ids",)),
    ("clean_up_media_files", OLD, ("before_date",)),
)
PLACES = [(function, arguments, name) for function, arguments, names in CALLS for name in names]


def shapes(ran: list[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """What kinds of command ran: program and verb, and every word that could be an option."""
    options = {("option", word) for words in ran for word in words if word.startswith("-") and word.isascii()}
    return {words[:2] for words in ran} | options


@pytest.mark.parametrize(
    ("function", "arguments", "name"), PLACES, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_no_text_runs_another_command(
    acting: Acting, function: str, arguments: dict[str, object], name: str
) -> None:
    await acting.do(function, **arguments)  # type: ignore[arg-type]
    # Text that begins with a dash is a value after `--es sms_body`; what counts there is that it arrives unchanged.
    usual = shapes(acting.phone.ran) | {("option", text) for text in HOSTILE}
    before = acting.phone.state.contacts.model_dump()
    acting.timing = VerifyTiming(deadline=0.04, interval=0.02, settle=0.0)
    for text in HOSTILE:
        acting.phone.ran.clear()
        acting.phone.state.apps.home()
        value = [text] if name == "media_ids" else text
        try:
            outcome = await acting.do(function, **(arguments | {name: value}))  # type: ignore[arg-type]
        except (UsageError, RefusedError) as refusal:
            assert refusal.message
        else:
            assert outcome.kind is not OutcomeKind.UNKNOWN, (text, outcome)
        marks = {words for words in shapes(acting.phone.ran) - usual if not words[1].startswith("heed-")}
        assert marks == set(), (text, marks)
        assert not acting.phone.state.files.stat("/sdcard/pwned")
    assert acting.phone.state.contacts.raw[0].model_dump() == before["raw"][0]


@pytest.mark.parametrize(
    "text", [text for text in HOSTILE if len(text) < 2000 and "\0" not in text and text.isprintable()]
)
async def test_a_message_arrives_exactly_as_it_was_shown(acting: Acting, text: str) -> None:
    outcome = await acting.do("send_sms", recipient="+447700900461", content=text)
    assert outcome.kind is OutcomeKind.HANDED_OVER
    front = acting.phone.state.apps.foreground
    assert front.intent.extras["sms_body"] == text.strip()
    assert front.intent.data == "smsto:%2B447700900461"
    assert acting.step.effects[0].detail["text"] == text.strip()


@pytest.mark.parametrize(
    "text", [text for text in HOSTILE if len(text) < 2000 and "\0" not in text and text.isprintable()]
)
async def test_a_name_is_saved_exactly_and_taken_away_again(acting: Acting, text: str) -> None:
    before = acting.phone.state.contacts.model_dump()["raw"]
    outcome = await acting.do("save_contact", name=text, phone_number="+447700900461", note=text)
    assert outcome.kind is OutcomeKind.VERIFIED, outcome
    saved = acting.phone.state.contacts.raw[-1]
    assert saved.name == text.strip()
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert acting.phone.state.contacts.model_dump()["raw"] == before
