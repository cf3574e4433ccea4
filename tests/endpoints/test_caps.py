"""The cap decision."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.endpoints.caps import CAPS, DEFAULT_CAP, Cap, Route
from wildtrace.types import DocumentFacts


def facts(chars: int, raw_chars: int, *, cjk: bool) -> DocumentFacts:
    """Facts of a document of this length."""
    return DocumentFacts(
        "d.txt", "0" * 64, chars, cjk, other_cjk=False, changed=chars != raw_chars, raw_chars=raw_chars
    )


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 60), st.integers(0, 5), st.booleans())
def test_the_cap_admits_up_to_its_own_length(en: int, cjk_cap: int, chars: int, dropped: int, cjk: bool) -> None:
    """By the document's script; what reading dropped is told where it moved the decision."""
    route, cap = Route(Cap(en, cjk_cap), "config"), cjk_cap if cjk else en
    known = facts(chars, chars + dropped, cjk=cjk)
    assert (cap, chars <= cap) == (route.limit(known), route.admits(known))
    assert (chars <= cap < chars + dropped) == route.moved_by_reading(known)


def test_the_default_is_the_largest() -> None:
    """No listed model has a larger window than an unlisted one is granted."""
    assert Cap(2_850_000, 850_000) == DEFAULT_CAP
    assert all(cap.en <= DEFAULT_CAP.en and cap.cjk <= DEFAULT_CAP.cjk for cap in CAPS.values())
    assert 19 == len(CAPS)
