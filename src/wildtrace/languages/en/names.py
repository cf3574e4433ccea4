"""Names of English text by spaCy (extra `names`) and its small model, where both are installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from wildtrace.languages.base import Name

MODEL: Final = "en_core_web_sm"
_KINDS: Final = {"PERSON": "person", "GPE": "place", "LOC": "place", "FAC": "place", "ORG": "organisation"}
_PIECE: Final = 50_000
"""Code points at a time: the model refuses texts of more than a million, and its memory grows with the piece."""


@cache
def _engine() -> Any | None:
    if not (find_spec("spacy") and find_spec(MODEL)):
        return None
    return import_module("spacy").load(MODEL, exclude=["tagger", "parser", "attribute_ruler", "lemmatizer"])


def names(text: str) -> Iterator[Name] | None:
    """The names in a text, in order; None where the engine is not installed."""
    engine = _engine()
    return None if engine is None else _found(engine, text)


def _found(engine: Any, text: str) -> Iterator[Name]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        for entity in engine(text[start:end]).ents:
            if entity.label_ in _KINDS:
                yield Name(start + entity.start_char, start + entity.end_char, _KINDS[entity.label_])
        start = end
