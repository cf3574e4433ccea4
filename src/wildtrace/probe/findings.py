"""What a reply to a made document says about the window.

    whole       every code came back, or the token count says that all was read
    recall      codes were lost though the token count is full: the model's memory, not its window
    error       the endpoint said that the prompt is too long
    cut         the endpoint read less than it was sent and did not say so
    lost        codes were lost and no token count came back: a cut or a lapse, nobody can tell
    unanswered  no usable answer and no token count: nothing was measured

`whole` and `recall` fit the window, `error`, `cut` and `lost` do not. A token count is compared with what earlier
documents of the same making took; characters a token are nearly constant in made text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from wildtrace.probe.documents import CODES

Verdict = Literal["whole", "recall", "error", "cut", "lost", "unanswered"]
Where = Literal["front", "middle", "end", "unclear"]

# Measured with five tokenizers, a line through documents of 10,000 and 40,000 characters foretells longer ones within
# 2.1 %, one through 150,000 within 0.5 % (NOISE). One document alone also measures whatever a server adds to every
# prompt, so it is trusted less.
TOLERANCE: Final = 0.03
TOLERANCE_OF_ONE: Final = 0.10
NOISE: Final = 0.005
# A cut that loses no code lies between two of them, so it is no wider than a gap.
GAP: Final = 1 / (CODES - 1)


@dataclass(frozen=True, slots=True)
class TokenLine:
    """Tokens by prompt length, a straight line through the shortest and the longest prompt that were read whole.

    `limit` is the characters a token above which nothing can have been read whole, for the first prompt.
    """

    limit: float
    points: tuple[tuple[int, int], ...] = ()

    def through(self, chars: int, tokens: int) -> TokenLine:
        """The line with one more prompt of `chars` code points that took `tokens`."""
        return replace(self, points=tuple(sorted({*self.points, (chars, tokens)})))

    def tokens(self, chars: int) -> float | None:
        """The tokens that a prompt of `chars` code points should take; None before the first point."""
        if not self.points:
            return None
        last_chars, last_tokens = self.points[-1]
        return last_tokens + (chars - last_chars) * self._slope()

    def chars(self, tokens: int) -> int:
        """The prompt that takes so many tokens; the inverse of `tokens`. Needs a point."""
        last_chars, last_tokens = self.points[-1]
        return round(last_chars + (tokens - last_tokens) / self._slope())

    def missing_share(self, chars: int, tokens: int) -> float:
        """The share of a prompt that was not counted, 0 where the count is as full as can be told."""
        expected = self.tokens(chars)
        if expected is None:
            return max(0.0, 1 - tokens * self.limit / chars)
        share = 1 - tokens / expected
        return share if share > (TOLERANCE if self._span() else TOLERANCE_OF_ONE) else 0.0

    def _span(self) -> int:
        return self.points[-1][0] - self.points[0][0]

    def _slope(self) -> float:
        last_chars, last_tokens = self.points[-1]
        slope = (last_tokens - self.points[0][1]) / self._span() if self._span() else 0.0
        return slope if slope > 0 else last_tokens / last_chars


@dataclass(frozen=True, slots=True)
class Observation:
    """One asking: a document of `chars` in a prompt of `prompt_chars`, its codes, and the codes `returned`.

    `answered` is False for an empty, refused or cut-off reply; `prompt_tokens` is None where no usage came.
    """

    chars: int
    prompt_chars: int
    codes: tuple[str, ...]
    returned: frozenset[str]
    prompt_tokens: int | None
    answered: bool = True

    @property
    def missing(self) -> tuple[int, ...]:
        """The positions, from 0, of the codes that did not come back."""
        return tuple(position for position, code in enumerate(self.codes) if code not in self.returned)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one document length gave; `chars_read` is how much of the document a cut left, by the token count."""

    chars: int
    verdict: Verdict
    where: Where | None = None
    missing: tuple[int, ...] = ()
    prompt_tokens: int | None = None
    expected_tokens: int | None = None
    chars_read: int | None = None
    answered: bool = True
    detail: str = ""

    @property
    def fits(self) -> bool:
        """Whether the whole document was read."""
        return self.verdict in ("whole", "recall")

    @property
    def doubtful(self) -> bool:
        """Whether another document of this length should be asked about before this is believed."""
        return self.verdict in ("recall", "lost", "unanswered")

    @property
    def counted_low(self) -> bool:
        """Whether the count is lower than noise, or there is none: a small cut cannot be told then."""
        if self.prompt_tokens is None or self.expected_tokens is None:
            return self.prompt_tokens is None
        return self.prompt_tokens < self.expected_tokens * (1 - NOISE)


