"""Line ends become line feeds; control characters and soft hyphens go, which are no part of a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wildtrace.construct.ingest.draft import Draft, Edit, Options

_CHARACTERS = re.compile(
    "(?P<line>\r\n?|[\x0b\x85\u2028\u2029])"
    "|(?P<control>\ufeff|[\x00\x01\x03-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]+)"
    # One at a line end parts a word there; the step for broken words joins it.
    "|(?P<soft>\u00ad(?![ \t]*[\r\n\x0b\x85\u2028\u2029\f]))"
)
_KINDS = {"line": "", "control": "control character", "soft": "soft hyphen"}


def clean_characters(draft: Draft, options: Options) -> Draft:
    """This draft with line feeds for line ends, and without what nobody sees."""
    del options
    return draft.edited(_edits(draft.text))


def _edits(text: str) -> Iterator[Edit]:
    for match in _CHARACTERS.finditer(text):
        kind = match.lastgroup or ""
        yield Edit(match.start(), match.end(), "\n" if kind == "line" else "", _KINDS[kind])
