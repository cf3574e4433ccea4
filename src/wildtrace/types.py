"""The data of both lines, in the order in which it flows; invariants only, no I/O.

construction:  Source -> Window -> Fact -> Trail -> Item -> Verdict.. -> Review.. -> Release
evaluation:    Release -> Question + document -> Response -> Judgement -> Score -> ScoreTable -> Table, figure -> report

What a model under test may see is `Question`: it has no field for evidence, answer or rubric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal

ResponseStatus = Literal["ok", "out_of_context_scope", "failed", "pending"]
Usage = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document: half-open code point offsets and the text that stands there."""

    start: int
    end: int
    quote: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end or self.end - self.start != len(self.quote):
            raise ValueError(f"span [{self.start}:{self.end}] does not fit a quote of {len(self.quote)} code points")

    @classmethod
    def of(cls, text: str, start: int, end: int, offset: int = 0) -> Span:
        """The span of `text[start:end]`, where `text` begins at `offset` of the document."""
        return cls(offset + start, offset + end, text[start:end])

    def stands_in(self, text: str) -> bool:
        """Whether the quote stands in `text` at these offsets."""
        return text[self.start : self.end] == self.quote


@dataclass(frozen=True, slots=True)
class Fact:
    """A local fact of a source, as a careful reader notes it: one or more whole sentences, and what they make certain.

    `kind` is one of FACT_KINDS. `spans` are the sentences it stands in, in text order; the first one is its place.
    `gist` says it in one self-contained line, no more than the quote and its window make certain; `inferred` is
    whatever goes beyond. `who` are ids of cast members; `when` is what the text says of the time. `status` is one of
    FACT_STATUSES; `level` says who tells it, inside which telling (empty: the narrator). `found_by` names the role and
    model, or the annotator, that noted it.
    """

    id: str
    source: str
    kind: str
    spans: tuple[Span, ...]
    gist: str
    inferred: str = ""
    who: tuple[str, ...] = ()
    when: str = ""
    status: str = "asserted"
    level: str = ""
    found_by: str = ""

    def __post_init__(self) -> None:
        if not self.spans:
            raise ValueError(f"fact {self.id} has no span")

    @property
    def start(self) -> int:
        """Where it stands: the first code point of its first span."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """Where its last span ends."""
        return self.spans[-1].end

    @property
    def quote(self) -> str:
        """Its sentences, joined by an ellipsis where they are apart."""
        return " … ".join(span.quote for span in self.spans)


@dataclass(frozen=True, slots=True)
class CastMember:
    """One referent of a source under all its designations: a person, an organisation, a thing, a place.

    `facts` are the ids of the facts that name it; `quotes` are spans in which its names stand, at most two a name.
    """

    id: str
    source: str
    names: tuple[str, ...]
    kind: str = ""
    gist: str = ""
    facts: tuple[str, ...] = ()
    quotes: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A typed relation between two facts, by id, from the cause, the earlier event, the explanation to the other.

    `type` is one of EDGE_TYPES; `why` is the reader's short reason.
    """

    id: str
    source: str
    from_fact: str
    to_fact: str
    type: str
    why: str = ""
    found_by: str = ""


@dataclass(frozen=True, slots=True)
class OpenItem:
    """What a passage leaves open: unexplained, promised, planned, claimed, hidden, missing, imagined as "if".

    `closed_by` are (fact id, how) of the facts that answer it, wholly or partly, in the order of reading.
    """

    id: str
    source: str
    fact: str
    gist: str
    closed_by: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of one source; `clusters` are sets of fact ids that make the same claim (restatements)."""

    source: str
    chars: int
    facts: tuple[Fact, ...] = ()
    cast: tuple[CastMember, ...] = ()
    links: tuple[Link, ...] = ()
    opens: tuple[OpenItem, ...] = ()
    clusters: tuple[tuple[str, ...], ...] = ()
    summaries: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A work as ingested: what is known of its canonical text, which is stored apart, once, by hash.

    `id` is a digest of the canonical text; `sha256` is of that text in UTF-8, `file_sha256` of the file it came from;
    `chars` are code points, `tokens` the protocol's estimate. `family` is given by the user or None, never guessed;
    `charset`, `script` (ISO 15924) and `language` (ISO 639) are three facts.
    """

    id: str
    file: str
    title: str
    family: str | None
    language: str
    script: str
    charset: str
    tier: str
    tokens: int
    chars: int
    sha256: str
    file_sha256: str