def where_cut(missing: Sequence[int]) -> Where | None:
    """Where a cut lies that took these codes. All gone: the front, since the question stands there and went too."""
    if not missing:
        return None
    if tuple(missing) != tuple(range(missing[0], missing[-1] + 1)):
        return "unclear"
    if missing[0] == 0:
        return "front"
    return "end" if missing[-1] == CODES - 1 else "middle"


def read_observation(seen: Observation, line: TokenLine) -> Finding:
    """What one asking says, by its codes and its token count."""
    missing = seen.missing
    if not seen.prompt_tokens:
        verdict: Verdict = "whole" if not missing else "lost" if seen.answered else "unanswered"
        return Finding(
            seen.chars, verdict, where_cut(missing), missing, answered=seen.answered, detail="no token count"
        )
    expected = line.tokens(seen.prompt_chars)
    share = line.missing_share(seen.prompt_chars, seen.prompt_tokens)
    finding = Finding(
        chars=seen.chars,
        verdict="recall" if missing else "whole",
        missing=missing,
        prompt_tokens=seen.prompt_tokens,
        expected_tokens=None if expected is None else round(expected),
        answered=seen.answered,
    )
    if not share:
        return finding
    if not missing and share > 1.5 * GAP:
        return replace(finding, detail="the token count is low, but no cut so wide could spare every code")
    read = line.chars(seen.prompt_tokens) - (seen.prompt_chars - seen.chars) if line.points else None
    where = (where_cut(missing) or "middle") if seen.answered else "unclear"
    return replace(finding, verdict="cut", where=where, chars_read=read)


def overflow(chars: int, message: str) -> Finding:
    """The finding where the endpoint says that the prompt is too long; the advice after its words is left out."""
    return Finding(chars, "error", detail=message.rpartition("; ")[0] or message)


def combine(first: Finding, second: Finding, *, able: bool) -> Finding:
    """What two askings of one length say, the first of which was doubtful.

    Two documents that lost the same stretch at the front or the end were cut, whatever the token count says: some
    gateways count before they cut. That holds for a model that is `able`, having repeated every code of some document;
    one that loses codes everywhere loses them at the ends too.
    """
    if first.verdict == second.verdict == "recall" and able and _same_edge(first, second):
        detail = "the same codes twice, though counted in full"
        return replace(second, verdict="cut", where=where_cut(second.missing), detail=detail)
    if second.verdict == "whole" and first.answered:
        return replace(second, detail=f"{len(first.missing)} codes lost at the first asking, none at the second")
    if second.verdict == "lost" and not _same_edge(first, second):
        return replace(second, where="unclear")
    return second


def _same_edge(first: Finding, second: Finding) -> bool:
    """Whether both lost the same end: some codes of it, not all codes, which a model may also lose by giving up."""
    ends = {where_cut(first.missing), where_cut(second.missing)}
    sizes = sorted((len(first.missing), len(second.missing)))
    return (
        first.answered
        and second.answered
        and ends in ({"front"}, {"end"})
        and sizes[1] < CODES
        and sizes[1] - sizes[0] <= 1
        and (sizes[0] >= 2 or (first.counted_low and second.counted_low))
    )


def describe(finding: Finding) -> str:
    """A finding in one line."""
    where = f" at the {finding.where}" if finding.where and finding.where != "unclear" else ""
    whole = f"read whole{_within(finding)}"
    verdict = {
        "whole": whole,
        "recall": f"{whole}, but codes were not repeated (recall, not window)",
        "error": "refused as too long",
        "cut": f"cut silently{where}",
        "lost": f"codes lost{where}: a cut or a lapse of memory",
        "unanswered": "no answer",
    }[finding.verdict]
    parts = [f"{finding.chars:,} characters: {verdict}"]
    if finding.missing:
        parts.append("codes missing " + ", ".join(str(position + 1) for position in finding.missing))
    if finding.prompt_tokens:
        expected = f" of {finding.expected_tokens:,} expected" if finding.expected_tokens else ""
        parts.append(f"{finding.prompt_tokens:,} tokens{expected}")
    if finding.detail:
        parts.append(finding.detail)
    return "; ".join(parts)


def _within(finding: Finding) -> str:
    """How exactly it is known that all was read, where the count is lower than noise: a small cut may hide there."""
    if finding.prompt_tokens is None or finding.expected_tokens is None or not finding.counted_low:
        return ""
    share = 1 - finding.prompt_tokens / finding.expected_tokens
    bound = next((bound for bound in (TOLERANCE, TOLERANCE_OF_ONE) if share <= bound), None)
    return "" if bound is None else f" within {100 * bound:.0f} %"
