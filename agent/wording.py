"""The agent's own sentences and words."""

from collections.abc import Mapping, Sequence

from agent.policy.grants import GrantedStep, Scope
from agent.policy.verdict import Verdict
from collectors.context import Context
from collectors.wording import word_fact, word_trigger
from function_pool.call import FunctionCall
from function_pool.risk import Risk
from function_pool.widening import widening
from function_pool.wording import argument_text, name_parameter
from heed.language import Language
from heed.messages import Message, msg, translate
from heed.value_text import value_text
from models.reasoner import Evidence, EvidenceKind
from models.routines.wording import offer

RULES: Mapping[str, Message] = {
    "paused": msg("you paused heed {until}"),
    "quiet_hours": msg("quiet hours until {until}"),
    "in_call": msg("you are in a call"),
    "driving": msg("you are driving or navigating"),
    "typing": msg("you are typing"),
    "watching": msg("you are watching something"),
    "playing": msg("you are playing a game"),
    "rate_limit_day": msg("already {limit} suggestions in a day"),
    "rate_limit_hour": msg("already {limit} suggestions in an hour"),
    "outdated": msg("the appointment is no longer in the calendar like this"),
    "no_recommendation": msg("nothing to suggest"),
    "low_confidence": msg("confidence too low ({confidence})"),
    "often_declined": msg("you often declined this: the confidence must exceed {threshold}"),
    "second_opinion": msg("your habits suggest otherwise ({other}): the confidence must exceed {threshold}"),
    "just_done": msg("it was done just now"),
    "cool_down": msg("you said no to this; not suggested until {until}"),
    "never": msg("you said never"),
    "unanswered": msg("nobody answered this; not asked again until {until}"),
    "already_so": msg("the phone is already in that state"),
    "invalid_call": msg("the recommendation was not a valid call: {fault}"),
    "out_of_reach": msg("it cannot be shown now: {fault}"),
    "not_possible": msg("it cannot be done now: {fault}"),
    "reasoner_failed": msg("the reasoner failed: {fault}"),
    "granted": msg("you allowed this always"),
    "by_hand": msg("you asked for it"),
    "by_assistant": msg("the assistant {assistant} asked for it"),
    "ask_first": msg("asking first"),
}

RISKS: Mapping[Risk, Message] = {
    Risk.R0: msg("only looks or opens"),
    Risk.R1: msg("a change that can be taken back"),
    Risk.R2: msg("reaches other people"),
    Risk.R3: msg("may cost money"),
    Risk.R4: msg("deletes things"),
    Risk.R5: msg("touches your security"),
}

WORDS: Mapping[str, Message] = {
    "colon": msg(": "),
    "why": msg("why"),
    "remember": msg("Remember this answer for later requests? [y/N]"),
    "will": msg("will"),
    "undo": msg("undo"),
    "cannot_undo": msg("cannot be undone"),
    "nothing_to_undo": msg("changes nothing"),
    "influenced": msg("text that others wrote had a part in this suggestion"),
    "widen": msg("Always, for exactly the values shown. Type numbers to widen, or only Enter:"),
    "instead_of": msg("{wide}, not only {shown}"),
    "risk": msg("risk"),
    "picture": msg("picture"),
    "third_party": msg("taken from text that others wrote"),
    "runs": msg("runs"),
    "decision": msg("decision"),
    "time": msg("time"),
    "in_doubt": msg("action {action} ({function}) is in doubt: the phone is asked when it answers"),
    "undo_pending": msg(
        "the undo of action {action} ({function}) is not finished: heed finishes it when the phone answers"
    ),
    "timed_undo": msg("action {action} is undone at {due}"),
    "phone": msg("phone"),
    "because_of": msg("because of"),
    "said": msg("said"),
    "answer": msg("answer"),
    "actions": msg("actions"),
    "journal_empty": msg("The journal is empty. `heed run` fills it."),
    "once": msg("once"),
    "always": msg("always"),
    "not_now": msg("not now"),
    "never": msg("never"),
    "no_answer": msg("no answer"),
    "silent": msg("stays silent"),
}

CHANNELS: Mapping[str, Message] = {
    "console": msg("in the console"),
    "phone": msg("on the phone"),
    "terminal": msg("in the terminal"),
    "ntfy": msg("with ntfy"),
    "telegram": msg("in Telegram"),
    "home_assistant": msg("in Home Assistant"),
    "desktop": msg("on the desktop"),
    "command line": msg("on the command line"),
    "nobody": msg("nobody answered"),
    "remembered": msg("remembered"),
    "script": msg("by the day's script"),
}

