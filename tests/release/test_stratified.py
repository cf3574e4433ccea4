"""Smaller runs: even over tier and geometry, the same every time, one inside the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.release.stratified import stratified
from wildtrace.types import Criterion, Item, Question, Rubric

RUBRIC = Rubric((Criterion("P1", 1, "c"),))
CELLS = st.lists(st.tuples(st.sampled_from(["L0", "L1", "L7"]), st.sampled_from(["causal", "forward"])), max_size=40)


def items_of(cells: list[tuple[str, str]]) -> list[Item]:
    """An item for each cell named."""
    return [
        Item(Question(f"q{place}", "?", "d.txt"), RUBRIC, tier=tier, geometry=geometry)
        for place, (tier, geometry) in enumerate(cells)
    ]


@given(CELLS, st.integers(1, 45))
def test_a_smaller_run_is_part_of_a_larger_one_in_the_datas_order(cells: list[tuple[str, str]], limit: int) -> None:
    """As many as asked for, or all; the same for the same data whatever its order."""
    items = items_of(cells)
    few, more = stratified(items, limit), stratified(items, limit + 1)
    assert min(limit, len(items)) == len(few)
    assert set(few_ids := [item.question_id for item in few]) <= {item.question_id for item in more}
    assert few_ids == [item.question_id for item in items if item.question_id in set(few_ids)]
    assert set(few_ids) == {item.question_id for item in stratified(items[::-1], limit)}
    assert tuple(items) == stratified(items, None)


@given(CELLS, st.integers(1, 45))
def test_items_without_a_tier_are_spread_over_their_documents(cells: list[tuple[str, str]], limit: int) -> None:
    """A document is of one tier, whichever that is."""
    tierless = [
        replace(item, tier="", question=replace(item.question, corpus_file=item.tier)) for item in items_of(cells)
    ]
    ids = [item.question_id for item in stratified(items_of(cells), limit)]
    assert ids == [item.question_id for item in stratified(tierless, limit)]


@given(CELLS, st.integers(1, 45))
def test_no_cell_is_served_twice_before_another_that_has_items_left(cells: list[tuple[str, str]], limit: int) -> None:
    """Counts differ by more than one only where a cell is used up."""
    items = items_of(cells)
    taken = Counter((item.tier, item.geometry) for item in stratified(items, limit))
    held = Counter(cells)
    most = max(taken.values(), default=0)
    assert all(taken[cell] >= min(most - 1, held[cell]) for cell in held)
