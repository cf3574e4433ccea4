"""Records and edges as small bytes: quotes as offsets, an edge's ends as places; the text gives the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from wildtrace.construct.link.board import edge
from wildtrace.types import EDGE_TYPES, Edge, Record, Span

_ENCODER: Final = msgspec.msgpack.Encoder()
_ROWS: Final = msgspec.msgpack.Decoder(list[list[Any]])


def pack_records(records: Sequence[Record]) -> bytes:
    """The bytes of records of one source; `unpack_records` needs its text."""
    return _ENCODER.encode([(r.id, r.kind, r.span.start, r.span.end, r.fields, r.provenance) for r in records])


def unpack_records(source: str, text: str, data: bytes) -> list[Record]:
    """The records that `pack_records` packed, given their source's id and canonical text."""
    return [
        Record(record_id, source, kind, Span.of(text, start, end), fields, provenance)
        for record_id, kind, start, end, fields, provenance in _ROWS.decode(data)
    ]


def pack_edges(edges: Sequence[Edge], records: Sequence[Record]) -> bytes:
    """The bytes of edges between `records`; edges whose ends are not among them are an error (KeyError)."""
    place = {record.id: at for at, record in enumerate(records)}
    kinds = {kind: at for at, kind in enumerate(EDGE_TYPES)}
    return _ENCODER.encode(
        [(place[e.head], place[e.tail], kinds[e.type], e.basis, e.provenance, e.confidence, e.status) for e in edges]
    )


def unpack_edges(source: str, records: Sequence[Record], data: bytes) -> list[Edge]:
    """The edges that `pack_edges` packed, given the same records in the same order."""
    return [
        edge(source, records[head].id, records[tail].id, EDGE_TYPES[kind], basis, provenance, confidence, status)
        for head, tail, kind, basis, provenance, confidence, status in _ROWS.decode(data)
    ]
