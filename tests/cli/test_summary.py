"""Scored and All, as a person reads them."""

from __future__ import annotations

from typing import Any

import pytest

from wildtrace.cli.summary import percent, tell_scores
from wildtrace.endpoints.failures import EndpointError
from wildtrace.judge.run import Coverage, JudgeOutcome
from wildtrace.scores.aggregate import aggregate
from wildtrace.types import JudgeFailure, Judgement, Score

JUDGED = {"j": Judgement(0.4, 40, None, ("repaired",), "")}
SCORES = (
    Score("a", "ok", 0.4, JUDGED),
    Score("b", "ok", 0.8),
    Score("c", "failed", None, reason="refusal"),
    Score("d", "out_of_context_scope", 0.0),
)


def shown(
    capsys: pytest.CaptureFixture[str], scores: tuple[Score, ...] = SCORES, **changes: Any
) -> tuple[list[str], list[str]]:
    """The lines on standard output and on standard error."""
    stopped = changes.pop("stopped", {})
    plain = {"offline": {"contestant": False, "judges": []}, "condition": "full", "self_judging": False, "flags": {}}
    caps = {"caps": {"en": 2_850_000, "cjk": 850_000}, "cap_source": "table"}
    coverage = changes.pop("coverage", Coverage(len(scores), len(scores)))
    tell_scores(JudgeOutcome(scores, aggregate(scores), {**plain, **caps, **changes}, (), 0, stopped, coverage))
    out, err = capsys.readouterr()
    return out.splitlines(), err.splitlines()


def test_a_complete_run_is_a_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Both means out of 100, the reasons for zeros, where the cap comes from."""
    out, err = shown(capsys)
    assert [
        "Scored   60.0   (mean over 2 fully judged answers)",
        "All4     30.0   (mean over all 4 tasks)",
        "Zeros in All: 1 out_of_context_scope, 1 refusal",
        "Caps: 2,850,000 / 850,000 characters (table)",
        "Judgements: 1 repaired",
    ] == out
    assert [] == err


def test_what_is_missing_is_said_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """All is not known while an answer lacks a judge; a stopped judge and pending tasks are named."""
    scores = (*SCORES, Score("e", "ok", None), Score("f", "pending", None, reason="timeout"))
    out, err = shown(capsys, scores, stopped={"judge2": EndpointError("HTTP 401; check the key")})
    assert "All6      n/a   (mean over all 6 tasks)" in out
    assert [
        "Judge judge2 is not asked any more: HTTP 401; check the key",
        "1 answer lacks a judge, so All is not known; run the same command again.",
        "1 task is pending; run eval again, then judge.",
    ] == err


@pytest.mark.parametrize(
    ("coverage", "words"),
    [
        (Coverage(4, 4), None),
        (Coverage(3, 4), "The responses cover 3 of 4 tasks; the 1 other counts as zero in All. Run eval on this data"),
        (Coverage(2, 4, 2), "The responses cover 2 of 4 tasks; the 2 others count as zero in All. They are the sample"),
        (Coverage(2, 4, 2), "of `eval --limit 2`: add --limit 2 to judge it alone"),
    ],
)
def test_responses_of_a_part_of_the_tasks_are_said_so(
    capsys: pytest.CaptureFixture[str], coverage: Coverage, words: str | None
) -> None:
    """How many of how many, and how to judge only those."""
    _, err = shown(capsys, coverage=coverage)
    assert len(err) == (words is not None)
    assert words is None or words in err[0]


def test_a_judges_failure_is_told_by_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """The first of each judge: the task, and what was wrong, cut to a line."""
    failed = {"j": JudgeFailure("no verdict\nin the reply " + "x" * 300), "k": JudgeFailure("HTTP 503")}
    out, _ = shown(capsys, (Score("a", "ok", None, failed), Score("b", "ok", None, failed)))
    assert "Judgements: 4 unusable" in out
    assert [f"  unusable by j, for example a: no verdict in the reply {'x' * 176}…"] == [
        line for line in out if "unusable by j" in line
    ]
    assert "  unusable by k, for example a: HTTP 503" in out


def test_what_is_no_result_is_marked_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Offline models, another condition, a contestant in its own panel, doubts about answers."""
    out, _ = shown(
        capsys,
        offline={"contestant": False, "judges": ["j"]},
        condition="evidence",
        self_judging=True,
        flags={"suspected_truncation": 2},
    )
    assert ["OFFLINE", "Condition evidence", "SELF-JUDGED"] == [line.split(":")[0] for line in out[:3]]
    assert "Flags: 2 suspected_truncation" in out


def test_credits_are_shown_out_of_100() -> None:
    """To one decimal; what is not known is not a number."""
    assert ["n/a", "0.0", "100.0", "33.3"] == [percent(credit) for credit in (None, 0.0, 1.0, 1 / 3)]
