"""What serialising one large request costs, in three ways: the reason why bodies are spliced.

python -m benchmarks.micro
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

import orjson

from benchmarks.prompts import MAX_TOKENS, MODEL, TEMPERATURE, answer_prompt, answer_prompt_head
from benchmarks.workload import document_text, sentence_pools

SIZES = {"ascii": 3_000_000, "curly": 3_000_000, "cjk": 1_300_000}
REPEATS = 7


def best_ms(work: Callable[[], object]) -> float:
    """The least of some runs, in milliseconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def request(question: str, document: str) -> dict[str, object]:
    """The request as an object."""
    messages = [{"role": "user", "content": answer_prompt(question, document)}]
    return {"model": MODEL, "messages": messages, "temperature": TEMPERATURE, "max_tokens": MAX_TOKENS}


def spliced(question: str, escaped: bytes) -> bytes:
    """The same request around a document escaped before."""
    head = orjson.dumps(answer_prompt_head(question))[1:-1]
    return b'{"model":"%b","messages":[{"role":"user","content":"%b%b"}],"temperature":%g,"max_tokens":%d}' % (
        MODEL.encode(),
        head,
        escaped,
        TEMPERATURE,
        MAX_TOKENS,
    )


def ways(question: str, text: str, escaped: bytes) -> dict[str, Callable[[], object]]:
    """Each way as a call; the prompt is built within it, since a string keeps its UTF-8 form once it was encoded."""
    return {
        "splice": lambda: spliced(question, escaped),
        "orjson": lambda: orjson.dumps(request(question, text)),
        "json.dumps": lambda: json.dumps(request(question, text)).encode(),
        "ensure_ascii=False": lambda: json.dumps(request(question, text), ensure_ascii=False).encode(),
    }


def main() -> None:
    """Print one line a script."""
    pools = sentence_pools(random.Random(1))
    question = "What did the keeper of the station write into the log before the door was closed?"
    for script, size in SIZES.items():
        text = document_text(random.Random(2), pools[script], script, size)
        escaped = orjson.dumps(text)[1:-1]
        if spliced(question, escaped) != orjson.dumps(request(question, text)):
            raise SystemExit("the two ways must give the same bytes")
        times = {name: best_ms(work) for name, work in ways(question, text, escaped).items()}
        shown = "; ".join(f"{name} {ms:.2f} ms = {ms / times['splice']:.1f}" for name, ms in times.items())
        print(f"{script:5} {size:9,} characters: {shown}")


if __name__ == "__main__":
    main()
