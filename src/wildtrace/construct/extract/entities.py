"""Entity records: one for each entity of the cast, quoted where the document first names it."""

from __future__ import annotations

from collections.abc import Mapping

from wildtrace.construct.extract.cast import Cast, Entity
from wildtrace.construct.extract.identity import record
from wildtrace.types import Record, Span

PROVENANCE = "rule:names"
MOST_ALIASES = 12


def entity_records(source: str, text: str, cast: Cast) -> list[Record]:
    """The records of a cast, in its order: its place in the list is its place in the cast."""
    return [_record(source, text, entity) for entity in cast.entities]


def _record(source: str, text: str, entity: Entity) -> Record:
    fields: Mapping[str, object] = {
        "name": entity.name,
        "type": entity.kind,
        "gender": entity.gender,
        "aliases": entity.aliases[:MOST_ALIASES],
        "mentions": entity.mentions,
    }
    span = Span.of(text, entity.first, entity.first + entity.length)
    provenance = "rule:things" if entity.kind == "thing" and len(entity.aliases) == 1 else PROVENANCE
    return record(source, "entity", span, fields, provenance, entity.name)
