"""Finds web links in a text."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

MOST_LINKS = 5
"""Links of one text."""
_LINK = re.compile(
    r"https?://[a-z0-9][^\s\"'<>“”‘’，。！？；：、（）【】《》]{0,500}"
    r"|(?<![a-z0-9.@_-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}[a-z]{2,12}/[a-z0-9][^\s\"'<>“”‘’，。！？；：、（）【】《》]{0,300}"
    r"|(?<![a-z0-9.@_-])www\.(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}[a-z]{2,12}",
    re.IGNORECASE,
)
_MEETING_HOSTS = {
    "zoom.us": "Zoom",
    "zoom.com.cn": "Zoom",
    "meet.google.com": "Google Meet",
    "teams.microsoft.com": "Teams",
    "teams.live.com": "Teams",
    "meeting.tencent.com": "Tencent Meeting",
    "voovmeeting.com": "Tencent Meeting",
    "meeting.dingtalk.com": "DingTalk",
    "vc.feishu.cn": "Feishu",
    "vc.larksuite.com": "Feishu",
}
"""Hosts of online meetings, subdomains included, and the platforms as ``join_online_meeting`` names them."""
_AFTER = ".,;:!?)]}"
"""Characters that end a sentence and no link."""


def links(text: str) -> tuple[str, ...]:
    """The links of ``text`` in their order, each once, ``MOST_LINKS`` at most; one without a scheme keeps none."""
    found = (match[0].rstrip(_AFTER) for match in _LINK.finditer(text))
    return tuple(dict.fromkeys(found))[:MOST_LINKS]


def hosts(found: Iterable[str]) -> tuple[str, ...]:
    """The hosts of links, in small letters, each once."""
    return tuple(dict.fromkeys(filter(None, map(_host, found))))


def meeting(found: Iterable[str]) -> tuple[str, str] | None:
    """The first of some links that opens an online meeting, and its platform."""
    return next(((link, platform) for link in found if (platform := _platform(_host(link)))), None)


def _platform(host: str) -> str | None:
    return next(
        (name for domain, name in _MEETING_HOSTS.items() if host == domain or host.endswith(f".{domain}")), None
    )


def _host(link: str) -> str:
    try:
        return urlsplit(link if "://" in link else f"https://{link}").hostname or ""
    except ValueError:  # a bracket of an address without its other half
        return ""
