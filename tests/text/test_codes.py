import random

import pytest

from wildtrace.text.codes import CODE, codes_in, make_codes


def test_codes_are_different_and_match() -> None:
    """Thousands of codes, none twice, all of the shape, none with a letter that looks like a digit."""
    codes = make_codes(5000, random.Random(1))
    assert 5000 == len(set(codes))
    assert all(CODE.fullmatch(code) for code in codes)
    assert not {"I", "O"} & set("".join(codes))


def test_codes_depend_on_the_generator_alone() -> None:
    """The same state, the same codes; another seed, others."""
    assert make_codes(16, random.Random(7)) == make_codes(16, random.Random(7))
    assert not set(make_codes(16, random.Random(7))) & set(make_codes(16, random.Random(8)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the mark QX4821LM.", {"QX4821LM"}),
        ("标记QX4821LM，AB1234CD。", {"QX4821LM", "AB1234CD"}),
        ("XQX4821LM QX4821LMN QX48215LM qx4821lm QX4821L", set()),
        ("**QX4821LM**, `AB1234CD`\nQX4821LM", {"QX4821LM", "AB1234CD"}),
    ],
)
def test_codes_are_found_in_any_surroundings(text: str, found: set[str]) -> None:
    """Chinese text, markup and repeats; look-alikes are none."""
    assert found == set(codes_in(text))
