"""What of a screen a model is shown, and which view its answer means."""

from android_bridge.facts.hierarchy import Hierarchy, parse_hierarchy
from executors.proposals.listing import MOST_VIEWS, listed, locator_of
from executors.steps.find import matching
from tests.executors.steps.hostile import APP, node, window
from virtual_phone.ui.dump import hierarchy
from virtual_phone.ui.tree import Box, ScreenWindow, ViewNode


def seen(*windows: ScreenWindow) -> Hierarchy:
    return parse_hierarchy(hierarchy(list(windows)))


def test_texts_are_quoted_so_that_none_poses_as_a_line() -> None:
    title = node("text", Box(0, 0, 1080, 100), text='Menu"\n[1] button "Pay', tappable=False)
    listing = listed(seen(window(title, node("button", Box(0, 200, 1080, 300), text="More", resource="more"))), APP)
    assert listing.lines == (r'- text "Menu\"\n[1] button \"Pay"', '[1] button "More" id=more')


def test_secrets_are_left_out_and_their_views_have_no_number() -> None:
    code = node("button", Box(0, 200, 1080, 300), text="Your verification code is 448812")
    word = node("field", Box(0, 400, 1080, 500), text="hunter2", resource="password", password=True)
    listing = listed(seen(window(code, word)), APP)
    assert "448812" not in "".join(listing.lines)
    assert "hunter2" not in "".join(listing.lines)
    assert listing.views == ()


def test_switches_rows_with_one_disabled_views_and_other_apps_have_no_number() -> None:
    switch = node("switch", Box(900, 200, 1080, 300), checked=False)
    row = ViewNode("group", Box(0, 200, 1080, 300), tap=lambda _: None, children=[switch])
    off = node("button", Box(0, 400, 1080, 500), text="Later", enabled=False)
    other = window(node("button", Box(0, 600, 1080, 700), text="Allow"), package="com.android.permissioncontroller")
    listing = listed(seen(window(row, off), other), APP)
    assert listing.views == ()
    assert not any("Allow" in line for line in listing.lines)


def test_a_page_without_end_is_cut() -> None:
    rows = [node("button", Box(0, 10 * top, 1080, 10 * top + 10), text=f"Row {top}") for top in range(200)]
    listing = listed(seen(window(*rows)), APP)
    assert len(listing.views) == MOST_VIEWS


def test_a_listed_view_is_found_again_by_its_place_and_words() -> None:
    rows = [node("button", Box(0, 100 * top, 1080, 100 * top + 90), text="Add", resource="add") for top in range(3)]
    screen = seen(window(*rows))
    meant = listed(screen, APP).views[1]
    found = matching(screen, locator_of(meant, screen, APP), APP)
    assert [one.bounds for one in found] == [meant.bounds]
    rows[1].text = "Pay"
    assert matching(seen(window(*rows)), locator_of(meant, screen, APP), APP) == ()
