"""A ZIP archive read in memory, entry by entry, within limits; nothing is unpacked to disk."""

from __future__ import annotations

import io
import posixpath
import zipfile
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from lxml import etree

from wildtrace.errors import DataError

MOST_ENTRIES: Final = 20_000
MOST_BYTES: Final = 200_000_000
"""Unpacked bytes of all entries together: ten times the largest books with pictures."""


def xml_parser() -> Any:
    """A parser of XML that loads no entities, no external files and nothing from a network."""
    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)


class Archive:
    """The entries of an archive; `what` says what kind of file it is, for messages."""

    def __init__(self, raw: bytes, name: str, what: str) -> None:
        self.name, self.what = name, what
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
            self.names = frozenset(self._zip.namelist())
        # zipfile raises its own errors, and those of what it reads: structs, codecs, seeks.
        except Exception as error:
            raise DataError(f"{name} is no readable {what} ({error}); fetch it again") from None
        if len(self.names) > MOST_ENTRIES:
            raise DataError(f"{name} has more than {MOST_ENTRIES} entries; it is refused")
        self._folded: dict[str, list[str]] = {}
        for each in sorted(self.names):
            self._folded.setdefault(each.casefold(), []).append(each)
        self._left = MOST_BYTES

    def entry(self, folder: str, reference: str) -> str | None:
        """The entry that a reference from this folder names, or None where there is none in the archive.

        It is taken as it stands, then as a URL, whose leading slash is the archive's root; then in another case.
        """
        places = [posixpath.join(folder, reference)]
        try:
            url = urlsplit(reference)
        except ValueError:
            return None
        if not url.scheme and not url.netloc:
            places += [posixpath.join(folder, path).lstrip("/") for path in (url.path, unquote(url.path))]
        paths = [posixpath.normpath(place) for place in places if reference and url.path]
        paths = [path for path in paths if not path.startswith(("/", "..")) and "\\" not in path]
        same = [each for path in paths for each in self._folded.get(path.casefold(), ())]
        exact = [path for path in paths if path in self.names]
        return exact[0] if exact else same[0] if len(set(same)) == 1 else None

    def read(self, path: str) -> bytes:
        """One entry's bytes; DataError where it is missing, broken, encrypted or unpacks beyond the limit."""
        try:
            with self._zip.open(path) as entry:
                content = entry.read(self._left + 1)
        # zlib, lzma and zipfile raise many kinds for broken data, and NotImplementedError for unknown methods.
        except Exception as error:
            reason = str(error) or type(error).__name__
            raise DataError(f"{self.name}: its entry {path!r} cannot be read ({reason}); fetch it again") from None
        self._left -= len(content)
        if self._left < 0:
            raise DataError(f"{self.name} unpacks to more than {MOST_BYTES // 1_000_000} MB; it is refused")
        return content

    @property
    def is_spent(self) -> bool:
        """Whether more was unpacked than is allowed."""
        return self._left < 0

    def xml(self, path: str) -> Any:
        """One entry parsed as XML."""
        try:
            root = etree.fromstring(self.read(path), xml_parser())
        except (etree.XMLSyntaxError, ValueError) as error:
            raise DataError(f"{self.name}: its entry {path!r} is no XML ({error}); fetch it again") from None
        if root is None:
            raise DataError(f"{self.name}: its entry {path!r} is no XML; fetch it again")
        return root
