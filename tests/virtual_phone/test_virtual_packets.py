"""The wire codec."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from virtual_phone.adbd import packets
from virtual_phone.adbd.packets import ProtocolError

WORDS = st.integers(0, 2**32 - 1)


@given(WORDS, WORDS, WORDS, st.binary(max_size=4096), st.booleans())
def test_a_packed_packet_unpacks_to_itself(command: int, arg0: int, arg1: int, payload: bytes, checksum: bool) -> None:
    header = packets.unpack(packets.pack(command, arg0, arg1, payload, checksum=checksum))
    assert header[:4] == (command, arg0, arg1, len(payload))
    assert packets.checksum_matches(header, payload)


@given(st.binary(min_size=1, max_size=64))
def test_a_changed_payload_is_noticed_while_checksums_are_in_use(payload: bytes) -> None:
    header = packets.unpack(packets.pack(packets.WRTE, 1, 2, payload, checksum=True))
    other = bytes([payload[0] ^ 1]) + payload[1:]
    assert packets.checksum_matches(header, other) == (header.checksum == 0)


@given(st.binary(min_size=24, max_size=24))
def test_random_headers_are_refused_or_bounded(data: bytes) -> None:
    try:
        header = packets.unpack(data)
    except ProtocolError:
        return
    assert header.length <= packets.MAX_PAYLOAD


def test_an_oversized_payload_is_refused_before_it_is_read() -> None:
    header = packets.HEADER.pack(packets.WRTE, 1, 1, packets.MAX_PAYLOAD + 1, 0, packets.WRTE ^ 0xFFFFFFFF)
    with pytest.raises(ProtocolError, match="larger"):
        packets.unpack(header)
