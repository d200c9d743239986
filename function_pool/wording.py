"""Words for parameters and for the reasons of a risk class."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from function_pool.assessment import RiskReason
from heed.language import Language

_WORDS: Mapping[str, tuple[str, str]] = {
    "app_is_kept": ("the app and its data stay", "应用及其数据会保留"),
    "only_shown": ("nothing is moved or deleted", "不会移动或删除任何内容"),
    "only_restored": ("files are only brought back", "只恢复文件"),
    "special_number": ("an emergency, service or premium number", "紧急、服务或高收费号码"),
    "lock_or_fire": ("a lock, or something that can burn", "门锁或可能引发火灾的设备"),
    "does_anything": ("nobody can see beforehand what it does", "事先无法得知它会做什么"),
    "opens_the_phone": ("others can use this phone's connection", "他人可以使用本机的网络"),
    "joins_network": ("joins a network with a password", "用密码加入网络"),
    "cuts_off": ("nobody can reach you meanwhile", "期间他人无法联系到你"),
    "outside_shared_storage": ("the file lies outside your shared files", "文件不在共享存储中"),
    "third_party_url": ("the address comes from somebody else's text", "网址来自他人的文字"),
    "third_party_recipient": ("the number or recipient comes from somebody else's text", "号码或收件人来自他人的文字"),
    "third_party_amount": ("the amount comes from somebody else's text", "金额来自他人的文字"),
    "third_party_file": ("the file comes from somebody else's text", "文件来自他人的文字"),
    "third_party_secret": ("the password comes from somebody else's text", "密码来自他人的文字"),
    "many_items": ("more than 20 items", "超过 20 项"),
    "not_only_screenshots": ("not only screenshots", "不只是截图"),
}


def describe_reason(reason: RiskReason, language: Language) -> str:
    """Returns the reason as a clause; for a plug-in's rule its name."""
    words = _WORDS.get(reason.rule, (reason.rule, reason.rule))
    return words[0] if language is Language.EN else words[1]


def name_parameter(name: str, language: Language) -> str:
    """Returns the name of a parameter for people; for a plug-in's parameter its own name."""
    words = name.replace("_", " ")
    return words if language is Language.EN else _parameters().get(name, words)


@cache
def _parameters() -> Mapping[str, str]:
    """Per parameter of the pool, its Chinese name."""
    words: dict[str, str] = json.loads(files("function_pool").joinpath("parameters_zh.json").read_text("utf-8"))
    return words
