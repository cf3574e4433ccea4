"""HTML as a reader sees it: what a page holds for navigation is furniture."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.draft import Builder, Edit, without_overlaps
from wildtrace.construct.ingest.formats.base import Decoded, Format
from wildtrace.construct.ingest.markup import Rendering
from wildtrace.construct.ingest.regions import FURNITURE, Page, matter_block

_BEGINS = re.compile(rb"^\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE html|<html)", re.IGNORECASE)
_XML = re.compile(r"\s*<\?xml\b")


def read(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Read an HTML or XHTML document or a fragment; DataError where it is no text."""
    decoded = decode(raw, name, encoding)
    rendering = Rendering(Builder())
    is_xml = PurePath(name).suffix.lower() == ".xhtml" or _XML.match(decoded.text) is not None
    title = rendering.render(decoded.text, xml=is_xml)
    draft = replace(rendering.builder.draft(), is_laid_out=True)
    regions = list(Page(draft.text, rendering.entries).borne_out(rendering.regions))
    draft = draft.with_blocks(matter_block(region) for region in regions if region.kind not in FURNITURE)
    furniture = [
        Edit(each.start, _past_breaks(draft.text, each.end), "", each.kind)
        for each in regions
        if each.kind in FURNITURE
    ]
    if sum(each.end - each.start for each in furniture) < len(draft.text):
        draft = draft.edited(without_overlaps(furniture))
    return Decoded(draft, decoded.charset, title, decoded.broken, doubts=decoded.doubts)


def _past_breaks(text: str, end: int) -> int:
    """The end of a stretch with the line ends behind it."""
    while text.startswith("\n", end):
        end += 1
    return end


FORMAT: Final = Format(
    "HTML", (".html", ".htm", ".xhtml"), read, lambda raw: _BEGINS.match(raw[:2000]) is not None, is_text=True
)
