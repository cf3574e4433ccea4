"""How results say how they came to be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.calls.provenance import data_hash, dates, flag_counts, is_same_provenance, iso, request_times
from wildtrace.types import Response


def test_times_are_utc_to_the_second() -> None:
    """The epoch, and a fraction dropped."""
    assert ("1970-01-01T00:00:00Z", "2026-01-01T00:00:01Z") == (iso(0), iso(1767225601.9))


def test_dates_are_of_the_first_and_the_last_request() -> None:
    """In any order; none of none."""
    assert {"first": iso(10), "last": iso(30)} == dates([20, 30, 10])
    assert dates([]) is None


@given(st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=5), st.randoms())
def test_a_data_hash_has_no_order(prints: dict[str, str], random: st.DataObject) -> None:
    """The same for the same tasks, another for another."""
    shuffled = list(prints.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert data_hash(prints) == data_hash(dict(shuffled))
    assert data_hash(prints) != data_hash({**prints, "another task": "x"})
    assert 64 == len(data_hash(prints))


def test_flags_are_counted_by_name() -> None:
    """In alphabetical order."""
    responses = [Response("a", "ok", flags=("y", "x")), Response("b", "ok", flags=("y",)), Response("c", "failed")]
    assert [("x", 1), ("y", 2)] == list(flag_counts(responses).items())


def test_a_provenance_is_the_same_whichever_version_ran_when() -> None:
    """Everything else counts, as it reads back from a file; what the file says beyond it does not."""
    old = {"version": "1", "started": "a", "ended": "b", "judges": ["x"], "more": 1}
    assert is_same_provenance(old, {"version": "2", "started": "c", "ended": "d", "judges": ("x",)})
    assert not is_same_provenance(old, {"judges": ["y"]})


def test_request_times_are_those_dates_that_are_some() -> None:
    """Since 1970, before the year 10000."""
    assert (10.0, 20.0) == request_times({"last": iso(20), "first": iso(10)})
    assert (10.0,) == request_times({"first": iso(10), "last": "1969-12-31T23:59:59Z"})
    assert () == request_times({"first": "yesterday"}) == request_times(None)
