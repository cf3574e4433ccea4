"""The outermost JSON objects of a text, read strictly first and tolerantly second.

Tolerated, and marked as repaired: trailing commas, single quotes, invalid escapes, Python literals, zero-width
characters, full-width punctuation, other spaces than JSON's between tokens, line ends and tabs inside strings; always
in a balanced object. One that is never closed is reported as such and never completed (docs/protocol.md, rule 22).
Half a character that an escape names becomes U+FFFD, as in all replies (rule 17): no file could hold it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from wildtrace.text.surrogates import replace_lone_escapes

ZERO_WIDTH: Final = "\u200b\u200c\u200d\u2060\ufeff\u180e"
_FULL_WIDTH: Final = str.maketrans("｛｝［］，：＂＇“”‘’", "{}[],:\"'\"\"''")
# The ideographic space of full-width writing, no-break spaces and their like.
_SPACES: Final = dict.fromkeys(
    map(ord, "\x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))), " "
)
_ZERO_WIDTH_TABLE: Final = dict.fromkeys(map(ord, ZERO_WIDTH))
_PLAIN: Final = {**_ZERO_WIDTH_TABLE, **_FULL_WIDTH, **_SPACES}
# A brace in prose is text; one that is followed by a key, or closed at once, opens an object.
_OPENING: Final = re.compile(rf"[{{｛][\s{ZERO_WIDTH}]*[\"'“‘＂＇}}｝]")
_BARE_QUOTE: Final = re.compile(r'(?<!\\)"')
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_LITERAL: Final = re.compile(r"\b(?:True|False|None)\b")
_JSON_LITERALS: Final = {"True": "true", "False": "false", "None": "null"}
# A backslash before any other character is the character's own, as in LaTeX: `\$5`, `\( x \)`.
_ESCAPE: Final = re.compile(r"\\(?P<valid>[\"\\/bfnrt]|u[0-9a-fA-F]{4})?")
_OPENERS: Final = "{｛[［"
_CLOSERS: Final = {'"': '"', "＂": "＂", "“": "”", "'": "'", "‘": "’", "＇": "＇"}
_MARK: Final = re.compile(f"[{re.escape(_OPENERS)}}}｝\\]］{''.join(_CLOSERS)}]")
_STRING_ENDS: Final = {opener: re.compile(rf"[\\{closer}]") for opener, closer in _CLOSERS.items()}
_DECODE: Final = {strict: json.JSONDecoder(strict=strict).decode for strict in (True, False)}


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object of a text: where it stands, its value, and whether reading it took a repair.

    `twins` are the keys that stand in it twice with different values; the last stands in `value`.
    """

    start: int
    end: int
    value: dict[str, Any]
    repaired: bool
    twins: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a text in order.

    `unclosed` says that one is opened and never closed, `broken` that one is closed and no JSON, repaired or not.
    """

    found: tuple[JsonObject, ...]
    unclosed: bool
    broken: bool = False


def find_objects(text: str) -> Objects:
    """The outermost objects of `text`. Linear: each character is looked at once by the scan."""
    found: list[JsonObject] = []
    place, broken = 0, False
    while (opening := _OPENING.search(text, place)) is not None:
        end = _end_of(text, opening.start())
        if end is None:
            return Objects(tuple(found), unclosed=True)
        read, repaired = _value(text[opening.start() : end])
        if read is None:
            broken = True
        else:
            found.append(JsonObject(opening.start(), end, read.value, repaired, read.twins))
        place = end
    return Objects(tuple(found), unclosed=False, broken=broken)


def _end_of(text: str, start: int) -> int | None:
    """Where the bracket that opens at `start` is closed; brackets inside strings are text."""
    depth = 0
    place = start
    while (mark := _MARK.search(text, place)) is not None:
        if mark[0] in _CLOSERS:
            after = _string_end(text, mark.start())
            if after is None:
                return None
            place = after
            continue
        place = mark.end()
        depth += 1 if mark[0] in _OPENERS else -1
        if depth == 0:
            return place
    return None


def _string_end(text: str, start: int) -> int | None:
    """Where the string that opens at `start` ends; what follows a backslash ends none."""
    ends = _STRING_ENDS[text[start]]
    place = start + 1
    while (mark := ends.search(text, place)) is not None:
        if mark[0] != "\\":
            return mark.end()
        place = mark.end() + 1
    return None


class _Read(NamedTuple):
    value: dict[str, Any]
    twins: frozenset[str]


def _value(text: str) -> tuple[_Read | None, bool]:
    strict = _load(text)
    if strict is not None and not any(char in key for key in strict.value for char in ZERO_WIDTH):
        return strict, False
    return _load(_repair(text), strict=False), True


def _load(text: str, *, strict: bool = True) -> _Read | None:
    text = replace_lone_escapes(text)
    try:
        value: dict[str, Any] = _loads(text, strict=strict)  # what opens with a brace is an object
        # As many colons as keys: none stands twice.
        return _Read(value, frozenset() if text.count(":") == len(value) else _twins(text, strict=strict))
    except (ValueError, RecursionError):
        return None


def _loads(text: str, *, strict: bool, **settings: Any) -> Any:
    try:
        return json.loads(text, strict=strict, **settings) if settings else _DECODE[strict](text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # thousands of digits, which Python counts no further: too large for every rubric
        return json.loads(text, parse_int=float, strict=strict, **settings)


def _twins(text: str, *, strict: bool) -> frozenset[str]:
    """The keys of the outermost object that stand in it with other values too."""
    outermost: list[tuple[str, Any]] = []

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal outermost
        outermost = pairs  # an object ends after all that it holds
        return dict(pairs)

    _loads(text, strict=strict, object_pairs_hook=table)
    last = dict(outermost)
    return frozenset(key for key, each in outermost if each is not last[key] and each != last[key])


def _repair(text: str) -> str:
    """Ordinary JSON for what a tolerant reader understands in `text`."""
    parts: list[str] = []
    outside: list[str] = []
    place = 0
    while place < len(text):
        if text[place] not in _CLOSERS:
            outside.append(text[place])
            place += 1
            continue
        end = _string_end(text, place) or len(text)
        parts += [_plain("".join(outside)), _quoted(text[place:end])]
        outside.clear()
        place = end
    parts.append(_plain("".join(outside)))
    return _TRAILING_COMMA.sub(r"\1", "".join(parts))


def _plain(text: str) -> str:
    return _LITERAL.sub(lambda match: _JSON_LITERALS[match[0]], text.translate(_PLAIN))


def _quoted(token: str) -> str:
    inner = token[1:-1].translate(_ZERO_WIDTH_TABLE)
    if token[0] != '"':
        inner = _BARE_QUOTE.sub(r'\\"', inner.replace("\\'", "'"))
    inner = _ESCAPE.sub(lambda match: match[0] if match["valid"] else r"\\", inner)
    return f'"{inner}"'
