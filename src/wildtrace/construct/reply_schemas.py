"""The JSON schemas of the roles' replies (docs/roles.md), as strict servers want them: every key required, no others.

They help an endpoint to keep the shape; what counts of a reply is decided by roles.py alone.
"""

from __future__ import annotations

from typing import Any, Final

from wildtrace.types import EDGE_TYPES, RECORD_KINDS

_TEXT: Final = {"type": "string"}
_TEXT_OR_NULL: Final = {"type": ["string", "null"]}
_TEXTS: Final = {"type": "array", "items": _TEXT}
RELATIONS: Final = ("causes", "enables", "explains", "contrasts", "compares_with", "precedes", "alternative_of")


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(key: str, *entries: dict[str, Any]) -> dict[str, Any]:
    items = entries[0] if len(entries) == 1 else {"anyOf": list(entries)}
    return _object(**{key: {"type": "array", "items": items}})


_FIELDS: Final = {
    "entity": _object(name=_TEXT, type=_one_of("person", "place", "organisation", "thing"), aliases=_TEXTS),
    "event": _object(participants=_TEXTS, what=_TEXT),
    "attribute": _object(
        entity=_TEXT,
        type=_one_of("measurement", "role", "state"),
        value={"type": ["string", "number", "null"]},
        unit=_TEXT_OR_NULL,
    ),
    "time": _object(edtf=_TEXT_OR_NULL),
    "quotation": _object(speaker=_TEXT_OR_NULL),
    "relation": _object(type=_one_of(*RELATIONS), first=_TEXT, second=_TEXT),
    "summary": _object(),
}
_RECORDS: Final = tuple(_object(kind=_one_of(kind), quote=_TEXT, fields=_FIELDS[kind]) for kind in RECORD_KINDS)
_EDGE: Final = {"from": _TEXT, "to": _TEXT, "type": _one_of(*EDGE_TYPES), "quote": _TEXT}

REPLY_SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "extractor": _list_of("records", *_RECORDS),
    "linker": _list_of("edges", _object(**_EDGE)),
    "verifier": _object(supported={"type": ["boolean", "null"]}, quote=_TEXT_OR_NULL),
}
"""The schema of each role's reply, by the role's name."""
