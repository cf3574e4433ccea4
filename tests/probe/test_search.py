import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.probe.search import PRECISION, Search, cap_of, round_down


def run(search: Search, window: int) -> tuple[Search, list[int]]:
    """Search a window of so many characters; the search at its end and the lengths tried."""
    tried = []
    while (chars := search.next()) is not None:
        tried.append(chars)
        search = search.after(chars, fits=chars <= window)
    return search, tried


def test_two_short_documents_then_the_longest() -> None:
    """They calibrate; a window above the upper bound is done in three requests."""
    assert [10_000, 40_000, 2_850_000] == run(Search(10_000, 2_850_000), 3_000_000)[1]


@pytest.mark.parametrize(("lower", "upper", "tried"), [(10_000, 10_000, [10_000]), (10_000, 30_000, [10_000, 30_000])])
def test_bounds_close_to_each_other_are_tried_once(lower: int, upper: int, tried: list[int]) -> None:
    """No length is asked about twice."""
    assert tried == run(Search(lower, upper), 10**7)[1]


def test_a_window_below_the_lower_bound_ends_the_search() -> None:
    """One request, nothing that fits."""
    search, tried = run(Search(10_000, 2_850_000), 9_999)
    assert ([10_000], 0, 10_000) == (tried, search.fits, search.fails)


@given(st.integers(8_000, 100_000), st.integers(8_000, 3_000_000), st.integers(8_000, 3_500_000))
def test_the_bracket_closes_around_the_window(lower: int, upper: int, window: int) -> None:
    """To 3 %, inside the bounds, each length once, in a few steps; never dearer than what is announced."""
    upper = max(lower, upper)
    begin = Search(lower, upper)
    search, tried = run(begin, window)
    assert len(tried) == len(set(tried)) <= 14
    assert all(lower <= chars <= upper for chars in tried)
    if window >= upper:
        assert (upper, None) == (search.fits, search.fails)
    elif window >= lower:
        assert search.fails is not None
        assert search.fits <= window < search.fails <= search.fits * (1 + PRECISION)
    assert sum(tried) <= sum(begin.dearest())


@pytest.mark.parametrize(
    ("lower", "upper", "window"),
    [(10_000, 2_850_000, 2_849_999), (85_932, 364_403, 343_000), (14_658, 62_199, 58_631), (9_000, 9_000, 8_999)],
)
def test_the_dearest_search_is_one_that_a_window_takes(lower: int, upper: int, window: int) -> None:
    """Of a window just below the upper bound; where the second length is near that, of one just below the second."""
    assert run(Search(lower, upper), window)[1] == list(Search(lower, upper).dearest())


@pytest.mark.parametrize(
    ("chars", "rounded"), [(7, 7), (999, 999), (1234, 1230), (409_999, 409_000), (2_850_000, 2_850_000)]
)
def test_caps_are_rounded_down_to_three_digits(chars: int, rounded: int) -> None:
    """Never up."""
    assert rounded == round_down(chars)


def test_the_answers_budget_is_taken_off_where_a_limit_was_met() -> None:
    """At 3.3 and 1.5 characters a token: prompt and answer may share the window."""

    def cap(fits: int, *, limited: bool = True, cjk: bool = False) -> int | None:
        return cap_of(fits, chars_read=None, counted=True, max_tokens=8192, limited=limited, cjk=cjk)

    assert 372_000 == cap(400_000) == (400_000 - 27_034) // 1000 * 1000
    assert 187_000 == cap(200_000, cjk=True)
    assert 2_850_000 == cap(2_850_000, limited=False)


def test_a_cut_that_kept_less_than_what_seemed_to_fit_counts() -> None:
    """A small cut between two codes is seen in the token count of the next document."""
    assert 300_000 == cap_of(400_000, chars_read=300_000, limited=True, counted=True, max_tokens=0, cjk=False)
    assert 400_000 == cap_of(400_000, chars_read=410_000, limited=True, counted=True, max_tokens=0, cjk=False)


def test_without_a_token_count_a_gap_is_taken_off() -> None:
    """Between two of sixteen codes a cut may hide."""
    assert 1_400_000 == cap_of(1_500_000, chars_read=None, limited=False, counted=False, max_tokens=8192, cjk=False)


@pytest.mark.parametrize("fits", [0, 20_000, 27_034])
def test_a_window_that_the_answer_fills_leaves_no_cap(fits: int) -> None:
    """None, rather than a cap of nothing."""
    assert cap_of(fits, chars_read=None, limited=True, counted=True, max_tokens=8192, cjk=False) is None
