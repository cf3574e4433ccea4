"""Grounding of 200 quotes in 3.5 million English and 0.9 million Chinese characters: how many are right, how fast.

100 quotes are exact, 50 have other white space, quotation marks and dashes, 50 have one to three edited words that are
no number, negation or name; 50 more come from another book and must not be located. Right: the start within 4, the end
within 8 code points. Each language and method runs in a process of its own; CPU seconds include building the index but
no imports, memory is the process's peak. langextract, in the peers' environment, does not search the text: it gets the
window of at most 25,000 code points that holds the quote, and a random one for a quote from another book.

    python -m benchmarks.grounding CORPUS_FOLDER [--seed N] [--no-peer | --all-settings]

`--all-settings` also runs langextract's other settings, which takes some ten minutes more.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.grounders import LANGEXTRACT, Job, Place, grounder
from benchmarks.measure import child_environment
from benchmarks.peers import EXTRACTION
from wildtrace.construct.segment import LONGEST, segment

TARGETS = {"english": 198, "chinese": 200}
CPU_SECONDS = 3.0
MEGABYTES = 250
PEERS = ("rapidfuzz alone", "langextract")
SETTINGS = {
    "english": ("langextract, whole quotes only",),
    "chinese": ("langextract, Unicode tokenizer", "langextract, Unicode tokenizer, whole quotes only"),
}
"""What of langextract is measured besides how it comes: by words, Chinese needs the Unicode tokenizer."""
_TEXTS = {
    "english": (["en_wood_johnny_ludlow_series_1-6.txt"], 3_500_000, "en_ainsworth_jack_sheppard_1839.txt"),
    "chinese": (["zh_shigong_an.txt"], 900_000, "zh_lu_shie_shiweigui.txt"),
}
_CURLY = {'"': "“", "'": "’", "“": '"', "”": '"', "‘": "'", "’": "'", "「": "“", "」": "”"}
_ENGLISH_OTHERS = (
    "certainly",
    "gently",
    "window",
    "morning",
    "wooden",
    "slowly",
    "garden",
    "began",
    "thinking",
    "quietly",
)
_CHINESE_OTHERS = ["花园", "慢慢", "看着", "早晨", "桌子", "开始", "高兴", "轻轻", "声音", "明亮", "走来", "衣服"]
_FIXED = re.compile(
    r"\d|^[A-Z]|^(?:no|not|nor|never|none|nothing|nobody|neither|without|cannot|hardly|scarcely|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|first|second|third|dozen|twice)$|n['’]t$"
)
_COMMON_IDEOGRAPHS = re.compile(
    "听见|说道|这里|那里|只见|心中|起来|出来|如何|怎么|因此|进去|看见|吩咐|心想|连忙|上前|只得|果然|随后|听说|答应|心里"
    "|便|就|又|都|却|把|将|来|去|看|走|叫|想|坐|吃|拿|见|听|着|了|的|要|是|在|问|回|进|出"
)


Case = tuple[str, str, int, int]


def main() -> None:
    """Run one process a language and method and print what each measured, wildtrace beside its targets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    peers = parser.add_mutually_exclusive_group()
    peers.add_argument("--no-peer", action="store_true", help="leave out rapidfuzz and langextract")
    peers.add_argument("--all-settings", action="store_true", help="langextract's other settings too (ten minutes)")
    parser.add_argument("--only", nargs=2, metavar=("LANGUAGE", "METHOD"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        language, method = options.only
        print(json.dumps(measure(language, method, options.corpus, options.seed)))
        return
    peers_python = None if options.no_peer else _peers_python()
    for language in TARGETS:
        for method in _methods(language, options):
            python = peers_python if method in LANGEXTRACT else Path(sys.executable)
            _print(language, method, _measured(python, language, method, options))


def _methods(language: str, options: argparse.Namespace) -> Iterator[str]:
    yield "wildtrace"
    if not options.no_peer:
        yield from PEERS
    if options.all_settings:
        yield from SETTINGS[language]


def _peers_python() -> Path:
    try:
        return EXTRACTION.python()
    except subprocess.CalledProcessError:
        sys.exit(
            f"The peers cannot be installed into {EXTRACTION.folder.name} (see above): give --no-peer without them."
        )


def _measured(python: Path | None, language: str, method: str, options: argparse.Namespace) -> dict[str, float]:
    """What another process measured; what ended it, ends this one."""
    command = [str(python), "-m", __spec__.name, str(options.corpus), "--seed", str(options.seed)]
    command += ["--only", language, method]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=child_environment({}))
    if done.returncode:
        sys.exit(f"{language}, {method}: {(done.stderr.splitlines() or ['no output'])[-1]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _print(language: str, method: str, found: dict[str, float]) -> None:
    is_ours = method == "wildtrace"
    targets = (f" (at least {TARGETS[language]})", " (0)", f" (under {CPU_SECONDS})", f" (under {MEGABYTES})")
    right, foreign, seconds, memory = targets if is_ours else ("", "", "", "")
    kinds = f"exact {found['exact']}/100, written otherwise {found['variant']}/50, edited {found['edited']}/50"
    where = f" (given the {LONGEST:,}-character window)" if method in LANGEXTRACT else ""
    print(f"{language}, {method}{where}: right {found['right']} of 200{right}: {kinds};", end=" ")
    print(f"foreign accepted {found['foreign']} of 50{foreign}; {found['seconds']:.2f} CPU s{seconds};", end=" ")
    print(f"{found['megabytes']:.0f} MB{memory}")


def measure(language: str, method: str, corpus: Path, seed: int) -> dict[str, float]:
    """Ground the quotes of one language by one method in this process."""
    files, size, foreign = _TEXTS[language]
    text = "".join((corpus / name).read_text(encoding="utf-8") for name in files)[:size]
    other = (corpus / foreign).read_text(encoding="utf-8")
    make = random.Random(seed)
    cases = _cases(text, language, make)
    strangers = [passage for passage, _, _ in (make_passage(other, language, make) for _ in range(50))]
    quotes = [*(quote for _, quote, _, _ in cases), *strangers]
    job = Job(text, quotes, windows(text, [(start, end) for _, _, start, end in cases], len(strangers), make))
    ground = grounder(method)
    begun = time.process_time()
    found = ground(job)
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    accepted = sum(place is not None for place in found[len(cases) :])
    return {**_right(cases, found, text), "foreign": accepted, "seconds": seconds, "megabytes": peak}


def windows(text: str, places: Sequence[Place], others: int, make: random.Random) -> list[Place]:
    """A window of the text that holds each place, then random ones for quotes that stand nowhere in it."""
    found = [(window.start, window.end) for window in segment(text, "source", "L0")]
    holding = [next(each for each in found if each[0] <= start and end <= each[1]) for start, end in places]
    return holding + make.choices(found, k=others)


def _right(cases: list[Case], found: list[Place | None], text: str) -> dict[str, int]:
    right = dict.fromkeys(("exact", "variant", "edited"), 0)
    for (kind, quote, start, end), place in zip(cases, found, strict=False):
        if place is not None and abs(place[0] - start) <= 4 and abs(place[1] - end) <= 8:
            right[kind] += 1
        else:
            print("missed", kind, repr(quote), repr(text[start:end]), place, file=sys.stderr)
    return {**right, "right": sum(right.values())}


def _cases(text: str, language: str, make: random.Random) -> list[Case]:
    cases = []
    for kind, count in (("exact", 100), ("variant", 50), ("edited", 50)):
        for _ in range(count):
            passage, start, end = make_passage(text, language, make)
            quote = passage if kind == "exact" else rewritten(passage, make)
            if kind == "edited":
                quote = (_edited if language == "english" else _edited_ideographs)(passage, make)
            cases.append((kind, quote, start, end))
    make.shuffle(cases)
    return cases


def make_passage(text: str, language: str, make: random.Random) -> tuple[str, int, int]:
    """A passage that stands once: 10 to 45 words, or 18 to 55 ideographs."""
    while True:
        at = make.randrange(len(text) - 2000)
        if language == "english":
            words = list(re.finditer(r"\S+", text[at : at + 1000]))[1:]
            words = words[: make.randint(10, 45)]
            start, end = at + words[0].start(), at + words[-1].end()
        else:
            start, end = at, at + make.randint(18, 55)
        passage = text[start:end]
        bare = passage.strip()
        if bare == passage and "\n\n" not in passage and text.count(passage) == 1:
            return passage, start, end


def rewritten(passage: str, make: random.Random) -> str:
    """Other white space, quotation marks and dashes."""
    quote = "".join(_CURLY.get(character, character) for character in passage)
    quote = re.sub(r"--|—", make.choice(["—", "–", " - ", "--"]), quote)
    return re.sub(r"\s+", lambda _: make.choice([" ", "  ", "\n", "\u00a0", "\u3000"]), quote)


def _edited(passage: str, make: random.Random) -> str:
    """One to three words replaced, left out or added."""
    words = passage.split()
    for _ in range(make.randint(1, 3)):
        free = [at for at, word in enumerate(words) if not _FIXED.search(word.strip("\"'“”‘’.,;:!?-_()"))]
        if not free:
            continue
        at, how = make.choice(free), make.random()
        inside = 0 < at < len(words) - 1
        if how < 0.6 or not inside:
            words[at] = make.choice(_ENGLISH_OTHERS)
        elif how < 0.8:
            del words[at]
        else:
            words.insert(at, make.choice(_ENGLISH_OTHERS))
    return " ".join(words)


def _edited_ideographs(passage: str, make: random.Random) -> str:
    """One to three everyday words of one or two ideographs replaced."""
    for _ in range(make.randint(1, 3)):
        found = make.choice(list(_COMMON_IDEOGRAPHS.finditer(passage)) or [None])
        if found is not None:
            other = make.choice([word[: len(found[0])] for word in _CHINESE_OTHERS if found[0] not in word])
            passage = passage[: found.start()] + other + passage[found.end() :]
    return passage


if __name__ == "__main__":
    main()
