"""Ingest: one canonical UTF-8 text per source, whatever format, charset and layout it came in.

A reader per format hands on the work's text with a map to the decoded file (`base`, `draft`); layout is undone for all
alike (`layout`, `furniture`); front and back matter is marked, never cut (`matter`). Charset, script and language are
three facts, each judged by itself; the source family is the user's to say.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from wildtrace.construct.ingest import epub, html, markdown, pdf, plain
from wildtrace.construct.ingest.base import Decoded, Part
from wildtrace.construct.ingest.draft import Draft, OffsetMap, Removal
from wildtrace.construct.ingest.language import language_of, script_of
from wildtrace.construct.ingest.layout import canonical
from wildtrace.construct.ingest.matter import matter_of, merged
from wildtrace.errors import DataError
from wildtrace.text.script import is_cjk
from wildtrace.text.tiers import tier_of
from wildtrace.text.tokens import estimate_tokens
from wildtrace.types import Matter, Source

LARGEST_FILE = 500_000_000
_LONGEST_TITLE = 300
_LONGEST_FIRST_LINE = 120
_NO_TITLE = re.compile(
    r"^[\[*#_=-]|^(?:preface|introduction|contents|price|(?:book|part|chapter) [\divxlc]+)\b|[,;。，；]\s*$",
    re.IGNORECASE,
)
# What Project Gutenberg puts around a title: before it with the author after it, or behind it.
_GUTENBERG = re.compile(
    r"^(?:The )?Project Gutenberg(?:['’]s|(?: e-?(?:book|text))? of) (.+?)(?:, by .+)?\.?$"
    r"|^(.+?) \| Project Gutenberg$",
    re.IGNORECASE,
)

__all__ = ["FORMATS", "Ingested", "OffsetMap", "Part", "Removal", "ingest"]


@dataclass(frozen=True, slots=True)
class Ingested:
    """A source with its canonical text and how that came about.

    `map` leads from the canonical text's offsets to the decoded file's; `parts` are the decoded file's pages or
    documents; `removed` is what the canonical text leaves out; `matter` takes no part in extraction; `broken` counts
    the places that the charset could not decode.
    """

    source: Source
    text: str
    map: OffsetMap
    parts: tuple[Part, ...]
    removed: tuple[Removal, ...]
    matter: tuple[Matter, ...]
    broken: int


FORMATS: dict[str, Callable[[bytes, str], Decoded]] = {
    ".txt": plain.read,
    ".text": plain.read,
    ".md": markdown.read,
    ".markdown": markdown.read,
    ".html": html.read,
    ".htm": html.read,
    ".xhtml": html.read,
    ".epub": epub.read,
    ".pdf": pdf.read,
}
_PDF = b"%PDF-"
# Readers accept a PDF that begins within its first kilobyte; mail and web servers put lines before it.
_PDF_WITHIN = 1024 + len(_PDF)
_SIGNATURES = ((_PDF, pdf.read), (b"PK\x03\x04", epub.read))
_MARKUP = re.compile(rb"^\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE html|<html)", re.IGNORECASE)


def ingest(
    raw: bytes, name: str, *, family: str | None = None, language: str | None = None, unwrap: bool = False
) -> Ingested:
    """Bring a file's bytes to a source. `family` and `language` are the user's word; the language is told if not given.

    DataError, naming the file, where it is empty, too large, broken, encrypted or of no known format.
    """
    if not raw.strip():
        raise DataError(f"{name} is empty; name a file with text")
    if len(raw) > LARGEST_FILE:
        raise DataError(f"{name} is larger than {LARGEST_FILE // 1_000_000} MB; split it and run again")
    decoded = _reader(raw, name)(raw, name)
    draft = canonical(decoded.draft, unwrap=unwrap)
    if not _is_visible(draft.text):
        raise DataError(f"{name} holds no text; name a file with text")
    matter = merged([*_declared(decoded, draft), *matter_of(draft.text)])
    title = _title(decoded, draft.text, matter) or PurePath(name).stem
    source = _source(raw, name, draft.text, Facts(title, decoded.charset, family, language))
    return Ingested(source, draft.text, draft.map, decoded.parts, draft.removed, matter, decoded.broken)


def _reader(raw: bytes, name: str) -> Callable[[bytes, str], Decoded]:
    """The format's reader: what a file begins with counts more than what it is called."""
    for signature, reader in _SIGNATURES:
        if raw.startswith(signature):
            return reader
    suffix = PurePath(name).suffix.lower()
    if suffix == ".pdf" and _PDF in raw[:_PDF_WITHIN]:
        return _pdf_within
    if suffix in (".pdf", ".epub"):
        raise DataError(f"{name} is no {suffix[1:].upper()} file, whatever its name says; fetch it again")
    if _MARKUP.match(raw[:2000]):
        return html.read
    return FORMATS.get(suffix, plain.read)


def _pdf_within(raw: bytes, name: str) -> Decoded:
    return pdf.read(raw[raw.index(_PDF) :], name)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a work besides its text."""

    title: str
    charset: str
    family: str | None
    language: str | None


def _source(raw: bytes, name: str, text: str, facts: Facts) -> Source:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    script = script_of(text)
    tokens = estimate_tokens(len(text), cjk=is_cjk(text))
    return Source(
        id=sha256[:16],
        file=PurePath(name).name,
        title=facts.title,
        family=facts.family,
        language=facts.language or language_of(text, script),
        script=script,
        charset=facts.charset,
        tier=tier_of(tokens),
        tokens=tokens,
        chars=len(text),
        sha256=sha256,
        file_sha256=hashlib.sha256(raw).hexdigest(),
    )


def _title(decoded: Decoded, text: str, matter: tuple[Matter, ...]) -> str | None:
    """What the file calls the work, else the first line that is the work's own and short enough to be its title."""
    own = _bare_title(decoded.title or "")
    if own and len(own) <= _LONGEST_TITLE:
        return own
    lines = (line for line in re.finditer(r"\S[^\n]*", text[:20_000]) if _is_visible(line[0]))
    first = next((line for line in lines if not any(each.start <= line.start() < each.end for each in matter)), None)
    if first is None or len(first[0]) > _LONGEST_FIRST_LINE or _NO_TITLE.search(first[0]):
        return None
    title = _bare_title(first[0])
    # A number alone counts something.
    return title if any(character.isalpha() for character in title) else None


def _bare_title(title: str) -> str:
    """A title in one line without control characters and without Project Gutenberg's words around it."""
    printable = "".join(character if unicodedata.category(character) != "Cc" else " " for character in title)
    line = " ".join(printable.split())
    match = _GUTENBERG.match(line)
    line = (match[1] or match[2]) if match is not None else line
    return line if _is_visible(line) else ""


def _is_visible(text: str) -> bool:
    """Whether a text has anything to see: spaces of no width and controls have nothing."""
    return any(character.isprintable() and not character.isspace() for character in text)


def _declared(decoded: Decoded, draft: Draft) -> list[Matter]:
    """Matter that the file's own markup declares."""
    stretches = (
        (marked.kind, draft.map.offset(marked.start), min(draft.map.offset(marked.end), len(draft.text)))
        for marked in decoded.marked
    )
    return [Matter(kind, start, end) for kind, start, end in stretches if start < end]
