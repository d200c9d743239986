"""Media files go to the bin and come back; nothing is deleted for good."""

from datetime import timedelta

import pytest

from executors.executor import RefusedError
from executors.plan import OutcomeKind
from function_pool.risk import Risk
from function_pool.validation import InvalidCallError
from tests.executors.acting import Acting, WatchedPhone, difference

SCREENSHOTS, CAMERA, DOWNLOAD = "Pictures/Screenshots", "DCIM/Camera", "Download"


@pytest.fixture
def phone(phone: WatchedPhone) -> WatchedPhone:
    """Three old screenshots, one of today, an old photo, a video and a download."""
    media, now = phone.state.media, phone.state.clock.wall()
    for days in (60, 50, 40):
        media.add(SCREENSHOTS, f"Screenshot_{days}.png", now - timedelta(days=days), 1000 * days)
    media.add(SCREENSHOTS, "Screenshot_new.png", now - timedelta(hours=1), 5000)
    media.add(CAMERA, "IMG_1.jpg", now - timedelta(days=70), 2000)
    media.add(DOWNLOAD, "manual.pdf", now - timedelta(days=20), 3000)
    return phone


def trashed(acting: Acting) -> list[str]:
    return [item.name for item in acting.phone.state.media.items if item.trashed]


OLD = {"category": "screenshots", "before_date": "2026-01-07"}


async def test_old_screenshots_go_to_the_bin_and_come_back(acting: Acting) -> None:
    before = acting.state()
    outcome = await acting.do("clean_up_media_files", action="trash", **OLD)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert trashed(acting) == ["Screenshot_60.png", "Screenshot_50.png", "Screenshot_40.png"]
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}


async def test_the_consent_shows_how_many_how_large_and_which(acting: Acting) -> None:
    plan = await acting.prepare("clean_up_media_files", action="trash", **OLD)
    (step,) = plan.steps
    assert step.effects[0].detail == {
        "category": "screenshots",
        "count": 3,
        "bytes": 150_000,
        "names": ["Screenshot_60.png", "Screenshot_50.png", "Screenshot_40.png"],
        "from_day": "2025-12-08",
        "to_day": "2025-12-28",
    }
    assert len(step.commands) == 3
    assert plan.risk is Risk.R4


async def test_the_oldest_are_taken_first(acting: Acting) -> None:
    await acting.do("clean_up_media_files", action="trash", category="screenshots", max_items=1)
    assert trashed(acting) == ["Screenshot_60.png"]


async def test_what_is_in_the_bin_can_be_restored_by_a_call(acting: Acting) -> None:
    before = acting.state()
    await acting.do("clean_up_media_files", action="trash", **OLD)
    in_the_bin = acting.state()
    plan = await acting.prepare("clean_up_media_files", action="restore", category="screenshots")
    assert plan.risk is Risk.R1
    assert (await acting.execute(plan))[0].kind is OutcomeKind.VERIFIED
    assert difference(before, acting.state()) == {}
    assert (await acting.undo()).kind is OutcomeKind.VERIFIED
    assert trashed(acting) == ["Screenshot_60.png", "Screenshot_50.png", "Screenshot_40.png"]
    assert set(difference(in_the_bin, acting.state())) == set()


async def test_selected_files_are_taken_by_id(acting: Acting) -> None:
    photo = next(item for item in acting.phone.state.media.items if item.name == "IMG_1.jpg")
    plan = await acting.prepare(
        "clean_up_media_files", category="selected", action="trash", media_ids=[str(photo.identifier)]
    )
    assert [reason.rule for reason in plan.steps[0].reasons] == ["not_only_screenshots"]
    await acting.execute(plan)
    assert trashed(acting) == ["IMG_1.jpg"]


async def test_downloads_are_only_downloads(acting: Acting) -> None:
    await acting.do("clean_up_media_files", category="downloads", action="trash")
    assert trashed(acting) == ["manual.pdf"]


async def test_many_files_are_told_as_a_reason(acting: Acting) -> None:
    now = acting.phone.state.clock.wall()
    for number in range(25):
        acting.phone.state.media.add(SCREENSHOTS, f"s{number}.png", now - timedelta(days=90), 10)
    (step,) = (await acting.prepare("clean_up_media_files", action="trash", **OLD)).steps
    assert [reason.rule for reason in step.reasons] == ["many_items"]


async def test_nothing_to_move_is_nothing_to_do(acting: Acting) -> None:
    outcome = await acting.do("clean_up_media_files", category="large_videos", action="trash")
    assert outcome.kind is OutcomeKind.ALREADY


async def test_a_review_only_shows(acting: Acting) -> None:
    before = acting.state()
    plan = await acting.prepare("clean_up_media_files", action="review_only", **OLD)
    assert plan.risk is Risk.R0
    assert (await acting.execute(plan))[0].kind is OutcomeKind.HANDED_OVER
    assert all(path.startswith("apps.") for path in difference(before, acting.state()))


async def test_a_file_name_that_poses_as_a_row_moves_no_other_file(acting: Acting) -> None:
    photo = next(item for item in acting.phone.state.media.items if item.name == "IMG_1.jpg")
    now = acting.phone.state.clock.wall()
    name = f"a.png\nRow: 9 _id={photo.identifier}, date_added=1, _size=1, _display_name=b.png"
    acting.phone.state.media.add(SCREENSHOTS, name, now - timedelta(days=80), 10)
    await acting.do("clean_up_media_files", action="trash", **OLD)
    assert "IMG_1.jpg" not in trashed(acting)


@pytest.mark.parametrize("category", ["duplicates", "blurred"])
async def test_what_cannot_be_told_apart_is_refused(acting: Acting, category: str) -> None:
    with pytest.raises(RefusedError, match="cannot be told"):
        await acting.prepare("clean_up_media_files", category=category, action="trash")


async def test_ids_that_are_no_numbers_are_faults(acting: Acting) -> None:
    with pytest.raises(InvalidCallError, match="media_ids must be whole numbers"):
        await acting.prepare("clean_up_media_files", category="selected", action="trash", media_ids=["1) OR (1=1"])
