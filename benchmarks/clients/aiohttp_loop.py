"""A bare aiohttp loop with pre-serialised bodies: what is left of an evaluator without retries, state or checks.

C workers a model take tasks in document order; a document is read and escaped once for its tasks and spliced into each
body; nothing is written before the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import aiohttp
import orjson

from benchmarks.clients.common import (
    Call,
    Options,
    answer_calls,
    body_parts,
    judge_calls,
    load_rows,
    parse_options,
    stored_answers,
    write_answers,
    write_scores,
)
from benchmarks.prompts import JUDGES

Results = dict[tuple[str, str], str]


async def streamed_text(response: aiohttp.ClientResponse) -> str:
    """The text of a server-sent stream."""
    pieces: list[str] = []
    async for line in response.content:
        if line.startswith(b"data: {"):
            choices = orjson.loads(line[6:])["choices"]
            if choices:
                pieces.append(choices[0]["delta"].get("content") or "")
    return "".join(pieces)


async def ask(session: aiohttp.ClientSession, options: Options, call: Call) -> str:
    """Make one request; any status but 200 is an error."""
    body = b"".join(body_parts(call, options.corpus, options.stream))
    url = f"http://127.0.0.1:{options.port}/v1/chat/completions"
    headers = {"Content-Type": "application/json", "Authorization": "Bearer bench"}
    async with session.post(url, data=body, headers=headers) as response:
        response.raise_for_status()
        if response.content_type == "text/event-stream":
            return await streamed_text(response)
        text: str = orjson.loads(await response.read())["choices"][0]["message"]["content"]
        return text


async def worker(session: aiohttp.ClientSession, options: Options, calls: Iterator[Call], results: Results) -> None:
    """One slot: the next call as soon as the last is answered."""
    for call in calls:
        results[call.row["question_id"], call.model] = await ask(session, options, call)


async def run_calls(options: Options, queues: list[Iterator[Call]]) -> Results:
    """Run each queue with its own slots."""
    results: Results = {}
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        slots = [worker(session, options, queue, results) for queue in queues for _ in range(options.concurrency)]
        await asyncio.gather(*slots)
    return results


async def run(options: Options) -> None:
    """Run the phases asked for."""
    rows = load_rows(options.data)
    if options.phase != "judge":
        replies = await run_calls(options, [answer_calls(rows)])
        answers = {question_id: text for (question_id, _), text in replies.items()}
        write_answers(options.out, answers)
    else:
        answers = stored_answers(options.out)
    if options.phase != "answer":
        write_scores(options.out, await run_calls(options, [judge_calls(rows, answers, judge) for judge in JUDGES]))


if __name__ == "__main__":
    asyncio.run(run(parse_options(__doc__)))
