"""Chats as records of LLaMA-Factory and of ms-swift: messages in OpenAI's form with ``<image>`` for each picture."""

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from models.prompt import PromptImage
from training.chats.chat import Chat

_IMAGE = "<image>"
_BROKEN = "<\u200bimage>"
"""The same word in a text of the phone, which would count as a picture."""
_SET = "heed"


class ExchangeFormat(StrEnum):
    """A trainer that reads the chats."""

    LLAMA_FACTORY = "llama-factory"
    MS_SWIFT = "ms-swift"


def write_exchange(chats: Sequence[Chat], kind: ExchangeFormat, folder: Path) -> list[Path]:
    """Writes the chats for a trainer into ``folder``; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    if kind is ExchangeFormat.MS_SWIFT:
        lines = [json.dumps(_record(chat), ensure_ascii=False) for chat in chats]
        return [_written(folder / f"{_SET}.jsonl", "\n".join(lines) + "\n")]
    records = json.dumps([_record(chat) for chat in chats], ensure_ascii=False, indent=1)
    index = json.dumps({_SET: _llama_factory_entry(any(map(pictures, chats)))}, indent=1)
    return [_written(folder / f"{_SET}.json", records), _written(folder / "dataset_info.json", index)]


def pictures(chat: Chat) -> list[str]:
    """The paths of a chat's pictures, in order."""
    return [part.path for part in chat.prompt.user if isinstance(part, PromptImage)]


def _record(chat: Chat) -> dict[str, object]:
    user = "".join(_IMAGE if isinstance(part, PromptImage) else _text(part.text) for part in chat.prompt.user)
    messages = [
        {"role": "system", "content": _text(chat.prompt.system)},
        {"role": "user", "content": user},
        {"role": "assistant", "content": chat.answer},
    ]
    return {"messages": messages, "images": pictures(chat)}


def _text(text: str) -> str:
    return text.replace(_IMAGE, _BROKEN)


def _llama_factory_entry(seeing: bool) -> dict[str, object]:
    columns = {"messages": "messages", **({"images": "images"} if seeing else {})}
    tags = {
        "role_tag": "role",
        "content_tag": "content",
        "user_tag": "user",
        "assistant_tag": "assistant",
        "system_tag": "system",
    }
    return {"file_name": f"{_SET}.json", "formatting": "sharegpt", "columns": columns, "tags": tags}


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path
