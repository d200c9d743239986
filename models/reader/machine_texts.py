"""Texts that address an assistant or a language model instead of the owner."""

import re

from models.values.folding import fold

_PATTERNS = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|original|all)\b"
    r"[^.!?\n]{0,24}\b(?:instructions?|prompts?|rules?|guidelines?|directives?)\b",
    r"</?(?:information|system|instructions?|inst|assistant|tool_call|function_call)>|\[/?inst\]|<\|[a-z_]{2,20}\|>",
    r"#{2,4}\s?\(?(?:system|assistant|instructions?)\b|\bsystem[ _](?:prompt|message|override)\b",
    r"\b(?:ai|llm|gpt)[ -](?:assistant|agent|model)\b|\b(?:large )?language models?\b|\b(?:chatgpt|gpt-\d)\b",
    r"\bbefore you (?:can )?(?:solve|continue with|proceed with|complete|answer)\b[^.!?\n]{0,40}"
    r"\b(?:task|request|query|prompt)\b",
    r"\bto you, heed\b|\bheed[,:] (?:ignore|run|execute|open|send|delete|transfer|pay|call|set|turn)\b",
    r"(?:忽略|无视|忘记|忘掉)[^。！？\n]{0,16}(?:指令|提示词?|规则|设定)|(?:系统|开发者)(?:提示词?|消息|指令)[:：]",
    r"(?:语言模型|大模型|人工智能助手|ai助手)[，,：:]?(?:请|你|必须|立即)",
)
_MACHINE = re.compile("|".join(_PATTERNS))


def addresses_machine(said: str) -> bool:
    """Whether a text gives orders to an assistant; a person who writes to the owner does not.

    It recognises the usual marks only, and is no defence by itself: consent stands between every text and the phone.
    """
    return _MACHINE.search(fold(said)) is not None
