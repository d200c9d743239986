"""The keys by which the phone knows a computer (AOSP packages/modules/adb, daemon/auth.cpp, crypto/rsa_2048_key)."""

import struct
from collections.abc import Iterable
from pathlib import Path

from virtual_phone.state.adb_keys import key_bytes

_WORDS = 64
"""Length of a 2048-bit modulus in words of 32 bits."""
_HEADER = struct.Struct("<II")
_SHA1 = bytes.fromhex("3021300906052b0e03021a05000414")
"""The DER prefix of a SHA-1 digest in a PKCS #1 v1.5 signature; adb signs the token as if it were one."""


def own_key(home: Path | None = None) -> str:
    """The public key of this computer's adb server, without its comment; empty while it has none.

    Args:
        home: the server's home folder; None is the user's.
    """
    path = (home or Path.home()) / ".android" / "adbkey.pub"
    try:
        return path.read_text("ascii").split(" ", 1)[0].strip()
    except (OSError, ValueError, RuntimeError):
        return ""


def is_signed(token: bytes, signature: bytes, keys: Iterable[str]) -> bool:
    """Whether one of the public keys made the signature of a token."""
    return any(_verifies(token, signature, key) for key in keys)


def _verifies(token: bytes, signature: bytes, key: str) -> bool:
    """RSA with PKCS #1 v1.5 padding; the key is adb's: words, n0inv, modulus, rr (little-endian), exponent."""
    blob = key_bytes(key)
    size = 4 * _WORDS
    if len(blob) != _HEADER.size + 2 * size + 4 or len(signature) != size or _HEADER.unpack_from(blob)[0] != _WORDS:
        return False
    modulus = int.from_bytes(blob[_HEADER.size : _HEADER.size + size], "little")
    exponent = int.from_bytes(blob[-4:], "little")
    if not modulus:
        return False
    digest = _SHA1 + token
    padded = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
    return pow(int.from_bytes(signature, "big"), exponent, modulus) == int.from_bytes(padded, "big")
