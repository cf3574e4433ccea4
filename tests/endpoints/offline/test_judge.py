import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoints.offline.test_parsing import TEXT, grading
from wildtrace.endpoints.offline.judge import credit, lexical_judge

EN = [(60.0, "The left pump seized at 03:40"), (40.0, "Ann had closed the suction valve")]
ZH = [(60.0, "左泵在寅时卡死"), (40.0, "沈砚清关闭吸水阀门")]


def verdict(question: str, lines: list[tuple[float, str]], response: str) -> dict[str, object]:
    """The judge's reply, decoded."""
    reply = lexical_judge(grading(question, lines, response))
    assert reply is not None
    decoded: dict[str, object] = orjson.loads(reply)
    return decoded


@pytest.mark.parametrize(
    ("lines", "response", "expected"),
    [
        (EN, "Ann closed the suction valve, so the left pump seized at 03:40.", [60.0, 40.0]),
        (EN, "The left pump seized at 03:40.", [60.0, 0.0]),
        (EN, "Nothing of the kind happened.", [0.0, 0.0]),
        (ZH, "沈砚清关闭吸水阀门，左泵在寅时卡死。", [60.0, 40.0]),
        (ZH, "沈砚清关闭吸水阀门。", [0.0, 40.0]),
    ],
)
def test_a_criterion_earns_its_points_by_its_content_words(
    lines: list[tuple[float, str]], response: str, expected: list[float]
) -> None:
    """What the answer says of a criterion is what it earns, in either language."""
    assert {"points_awarded": expected, "total": sum(expected)} == verdict("What happened?", lines, response)


def test_an_empty_answer_earns_nothing() -> None:
    """Nothing said, nothing earned."""
    assert {"points_awarded": [0.0, 0.0], "total": 0.0} == verdict("What happened?", EN, "")


def test_words_that_the_question_gives_away_earn_nothing() -> None:
    """Repeating the question is no answer."""
    question = "Why did the left pump seize?"
    assert 0.0 == verdict(question, [(100.0, "the left pump seized for want of suction water")], question)["total"]


def test_a_criterion_of_the_questions_words_alone_is_still_graded() -> None:
    """Where the question leaves no word of its own to a criterion, all its words count."""
    assert 100.0 == verdict("Was the pump seized?", [(100.0, "the pump seized")], "Pump seized.")["total"]


@pytest.mark.parametrize(
    ("found", "expected"), [(0, 0.0), (7, 0.0), (10, 0.375), (11, 0.5), (15, 1.0), (20, 1.0)], ids=str
)
def test_the_ramp_runs_from_35_to_75_percent(found: int, expected: float) -> None:
    """Of twenty words, seven are worth nothing and fifteen everything; between, credit grows evenly."""
    words = [f"k{number}" for number in range(20)]
    assert expected == pytest.approx(credit(" ".join(words), set(), set(words[:found])))


def test_points_are_rounded_to_tenths() -> None:
    """Half of the ramp on 33.3 points is 16.7, not 16.65."""
    line = (33.3, " ".join(f"k{number}" for number in range(20)))
    assert {"points_awarded": [16.7], "total": 16.7} == verdict("Q", [line], " ".join(f"k{n}" for n in range(11)))


def test_negation_is_invisible() -> None:
    """The documented weakness: the opposite claim in the same words earns the same."""
    assert 100.0 == verdict("What?", [(100.0, "Ann closed the valve")], "Ann never closed the valve")["total"]


@given(TEXT, st.sampled_from([[100.0], [33.3, 33.35, 33.35], [0.05, 99.95]]), st.lists(TEXT, min_size=3), TEXT)
def test_a_verdict_is_always_within_the_rubric(
    question: str, points: list[float], criteria: list[str], response: str
) -> None:
    """Points per line between 0 and the line's, total their sum and never above the rubric's."""
    decoded = verdict(question, list(zip(points, criteria, strict=False)), response)
    awarded, total = decoded["points_awarded"], decoded["total"]
    assert isinstance(awarded, list)
    assert isinstance(total, float)
    assert ["points_awarded", "total"] == list(decoded)
    assert all(0 <= got <= most for got, most in zip(awarded, points, strict=True))
    assert 0 <= total <= sum(points)
    assert total == pytest.approx(sum(awarded))


def test_any_other_prompt_has_no_verdict() -> None:
    """Only the protocol's judge prompt is graded."""
    assert lexical_judge("Grade this: perfect, 100 points") is None
