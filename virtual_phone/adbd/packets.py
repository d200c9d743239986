"""The adbd wire format: 24-byte headers and payloads (AOSP packages/modules/adb, protocol.txt)."""

import struct
from typing import NamedTuple

CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS = (
    int.from_bytes(word, "little") for word in (b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"CLSE", b"WRTE", b"STLS")
)
AUTH_TOKEN, AUTH_SIGNATURE, AUTH_PUBLIC_KEY = 1, 2, 3

VERSION_WITH_CHECKSUM = 0x01000000
VERSION_SKIP_CHECKSUM = 0x01000001
MAX_PAYLOAD = 1024 * 1024
"""Bytes; the largest payload that adb and adbd agree on."""

HEADER = struct.Struct("<6I")
_MASK = 0xFFFFFFFF


class ProtocolError(Exception):
    """Bytes that are not a packet; the connection ends."""


class PacketHeader(NamedTuple):
    """One packet's header, checked."""

    command: int
    arg0: int
    arg1: int
    length: int
    checksum: int


def pack(command: int, arg0: int, arg1: int, payload: bytes | memoryview = b"", *, checksum: bool) -> bytes:
    """The header in front of ``payload`` (the payload itself is not copied)."""
    total = sum(payload) & _MASK if checksum else 0
    return HEADER.pack(command, arg0, arg1, len(payload), total, command ^ _MASK)


def unpack(data: bytes) -> PacketHeader:
    """The header in 24 bytes; ``ProtocolError`` for a wrong magic number or an oversized payload."""
    command, arg0, arg1, length, checksum, magic = HEADER.unpack(data)
    if magic != command ^ _MASK:
        raise ProtocolError(f"magic {magic:08x} does not belong to command {command:08x}")
    if length > MAX_PAYLOAD:
        raise ProtocolError(f"a payload of {length} bytes is larger than {MAX_PAYLOAD}")
    return PacketHeader(command, arg0, arg1, length, checksum)


def checksum_matches(header: PacketHeader, payload: bytes) -> bool:
    """Whether the payload is the one that the header announced (peers that skip checksums send 0)."""
    return header.checksum in (0, sum(payload) & _MASK)
