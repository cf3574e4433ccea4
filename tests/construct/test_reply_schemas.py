"""The schemas that roles' replies are asked by: strict, complete, and no narrower than what is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from wildtrace.construct.reply_schemas import REPLY_SCHEMAS
from wildtrace.types import EDGE_TYPES, RECORD_KINDS

FIELDS: dict[str, dict[str, Any]] = {
    "entity": {"name": "Orla Finch", "type": "person", "aliases": []},
    "event": {"participants": ["Orla Finch"], "what": "kept ledgers"},
    "attribute": {"entity": "pump", "type": "measurement", "value": 35, "unit": "days"},
    "time": {"edtf": None},
    "quotation": {"speaker": None},
    "relation": {"type": "causes", "first": "the oil was low", "second": "The lamp failed"},
    "summary": {},
}


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object schema inside a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


@pytest.mark.parametrize("role", REPLY_SCHEMAS)
def test_schemas_are_as_strict_servers_want_them(role: str) -> None:
    """An object at the root; every key required, no others; each schema a valid one."""
    Draft202012Validator.check_schema(REPLY_SCHEMAS[role])
    assert "object" == REPLY_SCHEMAS[role]["type"]
    for schema in objects(REPLY_SCHEMAS[role]):
        assert list(schema["properties"]) == schema["required"]
        assert schema["additionalProperties"] is False


def test_every_kind_and_type_can_be_said() -> None:
    """Each kind of record with its own fields alone, each type of edge, each word of a verifier."""
    assert set(RECORD_KINDS) == FIELDS.keys()
    extractor, linker, verifier = (Draft202012Validator(REPLY_SCHEMAS[role]) for role in REPLY_SCHEMAS)
    for kind in RECORD_KINDS:
        for other, fields in FIELDS.items():
            reply = {"records": [{"kind": kind, "quote": "words", "fields": fields}]}
            assert (kind == other) == extractor.is_valid(reply)
    for kind in (*EDGE_TYPES, "likes"):
        edge = {"from": "r1", "to": "r2", "type": kind, "quote": "words"}
        assert (kind in EDGE_TYPES) == linker.is_valid({"edges": [edge]})
    for word, valid in ((True, True), (False, True), (None, True), ("yes", False)):
        assert valid == verifier.is_valid({"supported": word, "quote": None})
    assert extractor.is_valid({"records": []})
