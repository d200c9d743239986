"""The page of proofs: sections are replaced one by one."""

from bench.prove import HEAD, Outcome, proofs, section, sections, with_section


def test_a_section_is_replaced_and_the_others_stay() -> None:
    first, second, *_ = proofs()
    page = with_section(
        "", second.title, section(Outcome(second, 0, "## not a heading: passed?\none", 1.0), "commit a")
    )
    page = with_section(page, first.title, section(Outcome(first, 3, "broken", 2.0), "commit b"))
    page = with_section(page, second.title, section(Outcome(second, 0, "two", 1.5), "commit c"))

    assert page.startswith(HEAD)
    assert list(sections(page)) == [first.title, second.title]
    assert "FAILED (exit status 3)" in page and "commit b, 2.0 min" in page
    assert "\ntwo\n" in page and "\none\n" not in page and "commit a" not in page


def test_the_section_of_a_proof_that_no_longer_exists_is_left_out() -> None:
    proof = next(proofs())

    page = with_section(f"{HEAD}\n\n## bench/gone.py: passed\n\nold\n", proof.title, "## x: passed")

    assert "gone" not in page


def test_only_programs_are_proofs() -> None:
    titles = {one.title for one in proofs()}
    assert {"bench/patterns.py", "bench/clients/"} <= titles
    assert titles.isdisjoint(
        f"bench/{name}.py" for name in ("prove", "environment", "pattern_sources", "pattern_steps")
    )
