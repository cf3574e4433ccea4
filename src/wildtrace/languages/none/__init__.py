"""Any language that has no folder: sentences and nothing else, and a reading says so."""

from __future__ import annotations

from wildtrace.languages.base import Language

LANGUAGE = Language()
