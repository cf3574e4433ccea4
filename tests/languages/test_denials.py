"""Whether the words before a cue deny what it would state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.denials import is_denied, is_denied_in_chinese, is_denied_purpose


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The valve was ", False),
        ("The valve was not ", True),
        ("He does not believe that the valve was ", True),
        ("No valve ", True),
        ("The mate saw no light, and this ", False),
    ],
)
def test_a_verb_has_a_subject_and_no_negation_before_it(text: str, denied: bool) -> None:
    """Whatever stands behind it."""
    assert denied == is_denied(f"{text}caused by frost.", 0, len(text), verb=True)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("This report has not been prepared ", True),
        ("The inquiry is not ", True),
        ("The crew went below ", False),
        ("Not a man of the crew of the ship that lay in the harbour went ", False),
    ],
)
def test_a_purpose_that_nothing_was_done_for(text: str, denied: bool) -> None:
    """The verb that serves it is negated near by."""
    assert denied == is_denied_purpose(f"{text}for the purpose of safety.", 0, len(text))


@given(st.text(alphabet=st.sampled_from(list("not if那 不是因 Had,.;")), max_size=60))
def test_any_words_are_read(text: str) -> None:
    """At any place of any text."""
    for at in range(len(text) + 1):
        assert is_denied(text, 0, at, verb=False) <= is_denied(text, 0, at, verb=True) <= is_denied_purpose(text, 0, at)
        assert is_denied_in_chinese(text, at) in (True, False)
