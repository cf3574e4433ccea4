"""Inspect AI on the same workload: the protocol's prompt, its `openai-api` provider, its default log.

Judging is a scorer that asks three graders at once. The graders have slots of their own (a provider name and key each)
and twice as many samples as slots are let in, which is faster for Inspect than its default.
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from inspect_ai import Task, eval  # type: ignore[import-not-found]  # noqa: A004  # lives in the peers' environment only
from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]
from inspect_ai.model import GenerateConfig, Model, get_model  # type: ignore[import-not-found]
from inspect_ai.scorer import Score, mean, scorer  # type: ignore[import-not-found]

from benchmarks.clients.common import Options, load_rows, parse_options
from benchmarks.prompts import JUDGE_MAX_TOKENS, JUDGES, MAX_TOKENS, MODEL, TEMPERATURE, answer_prompt, judge_prompt


def provider(model: str, options: Options, max_tokens: int) -> Model:
    """A model of the `openai-api` provider with its own key, and so its own slots."""
    variable = model.upper().replace("-", "_")
    os.environ[f"{variable}_API_KEY"] = f"key-of-{model}"
    os.environ[f"{variable}_BASE_URL"] = f"http://127.0.0.1:{options.port}/v1"
    config = GenerateConfig(max_connections=options.concurrency, temperature=TEMPERATURE, max_tokens=max_tokens)
    return get_model(f"openai-api/{model}/{model}", config=config, stream=options.stream)


def samples(options: Options) -> list[Sample]:
    """The tasks, in document order, with what the scorer needs."""
    return [
        Sample(
            id=row["question_id"],
            input=answer_prompt(
                row["question_text"], (options.corpus / row["corpus_file"]).read_text(encoding="utf-8")
            ),
            metadata={"question": row["question_text"], "rubric": row["ground_truth"]["scoring_rubric"]},
        )
        for row in load_rows(options.data)
    ]


def panel(options: Options) -> Any:
    """A scorer that asks three judges at once and takes the mean of their totals."""
    judges = [provider(judge, options, JUDGE_MAX_TOKENS) for judge in JUDGES]

    def build() -> Any:
        async def score(state: Any, target: Any) -> Score:  # noqa: ARG001  # Inspect's signature
            prompt = judge_prompt(state.metadata["question"], state.metadata["rubric"], state.output.completion)
            outputs = await asyncio.gather(*(judge.generate(prompt) for judge in judges))
            totals = [json.loads(output.completion)["total"] for output in outputs]
            return Score(value=sum(totals) / len(totals) / 100, explanation=outputs[0].completion)

        return score

    return scorer(metrics=[mean()], name="panel")(build)()


def run(options: Options) -> None:
    """Evaluate, and fail unless every sample succeeded."""
    judged = options.phase == "both"
    task = Task(dataset=MemoryDataset(samples(options)), scorer=panel(options) if judged else None, name="wildtrace")
    logs = eval(
        task,
        model=provider(MODEL, options, MAX_TOKENS),
        log_dir=str(options.out / "logs"),
        display="none",
        max_samples=2 * options.concurrency if judged else None,
    )
    if logs[0].status != "success":
        raise SystemExit(f"inspect ended with {logs[0].status}: {logs[0].error}")


if __name__ == "__main__":
    run(parse_options(__doc__))
