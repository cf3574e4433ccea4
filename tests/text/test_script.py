"""Which cap a document's script earns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.script import is_cjk, is_other_cjk


@given(st.text(st.sampled_from("a水鿿一かな한글𠀀\n"), max_size=80), st.sampled_from([0, 3990, 4000]))
def test_the_rule_counts_ideographs_of_the_head(text: str, padding: int) -> None:
    """An independent count over the first 4,000 code points; never both kinds at once."""
    text = "a" * padding + text
    counted = sum(0x4E00 <= ord(char) <= 0x9FFF for char in text[:4000])
    assert (counted > 20) == is_cjk(text)
    assert not (is_cjk(text) and is_other_cjk(text))


def test_other_cjk_scripts_are_noticed() -> None:
    """Kana (half-width too), hangul and its letters, extension and compatibility ideographs; no alphabet."""
    for char in "かカｶ한ㄱ㐀\uf900𠀀𱍐":
        assert is_other_cjk(char * 21), char
        assert not is_other_cjk(char * 20), char
    assert not is_other_cjk("Жaé" * 100)


OTHER_CJK = [
    *[(0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F)],
    *[(0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF)],
    *[(0x3400, 0x4DBF), (0xF900, 0xFAFF), (0x20000, 0x323AF)],
]


def test_the_other_scripts_are_these_ranges_and_no_more() -> None:
    """The ends of each are in, their neighbours and every letter of ASCII are out."""
    for first, last in OTHER_CJK:
        for code in (first - 1, first, last, last + 1):
            inside = any(low <= code <= high for low, high in OTHER_CJK)
            assert inside == is_other_cjk(chr(code) * 21), hex(code)
    assert not any(is_other_cjk(chr(code) * 21) for code in range(128))
