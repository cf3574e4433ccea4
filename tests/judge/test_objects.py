"""The objects of a reply: strictly first, tolerantly second, never completed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.judge.objects import ZERO_WIDTH, find_objects

SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=ZERO_WIDTH), max_size=8)
VALUE = st.recursive(
    SCALAR | TEXT, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)
OBJECT = st.dictionaries(TEXT, VALUE, max_size=4)
PROSE = st.text(st.sampled_from("a水 .,:'\n}]"), max_size=12)


@given(st.lists(st.tuples(PROSE, OBJECT, st.booleans()), max_size=3), PROSE)
def test_strict_objects_are_found_in_order_where_they_stand(parts: list[tuple[str, Any, bool]], end: str) -> None:
    """Whatever prose stands around them, spread over lines or not, with escapes or without; none counts as repaired."""
    text, wanted = "", []
    for prose, value, plain in parts:
        written = json.dumps(value, ensure_ascii=not plain, indent=None if plain else 2)
        wanted.append((len(text) + len(prose), value, written))
        text += prose + written
    objects = find_objects(text + end)
    found = [(entry.start, entry.value, text[entry.start : entry.end]) for entry in objects.found]
    assert (wanted, False) == (found, objects.unclosed)
    assert not any(entry.repaired for entry in objects.found)


@given(OBJECT, st.data())
def test_a_cut_object_is_unclosed_and_never_completed(value: Any, data: st.DataObject) -> None:
    """Cut anywhere after its first key began."""
    written = json.dumps(value)
    cut = data.draw(st.integers(2, max(2, len(written) - 1)))
    if cut < len(written):
        objects = find_objects(written[:cut])
        assert ((), True) == (objects.found, objects.unclosed)


@pytest.mark.parametrize(
    "text", ['{"\\ud83d": "水 \\udE00\\u6c34 \\ud83d\\ude00"}', "{'\\ud83d': '水 \\udE00\\u6c34 \\ud83d\\ude00',}"]
)
def test_half_a_character_in_an_escape_is_replaced(text: str) -> None:
    """In keys and values, read strictly or tolerantly: no file could hold it (rule 17); a pair is one character."""
    assert {"\ufffd": "水 \ufffd水 😀"} == find_objects(text).found[0].value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': 1}", {"a": 1}),
        ("{'a': 'it\\'s \"x\"'}", {"a": 'it\'s "x"'}),
        ("{'a': 'say \\\"x\\\"'}", {"a": 'say "x"'}),
        ("{'a': '\"x\" said'}", {"a": '"x" said'}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": [1, 2, ],\n}', {"a": [1, 2]}),
        ("｛｝", {}),
        ("{ \n\u200b 'a': 1}", {"a": 1}),
        ('{\u200b"a"\u2060: 1\ufeff}', {"a": 1}),
        ('{"\u200da": 1}', {"a": 1}),
        ("｛“a”：［1，2］｝", {"a": [1, 2]}),
        ("{‘a’: ‘水’}", {"a": "水"}),
        ("｛＂a＂：＂1｝，［2＂｝", {"a": "1｝，［2"}),
        ("{“a”: “}, {”}", {"a": "}, {"}),
        ("{‘a’: ‘]’, 'b': '{'}", {"a": "]", "b": "{"}),
        ("｛＇a＇：＇}＇｝", {"a": "}"}),
        ("{'a': 'AX\u200bY',}", {"a": "AXY"}),
        ("｛＂a＂: ＇水＇｝", {"a": "水"}),
        ('{"a": "b \\"c\\" d", "e": [],}', {"a": 'b "c" d', "e": []}),
        ('{"a": "水\n火\t土", "b": 1}', {"a": "水\n火\t土", "b": 1}),
        ('{"a":\u00a01,\u3000"b":\u20092}', {"a": 1, "b": 2}),
        ("｛“a”：　［1，\u00a02］｝", {"a": [1, 2]}),
        ("{'a': 'x\u3000y'}", {"a": "x\u3000y"}),
    ],
)
def test_each_tolerated_fault_is_repaired_and_marked(text: str, value: dict[str, Any]) -> None:
    """One at a time."""
    (found,) = find_objects(f"so {text} it is").found
    assert (value, True) == (found.value, found.repaired)


@pytest.mark.parametrize(
    "text",
    [
        "{a: 1}",
        "{ }x",
        "{'a' 1}",
        '{"a": 1, "b"}',
        "a { b } c",
        "{1, 2}",
        "",
        '["a"]',
        '{"a": 01}',
        '{"a": ５０}',
        '{"a": 1 // half\n}',
    ],
)
def test_what_is_no_object_is_not_made_one(text: str) -> None:
    """Bare words, missing colons, sets, lists, prose in braces; the empty object is one."""
    assert [{}] * ("{ }" in text) == [found.value for found in find_objects(text).found]


@pytest.mark.parametrize(
    ("text", "twins"),
    [
        ('{"a": 1, "b": 2, "a": 3}', {"a"}),
        ('{"a": 1, "\\u0061": "1", "b": "a: b"}', {"a"}),
        ("{'总': 1, '总': 2,}", {"总"}),
        ('{"a": "x\ny", "b": 1, "b": 2}', {"b"}),
        ('{"a": 1, "a": 2, "b": ' + "9" * 5_000 + "}", {"a"}),
        ('{"a": 1, "a": 1.0, "b": {"c": 1, "c": 2}}', set()),
        ('{"a": {"b": 1}, "b": NaN, "c": "x: y"}', set()),
        ('{"a": 1, "b": 2}', set()),
    ],
)
def test_keys_that_stand_twice_with_other_values_are_told(text: str, twins: set[str]) -> None:
    """However they are written, in the object itself; of equal values none is lost."""
    (found,) = find_objects(text).found
    assert twins == found.twins


@pytest.mark.parametrize(("text", "broken"), [("{'a' 1} {}", True), ('{"a": 1}', False), ("f{x} 水", False)])
def test_an_object_that_is_no_json_is_told(text: str, broken: bool) -> None:
    """Prose in braces is no object."""
    assert broken == find_objects(text).broken


def test_after_a_number_of_thousands_of_digits_a_tab_in_a_string_is_a_fault_as_ever() -> None:
    """Read strictly first, repaired and marked second."""
    (found,) = find_objects('{"total": 1' + "0" * 5000 + ', "a": "x\ty"}').found
    assert ("x\ty", True) == (found.value["a"], found.repaired)


def test_a_number_of_thousands_of_digits_is_too_large_and_no_fault() -> None:
    """It is JSON, and larger than any number that is counted."""
    (found,) = find_objects('{"a": ' + "9" * 5000 + ', "b": {"c": 1}}').found
    assert ({"a": float("inf"), "b": {"c": 1}}, False) == (found.value, found.repaired)


@pytest.mark.parametrize("prose", ["the set { of", "f{x", "{* note", "{ * 'a'", "{[1", "｛水", "{s'", '\\{n"', "{"])
def test_a_brace_that_no_key_follows_is_prose(prose: str) -> None:
    """It opens nothing, so nothing is left open."""
    objects = find_objects(f'{prose} {{"total": 1}}')
    assert ([{"total": 1}], False) == ([found.value for found in objects.found], objects.unclosed)
    assert not find_objects(prose).unclosed


@pytest.mark.parametrize("broken", ["{'a': X}", "{'a': [X}]}", "{'a' [1]}", '{"a": X, "b": {}}'])
def test_a_broken_object_ends_where_its_bracket_is_closed(broken: str) -> None:
    """What follows is read, what stands inside is not."""
    objects = find_objects(f'{broken} {{"total": 1}}')
    assert ([{"total": 1}], False) == ([found.value for found in objects.found], objects.unclosed)
    assert () == find_objects('{"a": X {"total": 1}}').found


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        '{"a":' * 50_000,
        '{"a"' + " " * 200_000,
        '{"a":"' + "\\" * 200_001,
        "{ " * 100_000,
        '{"a":1}' * 20_000,
        '"' * 200_000,
    ],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    """A flood of braces, quotes, backslashes or objects takes the time of any other text."""
    found, unclosed = text.count('{"a":1}'), text.startswith('{"a"') and not text.endswith("}")
    objects = find_objects(text)
    assert (found, unclosed) == (len(objects.found), objects.unclosed)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'{"reason": "the \$5 \( x \) part", "total": 65}', {"reason": r"the \$5 \( x \) part", "total": 65}),
        (r'{"reason": "a \"b\" \\ \n \u0041 \u00", "total": 1}', {"reason": 'a "b" \\ \n A \\u00', "total": 1}),
        (r"{'reason': 'it\'s \alpha', 'total': 1}", {"reason": r"it's \alpha", "total": 1}),
        ('{"ok": True, "no": False, "x": None, "total": 65}', {"ok": True, "no": False, "x": None, "total": 65}),
        ('{"reason": "None of it is True,", "total": 0,}', {"reason": "None of it is True,", "total": 0}),
    ],
)
def test_invalid_escapes_and_python_literals_are_read_and_marked(text: str, value: dict[str, object]) -> None:
    """A backslash that escapes nothing stays as it is; literals inside strings are words."""
    (read,) = find_objects(text).found
    assert (value, True) == (read.value, read.repaired)
