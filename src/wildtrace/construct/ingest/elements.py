"""Which elements of HTML are open: as in a browser, with the end tags that HTML5 lets an author leave out.

Each tag costs constant time, however many elements are open. No tree is kept, and misnested emphasis is not mended:
an end tag ends its element, whatever stands open within it.
"""

from __future__ import annotations

from dataclasses import dataclass

_BLOCK_LIST = """
    address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul
"""
BLOCKS = frozenset(_BLOCK_LIST.split())
"""Elements that end a paragraph when they begin."""

_SCOPES = frozenset({"applet", "button", "caption", "html", "marquee", "object", "table", "td", "template", "th"})
_ITEMS = frozenset({"li", "dd", "dt"})
_CELLS = frozenset({"td", "th"})
_ROWS = frozenset({"caption", "colgroup", "tbody", "thead", "tfoot", "tr", "td", "th"})
_HEAD_LIST = "base basefont bgsound head link meta noframes noscript script style template title"
_HEADS = frozenset(_HEAD_LIST.split())
_READINGS = frozenset({"rb", "rp", "rt", "rtc"})
_SPECIAL = BLOCKS | _SCOPES | _ITEMS | _ROWS | {"body", "head"}
_STOPS = _SPECIAL - {"address", "div", "p"}
_ENDED = {
    "li": frozenset({"li"}),
    "dd": frozenset({"dd", "dt"}),
    "dt": frozenset({"dd", "dt"}),
    "rt": frozenset({"rb", "rp", "rt"}),
    "rp": frozenset({"rb", "rp", "rt"}),
    "rb": _READINGS,
    "rtc": _READINGS,
    "option": frozenset({"option"}),
    "optgroup": frozenset({"option", "optgroup"}),
    "td": frozenset({"td", "th", "caption", "colgroup"}),
    "th": frozenset({"td", "th", "caption", "colgroup"}),
    "tr": _ROWS - {"tbody", "thead", "tfoot"},
    "tbody": _ROWS,
    "thead": _ROWS,
    "tfoot": _ROWS,
    "caption": _ROWS,
    "colgroup": _ROWS,
}
_GROUPS = (("*special", _SPECIAL), ("*scope", _SCOPES), ("*stop", _STOPS), ("*table", frozenset({"html", "table"})))
_ENDING = BLOCKS | _ITEMS | _ENDED.keys() | {"body"}
_KEYS = {name: (name, *(group for group, names in _GROUPS if name in names)) for name in _SPECIAL}


@dataclass(slots=True, eq=False)
class Element:
    """An open element: its name and where its start tag begins and ends."""

    name: str
    start: int
    end: int
    is_open: bool = True


class Elements:
    """The open elements, outermost first. `open` and `close` tell which ones have ended, innermost first."""

    def __init__(self) -> None:
        self._stack: list[Element] = []
        self._places: dict[str, list[int]] = {}
        self._cells = 0

    def has(self, *names: str) -> bool:
        """Whether an element of one of these names is open."""
        return any(self._places.get(name) for name in names)

    def is_in_cell(self) -> bool:
        """Whether the innermost table's cell is open, so that a break there is the cell's own."""
        return self._cells > 0 and max(self._last("td"), self._last("th")) > self._last("table")

    def open(self, name: str, start: int, end: int) -> tuple[Element, list[Element]]:
        """Begin an element; also which ones its start tag ends."""
        ended = self.begin(name)
        element = Element(name, start, end)
        for key in _KEYS.get(name, (name,)):
            self._places.setdefault(key, []).append(len(self._stack))
        self._stack.append(element)
        self._cells += name in _CELLS
        return element, ended

    def begin(self, name: str) -> list[Element]:
        """The elements that a start tag ends."""
        if name not in _ENDING and not self._places.get("head"):
            return []
        return self._cut(min(self._ended_paragraph(name), self._ended_sibling(name), self._ended_head(name)))

    def close(self, name: str) -> list[Element]:
        """The elements that an end tag ends: none where it ends nothing."""
        place = self._last(name)
        if place < 0:
            return []
        if name in _SPECIAL:
            border = self._last("*table") if name in _ROWS or name == "table" else self._last("*scope")
            return self._cut(place) if place >= border or name == "body" else []
        if place > self._last("*special"):
            return self._cut(place)
        return self._end_across(name)

    def text(self) -> list[Element]:
        """The elements that a text ends: the head, where it stands in nothing else there."""
        return self._cut(len(self._stack) - 1) if self._stack and self._stack[-1].name == "head" else []

    def all(self) -> list[Element]:
        """End all."""
        return self._cut(0)

    def _last(self, key: str) -> int:
        places = self._places.get(key)
        return places[-1] if places else -1

    def _ended_paragraph(self, name: str) -> int:
        none = len(self._stack)
        if name not in BLOCKS and name not in _ITEMS:
            return none
        border = self._last("*scope")
        places = [place for each in ("p", "rt", "rp", "rtc") if (place := self._last(each)) > border]
        return min(places, default=none)

    def _ended_sibling(self, name: str) -> int:
        none, names = len(self._stack), _ENDED.get(name)
        if names is None:
            return none
        if name in _ITEMS:
            stop = self._last("*stop")
            return stop if stop >= 0 and self._stack[stop].name in names else none
        border = self._last("*table" if name in _ROWS else "*special")
        return min((place for each in names if (place := self._last(each)) > border), default=none)

    def _ended_head(self, name: str) -> int:
        head = self._last("head")
        in_head = head >= 0 and head == len(self._stack) - 1
        return head if head >= 0 and (name == "body" or (in_head and name not in _HEADS)) else len(self._stack)

    def _cut(self, place: int) -> list[Element]:
        if place >= len(self._stack):
            return []
        cut = [element for element in reversed(self._stack[place:]) if element.is_open]
        del self._stack[place:]
        for element in cut:
            element.is_open = False
            self._cells -= element.name in _CELLS
            for key in _KEYS.get(element.name, (element.name,)):
                self._places[key].pop()
        return cut

    def _end_across(self, name: str) -> list[Element]:
        """End an element within a line that blocks stand open in; they stay open."""
        element = self._stack[self._places[name].pop()]
        element.is_open = False
        return [element]
