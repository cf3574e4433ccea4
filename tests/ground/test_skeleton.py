"""The skeleton: letters and digits alone, each place leading back to the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.skeleton import BUCKET, Skeleton
from wildtrace.text.normalise import LETTER, skeleton_character

MIXED = st.text(alphabet=st.sampled_from("aZé9ﬁßæ½ 。“-_\n裏里畫どガん\U00020000\u0301²İ"), max_size=60)


@given(MIXED | st.text(max_size=60))
def test_every_bone_comes_from_the_character_it_points_to(text: str) -> None:
    """The bone at any place is one of those that the text's character at its offset leaves."""
    skeleton = Skeleton(text)
    assert "".join(skeleton_character(character) for character in text if LETTER.match(character)) == skeleton.bones
    for place, bone in enumerate(skeleton.bones):
        assert bone in skeleton_character(text[skeleton.offset(place)])


@given(MIXED)
def test_offsets_never_go_back(text: str) -> None:
    """Later places lead to later or equal offsets."""
    skeleton = Skeleton(text)
    offsets = [skeleton.offset(place) for place in range(len(skeleton.bones))]
    assert sorted(offsets) == offsets


def test_overlapping_places_are_all_found() -> None:
    """A repeated pattern is found at each place, also where two overlap, up to the limit."""
    assert [0, 1, 2] == list(Skeleton("a-a a.a").find_all("aa", 10))
    assert [0, 1] == list(Skeleton("a-a a.a").find_all("aa", 2))


def test_a_region_is_found_by_its_rare_words() -> None:
    """A passage with two edited words is found, near where it begins, in English and in Chinese."""
    filler = "the cat sat on the mat and looked at the rain " * 200
    text = filler + "a boiler of antique pattern exploded beside the granary wall " + filler
    quote = Skeleton("a boiler of modern pattern burst beside the granary wall")
    start = Skeleton(text).regions(quote, 3)[0].start
    assert 0 <= Skeleton(filler + "a").bones.rfind("a") - start <= 2 * BUCKET

    chinese = "天上有云地上有人" * 300
    text = chinese + "那座旧锅炉在谷仓墙边忽然炸裂" + chinese
    region = Skeleton(text).regions(Skeleton("那座新锅炉在谷仓墙边突然炸裂"), 3)[0]
    assert 0 <= len(chinese) - region.start <= 2 * BUCKET


def test_no_region_is_named_where_nothing_is_shared() -> None:
    """A quote that shares no two words with the text has no region, nor has an empty one."""
    skeleton = Skeleton("The boiler exploded beside the granary. " * 5)
    assert [] == skeleton.regions(Skeleton("quiet evening, violet clouds"), 3)
    assert [] == skeleton.regions(Skeleton("… — 。"), 3)
