"""The agent's sentences, in English and Chinese: one table."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from agent.policy.verdict import Verdict
from collectors.context import Context
from collectors.wording import word_fact, word_trigger
from function_pool.risk import Risk
from heed.language import Language
from heed.translation import translate
from models.reasoner import Evidence, EvidenceKind

_EN, _ZH = Language.EN, Language.ZH

RULES: Mapping[str, Mapping[Language, str]] = {
    "quiet_hours": {_EN: "quiet hours until {until}", _ZH: "免打扰时段，到 {until} 为止"},
    "in_call": {_EN: "you are in a call", _ZH: "您正在通话"},
    "driving": {_EN: "you are on the road", _ZH: "您在路上（驾车或导航中）"},
    "typing": {_EN: "you are typing", _ZH: "您正在打字"},
    "watching": {_EN: "you are watching something", _ZH: "您正在观看视频"},
    "playing": {_EN: "you are playing a game", _ZH: "您正在玩游戏"},
    "rate_limit_day": {_EN: "already {limit} suggestions in a day", _ZH: "一天内已提示 {limit} 次"},
    "rate_limit_hour": {_EN: "already {limit} suggestions in an hour", _ZH: "一小时内已提示 {limit} 次"},
    "no_recommendation": {_EN: "nothing to suggest", _ZH: "没有需要提示的事"},
    "low_confidence": {_EN: "not sure enough ({confidence})", _ZH: "把握不足（{confidence}）"},
    "often_declined": {
        _EN: "you declined this often: it must be surer than {threshold}",
        _ZH: "您多次拒绝过这类建议：把握须高于 {threshold}",
    },
    "second_opinion": {
        _EN: "your habits suggest otherwise ({other}): it must be surer than {threshold}",
        _ZH: "您的习惯另有所指（{other}）：把握须高于 {threshold}",
    },
    "just_done": {_EN: "it was done just now", _ZH: "刚刚已经做过"},
    "cool_down": {_EN: "you said no to this; not suggested until {until}", _ZH: "您拒绝过，{until} 之前不再提起"},
    "never": {_EN: "you said never", _ZH: "您说过不再提起"},
    "already_so": {_EN: "the phone is already so", _ZH: "手机已经是这样"},
    "invalid_call": {_EN: "the recommendation was not a valid call: {fault}", _ZH: "建议的调用无效：{fault}"},
    "out_of_reach": {_EN: "it cannot be shown now: {fault}", _ZH: "现在无法显示：{fault}"},
    "not_possible": {_EN: "it cannot be done now: {fault}", _ZH: "现在做不到：{fault}"},
    "reasoner_failed": {_EN: "the reasoner failed: {fault}", _ZH: "推理器出错：{fault}"},
    "granted": {_EN: "you allowed this always", _ZH: "您已允许始终执行"},
    "by_hand": {_EN: "you asked for it", _ZH: "您要求的"},
    "ask_first": {_EN: "asking first", _ZH: "先征求同意"},
}

RISKS: Mapping[Risk, Mapping[Language, str]] = {
    Risk.R0: {_EN: "only looks or opens", _ZH: "仅查看或打开"},
    Risk.R1: {_EN: "a change that can be taken back", _ZH: "可撤销的更改"},
    Risk.R2: {_EN: "reaches other people", _ZH: "会联系他人"},
    Risk.R3: {_EN: "may cost money", _ZH: "可能花钱"},
    Risk.R4: {_EN: "deletes things", _ZH: "会删除内容"},
    Risk.R5: {_EN: "touches your security", _ZH: "涉及安全"},
}

WORDS: Mapping[str, Mapping[Language, str]] = {
    "colon": {_EN: ": ", _ZH: "："},
    "why": {_EN: "why", _ZH: "原因"},
    "will": {_EN: "will", _ZH: "将会"},
    "undo": {_EN: "undo", _ZH: "撤销"},
    "cannot_undo": {_EN: "cannot be undone", _ZH: "无法撤销"},
    "risk": {_EN: "risk", _ZH: "风险"},
    "third_party": {_EN: "taken from text that others wrote", _ZH: "来自他人写的文字"},
    "runs": {_EN: "runs", _ZH: "执行"},
    "decision": {_EN: "decision", _ZH: "判断"},
    "time": {_EN: "time", _ZH: "时间"},
    "in_doubt": {
        _EN: "action {action} ({function}) is in doubt: the phone is asked when it answers",
        _ZH: "操作 {action}（{function}）存疑：手机可用时会核实",
    },
    "undo_pending": {
        _EN: "the undo of action {action} ({function}) is not finished: heed finishes it when the phone answers",
        _ZH: "操作 {action}（{function}）的撤销尚未完成：手机可用时会继续",
    },
    "timed_undo": {
        _EN: "action {action} is undone at {due}",
        _ZH: "操作 {action} 将于 {due} 撤销",
    },
    "phone": {_EN: "phone", _ZH: "手机"},
    "because_of": {_EN: "because of", _ZH: "起因"},
    "said": {_EN: "said", _ZH: "所说"},
    "answer": {_EN: "answer", _ZH: "回答"},
    "actions": {_EN: "actions", _ZH: "操作"},
    "journal_empty": {_EN: "The journal is empty. `heed run` fills it.", _ZH: "日志是空的。`heed run` 会写入。"},
    "once": {_EN: "once", _ZH: "允许一次"},
    "always": {_EN: "always", _ZH: "始终允许"},
    "not_now": {_EN: "not now", _ZH: "暂时不要"},
    "never": {_EN: "never", _ZH: "永不"},
    "silent": {_EN: "stays silent", _ZH: "保持安静"},
}

CHANNELS: Mapping[str, Mapping[Language, str]] = {
    "console": {_EN: "in the console", _ZH: "在控制台"},
    "phone": {_EN: "on the phone", _ZH: "在手机上"},
    "terminal": {_EN: "in the terminal", _ZH: "在终端"},
    "command line": {_EN: "on the command line", _ZH: "在命令行"},
    "nobody": {_EN: "nobody answered", _ZH: "无人回答"},
    "remembered": {_EN: "remembered", _ZH: "已记住"},
}

STATES: Mapping[str, Mapping[Language, str]] = {
    "monitored": {_EN: "monitored", _ZH: "监测中"},
    "disconnected": {_EN: "disconnected", _ZH: "未连接"},
    "failing": {_EN: "failing", _ZH: "异常"},
    "started": {_EN: "started, end unknown", _ZH: "已开始，结果未知"},
    "performed": {_EN: "done, not checked yet", _ZH: "已执行，尚未核实"},
    "undoing": {_EN: "being undone", _ZH: "正在撤销"},
    "undone": {_EN: "undone", _ZH: "已撤销"},
    "interrupted": {_EN: "interrupted", _ZH: "被中断"},
    "verified": {_EN: "verified", _ZH: "已核实"},
    "handed_over": {_EN: "left to you", _ZH: "交由您完成"},
    "already": {_EN: "already so", _ZH: "已是如此"},
    "refused": {_EN: "refused", _ZH: "被拒绝"},
    "failed": {_EN: "failed", _ZH: "失败"},
    "unknown": {_EN: "unknown", _ZH: "未知"},
}
"""States of a phone, of an action and of its outcome."""

_PLAIN: Mapping[bool | None, Mapping[Language, str]] = {
    True: {_EN: "yes", _ZH: "是"},
    False: {_EN: "no", _ZH: "否"},
    None: {_EN: "none", _ZH: "无"},
}
_TRIGGER = "trigger."
"""Begins the reference of a fact that the trigger brought."""


def rule_text(verdict: Verdict, language: Language) -> str:
    """The reason of a verdict in words."""
    detail = {name: translate(str(value), language) for name, value in verdict.detail.items()}
    return RULES[verdict.rule][language].format_map(detail)


def evidence_texts(evidence: Sequence[Evidence], context: Context, language: Language) -> tuple[str, ...]:
    """The evidence in words: lines of the behaviour log, and facts as the context words them; each once."""
    return tuple(dict.fromkeys(_evidence_text(item, context, language) for item in evidence))


def _evidence_text(item: Evidence, context: Context, language: Language) -> str:
    if item.kind is EvidenceKind.LOG_LINE:
        return item.text
    if item.ref.startswith(_TRIGGER):
        return word_trigger(context, language)
    fact = context.fact(item.ref)
    value = item.text if fact is None else value_text(fact.value, language)
    return word_fact(context, item.ref, language) or f"{item.ref}: {value}"


def word(key: str, language: Language) -> str:
    """One word or short phrase of the agent's own."""
    return WORDS[key][language]


def value_text(value: JsonValue, language: Language) -> str:
    """The value of an argument or fact in words."""
    mark = "、" if language is _ZH else ", "
    if isinstance(value, list):
        return mark.join(value_text(item, language) for item in value)
    if isinstance(value, dict):
        return mark.join(f"{name}: {value_text(item, language)}" for name, item in value.items())
    return _PLAIN[value][language] if value is None or isinstance(value, bool) else str(value)


def channel_text(channel: str, language: Language) -> str:
    """The channel of an answer in words."""
    return CHANNELS[channel][language] if channel in CHANNELS else channel
