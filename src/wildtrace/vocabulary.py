"""The words that files, tables and messages use, each with its meaning: one typed list a kind.

A word that is written is the first of its line; its synonyms are read alike by every reader (docs/protocol.md, rule 3).
The docs, the help texts and the report's tooltips are made from the meanings. To add a flag or a reason: one line here,
and one where it is raised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Term:
    """A word, what it means, and the other words that are read as it."""

    name: str
    meaning: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vocabulary:
    """The terms of one kind, in the order in which tables show them."""

    terms: tuple[Term, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The words as they are written."""
        return tuple(term.name for term in self.terms)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def meaning(self, name: str) -> str:
        """What a word means; empty for a word that is none of these."""
        return next((term.meaning for term in self.terms if term.name == name), "")

    def read(self, text: str) -> str | None:
        """The written form of a word or a synonym, whatever its case, spaces and hyphens; None where it is neither."""
        wanted = _folded(text)
        return next((term.name for term in self.terms if wanted in map(_folded, (term.name, *term.synonyms))), None)

    def sorted(self, names: set[str]) -> list[str]:
        """These names: those of the vocabulary in its order, then the others by name."""
        return [name for name in self if name in names] + sorted(names.difference(self.names))


def _folded(text: str) -> str:
    return text.strip().lower().replace(" ", "_").replace("-", "_")


FAMILIES: Final = Vocabulary(
    (
        Term(
            "technical_report",
            "incident reports and other technical documents",
            ("technical_reports", "technical", "incident_report", "technical_incident_report"),
        ),
        Term(
            "english_literature",
            "English novels and tales",
            ("en_literature", "english_literary", "english_narrative", "literature_en"),
        ),
        Term(
            "chinese_literature",
            "Chinese novels and tales",
            ("cjk_literature", "zh_literature", "chinese_literary", "literature_zh"),
        ),
    )
)

# The bounds of the tiers stand in text/tiers.py.
TIERS: Final = Vocabulary(
    (
        Term("L0", "documents of at most 128,000 tokens"),
        Term("L1", "documents of at most 181,019 tokens"),
        Term("L2", "documents of at most 256,000 tokens"),
        Term("L3", "documents of at most 362,039 tokens"),
        Term("L4", "documents of at most 512,000 tokens"),
        Term("L5", "documents of at most 724,077 tokens"),
        Term("L6", "documents of at most 1,000,000 tokens"),
        Term("L7", "longer documents: a stress probe beside the trend, not a part of it"),
    )
)

CONDITIONS: Final = Vocabulary(
    (
        Term("full", "the whole document is shown, and nothing of the evidence: the protocol's condition"),
        Term("evidence", "the passages around the clues are shown in the document's place"),
        Term("none", "nothing but the question is shown"),
    )
)

CAP_SOURCES: Final = Vocabulary(
    (
        Term("config", "the cap that the config gives for the model"),
        Term("table", "the protocol's cap for the model"),
        Term("default", "the protocol's cap for models that are not in its table: measure it with `probe`"),
    )
)

STATUSES: Final = Vocabulary(
    (
        Term("ok", "an answer, to be judged"),
        Term("out_of_context_scope", "the document is longer than the cap: never sent, scored 0"),
        Term("failed", "a refusal or an empty answer: final, never judged, counts 0 in All"),
        Term("pending", "no answer yet; a later run asks again"),
        Term("missing", "the file has no row for the task; counts 0 in All"),
        Term("unknown", "the file does not say what became of the question"),
    )
)

REASONS: Final = Vocabulary(
    (
        Term("out_of_context_scope", "the document is longer than the cap"),
        Term("refusal", "the endpoint marked the answer as refused or filtered"),
        Term("refused_by_endpoint", "the endpoint rejected this call alike in three runs, or as the config lists"),
        Term("empty_truncated", "no answer: the output budget was used up before one began"),
        Term("empty_stop", "no answer, though the budget was not used up"),
        Term("missing", "the file has no row for the task"),
        Term("context_overflow", "the endpoint says that the prompt is longer than its window; lower the cap"),
        Term("connection", "the connection could not be made, or broke"),
        Term("timeout", "no reply came in time"),
        Term("transient", "the endpoint was busy or failing"),
        Term("broken_reply", "what came back was no whole reply"),
        Term("cut_stream", "the stream ended before it said how the answer ended"),
        Term("rate_limited", "the endpoint asks to wait longer than a reply may take"),
        Term("quota", "the account has no quota left"),
        Term("rejected", "the endpoint did not accept this one request"),
        Term("endpoint", "the endpoint refuses every request: a setting is wrong"),
        Term("stopped", "the run was stopped"),
        Term("not_asked", "the run did not get to the question"),
        Term("error", "the call failed in another way"),
    )
)

