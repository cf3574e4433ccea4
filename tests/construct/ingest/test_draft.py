"""Drafts: edits change the text, keep the map to the decoded file, and record what they remove."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.construct.ingest.draft import Draft, Edit, Removal


@st.composite
def edits(draw: st.DrawFn, length: int) -> list[Edit]:
    """Edits in order that do not overlap."""
    marks = sorted(draw(st.lists(st.integers(0, length), max_size=8)))
    pairs = list(zip(marks[::2], marks[1::2], strict=False))
    return [
        Edit(start, end, draw(st.text("xyz", max_size=2)), draw(st.sampled_from(["", "kind"]))) for start, end in pairs
    ]


@given(st.text(max_size=40), st.data())
def test_edits_in_turn_keep_every_copied_character_on_its_origin(text: str, data: st.DataObject) -> None:
    """After several rounds of edits, a character is its origin's or was put in, and origins never go back."""
    draft = Draft(text)
    for _ in range(3):
        found = data.draw(edits(len(draft.text)))
        expected = draft.text
        for edit in reversed(found):
            expected = expected[: edit.start] + edit.text + expected[edit.end :]
        draft = draft.edited(found)
        assert expected == draft.text
        origins = [draft.map.origin(offset) for offset in range(len(draft.text))]
        assert sorted(origins) == origins
        pieces = list(draft.map.pieces(0, len(draft.text)))
        assert len(draft.text) == sum(length for length, _, _ in pieces)
        copied = [is_copied for length, _, is_copied in pieces for _ in range(length)]
        for character, origin, is_copied in zip(draft.text, origins, copied, strict=True):
            assert not is_copied or text[origin] == character


def test_removals_are_recorded_in_the_files_own_offsets() -> None:
    """A second round of edits records where its text stood in the file, not in the draft."""
    draft = Draft("head body tail").edited([Edit(0, 5, "", "head")]).edited([Edit(4, 9, "!", "tail"), Edit(9, 9)])
    assert "body!" == draft.text
    assert (Removal("head", 0, 5, "head "), Removal("tail", 9, 14, " tail")) == draft.removed


def test_no_edits_change_nothing() -> None:
    """A draft without edits is itself."""
    draft = Draft("text")
    assert draft is draft.edited([])