@dataclass(frozen=True, slots=True)
class Matter:
    """A stretch of a source that is no part of the work proper: contents, licence, advert, index, a note."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Range:
    """A half-open range of code points of a source's canonical text, without white space at its ends."""

    start: int
    end: int

    def text_in(self, text: str) -> str:
        """The range's own text, given its source's."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a source from its heading to the next heading of its level or a higher one; `level` 1 is the highest.

    `heading` is where the heading stands, `title` its words in one line, `numbering` what numbers it (`1.2`, `III`,
    `第一回`), empty where nothing does.
    """

    start: int
    end: int
    level: int
    heading: Range
    title: str
    numbering: str = ""


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item of a list with its marker (`4.`, `-`); a number stands within the range; `level` 1 is outermost."""

    start: int
    end: int
    marker: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table and its cells from left to right; an empty cell is an empty range."""

    start: int
    end: int
    cells: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of a source; `header` is the row that names its columns, None where none does, and not among `rows`."""

    start: int
    end: int
    rows: tuple[Row, ...]
    header: Row | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote or endnote; `mark` is what calls it (`3`, `*`), `called_at` where the work does, if that is known."""

    start: int
    end: int
    mark: str
    called_at: int | None = None


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where a page of the file or of its printed edition begins; `label` is its number as printed there."""

    start: int
    label: str


@dataclass(frozen=True, slots=True)
class Structure:
    """What a source consists of, each in text order, as ranges of its canonical text.

    `paragraphs` are those of prose; headings, list items, table rows and notes are none. `sentences` are what a fact or
    a clue may stand in: the sentences of paragraphs and of list items (an item without a full stop is one) and the rows
    of tables, none of them in a heading, a note or `matter`.
    """

    sections: tuple[Section, ...] = ()
    paragraphs: tuple[Range, ...] = ()
    sentences: tuple[Range, ...] = ()
    items: tuple[ListItem, ...] = ()
    tables: tuple[SourceTable, ...] = ()
    notes: tuple[Note, ...] = ()
    pages: tuple[PageStart, ...] = ()
    matter: tuple[Matter, ...] = ()

    def sections_at(self, offset: int) -> tuple[Section, ...]:
        """The sections that an offset lies in, from the highest to the lowest: the path of headings above it."""
        return tuple(section for section in self.sections if section.start <= offset < section.end)


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a source that records are extracted from; `position` is its start over the source's length."""

    id: str
    source: str
    start: int
    end: int
    position: float
    tier: str

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"window [{self.start}:{self.end}] is no half-open range")

    def text_in(self, text: str) -> str:
        """The window's own text, given its source's."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of a rubric: what earns `points`, and which clues it rests on. `extra`: as in Item."""

    id: str
    points: float
    text: str
    spans: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Rubric:
    """The criteria of an item; a credit is awarded points divided by `points`."""

    criteria: tuple[Criterion, ...]

    @property
    def points(self) -> float:
        """The sum of the criteria's points (released rubrics: 100), as decimals add up: 3 x 33.3 is 99.9."""
        points = [criterion.points for criterion in self.criteria]
        if all(isinstance(each, int) for each in points):
            return float(sum(points))
        return float(sum(Decimal(repr(each)) for each in points))


