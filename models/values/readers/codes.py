"""Readers of links, files and codes."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

from models.values import codes, contacts
from models.values.readers.request import Reader, ValueRequest, stated

_ZOOM = re.compile(r"zoom\.\w{2,4}/j/(?P<number>\d{9,11})")


def url(given: ValueRequest) -> JsonValue:
    own = contacts.find("url", given.span) or (
        given.span if re.fullmatch(r"[\w.-]{3,60}/\S{1,300}", given.span) else None
    )
    return own or contacts.find("url", given.said)


def stated_url(given: ValueRequest) -> JsonValue:
    return url(given) if given.span or given.spec.name == "open_reading_material" else None


def file(given: ValueRequest) -> JsonValue:
    return contacts.find("file", given.span) or contacts.find("file", given.said) or stated(given)


def tracking(given: ValueRequest) -> JsonValue:
    return codes.tracking_number(given.span) or spaced_code(given.span) or codes.tracking_number(given.said)


def account(given: ValueRequest) -> JsonValue:
    if given.span:
        return codes.account(given.span) or spaced_code(given.span)
    return codes.account(given.said)


def spaced_code(span: str) -> str | None:
    digits = re.sub(r"[\s-]", "", span)
    return digits if digits.isdigit() else codes.code(span)


def meeting(given: ValueRequest) -> JsonValue:
    if given.span:
        return codes.meeting_id(given.span) or codes.code(given.span)
    url = contacts.find("url", given.said)
    in_link = _ZOOM.search(url) if url else None
    return in_link["number"] if in_link else None if url else codes.meeting_id(given.said)


def password(given: ValueRequest) -> JsonValue:
    if given.span and not _is_meeting_number(given):
        return codes.password(given.span) or given.span.strip(" ,.。，:：\"'“”")
    return codes.password(given.said)


def _is_meeting_number(given: ValueRequest) -> bool:
    if "meeting_id" not in given.spec.parameters:
        return False
    number = re.sub(r"\D", "", str(meeting(given.for_("meeting_id")) or ""))
    return "/" in given.span or bool(number and number in re.sub(r"\D", "", given.span))


def network(given: ValueRequest) -> JsonValue:
    if given.span:
        return codes.network(given.span) or given.span.strip(" ,.。，:：\"'“”")
    return codes.network(given.said)


READERS: Mapping[str, Reader] = {
    "meeting_url": url,
    "url": stated_url,
    "file_name": file,
    "content_uri_or_path": file,
    "tracking_number": tracking,
    "account": account,
    "meeting_id": meeting,
    "password": password,
    "ssid": network,
}
"""By ``FUNCTION.PARAMETER``, or by the parameter's name."""
