"""Scored and All, as a person reads them."""

from __future__ import annotations

from collections import Counter

from wildtrace.cli.terminal import tell, tell_example
from wildtrace.judge.run import NOT_ASKED, JudgeOutcome
from wildtrace.text.counting import counted
from wildtrace.types import JudgeFailure, Judgement


def percent(credit: float | None) -> str:
    """A credit of 0 to 1 as a score of 0 to 100."""
    return "n/a" if credit is None else f"{100 * credit:.1f}"


def flags_of(entry: Judgement | JudgeFailure) -> tuple[str, ...]:
    """What was odd about a judge's reply."""
    return entry.flags if isinstance(entry, Judgement) else ("unusable",)


def tell_scores(outcome: JudgeOutcome) -> None:
    """Print both means, why tasks count as zero, and what should be doubted."""
    total = outcome.aggregate
    offline = outcome.provenance["offline"]
    if offline["contestant"] or offline["judges"]:
        tell("OFFLINE: made with built-in lexical models; a rehearsal, never a result.")
    if outcome.provenance["condition"] not in (None, "full"):
        tell(f"Condition {outcome.provenance['condition']}: a diagnostic, not a benchmark score.")
    if outcome.provenance["self_judging"]:
        tell("SELF-JUDGED: a judge is the contestant itself, or one model judges twice.")
    tell(f"Scored  {percent(total.scored):>5}   (mean over {counted(total.scored_n, 'fully judged answer')})")
    tell(f"All{total.n_tasks:<4} {percent(total.all_tasks):>5}   (mean over all {counted(total.n_tasks, 'task')})")
    if total.zeros:
        tell("Zeros in All: " + ", ".join(f"{count} {reason}" for reason, count in total.zeros.items()))
    if caps := outcome.provenance["caps"]:
        tell(f"Caps: {caps['en']:,} / {caps['cjk']:,} characters ({outcome.provenance['cap_source']})")
    if outcome.provenance["flags"]:
        tell("Flags: " + ", ".join(f"{count} {flag}" for flag, count in outcome.provenance["flags"].items()))
    odd = Counter(flag for score in outcome.scores for entry in score.judges.values() for flag in flags_of(entry))
    if odd:
        tell("Judgements: " + ", ".join(f"{count} {flag}" for flag, count in sorted(odd.items())))
    for name, (question_id, unusable) in _first_failures(outcome).items():
        tell_example(f"unusable by {name}", question_id, unusable.error)
    for name, failure in outcome.stopped.items():
        tell(f"Judge {name} is not asked any more: {failure}", err=True)
    _tell_coverage(outcome)
    if total.unjudged:
        tell(
            f"{counted(total.unjudged, 'answer lacks', 'answers lack')} a judge, so All is not known; "
            "run the same command again.",
            err=True,
        )
    if total.pending:
        tell(f"{counted(total.pending, 'task is', 'tasks are')} pending; run eval again, then judge.", err=True)


def _first_failures(outcome: JudgeOutcome) -> dict[str, tuple[str, JudgeFailure]]:
    """For each judge the first of its calls that failed, with the task."""
    first: dict[str, tuple[str, JudgeFailure]] = {}
    for score in outcome.scores:
        for name, entry in score.judges.items():
            if isinstance(entry, JudgeFailure) and entry.error != NOT_ASKED:
                first.setdefault(name, (score.question_id, entry))
    return first


def _tell_coverage(outcome: JudgeOutcome) -> None:
    """Say so where tasks have no response at all, since All counts each of them as zero."""
    covered, tasks, limit = outcome.coverage.answered, outcome.coverage.tasks, outcome.coverage.limit
    if covered == tasks:
        return
    missing = counted(tasks - covered, "other counts", "others count")
    words = f"The responses cover {covered:,} of {counted(tasks, 'task')}; the {missing} as zero in All."
    if limit is None:
        tell(f"{words} Run eval on this data to answer them, then judge again.", err=True)
    else:
        tell(
            f"{words} They are the sample of `eval --limit {limit}`: add --limit {limit} to judge it alone, or run "
            "eval without --limit for the rest.",
            err=True,
        )