ANSWER_FLAGS: Final = Vocabulary(
    (
        Term("suspected_truncation", "the endpoint counted too few prompt tokens for what it was sent"),
        Term("unverified", "the endpoint counted no tokens, so it cannot be told whether it read all"),
        Term("output_truncated", "the answer was cut where its budget ended"),
        Term("surrogates_replaced", "half characters in the answer were replaced"),
        Term("key_removed", "the endpoint repeated a key, which was taken out"),
        Term("offline", "an offline model answered"),
    )
)

JUDGE_FLAGS: Final = Vocabulary(
    (
        Term("judge_input_truncated", "the judge saw a cut question, criterion or answer"),
        Term("planted", "a verdict stands in the answer that was judged"),
        Term("several_verdicts", "the reply holds verdicts that differ; the last one counts"),
        Term("repaired", "the reply was no strict JSON and was read all the same"),
        Term("coerced", "the total was a number in quotes"),
        Term("mismatch", "the points of the criteria do not fit the rubric or the total; the total counts"),
        Term("key_removed", "the endpoint repeated a key, which was taken out"),
        Term("offline", "an offline judge graded"),
    )
)

FACT_KINDS: Final = Vocabulary(
    (
        Term("entity", "a person, a thing, an organisation or a place, with its designations"),
        Term("event", "something that happened, was done, planned or imagined"),
        Term("attribute", "a state, a measurement or a quality of something"),
        Term("time", "when something happened or was the case"),
        Term("quotation", "what somebody says or writes"),
        Term("relation", "a relation that the text states between two facts"),
        Term("summary", "what a passage is about, as the text sums it up"),
    )
)

EDGE_TYPES: Final = Vocabulary(
    (
        Term("causes", "the first brings the second about"),
        Term("enables", "the first makes the second possible"),
        Term("explains", "the first says why the second is so"),
        Term("evidence_for", "the first is a trace of the second"),
        Term("rules_out", "the first excludes the second"),
        Term("violates", "the first breaks the rule that the second states"),
        Term("contrasts", "the two say different things of one aspect"),
        Term("compares_with", "the two are cases of one aspect"),
        Term("precedes", "the first happens before the second"),
        Term("same_entity", "both speak of one person or thing"),
        Term("same_attribute", "both give a value of one attribute"),
        Term("alternative_of", "the first is the branch that the second excludes"),
        Term("part_of", "the first is a part or a stage of the second"),
    )
)

FACT_STATUSES: Final = Vocabulary(
    (
        Term("asserted", "the text says that it is so"),
        Term("denied", "the text says that it is not so"),
        Term("doubtful", "the text says that it may be so, or reports it without vouching for it"),
        Term("hypothetical", "the text imagines it: what would be, or would have been"),
        Term("planned", "the text says that it is intended, promised, ordered or due"),
    )
)

EDGE_VERDICTS: Final = Vocabulary(
    (
        Term("stated", "the text states the relation"),
        Term("follows", "the relation follows from the two clues"),
        Term("plausible", "the relation may hold, but the clues do not settle it"),
        Term("hypothetical", "the relation holds in what the text imagines"),
        Term("restates", "the two clues say the same"),
        Term("wrong", "the relation does not hold"),
    )
)

ROLES: Final = Vocabulary(
    (
        Term("reader", "reads a window and notes its facts"),
        Term("proposer", "proposes trails from the notes"),
        Term("verifier", "says whether two clues have the relation that is claimed"),
        Term("critic", "checks a trail against the document's passages and says what is wrong with it"),
    )
)

TRAIL_STATUSES: Final = Vocabulary(
    (
        Term("accepted", "verified, and accepted by a critic that saw the document's passages"),
        Term("rejected", "it fell at a check, at the verifier or at the critic; its reason says why"),
        Term("unverified", "found without a model: a rehearsal, never promoted"),
    )
)

CLOSINGS: Final = Vocabulary(
    (
        Term("explains", "the fact says why the open item was so"),
        Term("fulfils", "the fact carries out what was promised or planned"),
        Term("contradicts", "the fact is against what was claimed or promised"),
        Term("resolves", "the fact settles what was open"),
        Term("mentions_again", "the topic returns, and nothing is settled"),
        Term("same_claim", "the fact says the very same as the open item's fact"),
    )
)
