"""Where in a region a quote begins and ends, word by word, when a few of its words differ."""

from __future__ import annotations

from collections.abc import Sequence

# A replaced first or last word keeps its place in the span (dearer to add a word than to replace one), and a word left
# out after the first one does not push that one aside (cheaper to leave one out than to replace one).
_LEFT_OUT = 9
_REPLACED = 10
_ADDED = 11
_END = 60


def locate(quote: Sequence[str], region: Sequence[str]) -> tuple[int, int]:
    """The half-open range of `region` that `quote` matches best (semi-global edit distance over whole words).

    Ends of long quotes are placed by their first and last words alone, so that time is linear in the quote's length.
    """
    if len(quote) <= 2 * _END:
        return _best(quote, region)
    slack = len(region) - len(quote) + _END
    start, _ = _best(quote[:_END], region[: max(slack, 2 * _END)])
    offset = max(start, len(region) - max(slack, 2 * _END))
    _, end = _best(quote[-_END:], region[offset:])
    return start, offset + end


def _best(quote: Sequence[str], region: Sequence[str]) -> tuple[int, int]:
    costs = [0] * (len(region) + 1)
    starts = list(range(len(region) + 1))
    for word in quote:
        costs, starts = _next_row(word, region, costs, starts)
    end = min(range(len(costs)), key=lambda at: (costs[at], at - starts[at]))
    return starts[end], end


def _next_row(word: str, region: Sequence[str], costs: list[int], starts: list[int]) -> tuple[list[int], list[int]]:
    row, begun = [costs[0] + _ADDED], [0]
    for at, other in enumerate(region):
        cost, start = costs[at] + (0 if other == word else _REPLACED), starts[at]
        if costs[at + 1] + _ADDED < cost:
            cost, start = costs[at + 1] + _ADDED, starts[at + 1]
        if row[at] + _LEFT_OUT < cost:
            cost, start = row[at] + _LEFT_OUT, begun[at]
        row.append(cost)
        begun.append(start)
    return row, begun