@dataclass(frozen=True, slots=True)
class Clue:
    """A load-bearing span of an item. Offsets are absent where a release gives only the quote. `extra`: as in Item."""

    span_id: str
    role: str
    quote: str
    start: int | None = None
    end: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TrailEdge:
    """A typed relation between two clues, by span id. `extra`: as in Item."""

    source: str
    target: str
    type: str
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ProvedEdge:
    """A typed relation between two clues of a trail, by the ids of their facts; `type` is one of EDGE_TYPES.

    `verdict` is one of EDGE_VERDICTS, empty where nothing verified it; `quotes` are the words that support it, those of
    the first clue and those of the second.
    """

    from_fact: str
    to_fact: str
    type: str
    why: str = ""
    verdict: str = ""
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leak:
    """A passage of the source that tells a part or the whole of a trail's answer by itself."""

    start: int
    end: int
    tells: str


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One step of how a trail was found: the stage, the model or rule that took it, and what came of it."""

    stage: str
    by: str
    note: str


@dataclass(frozen=True, slots=True)
class Trail:
    """A set of clues and the edges that join them, for one geometry; a clue's `span_id` is the id of its fact.

    A clue's `extra` has its `side`, where the geometry has sides. `answer` is the latent answer, `hedge` the one
    reservation that governs it, `needs` says for each clue what is undetermined without it. `status` is one of
    TRAIL_STATUSES, `reason` why. `leaks` are the passages that tell part of the answer, `interest` is the critic's
    mark, 1 to 5 (0: none given), `score` ranks the trails of a source, 0 to 1, and `steps` say how it was found.
    """

    id: str
    source: str
    geometry: str
    clues: tuple[Clue, ...]
    edges: tuple[ProvedEdge, ...]
    answer: str
    hedge: str = ""
    needs: Mapping[str, str] = field(default_factory=dict)
    status: str = "unverified"
    reason: str = ""
    interest: int = 0
    score: float = 0.0
    leaks: tuple[Leak, ...] = ()
    steps: tuple[TrailStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The public part of an item: all that a model under test is given, besides the document."""

    question_id: str
    text: str
    corpus_file: str


@dataclass(frozen=True, slots=True)
class Item:
    """A released item: the public question and the hidden evidence, answer and rubric.

    `extra` keeps the fields of a data file that this program does not know.
    """

    question: Question
    rubric: Rubric
    source_id: str = ""
    tier: str = ""
    source_family: str = ""
    geometry: str = ""
    doc_token_estimate: int | None = None
    reference_answer: str = ""
    key_facts: tuple[str, ...] = ()
    clues: tuple[Clue, ...] = ()
    edges: tuple[TrailEdge, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def question_id(self) -> str:
        """The item's public id."""
        return self.question.question_id


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What a run needs to know of a document without holding its text.

    `chars` are code points of the text as read (docs/protocol.md, rule 1); `sha256` is of that text in UTF-8; `changed`
    says that reading dropped a byte order mark or normalised line ends, `raw_chars` the length before that.
    """

    corpus_file: str
    sha256: str
    chars: int
    cjk: bool
    other_cjk: bool
    changed: bool
    raw_chars: int


OVERFLOW: Final = "context_overflow"
"""The reason of a response whose prompt was longer than the model's window."""


@dataclass(frozen=True, slots=True)
class Response:
    """What came of asking one question (file format: docs/formats.md, `wildtrace.responses/1`)."""

    question_id: str
    status: ResponseStatus
    reason: str | None = None
    response: str | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    usage: dict[str, int] | None = None
    flags: tuple[str, ...] = ()
    attempts: int = 0
    latency_s: float | None = None
    served_model: str | None = None
    error: str | None = None

    @property
    def is_overflow(self) -> bool:
        """Whether the endpoint said that the prompt is longer than its window (docs/protocol.md, rule 13)."""
        return self.reason == OVERFLOW

    @property
    def is_finished(self) -> bool:
        """Whether it is what a call came to, for good or, by an overflow, for as long as the cap stands."""
        return self.status in ("ok", "failed") or self.is_overflow


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judge's usable reply: `score` is the credit, 0 to 1; `total` and `points_awarded` are in rubric points."""

    score: float
    total: float
    points_awarded: tuple[float, ...] | None
    flags: tuple[str, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class JudgeFailure:
    """A judge that gave no usable reply yet, and why; `reply` is the last one it gave, if any."""

    error: str
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A task's score: the mean of the full panel, 0.0 for an out-of-context task, else None.

    `reason` and `flags` are the response's, so that a zero keeps its cause and a doubt reaches every table.
    """

    question_id: str
    status: str
    score: float | None
    judges: Mapping[str, Judgement | JudgeFailure] = field(default_factory=dict)
    reason: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The means of a run, 0 to 1, and the count of each reason for a zero in All.

    `scored` is the mean over fully judged responses; `all_tasks` has every task as its denominator and is None while
    any valid response lacks a judge (protocol, section 5; docs/protocol.md, rules 24 and 26).
    """

    n_tasks: int
    scored_n: int
    scored: float | None
    all_tasks: float | None
    zeros: Mapping[str, int]
    pending: int
    unjudged: int
