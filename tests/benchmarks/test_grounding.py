"""The measure of grounding, run over small texts made for it."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest
from benchmarks.grounders import Job, grounder
from benchmarks.grounding import windows
from benchmarks.measure import ROOT, child_environment
from benchmarks.peers import EXTRACTION

STORY = (
    "The rain came down all the way and nobody spoke about it before the house was reached. "
    "Captain Harlow bought a chart in Bristol that showed no reef at the mouth of the river. "
    "In the morning the owners asked him where the ship was, and he went home without a word."
)
CHINESE = "那时下着大雨，路上没有行人，大家都不说话。王大成在济南住了三年，欠了刘掌柜五十两银子，所以连夜逃到曹州去了。"
CHART = "Captain Harlow bought a chart in Bristol that showed no reef at the mouth of the river."
EDITED_CHART = CHART.replace("showed", "gently").replace("bought", "window")
STRANGER = "Jonathan Wild drew the bolt, looked into the well-hole and listened for a step."
PEERS = EXTRACTION.folder / "bin" / "python"
OF_PEERS = (
    "import json, sys\n"
    "from benchmarks.grounders import Job, grounder\n"
    "text, quotes, windows = json.load(sys.stdin)\n"
    "print(json.dumps(grounder(sys.argv[1])(Job(text, quotes, windows))))\n"
)


def place(text: str, words: str) -> tuple[int, int]:
    """Where words first stand in a text."""
    start = text.index(words)
    return start, start + len(words)


def by_langextract(setting: str, text: str, quotes: list[str], start: int = 0) -> list[tuple[int, int] | None]:
    """What langextract finds in the peers' environment, each quote from `start` to the text's end."""
    if not (EXTRACTION.folder / "constraints.sha256").exists():
        pytest.skip("the peers are not installed")
    asked = json.dumps([text, quotes, [(start, len(text))] * len(quotes)])
    command = [str(PEERS), "-c", OF_PEERS, setting]
    done = subprocess.run(command, input=asked, check=True, capture_output=True, text=True, env=child_environment({}))
    return [None if found is None else (found[0], found[1]) for found in json.loads(done.stdout.splitlines()[-1])]


@pytest.mark.parametrize("method", ["wildtrace", "rapidfuzz alone"])
@pytest.mark.parametrize(("text", "quote"), [(STORY, CHART), (CHINESE, "王大成在济南住了三年，欠了刘掌柜五十两银子")])
def test_finds_a_quote_in_the_whole_text_and_no_stranger(method: str, text: str, quote: str) -> None:
    """Methods that search do so without their window, and say of a foreign quote that it stands nowhere."""
    assert [place(text, quote), None] == grounder(method)(Job(text, [quote, STRANGER], [(0, 1), (0, 1)]))


def test_langextract_answers_in_offsets_of_the_text() -> None:
    """A quote's place counts from the text's beginning, not the window's; a stranger has none."""
    start = STORY.index("Captain")
    assert [place(STORY, CHART), None] == by_langextract("langextract", STORY, [CHART, "zebra"], start)


def test_langextract_does_not_look_outside_its_window() -> None:
    """What stands before the window is not found."""
    assert [None] == by_langextract("langextract, whole quotes only", STORY, ["The rain came"], STORY.index("In the"))


def test_langextract_places_an_edited_quote_whole_only_when_told_to() -> None:
    """As it comes it answers with the beginning of the quote; the strict setting reads to the end."""
    (beginning,) = by_langextract("langextract", STORY, [EDITED_CHART])
    (whole,) = by_langextract("langextract, whole quotes only", STORY, [EDITED_CHART])
    assert place(STORY, "Captain Harlow") == beginning
    assert place(STORY, CHART) == whole


def test_langextract_reads_chinese_by_ideographs_with_the_other_tokenizer() -> None:
    """A part of a clause is no word as it comes, but is found ideograph by ideograph."""
    assert [place(CHINESE, "欠了刘掌柜")] == by_langextract("langextract, Unicode tokenizer", CHINESE, ["欠了刘掌柜"])
    assert [None] == by_langextract("langextract", CHINESE, ["欠了刘掌柜"])


def test_a_missing_langextract_is_told_in_one_sentence() -> None:
    """Where it is not installed the process ends with what is missing and what to do, without a traceback."""
    code = (
        "import sys; sys.modules['langextract'] = None\n"
        "from benchmarks.grounders import grounder; grounder('langextract')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert 1 == done.returncode
    assert 1 == len(done.stderr.splitlines())
    assert "langextract is not installed here" in done.stderr
    assert "--no-peer" in done.stderr


def test_langextract_is_kept_off_the_network() -> None:
    """Whatever asks for an address once langextract is loaded ends the process, saying so."""
    code = (
        "import sys\n"
        "import benchmarks.grounders as grounders\n"
        "sys.modules['langextract'] = None\n"
        "try: grounders.grounder('langextract')\n"
        "except SystemExit: pass\n"
        "import socket\n"
        "socket.create_connection(('localhost', 9))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert 1 == done.returncode
    assert "langextract reached for the network" in done.stderr.splitlines()[-1]


def test_windows_hold_their_places_and_foreign_quotes_get_one_too() -> None:
    """Each place lies whole in its window, also near a seam, and the rest are windows of the text."""
    text = "\n\n".join(f"Paragraph {number} says what it says. " * 9 for number in range(400))
    places = [(at, at + 200) for at in range(0, len(text) - 200, 977)]
    found = windows(text, places, 50, random.Random(1))
    assert len(places) + 50 == len(found)
    for (start, end), window in zip(places, found, strict=False):
        assert window[0] <= start < end <= window[1]
    assert all(0 < end - start <= 25_000 and end <= len(text) for start, end in found)
    assert len(set(found[len(places) :])) > 1
