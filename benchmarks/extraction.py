"""Names, dates and causes by the annotators of a language, on marked passages, beside what a user would pick instead.

Precision, recall and F1 by kind, language and part of the passages (`tests/gold/annotations.json`); how a claim is
judged is told in `benchmarks.marking`. It runs in an environment of its own that has the peers, unless told otherwise:

    python -m benchmarks.extraction CORPUS_FOLDER [--only PART_OF_A_FILE_NAME] [--mistakes] [--here]

`--mistakes` prints what the annotators missed and claimed wrongly in the development passages, never in held-out ones.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.extractors import PEERS, WITHOUT_VALUES, annotators, peer, peer_claims
from benchmarks.marking import JUDGED, PARTS, Agreement, Claims, Passage, judged, read_passages, total
from benchmarks.measure import child_environment
from benchmarks.peers import EXTRACTION

Found = dict[tuple[str, str, str], list[Agreement]]
"""Agreements by what is judged, language with part, and extractor."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="", help="files whose name holds this")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--here", action="store_true", help="in this environment, without the peers that it lacks")
    options = parser.parse_args()
    if not options.here:
        argv: list[str | Path] = [EXTRACTION.python(), "-m", __spec__.name, *sys.argv[1:], "--here"]
        sys.exit(subprocess.run(argv, env=child_environment({}), check=False).returncode)
    logging.disable()  # jionlp logs a traceback for every time that it cannot read
    passages = [passage for passage in read_passages() if options.only in passage.file]
    found: Found = defaultdict(list)
    for file in dict.fromkeys(passage.file for passage in passages):
        text = (options.corpus / file).read_text(encoding="utf-8")
        of_file = [passage for passage in passages if passage.file == file]
        for passage in of_file:
            claims = annotators(text, passage)
            measure(text, passage, claims, found)
            if options.mistakes and passage.part == PARTS[0]:
                print("\n".join(mistakes(text, passage, claims)))
    print("\n".join(table(found)))


def measure(text: str, passage: Passage, claims: Claims, found: Found) -> None:
    """Add how the annotators' claims of a passage and the installed peers' agree with what is marked."""
    place = f"{passage.language} {passage.part}"
    by = {"annotators": claims}
    for name in PEERS[passage.language]:
        extract = peer(passage.language, name)
        if extract is not None:
            by[name] = peer_claims(extract, text, passage)
    for name, claimed in by.items():
        for what, one in judged(passage, claimed).items():
            found[what, place, name].append(one)


def mistakes(text: str, passage: Passage, claims: Claims) -> Iterator[str]:
    """What the annotators missed and claimed wrongly in a passage, a line each."""
    for what, one in judged(passage, claims).items():
        for kind, places in (("missed", one.missed), ("wrong", one.wrong)):
            for start, end in sorted(places):
                quote = " ".join(text[start:end].split())
                told = quote if len(quote) <= 80 else f"{quote[:50]} ... {quote[-25:]}"
                yield f"{passage.name} {what} {kind} {start}-{end} {told}"


def table(found: Found) -> Iterator[str]:
    """The figures, a line for each thing judged, language, part and extractor."""
    yield f"{'':20} {'':16} {'':11} precision recall    F1 marked"
    for what in JUDGED:
        for language, peers in PEERS.items():
            for part in (*PARTS, "all"):
                yield from _lines(found, what, f"{language} {part}", ("annotators", *peers))
    for language, peers in PEERS.items():
        missing = [name for name in peers if peer(language, name) is None]
        if missing:
            yield f"not installed for {language}: {', '.join(missing)}"


def _lines(found: Found, what: str, place: str, extractors: Iterable[str]) -> Iterator[str]:
    language, part = place.split(" ", 1)
    for name in extractors:
        if name in WITHOUT_VALUES.get(what, ()):
            continue
        agreements = _of(found, what, [f"{language} {one}" for one in PARTS] if part == "all" else [place], name)
        if agreements:
            one = total(agreements)
            figures = f"{one.precision:9.3f} {one.recall:6.3f} {one.f1:5.3f} {one.right + len(one.missed):6}"
            yield f"{what:20} {place:16} {name:11} {figures}"


def _of(found: Found, what: str, places: Sequence[str], name: str) -> list[Agreement]:
    return [one for place in places for one in found.get((what, place, name), ())]


if __name__ == "__main__":
    main()
