"""A document's passages and their BM25 index (Robertson and Zaragoza 2009, k1 = 1.5, b = 0.75), without dependencies.

Passages tile the document. They end where the text itself ends something, the strongest end that keeps them between
`SHORTEST` and `LONGEST` code points: a blank line, a sentence, a line, a word; so hard-wrapped lines stay together and
a book on one line is cut at its sentences.
"""

from __future__ import annotations

import hashlib
import math
import re
from array import array
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

from wildtrace.text.words import content_words

SHORTEST = 160
LONGEST = 480
K1 = 1.5
B = 0.75

_SENTENCE_END = re.compile(r"(?:[.!?](?=[\s\"'”’)\]])|[。！？…；])[\"'”’」』）)\]]*")


def cut(document: str) -> Iterator[tuple[int, int]]:
    """Half-open code point offsets of the document's passages, in order, without gaps."""
    start = 0
    while start < len(document):
        end = _end(document, start)
        yield start, end
        start = end


def _end(document: str, start: int) -> int:
    """Where the passage that begins at `start` ends: past the last and strongest separator in reach."""
    low, high = start + SHORTEST, start + LONGEST
    if high >= len(document):
        return len(document)
    sentences = (match.end() for match in _SENTENCE_END.finditer(document, low, high))
    return (
        _past(document, "\n\n", low, high)
        or max(sentences, default=0)
        or _past(document, "\n", low, high)
        or _past(document, " ", low, high)
        or high
    )


def _past(document: str, separator: str, low: int, high: int) -> int:
    position = document.rfind(separator, low, high)
    return position + len(separator) if position >= 0 else 0


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """Where each passage stands, how many content words it has, and which words stand in it.

    `postings` maps a word to passage number and count, alternating. The document itself is not held.
    """

    spans: tuple[tuple[int, int], ...]
    lengths: array[int]
    postings: dict[str, array[int]]

    @classmethod
    def of(cls, document: str) -> PassageIndex:
        """Index a document; linear in its length."""
        spans = tuple(cut(document))
        lengths = array("I")
        postings: dict[str, array[int]] = {}
        for number, (start, end) in enumerate(spans):
            words = content_words(document[start:end])
            lengths.append(len(words))
            for word, count in Counter(words).items():
                postings.setdefault(word, array("I")).extend((number, count))
        return cls(spans, lengths, postings)

    @property
    def bytes(self) -> int:
        """About how much memory the index takes."""
        return 120 * len(self.spans) + sum(200 + 4 * len(entry) for entry in self.postings.values())

    def ranked(self, query: str) -> list[int]:
        """The numbers of the passages that share a content word with `query`, best first; ties in document order."""
        scores = self.scores(query)
        return sorted(scores, key=lambda number: (-scores[number], number))

    def scores(self, query: str) -> dict[int, float]:
        """The BM25 score of each passage that shares a content word with `query`; a word of it counts once."""
        scores: dict[int, float] = defaultdict(float)
        mean = sum(self.lengths) / max(1, len(self.lengths))
        for word in dict.fromkeys(content_words(query)):
            entry = self.postings.get(word, array("I"))
            weight = inverse_document_frequency(len(self.spans), len(entry) // 2)
            for number, count in zip(entry[::2], entry[1::2], strict=True):
                norm = count + K1 * (1 - B + B * self.lengths[number] / mean)
                scores[number] += weight * count * (K1 + 1) / norm
        return scores


def inverse_document_frequency(passages: int, containing: int) -> float:
    """The weight of a word that stands in `containing` of `passages` passages; never negative."""
    return math.log(1 + (passages - containing + 0.5) / (containing + 0.5))


class IndexCache:
    """The indices of the documents read last, at most about `max_bytes` of them; safe to share between threads.

    One index is built at a time: building holds the interpreter, so two at once would only be two in memory.
    """

    def __init__(self, max_bytes: int = 64 << 20) -> None:
        self._max_bytes = max_bytes
        self._cached: OrderedDict[bytes, PassageIndex] = OrderedDict()
        self._lock = Lock()

    def index(self, document: str) -> PassageIndex:
        """The document's index, built unless it is cached."""
        key = hashlib.sha256(document.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            index = self._cached.pop(key, None) or PassageIndex.of(document)
            self._cached[key] = index
            while len(self._cached) > 1 and sum(cached.bytes for cached in self._cached.values()) > self._max_bytes:
                self._cached.popitem(last=False)
            return index
