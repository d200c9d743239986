"""Codes: of parcels, meetings, accounts, Wi-Fi networks and files' pages."""

import re

from models.values.folding import LONGEST, fold

_TRACKING = re.compile(
    r"(?<![a-z0-9.@/_-])(?P<code>(?:sf|yt|jdv?[a-z0-9]|zt|st|yd|jt)[0-9]{10,16}|1z[0-9a-z]{16}|[a-z]{2}\d{9}[a-z]{2}|\d{2}[a-z]{3}\d{6,10}"
    r"|[a-z]{0,4}\d{9,22}[a-z]{0,2})(?![a-z0-9@_])"
)
_CODE = re.compile(r"[A-Za-z0-9\u4e00-\u9fff·][\w·/.-]{2,40}")
_MEETING = re.compile(r"(?<![\d+-])\d{3}[\s-]?\d{3,4}[\s-]?\d{3,5}(?!\d)")
_PASSWORD = re.compile(
    r"(?:pass ?code|password|passwd|pass ?word|pwd|p/w|\bpw\b|\bpass\b|密码|口令|入会密码|\bpin\b)(?:\s?(?:is|=|为|是|:|：|-)){0,2}\s{0,2}"
    r"(?P<code>[A-Za-z0-9!@#$%&*_.\-]{3,63})",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    r"(?:wi-?fi|wlan|无线网?|network|ssid|网络)(?:\s(?:here|at [\w ]{2,20}|name|network|called|名称?|账号)){0,2}"
    r"(?:\s?(?:is|called|=|:|：|名|叫|是)){0,2}\s{0,2}[\"'“‘]?(?P<code>[A-Za-z0-9][\w.+-]{1,31})",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"(?:户号|用户号|客户号|缴费号|缴费编号|卡号|账号|帐号|尾号为?|车牌号?|小型汽车|account(?: no\.?| number| ending(?: in)?)?|acc(?:t|ount)?\.?(?: no\.?)?"
    r"|a/c|ending(?: in)?|customer (?:no\.?|number|id)|consumer no\.?|meter (?:no\.?|number)|ca no\.?|ref(?:erence)?\.?(?: no\.?)?|card x+)"
    r"(?:\s?[:：#.]|\s(?:is|no))?\s{0,2}(?P<code>[A-Za-z0-9\u4e00-\u9fff][\w·*/-]{0,3}[\d][\w·*/-]{1,24}(?:\s\d{2,4}){0,4})",
    re.IGNORECASE,
)


def tracking_number(text: str) -> str | None:
    """The first parcel number of a text."""
    match = _TRACKING.search(fold(text))
    return text[match.start("code") : match.end("code")] if match else None


def code(span: str) -> str | None:
    """The code in a span: its last word with a digit."""
    found = [match[0] for match in _CODE.finditer(span[:200]) if any(character.isdigit() for character in match[0])]
    return max(found, key=len).strip(".-/") if found else None


def meeting_id(text: str) -> str | None:
    """The first meeting number of a text."""
    match = _MEETING.search(text[:LONGEST])
    return re.sub(r"\s", "", match[0]) if match else None


def password(text: str) -> str | None:
    """The password or passcode that a text states."""
    match = _PASSWORD.search(text[:LONGEST])
    return match["code"].rstrip(".,!") if match else None


def network(text: str) -> str | None:
    """The name of the Wi-Fi network that a text states."""
    match = _NETWORK.search(text[:LONGEST])
    name = match["code"].rstrip(".,") if match else None
    return None if name and name.lower() in ("password", "pass", "is", "pw", "down", "here", "code", "and") else name


def account(text: str) -> str | None:
    """The account, meter, card or plate number that a text states."""
    match = _ACCOUNT.search(text[:LONGEST])
    return match["code"].strip(" .-") if match else None
