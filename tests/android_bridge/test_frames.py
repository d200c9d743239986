"""Pictures of the screen, whole, with a warning printed into them, and not there."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from android_bridge.frames import capture_command, parse_frame, parse_screenshot
from heed.errors import DeviceError

WARNING = (
    b"[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display\n"
    b"A display id should be specified.\n"
)
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1080, 2400) + b"pixels" + b"IEND\xaeB`\x82"


@pytest.mark.parametrize("before", [b"", WARNING])
@pytest.mark.parametrize("after", [b"", b"\n"])
def test_a_screenshot_is_found_with_and_without_a_warning(before: bytes, after: bytes) -> None:
    shot = parse_screenshot(before + PNG + after)
    assert (shot.png, shot.width, shot.height) == (PNG, 1080, 2400)


@pytest.mark.parametrize("before", [b"", WARNING])
@pytest.mark.parametrize("header", [struct.pack("<III", 3, 2, 1), struct.pack("<IIII", 3, 2, 1, 1)])
def test_raw_pixels_are_found_in_both_formats_of_the_header(before: bytes, header: bytes) -> None:
    pixels = bytes(range(24))
    rgba, width, height = parse_frame(before + header + pixels)
    assert (bytes(rgba), width, height) == (pixels, 3, 2)


@pytest.mark.parametrize("data", [b"", b"screencap: command not found\n", PNG[:-1], PNG[30:], WARNING])
def test_no_picture_is_an_error_and_never_a_black_one(data: bytes) -> None:
    with pytest.raises(DeviceError, match="gave no picture"):
        parse_screenshot(data)
    with pytest.raises(DeviceError, match="gave no picture"):
        parse_frame(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_picture_or_an_error(data: bytes) -> None:
    for parse in (parse_screenshot, parse_frame):
        try:
            parse(data)
        except DeviceError:
            continue


def test_a_display_is_named_by_its_id() -> None:
    assert capture_command("", png=True) == "screencap -p"
    assert capture_command("4630946922172900481", png=False) == "screencap -d 4630946922172900481"
