"""EPUB: the documents of the spine in order; one that cannot be read is named, and the others are read."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from wildtrace.construct.ingest.archive import Archive
from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.draft import Builder
from wildtrace.construct.ingest.formats.base import Decoded, Format, Part
from wildtrace.construct.ingest.markup import Rendering
from wildtrace.construct.ingest.regions import PAGE_FOOTER, Page, Region, kind_of, matter_block
from wildtrace.errors import DataError

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_NO_TEXT = ("image/", "audio/", "video/", "font/", "text/css", "application/javascript", "application/x-font")


@dataclass(frozen=True, slots=True)
class _Item:
    """A document of the spine: its name in the archive, whether it is the navigation, what the guide calls it."""

    path: str
    is_navigation: bool
    guide: str


def read(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Read an EPUB in spine order. DataError where it is broken, encrypted, too large, or no document can be read."""
    archive = Archive(raw, name, "EPUB")
    package_path = _package_path(archive)
    package = archive.xml(package_path)
    locked = _encrypted(archive)
    rendering = Rendering(Builder())
    parts, charsets, missing, doubts = [], [], [], []
    documents: list[tuple[_Item, Region]] = []
    broken = 0
    for item in _spine(archive, package, posixpath.dirname(package_path)):
        if isinstance(item, str):
            missing.append(item)
            continue
        if item.path in locked:
            raise DataError(f"{name}: its text is encrypted; remove the copy protection or use another copy")
        try:
            found = decode(archive.read(item.path), f"{name}: {item.path}", encoding)
        except DataError as error:
            if archive.is_spent:
                raise
            missing.append(str(error))
            continue
        parts.append(Part(item.path, rendering.base))
        start = rendering.builder.size
        rendering.render(found.text, xml=True)
        documents.append((item, Region("", must_list=False, start=start, end=rendering.builder.size)))
        rendering.base += len(found.text)
        charsets.append(found.charset)
        doubts += [f"{item.path}: {doubt}" for doubt in found.doubts]
        broken += found.broken
    if not parts:
        raise DataError(missing[0] if missing else f"{name} has an empty spine; fetch the EPUB again")
    draft = replace(rendering.builder.draft(), is_laid_out=True)
    draft = draft.with_blocks(map(matter_block, _matter(draft.text, documents, rendering)))
    charset = max(charsets, key=charsets.count)
    return Decoded(draft, charset, _title(package), broken, tuple(parts), tuple(missing), tuple(doubts))


def _matter(text: str, documents: list[tuple[_Item, Region]], rendering: Rendering) -> Iterator[Region]:
    """What the documents' own markup declares, and what else the package and their names say they are."""
    page = Page(text, rendering.entries)
    within = [region for region in page.borne_out(rendering.regions) if region.kind != PAGE_FOOTER]
    yield from within
    for item, region in documents:
        if any(region.start <= each.start <= region.start + 2 and region.end <= each.end + 1 for each in within):
            continue
        kind = _kind(item, region, page)
        if kind is not None and page.is_small(region):
            yield replace(region, kind=kind)


def _kind(item: _Item, region: Region, page: Page) -> str | None:
    """What a document is by the package, or by its name where it also looks it."""
    if item.is_navigation:
        return "contents"
    stem = posixpath.splitext(posixpath.basename(item.path))[0]
    for names, is_named_alone in ((item.guide, False), (stem, True)):
        kind = kind_of(names)
        if kind and page.is_what_its_name_says(replace(region, kind=kind), is_named_alone=is_named_alone):
            return kind
    return None


def _package_path(archive: Archive) -> str:
    if _CONTAINER not in archive.names:
        raise DataError(f"{archive.name} has no {_CONTAINER}; it is no EPUB")
    paths = archive.xml(_CONTAINER).xpath("//*[local-name()='rootfile']/@full-path")
    path = archive.entry("", str(paths[0])) if paths else None
    if path is None:
        raise DataError(f"{archive.name} names no package document; fetch the EPUB again")
    return path


def _spine(archive: Archive, package: Any, folder: str) -> Iterator[_Item | str]:
    """The documents of the spine in order, each once; a sentence in the place of one that is not there."""
    guide = _guide(archive, package, folder)
    items = {item.get("id"): item for item in package.xpath("//*[local-name()='manifest']/*[local-name()='item']")}
    seen: set[str] = set()
    for reference in package.xpath("//*[local-name()='spine']/*[local-name()='itemref']/@idref"):
        item = items.get(reference)
        path = None if item is None else archive.entry(folder, item.get("href") or "")
        if item is None or path is None:
            yield f"{archive.name}: its spine names {str(reference)!r}, which is not in it; fetch the EPUB again"
        elif path not in seen and not (item.get("media-type") or "").startswith(_NO_TEXT):
            seen.add(path)
            yield _Item(path, "nav" in (item.get("properties") or "").split(), guide.get(path, ""))


def _guide(archive: Archive, package: Any, folder: str) -> dict[str, str]:
    """What the package's guide calls the documents it lists."""
    types: dict[str, str] = {}
    for reference in package.xpath("//*[local-name()='guide']/*[local-name()='reference']"):
        path = archive.entry(folder, reference.get("href") or "")
        # A reference to a place inside a document says nothing of the whole.
        if path is not None and "#" not in (reference.get("href") or ""):
            types[path] = f"{types.get(path, '')} {reference.get('type') or ''}"
    return types


def _encrypted(archive: Archive) -> frozenset[str]:
    """The entries that are encrypted."""
    if _ENCRYPTION not in archive.names:
        return frozenset()
    references = archive.xml(_ENCRYPTION).xpath("//*[local-name()='CipherReference']/@URI")
    return frozenset(archive.entry("", str(reference)) or "" for reference in references)


def _title(package: Any) -> str | None:
    titles = package.xpath("//*[local-name()='metadata']/*[local-name()='title']/text()")
    return " ".join(str(titles[0]).split()) or None if titles else None


FORMAT: Final = Format("EPUB", (".epub",), read, lambda raw: raw.startswith(b"PK\x03\x04"))
