import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.probe.findings import (
    Finding,
    Observation,
    TokenLine,
    combine,
    describe,
    overflow,
    read_observation,
    where_cut,
)

CODES = tuple(f"AB{1000 + n}CD" for n in range(16))
# 3.3 characters a token and 50 tokens that the server adds: 10,300 and 40,300 characters of prompt.
LINE = TokenLine(6.0).through(10_300, 10_300 * 10 // 33 + 50).through(40_300, 40_300 * 10 // 33 + 50)


def seen(*missing: int, tokens: int | None = None, chars: int = 100_000, answered: bool = True) -> Observation:
    """A document of which these codes did not come back."""
    said = frozenset(code for place, code in enumerate(CODES) if place not in missing)
    return Observation(chars, chars + 300, CODES, said, tokens, answered)


FULL = round(100_300 / 3.3) + 50


@pytest.mark.parametrize(
    ("missing", "place"),
    [
        ((), None),
        ((0,), "front"),
        ((0, 1, 2), "front"),
        (tuple(range(16)), "front"),
        ((15,), "end"),
        ((12, 13, 14, 15), "end"),
        ((7,), "middle"),
        ((3, 4, 5, 6), "middle"),
        ((3, 5), "unclear"),
        ((0, 15), "unclear"),
    ],
)
def test_a_cut_lies_where_a_run_of_codes_is_gone(missing: tuple[int, ...], place: str | None) -> None:
    """Front, middle, end; all codes gone means the question went too; scattered losses are no one cut."""
    assert place == where_cut(missing)


@pytest.mark.parametrize(
    ("observation", "verdict", "place"),
    [
        (seen(tokens=FULL), "whole", None),
        (seen(tokens=round(FULL * 0.98)), "whole", None),
        (seen(tokens=round(FULL * 1.2)), "whole", None),
        (seen(5, tokens=FULL), "recall", None),
        (seen(*range(16), tokens=FULL), "recall", None),
        (seen(*range(8, 16), tokens=FULL // 2), "cut", "end"),
        (seen(*range(8), tokens=FULL // 2), "cut", "front"),
        (seen(*range(4, 12), tokens=FULL // 2), "cut", "middle"),
        (seen(2, 9, tokens=FULL // 2), "cut", "unclear"),
        (seen(tokens=round(FULL * 0.95)), "cut", "middle"),
        (seen(*range(16), tokens=FULL // 2, answered=False), "cut", "unclear"),
        (seen(tokens=round(FULL * 0.7)), "whole", None),
        (seen(), "whole", None),
        (seen(5), "lost", "middle"),
        (seen(*range(16), answered=False), "unanswered", "front"),
        (seen(5, tokens=0), "lost", "middle"),
    ],
)
def test_codes_and_token_count_together_decide(observation: Observation, verdict: str, place: str | None) -> None:
    """The table of the module: count full, low or absent, codes whole or lost; no usage counts as none."""
    finding = read_observation(observation, LINE)
    assert verdict == finding.verdict
    assert verdict in ("whole", "recall") if finding.fits else verdict not in ("whole", "recall")
    if verdict in ("cut", "lost"):
        assert place == finding.where


def test_a_low_count_that_no_one_cut_explains_is_told_and_not_believed() -> None:
    """All sixteen codes came back: 30 % cannot be missing in one piece."""
    assert "no cut so wide" in read_observation(seen(tokens=round(FULL * 0.7)), LINE).detail


def test_a_cut_says_how_much_of_the_document_was_kept() -> None:
    """From the token count, by the line, without the prompt around the document."""
    finding = read_observation(seen(*range(8, 16), tokens=FULL // 2), LINE)
    assert pytest.approx(100_300 / 2 - 300 - 50 * 3.3 / 2, abs=5) == finding.chars_read


def test_the_first_document_is_held_against_the_limit() -> None:
    """With nothing to compare, only a count that cannot be is a cut."""
    assert "whole" == read_observation(seen(tokens=FULL), TokenLine(6.0)).verdict
    assert "cut" == read_observation(seen(9, 10, tokens=5000), TokenLine(6.0)).verdict
    assert "recall" == read_observation(seen(9, 10, tokens=FULL), TokenLine(6.0)).verdict


def test_one_document_is_trusted_less_than_two() -> None:
    """What a server adds to every prompt makes the first count too dense; a second one takes it out."""
    dense = TokenLine(6.0).through(10_300, 10_300 * 10 // 33 + 250)
    fourfold = round(40_300 / 3.3) + 250
    assert 0 == dense.missing_share(40_300, fourfold)
    both = dense.through(40_300, fourfold)
    assert pytest.approx(round(3_000_000 / 3.3) + 250, rel=1e-3) == both.tokens(3_000_000)


@given(st.floats(0.6, 6), st.integers(0, 3000), st.integers(20_000, 3_000_000))
def test_a_line_through_two_prompts_foretells_a_third_and_back(rate: float, added: int, chars: int) -> None:
    """Whatever the tokenizer and whatever a server adds; and from tokens back to characters."""
    line = TokenLine(6.0)
    for known in (10_300, 40_300):
        line = line.through(known, round(known / rate) + added)
    expected = line.tokens(chars)
    assert expected is not None
    assert pytest.approx(chars / rate + added, rel=0.01, abs=300) == expected
    assert pytest.approx(chars, abs=10) == line.chars(round(expected))


@given(st.lists(st.tuples(st.integers(8000, 3_000_000), st.integers(1, 3_000_000)), min_size=1, max_size=5))
def test_no_token_counts_break_the_line(points: list[tuple[int, int]]) -> None:
    """Servers count as they like: fewer tokens for more text still gives a line and a share between 0 and 1."""
    line = TokenLine(6.0)
    for chars, tokens in points:
        line = line.through(chars, tokens)
    for chars, tokens in points:
        assert 0 <= line.missing_share(chars, tokens) <= 1
        assert isinstance(line.chars(tokens), int)


def test_a_code_lost_once_is_a_lapse() -> None:
    """The second document came back whole: it fits, and the first loss is told."""
    first, second = read_observation(seen(5, tokens=FULL), LINE), read_observation(seen(tokens=FULL), LINE)
    both = combine(first, second, able=True)
    assert ("whole", "1 codes lost at the first asking, none at the second") == (both.verdict, both.detail)


def test_codes_lost_twice_at_other_places_are_recall() -> None:
    """The count is full: the window holds, the memory does not."""
    both = combine(
        read_observation(seen(5, tokens=FULL), LINE), read_observation(seen(9, 10, tokens=FULL), LINE), able=True
    )
    assert ("recall", True) == (both.verdict, both.fits)


@pytest.mark.parametrize(
    ("first", "second", "verdict", "place"),
    [
        ((13, 14, 15), (13, 14, 15), "cut", "end"),
        ((13, 14, 15), (14, 15), "cut", "end"),
        ((0, 1), (0, 1), "cut", "front"),
        (tuple(range(16)), tuple(range(16)), "recall", None),
        ((15,), (15,), "recall", None),
        ((10, 11, 12, 13, 14, 15), (14, 15), "recall", None),
        ((0, 1), (14, 15), "recall", None),
        ((6, 7, 8), (6, 7, 8), "recall", None),
    ],
)
def test_the_same_end_lost_twice_is_a_cut_whatever_was_counted(
    first: tuple[int, ...], second: tuple[int, ...], verdict: str, place: str | None
) -> None:
    """Some gateways count before they cut; a model that forgets does not forget the same end twice."""
    both = combine(
        read_observation(seen(*first, tokens=FULL), LINE), read_observation(seen(*second, tokens=FULL), LINE), able=True
    )
    assert (verdict, place) == (both.verdict, both.where)


@pytest.mark.parametrize(("share", "verdict"), [(0.99, "cut"), (0.998, "recall")])
def test_one_code_at_the_end_lost_twice_is_a_cut_only_where_the_count_is_a_little_low(
    share: float, verdict: str
) -> None:
    """A cut of 1 % takes the last code alone and stays within the tolerance of the count."""
    marginal = read_observation(seen(15, tokens=round(FULL * share)), LINE)
    assert ("recall", verdict) == (marginal.verdict, combine(marginal, marginal, able=True).verdict)


def test_a_model_that_never_repeated_a_document_cannot_tell_a_cut() -> None:
    """One that loses codes everywhere loses them at the ends too: the count alone decides."""
    lost = read_observation(seen(*range(1, 16), tokens=FULL), LINE)
    assert ("recall", "cut") == (combine(lost, lost, able=False).verdict, combine(lost, lost, able=True).verdict)


def test_no_answer_twice_is_not_a_cut() -> None:
    """Nothing was said, so nothing was lost: with a full count the prompt was read."""
    silent = read_observation(seen(*range(16), tokens=FULL, answered=False), LINE)
    assert "recall" == combine(silent, silent, able=True).verdict


@pytest.mark.parametrize(("second", "place"), [((12, 13, 14, 15), "end"), ((3, 4), "unclear")])
def test_without_a_count_two_losses_place_a_cut_only_together(second: tuple[int, ...], place: str) -> None:
    """The same end twice is placed; otherwise it stays open."""
    both = combine(read_observation(seen(12, 13, 14, 15), LINE), read_observation(seen(*second), LINE), able=True)
    assert ("lost", place) == (both.verdict, both.where)


def test_an_error_is_told_in_the_endpoints_words() -> None:
    """Without our own advice, which would send the reader back to this very command."""
    finding = overflow(
        5000, "HTTP 400: too long; it has 9 tokens; lower this model's cap (wildtrace probe measures it)"
    )
    assert "HTTP 400: too long; it has 9 tokens" == finding.detail
    assert not finding.fits


def test_a_finding_is_one_line() -> None:
    """Length, verdict, codes by their place from 1, tokens and what was expected."""
    finding = read_observation(seen(*range(8, 16), tokens=FULL // 2), LINE)
    assert (
        "100,000 characters: cut silently at the end; codes missing 9, 10, 11, 12, 13, 14, 15, 16; "
        f"{FULL // 2:,} tokens of {FULL:,} expected"
    ) == describe(finding)
    assert "5 characters: refused as too long; HTTP 413" == describe(Finding(5, "error", detail="HTTP 413"))


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (1000, "5 characters: read whole; 1,000 tokens of 1,000 expected"),
        (996, "5 characters: read whole; 996 tokens of 1,000 expected"),
        (994, "5 characters: read whole within 3 %; 994 tokens of 1,000 expected"),
        (971, "5 characters: read whole within 3 %; 971 tokens of 1,000 expected"),
        (960, "5 characters: read whole within 10 %; 960 tokens of 1,000 expected"),
        (500, "5 characters: read whole; 500 tokens of 1,000 expected; no cut so wide"),
    ],
)
def test_a_count_that_may_hide_a_small_cut_is_said_so(tokens: int, words: str) -> None:
    """Within the tolerance a cut and a tokenizer's whim look alike; by noise alone nothing is said."""
    finding = Finding(5, "whole", prompt_tokens=tokens, expected_tokens=1000, detail="no cut so wide" * (tokens == 500))
    assert words == describe(finding)


def test_lost_codes_within_the_tolerance_are_said_so_too() -> None:
    """Recall, where the count is a little low."""
    finding = Finding(5, "recall", missing=(3,), prompt_tokens=980, expected_tokens=1000)
    assert describe(finding).startswith("5 characters: read whole within 3 %, but codes were not repeated")
