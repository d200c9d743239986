"""Short texts: titles of appointments, contents of reminders, cleaned spans."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml

from models.values.folding import fold
from models.values.incoming import IncomingText

LONGEST_TITLE = 60
_EDGES = " \t\n,.;:!?，。；：！？、\"“”'‘’《》「」[]【】…-"
_ARTICLES = re.compile(
    r"^(?:(?:the|a|an|my|your|ur|our|his|her|some|that|this|那个|这个|那条|那本|那|一个|个)\s{0,2}(?=\S))+",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(r"[【\[](?P<name>[^】\]\n]{2,24})[】\]]")
_QUOTED = re.compile(
    r"《(?P<book>[^《》]{1,60})》|[“\"「](?P<quote>[^”\"」\n]{2,120})[”\"」]|(?<![\w])['‘](?P<single>[^'’\n]{2,120})['’](?!\w)"
)
_SENTENCE = re.compile(r"[^.!?\n。！？]{4,}")
_ADDRESS = re.compile(
    r"(?<![\w£$€.:/])(?:(?:flat|unit|apt)\s\w{1,4},?\s)?\d{1,5}[a-z]?(?:/\d{1,4})?\s(?:[A-Z][\w'’]{1,20}\s){1,4}(?:St|Street|Rd|Road|Ave|Avenue|Ln|Lane|Dr|Drive"
    r"|Way|Walk|Close|Court|Ct|Pl|Place|Blvd|Cres|Crescent|Terrace|Tce|Parade|Pde|Square|Sq|Gardens|Quay|Hwy|Highway|Row|Hill|Bank|Park)\b"
    r"(?:,?\s[A-Z][\w'’]{1,20}){0,3}"
    r"|[\u4e00-\u9fff]{1,12}(?:路|街|道|大道|巷|弄|胡同)\d{1,5}号?(?:院|弄)?(?:[\u4e00-\u9fff\d]{0,16}(?:号楼|栋|单元|室|座|层|楼|号))?"
)  # fmt: skip


@cache
def _nouns() -> Mapping[str, Sequence[str]]:
    text = files("models.values").joinpath("data", "titles.yaml").read_text("utf-8")
    found: Mapping[str, Sequence[str]] = yaml.safe_load(text)
    return found


@cache
def _noun_pattern() -> re.Pattern[str]:
    english = "|".join(re.escape(word) for word in sorted(_nouns()["en"], key=len, reverse=True))
    chinese = "|".join(sorted(_nouns()["zh"], key=len, reverse=True))
    return re.compile(rf"(?<![a-z])(?:{english})(?![a-z])|(?:{chinese})")


def cleaned(span: str) -> str | None:
    """A span without punctuation at its ends and without articles."""
    text = _ARTICLES.sub("", span.strip(_EDGES)).strip(_EDGES)
    if text.count("(") > text.count(")"):
        text += ")"
    if text.count("（") > text.count("）"):
        text += "）"
    return text or None


def title(span: str, text: IncomingText, who: str | None) -> str | None:
    """Title of an appointment: what it is, with whom."""
    what = cleaned(span) or event(text)
    if what is None:
        return None
    what = what[0].upper() + what[1:] if what[0].islower() else what
    named = who and who.lower() not in what.lower() and what.lower() not in who.lower()
    return shortened(f"{what} ({who})" if named and len(what) + len(str(who)) < LONGEST_TITLE else what)


def event(text: IncomingText) -> str | None:
    """The kind of appointment that a message or its subject names."""
    for part in (text.title, text.text):
        match = _noun_pattern().search(fold(part))
        if match:
            return part[match.start() : match.end()]
    return None


def content(span: str, text: IncomingText) -> str | None:
    """Content of a reminder: the span, or the subject, or the beginning of the message."""
    if stated := cleaned(span):
        return shortened(stated[0].upper() + stated[1:])
    if text.app == "mail" and text.title.strip():
        return shortened(text.title.strip())
    said = _SIGNATURE.sub("", text.text[:400])
    sentence = _SENTENCE.search(said)
    return shortened(sentence[0].strip(_EDGES)) if sentence and sentence[0].strip(_EDGES) else None


def shortened(text: str) -> str:
    """At most ``LONGEST_TITLE`` characters, cut at a word."""
    text = " ".join(text.split())
    if len(text) <= LONGEST_TITLE:
        return text
    cut = text[:LONGEST_TITLE]
    space = cut.rfind(" ")
    return f"{cut[: space if space > LONGEST_TITLE // 2 else LONGEST_TITLE].rstrip(_EDGES)}…"


def quoted(text: str) -> str | None:
    """The first words in quotation marks or title marks."""
    match = _QUOTED.search(text[:2000])
    found = next((value for value in match.groupdict().values() if value), None) if match else None
    return found.strip() if found else None


def signature(text: str) -> str | None:
    """The company that a Chinese service message names in brackets."""
    match = _SIGNATURE.search(text[:200])
    return match["name"] if match else None


def address(text: str) -> str | None:
    """The first street address of a text."""
    match = _ADDRESS.search(text[:2000])
    return match[0].strip(" ,") if match else None
