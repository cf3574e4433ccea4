"""The prompt files' exact bytes, and filling them in one pass."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.prompts.render import around, digest, fill, template

# The protocol's texts, written out a second time: sections 1 and 4.
ANSWER = (
    b"Answer using ONLY the document below. Include every specific detail from the text.\n"
    b"\n"
    b"Question: {question}\n"
    b"\n"
    b"Document:\n"
    b"{document}"
)
JUDGE = (
    b"STRICT grader. Only award points for SPECIFIC details present.\n"
    b"QUESTION: {question}\n"
    b"RUBRIC:\n"
    b"{rubric}\n"
    b"RESPONSE:\n"
    b"{response}\n"
    b'Reply JSON: {"points_awarded":[<pts>],"total":<sum>}'
)
PIECES = ["{question}", "{document}", "{", "}", "{}", "\\1", "\\g<0>", "水", "\n", "$"]
ANY = st.lists(st.sampled_from(PIECES)).map("".join)


@pytest.mark.parametrize(("name", "wanted"), [("answer", ANSWER), ("judge", JUDGE)])
def test_the_prompt_files_are_the_protocols_byte_for_byte(name: str, wanted: bytes) -> None:
    """LF line ends, no trailing newline; the digest is of these bytes."""
    assert wanted == template(name).encode()
    assert hashlib.sha256(wanted).hexdigest() == digest(name)


def one_pass(text: str, values: dict[str, str]) -> str:
    """An independent single pass: split at the placeholders, replace the odd parts."""
    parts = re.split(r"(\{question\}|\{document\})", text)
    return "".join(values[part[1:-1]] if place % 2 else part for place, part in enumerate(parts))


@given(ANY, ANY)
def test_before_document_and_after_are_the_single_pass_fill(question: str, document: str) -> None:
    """Placeholders, braces and replacement escapes inside the texts stay as they are."""
    values = {"question": question, "document": document}
    before, after = around(template("answer"), "document", {"question": question})
    assert one_pass(template("answer"), values) == before + document + after == fill(template("answer"), values)


@given(ANY)
def test_only_given_names_are_replaced(text: str) -> None:
    """A brace is text unless it holds a name that was given; nothing given, nothing replaced."""
    assert text == fill(text, {})
    assert text == fill(text, {"other": "x"})
    assert one_pass(text, {"question": "Q", "document": "{document}"}) == fill(text, {"question": "Q"})


def test_the_first_placeholder_splits_a_text_and_both_parts_are_filled() -> None:
    """A second one is text like any other."""
    assert ("谁 ", " 谁 {document}") == around(
        "{question} {document} {question} {document}", "document", {"question": "谁"}
    )
    assert ("谁", "") == around("{question}", "document", {"question": "谁"})
