"""Data blocks: whatever the value, it stays inside its element and comes back as it was."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.report.html.embed import dumps, json_block, packed, packed_block

TEXT = st.text(st.characters(categories=None), max_size=40) | st.sampled_from(
    [
        "</script>",
        "<!--",
        "<!--<script>",
        "]]>",
        "\u2028",
        "\u2029",
        "&lt;",
        "</SCRIPT ",
        "\ud800",
        "\x00",
        "中文</script >",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


class Blocks(HTMLParser):
    """The elements of a piece of HTML and the text within."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(f"{tag} {dict(attrs).get('id')}")

    def handle_data(self, data: str) -> None:
        """Collect text."""
        self.text += data


@given(VALUES)
def test_a_block_is_one_element_whose_text_is_the_value(value: object) -> None:
    """No text ends the element or opens another; JSON.parse gives the value back."""
    block = json_block("payload", value)
    parser = Blocks()
    parser.feed(block.decode())
    parser.close()

    assert ["script payload"] == parser.tags
    assert value == json.loads(parser.text)
    inside = block[block.index(b">") + 1 : block.rindex(b"</script>")]
    assert not set(inside.decode()) & set("<>&\u2028\u2029")


@given(VALUES)
def test_a_packed_block_is_base64_of_gzip_of_json(value: object) -> None:
    """Nothing but letters of base64 stands in it, and another program can open it."""
    text = packed(value)

    assert value == json.loads(gzip.decompress(base64.b64decode(text, validate=True)))
    assert b'<script type="text/plain" id="i7">' + text + b"</script>\n" == packed_block("i7", value)


def test_an_unpaired_surrogate_is_kept_as_an_escape() -> None:
    """UTF-8 cannot hold it; JSON can."""
    assert b'{"a":"\\ud83d"}' == dumps({"a": "\ud83d"})
    assert '{"a":"泵"}'.encode() == dumps({"a": "泵"})
