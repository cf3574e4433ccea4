"""The clue passages of the access diagnostic."""

from __future__ import annotations

import pytest

from wildtrace.errors import DataError
from wildtrace.evaluate.tasks import SEPARATOR, evidence_passages
from wildtrace.types import Clue, Criterion, Item, Question, Rubric

RUBRIC = Rubric((Criterion("P1", 1, "c"),))
FAR = "\n\n".join(["开头。" + "甲" * 600, "线索一在这里。", "乙" * 1300, "线索二在那里。", "丙" * 600 + "结尾。"])


def item(*clues: Clue) -> Item:
    """An item with these clues."""
    return Item(Question("q", "?", "d.txt"), RUBRIC, clues=clues)


def test_windows_stand_in_document_order_apart() -> None:
    """Whatever the order of the clues; each with its paragraph and margin, neither with the other."""
    first, second = (Clue(f"s{n}", "", quote) for n, quote in enumerate(("线索一在这里", "线索二在那里"), 1))
    passages = evidence_passages(item(second, first), FAR)
    left, right = passages.split(SEPARATOR)
    assert ("线索一在这里。" in left, "线索二在那里。" in right) == (True, True)
    assert ("线索二" in left, "开头" in passages, "结尾" in passages) == (False, False, False)


def test_windows_that_touch_are_joined() -> None:
    """No passage stands twice."""
    text = "one clue here.\n\nanother clue there."
    passages = evidence_passages(item(Clue("a", "", "one clue"), Clue("b", "", "another clue")), text)
    assert text == passages


def test_offsets_tell_which_of_two_places_is_meant() -> None:
    """Without right offsets a quote must stand once."""
    text = "the oil" + "." * 2000 + "\n\nthe oil"
    far = text.rindex("the oil")
    assert evidence_passages(item(Clue("a", "", "the oil", far, far + 7)), text).endswith("the oil")
    for clue in (Clue("a", "", "the oil"), Clue("a", "", "the oil", 1, 8), Clue("a", "", "no such words")):
        with pytest.raises(DataError, match="task 'q': the quote of 'a' does not stand once"):
            evidence_passages(item(clue), text)


def test_an_item_without_clues_has_no_passages() -> None:
    """It is named."""
    with pytest.raises(DataError, match="task 'q' has no evidence_spans"):
        evidence_passages(item(), "text")
