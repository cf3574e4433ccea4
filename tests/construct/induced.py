"""A document through the pure stages, as tests want it: the same functions that the flow puts together."""

from __future__ import annotations

from wildtrace.construct.induction import cast_of, plan, read_task, survey_task
from wildtrace.construct.link.graph import link
from wildtrace.construct.packing import unpack_records
from wildtrace.construct.segment import segment
from wildtrace.types import EvidenceGraph, Record


def records_of(text: str, source: str = "source") -> list[Record]:
    """The records of a text by rules."""
    taken_apart = plan(text, tuple(segment(text, source, "L0")), ())
    surveys = [survey_task((taken_apart.manner, pieces)) for pieces in taken_apart.pieces]
    known, entities = cast_of(source, text, taken_apart.manner, surveys)
    packed = read_task((known, list(enumerate(taken_apart.pieces))))
    return [*entities, *(record for _, data in packed for record in unpack_records(source, text, data))]


def graph_of(text: str, source: str = "source") -> EvidenceGraph:
    """The evidence graph of a text by rules."""
    return link(source, len(text), records_of(text, source))


def names_of(records: list[Record]) -> dict[str, str]:
    """The names of the entities among records, by record id."""
    return {record.id: str(record.fields["name"]) for record in records if record.kind == "entity"}
