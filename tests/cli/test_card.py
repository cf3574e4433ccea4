"""The card of a trail: what a reader sees, in both scripts and at any width."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from wildtrace.cli.card import card_lines, explain_lines, trail_heads, trail_line
from wildtrace.construct.trails import ShownClue, ShownEdge, ShownLeak, TrailCard
from wildtrace.types import Clue, Leak, ProvedEdge, Source, Trail, TrailStep

SOURCE = Source(
    "s1", "ludlow.txt", "Johnny Ludlow", "english_literature", "en", "Latn", "utf-8", "L6", 950_000, 2_850_000, "0", "1"
)


def made_card(before: str = "Before it. ", quote: str = "The letter\nwas burnt.") -> TrailCard:
    """A card of two clues, an edge and a leak."""
    clues = (
        Clue("f1.1", "case", quote, 263_873, 263_873 + len(quote), {"side": "a"}),
        Clue("f9.2", "case", "寄了信。", 2_325_266, 2_325_270, {"side": "b"}),
    )
    edge = ProvedEdge("f1.1", "f9.2", "contrasts", "both of letters", "follows", ("was burnt", "寄了信"))
    trail = Trail(
        "t0123456789abcdef",
        "s1",
        "comparative",
        clues,
        (edge,),
        "One silence was made, the other suffered.",
        needs={"f1.1": "who silenced Jack"},
        status="accepted",
        reason="each clue is needed",
        interest=4,
        score=0.5122,
        leaks=(Leak(10, 20, "part"),),
        steps=(
            TrailStep("propose", "proposer:m", "seeds: two_cases"),
            TrailStep("critic", "critic:n", "round 1: accept"),
        ),
    )
    shown = (
        ShownClue("C1", clues[0], 0.0926, "a", before, " After it."),
        ShownClue("C2", clues[1], 0.8159, "b", "老残：", "来。"),
    )
    leak = ShownLeak(trail.leaks[0], 0.0, "He burnt it.")
    return TrailCard(trail, SOURCE, shown, (ShownEdge("C1", "C2", edge),), (leak,))


def test_a_card_says_all_that_a_reader_needs() -> None:
    """Geometry, status, source, answer, reason; clues with place and context; edges with verdict; leaks."""
    said = "\n".join(card_lines(made_card(), 100))
    for words in (
        "Comparative trail t0123456789abcdef, accepted, score 0.51",
        "Johnny Ludlow, s1",
        "One silence was made, the other suffered.",
        "each clue is needed",
        "4 of 5",
        "propose (proposer:m) -> critic (critic:n)",
        "C1 @  9.3 %  case (a)  [263873:263894]",
        "    | The letter was burnt.",
        "without it: who silenced Jack",
        "C1 -> contrasts -> C2 (follows)",
        "“was burnt”",
        "Tells part of the answer @  0.0 %",
    ):
        assert words in said


@pytest.mark.parametrize("width", [40, 72, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """However long the texts, in both scripts."""
    card = made_card("Before " * 200, "寄了信。" * 60)
    card = replace(card, trail=replace(card.trail, reason="why " * 90))
    for line in (*card_lines(card, width), *explain_lines(card, width)):
        assert cell_len(line) <= width


def test_a_control_character_does_not_reach_the_terminal() -> None:
    """What a document or a model wrote is printed, never obeyed."""
    assert not any("\x1b" in line for line in card_lines(made_card("\x1b[2J"), 80))


def test_a_line_of_the_list_has_id_geometry_status_and_answer() -> None:
    """The columns stand under their heads."""
    line = trail_line(made_card().trail, SOURCE, 5)
    assert "accepted" in line
    assert line.endswith("One silence was made, the other suffered.")
    assert trail_heads(5).index("answer") == line.index("One silence")
