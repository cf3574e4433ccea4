"""Trails that are licensed without a model."""

from __future__ import annotations

from wildtrace.construct.offline import offline_trails
from wildtrace.types import CastMember, Fact, Link, Reading, Span, Trail

FILLER = "It went on as before and nobody thought of it. " * 80


def document(*sentences: str) -> str:
    """Sentences far apart."""
    return FILLER + "".join(f"\n\n{each}\n\n{FILLER}" for each in sentences)


def fact(
    text: str, quote: str, *, when: str = "", who: tuple[str, ...] = ("c1",), found_by: str = "rule:times"
) -> Fact:
    """The fact that stands at a quote."""
    span = Span(text.index(quote), text.index(quote) + len(quote), quote)
    return Fact(f"f{span.start}", "s1", "time", (span,), quote, who=who, when=when, found_by=found_by)


def trails(
    text: str, facts: list[Fact], names: tuple[str, ...], kind: str = "person", *links: Link
) -> tuple[Trail, ...]:
    """The trails of facts that all name one member."""
    member = CastMember("c1", "s1", names, kind, facts=tuple(each.id for each in facts))
    return offline_trails(Reading("s1", len(text), tuple(facts), (member,), links), text)


STATED = "Joseph Blake, alias Blueskin, was his only friend in the gang."
ONE = "Joseph Blake had been a clerk because his father wished it."
OTHER = "The watch was lost because Blueskin sold it to a stranger."


def bridged(*order: str) -> tuple[Trail, ...]:
    """The trails of a statement that two names are one, and facts under either."""
    text = document(*order)
    facts = [fact(text, each, found_by="rule:identities" if each == STATED else "rule:connectives") for each in order]
    return trails(text, facts, ("Joseph Blake", "Blueskin"))


def test_two_names_bridge_two_facts() -> None:
    """Through the statement that joins them."""
    (trail,) = bridged(ONE, STATED, OTHER)
    assert ("forward", ["same_entity"] * 2) == (trail.geometry, [edge.type for edge in trail.edges])
    assert [ONE, STATED, OTHER] == [clue.quote for clue in trail.clues]


def test_names_that_meet_elsewhere_bridge_nothing() -> None:
    """There a reader learns without the statement that they are one."""
    assert () == bridged(ONE, STATED, OTHER, "Blueskin was what they called Joseph Blake at home in those days.")


def test_aligned_rows_are_two_sides_of_a_comparison() -> None:
    """Two rows at least, each in two tables."""
    rows = ["boom 4 t", "mast 9 t", "boom 5 t", "mast 7 t"]
    text = document("Part Load, first ship", *rows[:2], "Part Load, second ship", *rows[2:])
    heads = [fact(text, each).spans[0] for each in ("Part Load, first ship", "Part Load, second ship")]
    facts = []
    for number, row in enumerate(rows):
        span = fact(text, row).spans[0]
        facts.append(Fact(row, "s1", "attribute", (heads[number // 2], span), row, found_by="rule:tables"))
    links = [
        Link(one, "s1", one, other, "same_attribute", one[:4], "rule:tables")
        for one, other in (("boom 4 t", "boom 5 t"), ("mast 9 t", "mast 7 t"))
    ]
    (trail,) = trails(text, facts, ("x",), "person", *links)
    assert ("comparative", 4) == (trail.geometry, len(trail.clues))
    assert {"boom 4 t": "a", "mast 9 t": "a", "boom 5 t": "b", "mast 7 t": "b"} == {
        clue.span_id: clue.extra["side"] for clue in trail.clues
    }


def test_dates_in_an_order_join_nothing() -> None:
    """Events of one person told out of order may have nothing to do with each other."""
    dates = {
        "Edward Harlow was tried on 9 June 1873.": "1873-06-09",
        "Edward Harlow was born on 2 May 1831.": "1831-05-02",
    }
    text = document(*dates)
    assert () == trails(text, [fact(text, each, when=when) for each, when in dates.items()], ("Edward Harlow",))


def test_words_that_two_facts_share_join_nothing() -> None:
    """No name, no date, no statement: no trail."""
    text = document("The red boat was lost because the red rope broke.", "The red rope was sold because the boat was.")
    facts = [fact(text, each, who=()) for each in text.split("\n\n") if "red" in each]
    assert () == offline_trails(Reading("s1", len(text), tuple(facts)), text)
