"""Bring a file's bytes to a source: its canonical text, its structure, and how that came about."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from wildtrace.construct.ingest.draft import OffsetMap, Options, Removal
from wildtrace.construct.ingest.formats import FORMATS, Decoded, Format, Part
from wildtrace.construct.ingest.language import language_of, script_of
from wildtrace.construct.ingest.steps import canonical
from wildtrace.construct.ingest.structure import structure_of
from wildtrace.errors import DataError
from wildtrace.text.script import is_cjk
from wildtrace.text.tiers import tier_of
from wildtrace.text.tokens import estimate_tokens
from wildtrace.types import Matter, Source, Structure

LARGEST_FILE: Final = 500_000_000
LONGEST_TEXT: Final = 100_000_000
"""Code points: twenty times the longest works, and what a machine of ordinary memory can still work on."""
_LONGEST_TITLE = 300
_LONGEST_FIRST_LINE = 120
_PDF_WITHIN = 1024
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


@dataclass(frozen=True, slots=True)
class Ingested:
    """A source with its canonical text, its structure, and how that came about.

    `map` leads from the canonical text's offsets to the decoded file's; `parts` are the decoded file's pages or
    documents; `removed` is what the canonical text leaves out; `broken` counts the places that the charset could not
    decode; `missing` are parts that could not be read, `doubts` what may be otherwise, each a sentence.
    """

    source: Source
    text: str
    structure: Structure
    map: OffsetMap
    parts: tuple[Part, ...]
    removed: tuple[Removal, ...]
    broken: int
    missing: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def ingest(raw: bytes, name: str, options: Options | None = None) -> Ingested:
    """Bring a file's bytes to a source.

    DataError, naming the file, where it is empty, too large, broken, encrypted or of no known format.
    """
    options = options or Options()
    if not raw.strip():
        raise DataError(f"{name} is empty; name a file with text")
    if len(raw) > LARGEST_FILE:
        raise DataError(f"{name} is larger than {LARGEST_FILE // 1_000_000} MB; split it and run again")
    decoded = format_of(raw, name).read(raw, name, options.encoding)
    if len(decoded.draft.text) > LONGEST_TEXT:
        raise DataError(f"{name} has more than {LONGEST_TEXT // 1_000_000} million characters; split it and run again")
    draft = canonical(decoded.draft, options)
    if not _is_visible(draft.text):
        raise DataError(f"{name} holds no text; name a file with text")
    structure = structure_of(draft.text, draft.blocks)
    title = _title(decoded, draft.text, structure.matter) or PurePath(name).stem
    source = _source(raw, name, draft.text, title, decoded.charset, options)
    return Ingested(
        source,
        draft.text,
        structure,
        draft.map,
        decoded.parts,
        draft.removed,
        decoded.broken,
        decoded.missing,
        decoded.doubts,
    )


def format_of(raw: bytes, name: str) -> Format:
    """The format of a file: what it begins with counts more than what it is called. DataError where neither fits."""
    for each in FORMATS:
        if each.begins(raw):
            return each
    suffix = PurePath(name).suffix.lower()
    named = next((each for each in FORMATS if suffix in each.suffixes), FORMATS[-1])
    if not named.is_text and not (b"%PDF-" in raw[: _PDF_WITHIN + 5] and suffix == ".pdf"):
        raise DataError(f"{name} is no {named.name} file, whatever its name says; fetch it again")
    return named


def _source(raw: bytes, name: str, text: str, title: str, charset: str, options: Options) -> Source:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    script = script_of(text)
    tokens = estimate_tokens(len(text), cjk=is_cjk(text))
    return Source(
        id=sha256[:16],
        file=PurePath(name).name,
        title=title,
        family=options.family,
        language=options.language or language_of(text, script),
        script=script,
        charset=charset,
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
    printable = "".join(" " if unicodedata.category(character) in ("Cc", "Cs") else character for character in title)
    line = " ".join(printable.split())
    match = _GUTENBERG.match(line)
    line = (match[1] or match[2]) if match is not None else line
    return line if _is_visible(line) else ""


def _is_visible(text: str) -> bool:
    """Whether a text has anything to see: spaces of no width and controls have nothing."""
    return any(character.isprintable() and not character.isspace() for character in text)
