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
