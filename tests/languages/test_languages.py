"""The table of languages, and what the one without annotators does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wildtrace import languages
from wildtrace.languages import LANGUAGES, language_of
from wildtrace.languages.base import ANNOTATORS, Language, data

FOLDER = Path(languages.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "languages.md"


def test_folders_table_and_docs_name_the_same_languages() -> None:
    """A language is a folder, a member of LANGUAGES and a row of docs/languages.md."""
    folders = {each.parent.name for each in FOLDER.glob("*/__init__.py")}
    documented = set(re.findall(r"^\| `(\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    assert folders == documented == {language.code for language in LANGUAGES}


@pytest.mark.parametrize("path", [str(each.relative_to(FOLDER)) for each in FOLDER.glob("*/*.json")])
def test_lists_say_where_they_come_from(path: str) -> None:
    """Each data file has a line on its source."""
    folder, file = path.split("/")
    assert data(f"wildtrace.languages.{folder}", file)["source"]


@pytest.mark.parametrize(
    ("code", "expected"), [("en", "en"), ("zh-Hant", "zh"), ("EN", "en"), ("fi", "none"), ("", "none")]
)
def test_a_language_is_found_by_its_code(code: str, expected: str) -> None:
    """Whatever its script or case; one without a folder is `none`."""
    assert expected == language_of(code).code


def test_an_unknown_language_has_sentences_and_nothing_else() -> None:
    """It is said that there are no annotators, and nothing is guessed."""
    none = language_of("fi")
    assert () == none.offers()
    assert [(0, 10), (11, 22)] == list(none.sentences("Hän lähti. Hän palasi.", 0, 22))
    assert () == none.times("12 May 1901")
    assert none.names("Matti") is None


def test_a_language_offers_what_it_overrides() -> None:
    """English and Chinese have every annotator; a new language may begin with one."""

    class Begun(Language):
        code = "xx"

        def status(self, sentence: str) -> str:
            return "denied" if "nei" in sentence else "asserted"

    assert ("status",) == Begun().offers()
    assert [ANNOTATORS] * 2 == [language_of(code).offers() for code in ("en", "zh")]


@pytest.mark.parametrize(
    ("code", "sentence", "status"),
    [
        ("en", "The valve was shut at noon.", "asserted"),
        ("en", "It would have held.", "hypothetical"),
        ("en", "He was allegedly drunk.", "doubtful"),
        ("en", "The crew were not told.", "denied"),
        ("zh", "若非他来，众人都死了。", "hypothetical"),
        ("zh", "他打算明日动身。", "planned"),
    ],
)
def test_marking_words_tell_a_status(code: str, sentence: str, status: str) -> None:
    """By the first kind of word that the sentence holds."""
    assert status == language_of(code).status(sentence)
