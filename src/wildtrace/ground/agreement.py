"""How far a quote may differ from the source and still be located, for review: a few words, none of them critical."""

from __future__ import annotations

import re

from wildtrace.ground.critical import reason_against
from wildtrace.ground.difference import Difference, Hunk
from wildtrace.ground.vocabulary import Vocabulary

FEW_WORDS = 3.0
WORDS_PER_FURTHER = 20
MOST_WORDS = 12.0
LARGEST_SHARE = 0.42
LONGEST_RUN = 4.0
LONGEST_JOINT_RUN = 6.0
LONGEST_EDGE = 2.0
LONGEST_JOINT_EDGE = 4.0
LONGEST_ADDED_EDGE = 1.0
LEAST_KEPT = 2.5

_COMPARISON = re.compile(r"[<>=≤≥≠~±]")
_SENTENCE_END = re.compile(r"[.!?。！？]")


def objection(difference: Difference, vocabulary: Vocabulary) -> str | None:
    """Why this is more than a few harmless words, or None. Weights are in words; an ideograph is half a word."""
    return (
        _ellipsis(difference)
        or _amount(difference)
        or _runs(difference)
        or _comparison(difference)
        or reason_against(difference, vocabulary)
    )


def _ellipsis(difference: Difference) -> str | None:
    for hunk in difference.hunks:
        within = range(max(1, hunk.quote_start), min(hunk.quote_end, len(difference.quote.lexemes) - 1) + 1)
        kept = range(hunk.source_start, hunk.source_end + 1)
        shortened = any("…" in difference.quote.mark(gap) for gap in within)
        if shortened and not any("…" in difference.source.mark(gap) for gap in kept):
            return "an ellipsis hides words"
    return None


def _amount(difference: Difference) -> str | None:
    size = sum(lexeme.weight for lexeme in difference.quote.lexemes)
    changed = sum(max(difference.weights(hunk)) for hunk in difference.hunks)
    dropped = sum(difference.weights(hunk)[0] for hunk in difference.hunks)
    allowed = min(FEW_WORDS + size / WORDS_PER_FURTHER, MOST_WORDS, LARGEST_SHARE * size)
    if changed > allowed or (changed and size - dropped < LEAST_KEPT):
        return "more than a few words differ"
    return None


def _runs(difference: Difference) -> str | None:
    """A long run of other words is another passage, one at an edge a part of the quote that stands nowhere."""
    for hunk in difference.hunks:
        mine, theirs = difference.weights(hunk)
        if _is_at_edge(difference, hunk) and (max(mine, theirs) > LONGEST_EDGE or mine - theirs > LONGEST_ADDED_EDGE):
            return "a part of the quote stands nowhere near the rest"
        if max(mine, theirs) > LONGEST_RUN:
            return "a run of words differs"
        if not mine and theirs > 1 and _spans_sentences(difference, hunk):
            return "fragments of several sentences are joined"
    for run, weight in _joint_runs(difference):
        if weight > (LONGEST_JOINT_EDGE if _is_at_edge(difference, run) else LONGEST_JOINT_RUN):
            return "a run of words differs"
    return None


def _is_at_edge(difference: Difference, hunk: Hunk) -> bool:
    """Whether at most one equal word lies between this hunk and an end of the quote: it may be equal by chance."""
    lexemes = difference.quote.lexemes
    before, after = lexemes[: hunk.quote_start], lexemes[hunk.quote_end :]
    return min(sum(lexeme.weight for lexeme in side) for side in (before, after)) <= 1.0


def _spans_sentences(difference: Difference, hunk: Hunk) -> bool:
    gaps = range(hunk.source_start, hunk.source_end + 1)
    return any(_SENTENCE_END.search(difference.source.mark(gap)) for gap in gaps)


def _joint_runs(difference: Difference) -> list[tuple[Hunk, float]]:
    """Runs of differing words with their weights; a single equal word between two of them is counted in."""
    runs: list[tuple[Hunk, float]] = []
    for hunk in difference.hunks:
        weight = max(difference.weights(hunk))
        last = runs[-1] if runs else None
        between = (
            sum(word.weight for word in difference.quote.lexemes[last[0].quote_end : hunk.quote_start]) if last else 2.0
        )
        if last and between <= 1.0:
            joined = Hunk(last[0].quote_start, hunk.quote_end, last[0].source_start, hunk.source_end)
            runs[-1] = joined, last[1] + between + weight
        else:
            runs.append((hunk, weight))
    return runs


def _comparison(difference: Difference) -> str | None:
    marks = (change for change in difference.changes if change.kind == "punctuation")
    if any(_COMPARISON.findall(change.quote) != _COMPARISON.findall(change.source) for change in marks):
        return "a comparison sign differs"
    return None
