"""The speed table's arithmetic: what is compared with what."""

from bench.link import WAYS, Timing, broken, factors, table


def timings(task: str, *medians: float, spread: float = 0.5) -> list[Timing]:
    return [
        Timing(task, way, median, median - spread, median + spread) for way, median in zip(WAYS, medians, strict=True)
    ]


def test_heed_is_compared_with_the_faster_of_the_others() -> None:
    assert factors(timings("echo", 5.0, 20.0, 0.5)) == {"echo": 10.0}


def test_the_spread_does_not_change_a_factor() -> None:
    assert factors(timings("raw frame 10.4 MB", 16.0, 600.0, 20.0, spread=15.0)) == {"raw frame 10.4 MB": 0.8}


def test_a_promise_that_is_not_kept_is_named_with_its_figures() -> None:
    slow = [
        *timings("15 one by one", 80.0, 300.0, 10.0),
        *timings("15 in one line", 8.0, 20.0, 1.0),
        *timings("raw frame 10.4 MB", 16.0, 600.0, 14.0),
    ]
    assert broken(slow) == ["15 one by one: 8.0× instead of 10×"]


def test_the_table_has_a_line_for_each_task() -> None:
    rows = table([*timings("echo", 5.0, 20.0, 0.5), *timings("PNG 84 KB", 4.0, 20.0, 0.4)]).splitlines()
    assert [row.split("  ")[0] for row in rows] == ["median ms (quartiles)", "echo", "PNG 84 KB"]
