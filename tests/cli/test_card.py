"""The card of a trail: what a reader sees, in both scripts and at any width."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from wildtrace.cli.card import card_lines, trail_heads, trail_line, value_text
from wildtrace.construct.link.board import LONGEST_BASIS
from wildtrace.construct.trails import Link, ShownClue, TrailCard
from wildtrace.types import Clue, Edge, Source, Trail

WHY: dict[str, Any] = {
    "dimension": ["letter"],
    "cases": [["Jack", "Aunt Dean"], ["Mamie"]],
    "conditions": {"ATSB": 12, "Maitland": 3},
    "spread": 0.723,
    "gap": 2_023_000,
    "groups": {"r1": 1, "r2": 2},
}


def made_card(
    before: str = "Before it. ", quote: str = "The letter\nwas burnt.", after: str = " After it."
) -> TrailCard:
    """A card of two clues and three edges."""
    clues = (
        Clue("r1", "case", quote, 263_873, 263_873 + len(quote)),
        Clue("r2", "case", "寄了信。", 2_325_266, 2_325_270),
    )
    trail = Trail("t0123456789abcdef", "s1", "comparative", clues, ("e1", "e2", "e3"), 0.5122, WHY)
    source = Source(
        "s1",
        "ludlow.txt",
        "Johnny Ludlow",
        "english_literature",
        "en",
        "Latn",
        "utf-8",
        "L6",
        950_000,
        2_850_000,
        "0",
        "1",
    )
    shown = (
        ShownClue("C1", clues[0], 0.0926, 1, before, after),
        ShownClue("C2", clues[1], 0.8159, 2, "老残：", "来。"),
    )
    edges = (
        Link("C1", "C2", Edge("s1", "r1", "r2", "compares_with", "both speak of letter", "rule:parallels", 0.4)),
        Link("C2", "Mamie", Edge("s1", "r2", "r9", "same_entity", "Mamie", "rule:names", 1.0)),
        Link("C1", "C2", Edge("s1", "r1", "r2", "precedes", "told next", "linker:m", 0.3, "review")),
    )
    return TrailCard(trail, source, shown, edges)


def test_a_card_says_all_that_a_reader_needs() -> None:
    """Geometry, source, tier, dispersion, score; clues with place, role and context; edges with their basis."""
    assert [
        "Comparative trail t0123456789abcdef, score 0.51",
        "  source      Johnny Ludlow, s1",
        "  tier        L6, english literature, 2,850,000 characters",
        "  dispersion  spread 72.3 %, gap between groups 2,023,000 characters (71.0 %)",
        "  dimension   letter",
        "  cases       Jack, Aunt Dean; Mamie",
        "  conditions  ATSB 12; Maitland 3",
        "",
        "C1 @  9.3 %  case (group 1)  [263873:263894]",
        "      … Before it.",
        "    | The letter was burnt.",
        "      After it. …",
        "",
        "C2 @ 81.6 %  case (group 2)  [2325266:2325270]",
        "      … 老残：",
        "    | 寄了信。",
        "      来。 …",
        "",
        "Edges",
        "  C1 -> compares_with -> C2   (0.40, rule:parallels)",
        "      both speak of letter",
        "  C2 -> same_entity -> Mamie   (1.00, rule:names)",
        "      Mamie",
        "  C1 -> precedes -> C2   (0.30, linker:m, for review)",
        "      told next",
    ] == list(card_lines(made_card(), 80))


def long_edge(edge: Edge) -> Edge:
    """The same edge with a long basis."""
    return edge._replace(basis="老残：he said so, " * 20)


@pytest.mark.parametrize("width", [60, 80, 140])
@pytest.mark.parametrize("words", ["the pump had been left open ", "老残仔细一看，原来就是翠环，"])
def test_no_line_is_wider_than_the_terminal(width: int, words: str) -> None:
    """Long contexts, quotes and edges' bases in either script; two lines of context, the whole quote."""
    card = made_card(words * 30, words * 9, words * 30)
    card = replace(card, links=tuple(Link(f"C1 “{words[:24]}…”", words, long_edge(one.edge)) for one in card.links))
    lines = list(card_lines(card, width))
    assert all(cell_len(line) <= width for line in lines)
    first = lines[lines.index("") + 1 :]
    quote = [line for line in first[: first.index("")] if line.startswith("    | ")]
    assert "".join((words * 9).split()) == "".join("".join(line[6:] for line in quote).split())
    assert len(quote) + 1 + 4 == len(first[: first.index("")])


def test_a_document_cannot_move_the_cursor() -> None:
    """Control characters of a text are shown, not obeyed."""
    assert "    | The \\x1b[31mletter" in list(card_lines(made_card(quote="The \x1b[31mletter"), 80))


def test_a_trail_in_a_list_is_one_line() -> None:
    """Id, geometry, score, places in text order, what it is about, or that its clues share nothing."""
    card = made_card()
    trail = replace(card.trail, why={"about": ["letter", "Jack"]})
    assert [
        "id                 geometry        score  at % of the text    about",
        "t0123456789abcdef  comparative      0.51  9, 82               letter, Jack",
        "t0123456789abcdef  comparative      0.51  9, 82               (no shared subject)",
    ] == [trail_heads(18), trail_line(trail, card.source, 18), trail_line(card.trail, card.source, 18)]


def test_what_a_trail_says_twice_is_said_once() -> None:
    """Equal bases once, a cut one with an ellipsis, and no line beside `about` with its words."""
    cut = "both speak of " + "x" * (LONGEST_BASIS - 14)
    why = {
        "accounts for": ["told", "told", cut],
        "outcome": ["wood", "pig"],
        "contributors": 2,
        "about": ["wood", "pig"],
    }
    card = made_card()
    lines = list(card_lines(replace(card, trail=replace(card.trail, why=why)), 300))
    assert f"  accounts for  told, {cut}…" in lines
    assert ["  about         wood, pig"] == [line for line in lines if "wood" in line]
    edge = card.links[0].edge._replace(basis=cut)
    assert f"      {cut}…" in list(card_lines(replace(card, links=(replace(card.links[0], edge=edge),)), 300))


def test_a_card_has_no_row_without_words() -> None:
    """A trail whose clues share nothing says so, as in the list; what else is empty is left out."""
    card = made_card()
    why = {"outcome": [], "contributors": 2, "about": []}
    lines = list(card_lines(replace(card, trail=replace(card.trail, why=why)), 80))
    assert ["  contributors  2", "  about         (no shared subject)", ""] == lines[4:7]


def test_values_are_words_not_python() -> None:
    """Lists, lists of lists, mappings and numbers, without a bracket or a quote."""
    assert ["a, b", "a, b; c", "x 1; y 2", "3"] == [
        value_text(value) for value in (["a", "b"], [["a", "b"], ["c"]], {"x": 1, "y": 2}, 3)
    ]
