"""The benchmark: `wildtrace eval` and `wildtrace judge` beside bounds and Inspect AI, in interleaved rounds.

Prints medians and ratios for each target and says which are met; it asserts nothing, since seconds depend on the
machine. A full round takes about six minutes on two cores.

    python -m benchmarks.run [--rounds 3] [--quick] [--json FILE] [--verify]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.cases import SUBSET, WHOLE, Bench, run_round
from benchmarks.measure import ROOT, child_environment, note
from benchmarks.peers import PACKAGES, peers_python, versions
from benchmarks.targets import all_lines, table
from benchmarks.verify import verify
from benchmarks.workload import default_folder


def make_release(folder: Path) -> None:
    """Make the release in a process of its own, so that this one stays small (see measure.py)."""
    for tasks in (WHOLE, SUBSET):
        argv = [sys.executable, "-m", "benchmarks.workload", str(folder), "--tasks", str(tasks)]
        subprocess.run(argv, check=True, cwd=ROOT, env=child_environment({}), stdout=subprocess.DEVNULL)


def heading(bench: Bench, rounds: int, tasks: int) -> dict[str, str]:
    """What the figures hold for."""
    ours = versions(bench.wildtrace, ("wildtrace", "aiohttp", "orjson"))
    peers = versions(bench.peers, PACKAGES)
    return {
        "machine": f"{os.cpu_count()} cores, {platform.platform(terse=True)}, Python {platform.python_version()}",
        "wildtrace": ", ".join(f"{name} {version}" for name, version in ours.items()),
        "peers": ", ".join(f"{name} {version}" for name, version in peers.items()),
        "rounds": f"{rounds} over {tasks} tasks",
    }


def noise(bench: Bench) -> str:
    """How busy the machine was with other things, in cores: the median run and the worst."""
    elsewhere = [sample.elsewhere for turns in bench.samples.values() for sample in turns]
    return f"{median(elsewhere):.2f} of {os.cpu_count()} cores in the median run, {max(elsewhere):.2f} at worst"


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--quick", action="store_true", help="one round over 48 tasks, beside no targets: start-up times rule it"
    )
    parser.add_argument("--json", type=Path, help="also write the samples and the table to this file")
    parser.add_argument(
        "--verify", action="store_true", help="only compare every program's prompts with the protocol's"
    )
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="the interpreter wildtrace is in")
    parser.add_argument("--release", type=Path, default=default_folder(), help="where the synthetic release is kept")
    return parser.parse_args()


def main() -> None:
    """Prepare, measure, print."""
    options = parse()
    peers = peers_python()
    make_release(options.release)
    with tempfile.TemporaryDirectory(prefix="wildtrace-bench-") as scratch:
        bench = Bench(options.python.absolute(), peers, options.release, Path(scratch))
        if options.verify:
            print(verify(bench))
            return
        rounds, tasks = (1, SUBSET) if options.quick else (options.rounds, WHOLE)
        head = heading(bench, rounds, tasks)
        for number in range(1, rounds + 1):
            note(f"round {number} of {rounds}")
            run_round(bench, tasks)
    head["busy with other things"] = noise(bench)
    lines = all_lines(bench, tasks, versions(peers, ("inspect-ai",))["inspect-ai"])
    if options.quick:
        lines = [dataclasses.replace(line, target="-", met=None) for line in lines]
    print("\n".join(f"{name}: {value}" for name, value in head.items()))
    print(table(lines))
    if options.json:
        samples = {key: [dataclasses.asdict(sample) for sample in turns] for key, turns in bench.samples.items()}
        document = {**head, "lines": [dataclasses.asdict(line) for line in lines], "samples": samples}
        options.json.write_text(json.dumps(document, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
