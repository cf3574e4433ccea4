"""Script and language: two facts."""

from __future__ import annotations

import pytest

from tests.construct.ingest.test_charset import ENGLISH, FRENCH, JAPANESE, KOREAN, RUSSIAN, SIMPLIFIED, TRADITIONAL
from wildtrace.construct.ingest.language import language_of, script_of


@pytest.mark.parametrize(
    ("text", "script", "language"),
    [
        (SIMPLIFIED, "Hans", "zh"),
        (TRADITIONAL, "Hant", "zh"),
        (SIMPLIFIED + TRADITIONAL, "Hani", "zh"),
        ("山高水長，月明人在", "Hant", "zh"),
        ("山高水流，月明人在", "Hani", "zh"),
        (JAPANESE, "Jpan", "ja"),
        (KOREAN, "Kore", "ko"),
        (RUSSIAN, "Cyrl", "ru"),
        (ENGLISH, "Latn", "en"),
        (FRENCH, "Latn", "fr"),
        ("Der Kessel war alt und das Wasser nicht rein; die Leute sind auf dem Dach.", "Latn", "de"),
        ("Gallia est omnis divisa in partes tres, et quod ad hoc non cum illis", "Latn", "la"),
        ("zxcv qwer asdf", "Latn", "und"),
        ("12345 …", "Zyyy", "und"),
    ],
)
def test_script_and_language_are_told(text: str, script: str, language: str) -> None:
    """A traditional text may hold forms that are old characters of their own; mixed texts are neither."""
    found = script_of(text)
    assert (script, language) == (found, language_of(text, found))


def test_a_licence_in_front_does_not_decide() -> None:
    """A long Chinese text with an English head is Chinese, an English one with a Chinese quotation is English."""
    assert "Hans" == script_of("This eBook is for the use of anyone. " * 50 + SIMPLIFIED * 400)
    assert "Latn" == script_of(ENGLISH * 400 + SIMPLIFIED)
