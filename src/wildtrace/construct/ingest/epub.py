"""EPUB: the documents of the spine in order, read in memory and within limits; nothing is unpacked to disk."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from wildtrace.construct.ingest.base import Decoded, Marked, Part
from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.declared import Amount, kind_of
from wildtrace.construct.ingest.draft import Builder
from wildtrace.construct.ingest.html import Rendering
from wildtrace.errors import DataError

MOST_ENTRIES = 20_000
MOST_BYTES = 200_000_000
_CONTAINER = "META-INF/container.xml"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document of the spine: its name in the archive, whether it is the navigation, what the guide calls it."""

    path: str
    is_navigation: bool
    guide: str


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
        self._folded: dict[str, list[str]] = {}
        for each in self._names:
            self._folded.setdefault(each.casefold(), []).append(each)
        self._left = MOST_BYTES

    def has(self, path: str) -> bool:
        """Whether the archive has this entry."""
        return path in self._names

    def entry(self, folder: str, reference: str) -> str | None:
        """The entry that a reference from this folder names, or None where there is none in the archive.

        It is taken as it stands, then as a URL, whose leading slash is the archive's root; then in another case.
        """
        url = urlsplit(reference)
        places = [posixpath.join(folder, reference)]
        if not url.scheme and not url.netloc:
            places += [posixpath.join(folder, path).lstrip("/") for path in (url.path, unquote(url.path))]
        paths = [posixpath.normpath(place) for place in places if reference and url.path]
        paths = [path for path in paths if not path.startswith(("/", "..")) and "\\" not in path]
        same = [each for path in paths for each in self._folded.get(path.casefold(), ())]
        exact = [path for path in paths if path in self._names]
        return exact[0] if exact else same[0] if len(set(same)) == 1 else None

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
    documents: list[tuple[_Entry, Marked, Amount]] = []
    charsets: list[str] = []
    broken = 0
    for entry in _spine(archive, package, posixpath.dirname(package_path)):
        if entry.path in locked:
            raise DataError(f"{name}: its text is encrypted; remove the copy protection or use another copy")
        found = decode(archive.read(entry.path), f"{name}: {entry.path}")
        parts.append(Part(entry.path, rendering.base))
        before = rendering.amount
        rendering.render(found.text, xml=True)
        end = rendering.base + len(found.text)
        documents.append((entry, Marked("", rendering.base, end), rendering.amount.since(before)))
        rendering.base = end
        charsets.append(found.charset)
        broken += found.broken
    draft = rendering.builder.draft(rendering.removed)
    marked = _marked(documents, rendering)
    return Decoded(draft, _commonest(charsets), _title(package), broken, tuple(parts), marked)


def _marked(documents: list[tuple[_Entry, Marked, Amount]], rendering: Rendering) -> tuple[Marked, ...]:
    """What the documents' own markup declares, and what else the package and their names say they are."""
    within = rendering.marked()
    declared = {each.start for each in within}
    whole = rendering.builder.size
    found: list[Marked] = []
    for entry, place, amount in documents:
        kind, is_sure = _kind(entry, amount, whole)
        if kind is not None and (is_sure or place.start not in declared) and amount.is_small_in(whole):
            found.append(Marked(kind, place.start, place.end))
    return (*found, *within)


def _kind(entry: _Entry, amount: Amount, whole: int) -> tuple[str | None, bool]:
    """What a document is by the package, or by its name where it also looks it; whether the package is sure."""
    if entry.is_navigation:
        return "contents", True
    stem = posixpath.splitext(posixpath.basename(entry.path))[0]
    for names, is_named_alone in ((entry.guide, False), (stem, True)):
        kind = kind_of(names)
        if kind is not None and amount.bears_out(kind, whole, is_named_alone=is_named_alone):
            return kind, False
    return None, False


def _package_path(archive: _Archive) -> str:
    if not archive.has(_CONTAINER):
        raise DataError(f"{archive.name} has no {_CONTAINER}; it is no EPUB")
    paths = archive.xml(_CONTAINER).xpath("//*[local-name()='rootfile']/@full-path")
    path = archive.entry("", str(paths[0])) if paths else None
    if path is None:
        raise DataError(f"{archive.name} names no package document; fetch the EPUB again")
    return path


def _spine(archive: _Archive, package: Any, folder: str) -> Iterator[_Entry]:
    """The documents of the spine in order, each once."""
    guide = _guide(archive, package, folder)
    items = {item.get("id"): item for item in package.xpath("//*[local-name()='manifest']/*[local-name()='item']")}
    references = package.xpath("//*[local-name()='spine']/*[local-name()='itemref']/@idref")
    if not references:
        raise DataError(f"{archive.name} has an empty spine; fetch the EPUB again")
    seen: set[str] = set()
    for reference in references:
        item = items.get(reference)
        path = None if item is None else archive.entry(folder, item.get("href") or "")
        if item is None or path is None:
            raise DataError(
                f"{archive.name}: its spine names {str(reference)!r}, which is not in it; fetch the EPUB again"
            )
        if path not in seen and "html" in (item.get("media-type") or "html"):
            seen.add(path)
            yield _Entry(path, "nav" in (item.get("properties") or "").split(), guide.get(path, ""))


def _guide(archive: _Archive, package: Any, folder: str) -> dict[str, str]:
    """What the package's guide calls the documents it lists."""
    types: dict[str, str] = {}
    for reference in package.xpath("//*[local-name()='guide']/*[local-name()='reference']"):
        path = archive.entry(folder, reference.get("href") or "")
        # A reference to a place inside a document says nothing of the whole.
        if path is not None and "#" not in (reference.get("href") or ""):
            types[path] = f"{types.get(path, '')} {reference.get('type') or ''}"
    return types


def _encrypted(archive: _Archive) -> frozenset[str]:
    """The entries that are encrypted."""
    path = "META-INF/encryption.xml"
    if not archive.has(path):
        return frozenset()
    references = archive.xml(path).xpath("//*[local-name()='CipherReference']/@URI")
    return frozenset(archive.entry("", str(reference)) or "" for reference in references)


def _title(package: Any) -> str | None:
    titles = package.xpath("//*[local-name()='metadata']/*[local-name()='title']/text()")
    return " ".join(str(titles[0]).split()) or None if titles else None


def _commonest(charsets: list[str]) -> str:
    return max(charsets, key=charsets.count) if charsets else "utf-8"
