"""A raw-socket floor: keep-alive sockets in one thread, the escaped document sent without a copy, and nothing else.

Not a usable program (no retries, no time-outs, no streams); it shows what the bytes themselves cost.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator

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

LENGTH = re.compile(rb"\r\nContent-Length: (\d+)")
READ = 65_536

Results = dict[tuple[str, str], str]


async def read_body(connection: socket.socket) -> bytes:
    """One response's body."""
    loop = asyncio.get_running_loop()
    data, wanted, end = b"", -1, -1
    while wanted < 0 or len(data) < wanted:
        part = await loop.sock_recv(connection, READ)
        if not part:
            raise ConnectionError("the endpoint closed the connection")
        data += part
        end = data.find(b"\r\n\r\n")
        length = LENGTH.search(data)
        if end >= 0 and length:
            wanted = end + 4 + int(length[1])
    if not data.startswith(b"HTTP/1.1 200"):
        raise ConnectionError(data[:200].decode())
    return data[end + 4 :]


async def ask(connection: socket.socket, options: Options, call: Call) -> str:
    """Make one request."""
    loop = asyncio.get_running_loop()
    before, document, after = body_parts(call, options.corpus, stream=False)
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{options.port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(before) + len(document) + len(after)}\r\n\r\n"
    )
    if document:
        await loop.sock_sendall(connection, head.encode() + before)
        await loop.sock_sendall(connection, document)
        await loop.sock_sendall(connection, after)
    else:
        await loop.sock_sendall(connection, head.encode() + before + after)
    text: str = orjson.loads(await read_body(connection))["choices"][0]["message"]["content"]
    return text


async def worker(options: Options, calls: Iterator[Call], results: Results) -> None:
    """One slot: the next call as soon as the last is answered."""
    with socket.socket() as connection:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", options.port))
        for call in calls:
            results[call.row["question_id"], call.model] = await ask(connection, options, call)


async def run_calls(options: Options, queues: list[Iterator[Call]]) -> Results:
    """Run each queue with its own slots."""
    results: Results = {}
    await asyncio.gather(*(worker(options, queue, results) for queue in queues for _ in range(options.concurrency)))
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
