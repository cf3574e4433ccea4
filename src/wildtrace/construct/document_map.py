"""Step 3, map: the whole document in a bounded number of tokens, for the proposer to look over.

Every fact in order where that fits; else the episodes, as the reader summed up piece by piece. Passages that sum the
document up are marked, since they may tell an answer at one place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from wildtrace.construct.document import Document
from wildtrace.construct.prompting import chars_for, cut
from wildtrace.types import Fact, Structure

MAP_TOKENS: Final = 24_000
"""A longer map is skimmed, not read; with 40 to 80 quoted facts beside it a prompt stays under about 40,000 tokens."""
CAST_SHOWN: Final = 60
LINKS_SHOWN: Final = 80
_SUMMING_UP: Final = re.compile(
    r"conclusion|findings|summary|abstract|synopsis|recommendation|overview|结论|总结|摘要|尾声|後記|后记",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DocumentMap:
    """What a proposer sees of the whole: a title that says how, the lines, and the cast."""

    title: str
    lines: str
    cast: str


def draw_map(document: Document, structure: Structure) -> DocumentMap:
    """The map of a document."""
    most = chars_for(MAP_TOKENS, document.text)
    cast = sorted(document.reading.cast, key=lambda member: -len(member.facts))[:CAST_SHOWN]
    shown = "\n".join(document.member_line(member) for member in cast) or "(none)"
    lines = _fact_lines(document, document.reading.facts, structure)
    if sum(map(len, lines)) <= most:
        return DocumentMap("MAP of the whole document", "\n".join(lines) or "(none)", shown)
    return DocumentMap("MAP by episodes, since the document is long", _episodes(document, most // 2), shown)


def _fact_lines(document: Document, facts: Sequence[Fact], structure: Structure) -> list[str]:
    """Facts in order; a restatement points to the first telling, and what sums up is marked."""
    summing = sorted(
        (section.start, section.end) for section in structure.sections if _SUMMING_UP.search(section.title)
    )
    lines = []
    for fact in facts:
        at = bisect_right(summing, (fact.start, len(document.text))) - 1
        sums_up = fact.kind == "summary" or (at >= 0 and fact.start < summing[at][1])
        first = document.cluster(fact.id)[0]
        same = f" [same claim as {first}]" if first != fact.id else ""
        lines.append(f"{document.line(fact)}{same}{' [sums up]' if sums_up else ''}")
    return lines


def _episodes(document: Document, most: int) -> str:
    """The summaries of the pieces in order, each cut so that all of them fit."""
    summaries = document.reading.summaries
    each = max(60, most // max(len(summaries), 1) - 20)
    step = max(1, -(-len(summaries) * 80 // most))  # where even short ones do not fit, every second, third ... stands
    return "\n".join(
        f"{document.position(start)} to {document.position(end)} | {cut(summary, each)}"
        for start, end, summary in summaries[::step]
    )


def link_lines(document: Document, facts: set[str]) -> str:
    """The links between these facts, far ones first."""
    links = [link for link in document.reading.links if link.from_fact in facts and link.to_fact in facts]
    links.sort(key=lambda link: -document.distance(link.from_fact, link.to_fact))
    return (
        "\n".join(f"{each.from_fact} {each.type} {each.to_fact}: {each.why}" for each in links[:LINKS_SHOWN])
        or "(none)"
    )
