"""The offline contestants: three answers that use less and less of the document.

`lexical-reader` ranks the document's passages against the question and answers with the best, in document order: what
word overlap alone finds. `first-passages` answers with the document's beginning, `no-document` with the question.
"""

from __future__ import annotations

from wildtrace.endpoints.offline.parsing import read_asked
from wildtrace.endpoints.offline.passages import IndexCache

READ_LIMIT = 4900  # the judge reads 5,000 code points of an answer (protocol, section 4)
FIRST_LIMIT = 6000  # longer than the judge reads: such answers are flagged `judge_input_truncated`
MOST_PASSAGES = 12


def lexical_reader(prompt: str, cache: IndexCache) -> str:
    """The up to twelve passages that share most with the question; the beginning where none shares a word."""
    asked = read_asked(prompt)
    index = cache.index(asked.document)
    chosen: list[int] = []
    room = READ_LIMIT
    for number in index.ranked(asked.question)[:MOST_PASSAGES]:
        start, end = index.spans[number]
        room -= end - start + 2
        if room < 0:
            break
        chosen.append(number)
    passages = (asked.document[slice(*index.spans[number])].strip() for number in sorted(chosen))
    return "\n\n".join(passages) or asked.document[:READ_LIMIT]


def first_passages(prompt: str) -> str:
    """The document's first 6,000 code points."""
    return read_asked(prompt).document[:FIRST_LIMIT]


def no_document(prompt: str) -> str:
    """The question's own words: what an answer scores that has read nothing."""
    return f"Going by the question alone: {read_asked(prompt).question}"
