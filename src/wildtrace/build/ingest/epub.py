"""EPUB: the documents of the spine in order, read in memory and within limits; nothing is unpacked to disk."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from wildtrace.build.ingest.base import Decoded, Marked, Part
from wildtrace.build.ingest.charset import decode
from wildtrace.build.ingest.draft import Builder
from wildtrace.build.ingest.html import Rendering
from wildtrace.errors import DataError

MOST_ENTRIES = 20_000
MOST_BYTES = 200_000_000
_CONTAINER = "META-INF/container.xml"
_KINDS = {
    "toc": "contents",
    "nav": "contents",
    "contents": "contents",
    "loi": "contents",
    "lot": "contents",
    "index": "index",
    "cover": "cover",
    "titlepage": "title page",
    "title-page": "title page",
    "halftitlepage": "title page",
    "halftitle": "title page",
    "copyright": "licence",
    "copyright-page": "licence",
    "license": "licence",
    "licence": "licence",
    "uncopyright": "licence",
    "colophon": "imprint",
    "imprint": "imprint",
}
_EPUB_TYPE = re.compile(r"""<(?:body|section)\b[^>]*\bepub:type\s*=\s*["']([^"']*)["']""")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document of the spine: its name in the archive and what the package says it is."""

    path: str
    types: tuple[str, ...]


class _Archive:
    """An EPUB's archive, read entry by entry within a budget of bytes."""

    def __init__(self, raw: bytes, name: str) -> None:
        self.name = name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
        except (zipfile.BadZipFile, ValueError, OSError) as error:
            raise DataError(f"{name} is no readable EPUB ({error}); fetch it again") from None
        self._names = set(self._zip.namelist())
        if len(self._names) > MOST_ENTRIES:
            raise DataError(f"{name} has more than {MOST_ENTRIES} entries; it is refused as no book")
        self._left = MOST_BYTES

    def has(self, path: str) -> bool:
        """Whether the archive has this entry."""
        return path in self._names

    def read(self, path: str) -> bytes:
        """One entry's bytes; DataError where it is missing, broken, encrypted or unpacks beyond the budget."""
        try:
            with self._zip.open(path) as entry:
                content = entry.read(self._left + 1)
        except (
            KeyError,
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
            EOFError,
            OSError,
            ValueError,
        ) as error:
            raise DataError(f"{self.name}: its entry {path!r} cannot be read ({error}); fetch the EPUB again") from None
        except Exception as error:  # zlib and lzma raise kinds of their own for broken data
            raise DataError(f"{self.name}: its entry {path!r} is broken ({error}); fetch the EPUB again") from None
        self._left -= len(content)
        if self._left < 0:
            raise DataError(f"{self.name} unpacks to more than {MOST_BYTES // 1_000_000} MB; it is refused")
        return content

    def xml(self, path: str) -> Any:
        """One entry parsed as XML, without entities, external files or network."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
        try:
            root = etree.fromstring(self.read(path), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise DataError(f"{self.name}: its entry {path!r} is no XML ({error}); fetch the EPUB again") from None
        if root is None:
            raise DataError(f"{self.name}: its entry {path!r} is no XML; fetch the EPUB again")
        return root


def read(raw: bytes, name: str) -> Decoded:
    """Read an EPUB in spine order. DataError where it is broken, encrypted, too large or has no text."""
    archive = _Archive(raw, name)
    package_path = _package_path(archive)
    package = archive.xml(package_path)
    locked = _encrypted(archive)
    rendering = Rendering(Builder())
    parts: list[Part] = []
    marked: list[Marked] = []
    charsets: list[str] = []
    broken = 0
    for entry in _spine(archive, package, posixpath.dirname(package_path)):
        if entry.path in locked:
            raise DataError(f"{name}: its text is encrypted; remove the copy protection or use another copy")
        found = decode(archive.read(entry.path), f"{name}: {entry.path}")
        parts.append(Part(entry.path, rendering.base))
        rendering.render(found.text)
        end = rendering.base + len(found.text)
        marked += [Marked(kind, rendering.base, end) for kind in _kinds(entry, found.text)[:1]]
        rendering.base = end
        charsets.append(found.charset)
        broken += found.broken
    draft = rendering.builder.draft(rendering.removed)
    return Decoded(draft, _commonest(charsets), _title(package), broken, tuple(parts), (*marked, *rendering.marked))


def _package_path(archive: _Archive) -> str:
    if not archive.has(_CONTAINER):
        raise DataError(f"{archive.name} has no {_CONTAINER}; it is no EPUB")
    paths = archive.xml(_CONTAINER).xpath("//*[local-name()='rootfile']/@full-path")
    path = _inside("", str(paths[0])) if paths else None
    if path is None or not archive.has(path):
        raise DataError(f"{archive.name} names no package document; fetch the EPUB again")
    return path


def _inside(folder: str, reference: str) -> str | None:
    """The entry a reference names, or None where it leads out of the archive."""
    parts = urlsplit(reference)
    path = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
    if parts.scheme or parts.netloc or path.startswith(("/", "..")) or "\\" in path:
        return None
    return path


def _spine(archive: _Archive, package: Any, folder: str) -> Iterator[_Entry]:
    """The documents of the spine in order, each once."""
    types = _guide(package, folder)
    items = {item.get("id"): item for item in package.xpath("//*[local-name()='manifest']/*[local-name()='item']")}
    references = package.xpath("//*[local-name()='spine']/*[local-name()='itemref']/@idref")
    if not references:
        raise DataError(f"{archive.name} has an empty spine; fetch the EPUB again")
    seen: set[str] = set()
    for reference in references:
        item = items.get(reference)
        path = None if item is None else _inside(folder, item.get("href") or "")
        if item is None or path is None or not archive.has(path):
            raise DataError(
                f"{archive.name}: its spine names {str(reference)!r}, which is not in it; fetch the EPUB again"
            )
        if path not in seen and "html" in (item.get("media-type") or "html"):
            seen.add(path)
            yield _Entry(path, (*(item.get("properties") or "").split(), *types.get(path, ())))


def _guide(package: Any, folder: str) -> dict[str, tuple[str, ...]]:
    """What the package's guide calls the documents it lists."""
    types: dict[str, tuple[str, ...]] = {}
    for reference in package.xpath("//*[local-name()='guide']/*[local-name()='reference']"):
        path = _inside(folder, reference.get("href") or "")
        # A reference to a place inside a document says nothing of the whole.
        if path is not None and "#" not in (reference.get("href") or ""):
            types[path] = (*types.get(path, ()), reference.get("type") or "")
    return types


def _kinds(entry: _Entry, markup: str) -> list[str]:
    """What kinds of matter a document is, by the package, by its own markup, by its name."""
    typed = _EPUB_TYPE.search(markup[:5000])
    stem = posixpath.splitext(posixpath.basename(entry.path))[0].lower()
    names = [*entry.types, *(typed[1].split() if typed else ()), stem]
    return [_KINDS[name] for name in names if name in _KINDS]


def _encrypted(archive: _Archive) -> frozenset[str]:
    """The entries that are encrypted."""
    path = "META-INF/encryption.xml"
    if not archive.has(path):
        return frozenset()
    return frozenset(map(str, archive.xml(path).xpath("//*[local-name()='CipherReference']/@URI")))


def _title(package: Any) -> str | None:
    titles = package.xpath("//*[local-name()='metadata']/*[local-name()='title']/text()")
    return " ".join(str(titles[0]).split()) or None if titles else None


def _commonest(charsets: list[str]) -> str:
    return max(charsets, key=charsets.count) if charsets else "utf-8"
