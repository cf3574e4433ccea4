"""Do all programs send the protocol's prompts? The endpoint's digests beside those computed here.

A benchmark of programs that do different work says nothing; this is run once after a change of a client, not timed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.cases import SUBSET, Bench, Load, wildtrace_argv, write_config
from benchmarks.measure import endpoint, run_program
from benchmarks.prompts import JUDGES, MODEL, answer_prompt

PEERS = ("floor", "aiohttp_loop", "inspect_task")


def expected_prompts(bench: Bench) -> Counter[str]:
    """The digests of the subset's prompts."""
    rows = json.loads(bench.data(SUBSET).read_text(encoding="utf-8"))
    prompts = (
        answer_prompt(row["question_text"], (bench.release / "corpus" / row["corpus_file"]).read_text(encoding="utf-8"))
        for row in rows
    )
    return Counter(hashlib.sha256(prompt.encode()).hexdigest() for prompt in prompts)


def read_log(path: Path) -> list[dict[str, Any]]:
    """The endpoint's log."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def finding(program: str, log: list[dict[str, Any]], expected: Counter[str], reference: Counter[str]) -> str:
    """One line on a program: exact answer prompts, the settings it sent, judge prompts equal to the bound's."""
    answers = [line for line in log if line["model"] == MODEL]
    exact = sum((Counter(line["sha256"] for line in answers) & expected).values())
    judged = Counter(line["sha256"] for line in log if line["model"] in JUDGES)
    settings = {json.dumps(line["settings"], sort_keys=True) for line in answers}
    same = sum((judged & reference).values())
    return (
        f"{program:13} {exact} of {len(answers)} answer prompts exact, "
        f"{same} of {sum(judged.values())} judge prompts as the bound's; {' '.join(sorted(settings))}"
    )


def client_log(bench: Bench, program: str) -> list[dict[str, Any]]:
    """What the endpoint logged of a client."""
    out = bench.folder(f"verify-{program}")
    log = bench.scratch / f"{program}.log"
    with endpoint(bench.peers, "--digests", "--log", str(log)) as served:
        argv = [str(bench.peers), "-m", f"benchmarks.clients.{program}", "--port", str(served.port)]
        argv += ["--data", str(bench.data(SUBSET)), "--corpus", str(bench.release / "corpus")]
        argv += ["--out", str(out), "--phase", "both"]
        run_program(argv, out, {"XDG_DATA_HOME": str(out / "data-home")})
    return read_log(log)


def wildtrace_log(bench: Bench) -> list[dict[str, Any]]:
    """What the endpoint logged of `wildtrace eval` and `wildtrace judge`."""
    load = Load(tasks=SUBSET)
    out = bench.folder("verify-wildtrace")
    log = bench.scratch / "wildtrace.log"
    with endpoint(bench.peers, "--digests", "--log", str(log)) as served:
        write_config(out.with_suffix(".config.json"), served.port, load)
        for command in ("eval", "judge"):
            run_program(wildtrace_argv(bench, command, out, load), out, {})
    return read_log(log)


def verify(bench: Bench) -> str:
    """The findings on every program."""
    expected = expected_prompts(bench)
    logs = {program: client_log(bench, program) for program in PEERS}
    logs["wildtrace"] = wildtrace_log(bench)
    reference = Counter(line["sha256"] for line in logs["floor"] if line["model"] in JUDGES)
    return "\n".join(finding(program, log, expected, reference) for program, log in logs.items())