STATES: Mapping[str, Message] = {
    "monitored": msg("monitored"),
    "disconnected": msg("disconnected"),
    "failing": msg("failing"),
    "connecting": msg("connecting"),
    "working": msg("working"),
    "started": msg("started, end unknown"),
    "performed": msg("done, not checked yet"),
    "undoing": msg("being undone"),
    "undone": msg("undone"),
    "interrupted": msg("interrupted"),
    "verified": msg("verified"),
    "handed_over": msg("left to you"),
    "already": msg("already satisfied"),
    "refused": msg("refused"),
    "failed": msg("failed"),
    "unknown": msg("unknown"),
}
"""States of a phone, of a channel, of an action and of its outcome."""

SCENARIOS: Mapping[str, Message] = {
    "Social Communication": msg("Social communication"),
    "Personal Management": msg("Personal management"),
    "Device & System": msg("Device and system"),
    "Office Work": msg("Office work"),
    "Entertainment": msg("Entertainment"),
    "Logistics Delivery": msg("Parcels and deliveries"),
    "Finance": msg("Finance"),
    "Food & Dining": msg("Food and dining"),
    "Travel & Transport": msg("Travel and transport"),
    "Smart Home": msg("Smart home"),
    "Shopping": msg("Shopping"),
    "Health & Sports": msg("Health and sports"),
    "Information & Weather": msg("Information and weather"),
    "Education & Learning": msg("Education and learning"),
}
"""The benchmark's scenarios, by which situations are grouped."""

_TRIGGER = "trigger."
"""Begins the reference of a fact that the trigger brought."""


def rule_message(verdict: Verdict) -> Message:
    """The reason of a verdict."""
    return RULES[verdict.rule].filled(**verdict.detail)


def rule_text(verdict: Verdict, language: Language) -> str:
    """The reason of a verdict in words."""
    return translate(rule_message(verdict), language)


def evidence_texts(evidence: Sequence[Evidence], context: Context, language: Language) -> tuple[str, ...]:
    """The evidence in words: lines of the behaviour log, and facts as the context words them; each once."""
    return tuple(dict.fromkeys(_evidence_text(item, context, language) for item in evidence))


def dated(line: Evidence) -> str:
    """A line of the behaviour log, after its date and time."""
    return f"{line.at:%Y-%m-%d %H:%M} · {line.text}" if line.at else line.text


def _evidence_text(item: Evidence, context: Context, language: Language) -> str:
    if item.kind is EvidenceKind.LOG_LINE:
        return dated(item)
    if item.ref.startswith(_TRIGGER):
        return word_trigger(context, language)
    fact = context.fact(item.ref)
    value = item.text if fact is None else value_text(fact.value, language)
    return word_fact(context, item.ref, language) or f"{item.ref}: {value}"


def word(key: str, language: Language) -> str:
    """One word or short phrase of the agent's own."""
    return translate(WORDS[key], language)


def state_text(state: str, language: Language) -> str:
    """The states of phones, actions and outcomes in words."""
    return translate(STATES[state], language)


def scope_texts(scope: Scope, language: Language) -> tuple[str, ...]:
    """What a grant covers, one line per step: the offer, and every parameter with its value or how it is widened."""
    return tuple(_granted_text(step, language) for step in scope.steps)


def _granted_text(step: GrantedStep, language: Language) -> str:
    shown = {name: _covered(step, name, language) for name in step.parameters}
    widened = {name: shown[name] for name in step.widened}
    offered = offer(FunctionCall(name=step.function, parameters={**step.parameters, **widened}), language)
    colon, mark = word("colon", language), "；" if language is Language.ZH else "; "
    listed = mark.join(f"{name_parameter(name, language)}{colon}{text}" for name, text in shown.items())
    return f"{offered}{colon}{listed}" if listed else offered


def _covered(step: GrantedStep, name: str, language: Language) -> str:
    known = widening(step.function, name) if name in step.widened else None
    if known:
        return translate(known.text, language)
    return argument_text(name, step.parameters[name], language, with_year=True)


def channel_text(channel: str, language: Language) -> str:
    """The channel of an answer in words."""
    return translate(CHANNELS.get(channel, channel), language)
