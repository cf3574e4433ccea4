"""The offline models by name, and how much of a prompt reaches them.

Three contestants use less and less of the document. `lexical-reader` ranks its passages against the question and
answers with the best, in document order: what word overlap alone finds. `first-passages` answers with its beginning,
`no-document` with the question. `echo-codes` repeats every code that reached it: the window probe is rehearsed with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from wildtrace.endpoints.offline.judge import lexical_judge
from wildtrace.endpoints.offline.parsing import parse_asked, read_asked
from wildtrace.endpoints.offline.passages import IndexCache
from wildtrace.endpoints.offline.wire import ApiError, ChatRequest, Completion
from wildtrace.errors import UsageError
from wildtrace.text.codes import codes_in
from wildtrace.text.script import is_cjk
from wildtrace.text.tokens import CJK_CHARS_PER_TOKEN, EN_CHARS_PER_TOKEN, estimate_tokens

READ_LIMIT = 4900  # the judge reads 5,000 code points of an answer (protocol, section 4)
FIRST_LIMIT = 6000  # longer than the judge reads: such answers are flagged `judge_input_truncated`
MOST_PASSAGES = 12


def lexical_reader(prompt: str, cache: IndexCache) -> str:
    """The up to twelve passages that share most with the question; the beginning where none shares a word."""
    asked = read_asked(prompt)
    index = cache.index(asked.document)
    chosen: list[int] = []
    room = READ_LIMIT
    for number in index.ranked(asked.question)[:MOST_PASSAGES]:
        start, end = index.spans[number]
        room -= end - start + 2
        if room < 0:
            break
        chosen.append(number)
    passages = (asked.document[slice(*index.spans[number])].strip() for number in sorted(chosen))
    return "\n\n".join(passages) or asked.document[:READ_LIMIT]


def first_passages(prompt: str) -> str:
    """The document's first 6,000 code points."""
    return read_asked(prompt).document[:FIRST_LIMIT]


def no_document(prompt: str) -> str:
    """The question's own words: what an answer scores that has read nothing."""
    return f"Going by the question alone: {read_asked(prompt).question}"


def echo_codes(prompt: str) -> str:
    """Every code of the prompt's document (of a prompt cut at the front: of all of it), in order, once."""
    asked = parse_asked(prompt)
    return " ".join(codes_in(asked.document if asked else prompt)) or "No code."


JUDGE = "lexical-judge"
CONTESTANTS: dict[str, Callable[[str, IndexCache], str]] = {
    "lexical-reader": lexical_reader,
    "first-passages": lambda prompt, _: first_passages(prompt),
    "no-document": lambda prompt, _: no_document(prompt),
    "echo-codes": lambda prompt, _: echo_codes(prompt),
}
MODELS = (*CONTESTANTS, JUDGE)

Cut = Literal["front", "middle", "end"]


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """A context window of `tokens` (None: no limit): a longer prompt is an error, or is silently `cut` there."""

    tokens: int | None = None
    cut: Cut | None = None

    def __post_init__(self) -> None:
        if self.cut is not None and self.tokens is None:
            raise UsageError("--truncate says where a prompt longer than --context-tokens is cut: give both")

    def visible(self, prompt: str, *, cjk: bool) -> str:
        """What of `prompt` reaches the model. Raises ApiError 400 where it is too long and nothing may be cut."""
        tokens = estimate_tokens(len(prompt), cjk=cjk)
        if self.tokens is None or tokens <= self.tokens:
            return prompt
        if self.cut is None:
            raise ApiError(
                400,
                "context_length_exceeded",
                f"This model's maximum context length is {self.tokens} tokens. Your messages have {tokens} tokens.",
            )
        room = int(self.tokens * (CJK_CHARS_PER_TOKEN if cjk else EN_CHARS_PER_TOKEN))
        head = {"front": 0, "middle": room // 2, "end": room}[self.cut]
        return prompt[:head] + prompt[len(prompt) - (room - head) :]


def complete(chat: ChatRequest, number: int, window: ContextWindow, cache: IndexCache) -> Completion:
    """Answer a chat. Raises ApiError: 404 for an unknown model, 400 for a prompt that is too long or not for it."""
    check_model(chat.model)
    prompt = chat.prompt
    cjk = is_cjk(read_asked(prompt).document or prompt)
    visible = window.visible(prompt, cjk=cjk)
    content = _reply(chat.model, visible, cache)
    answer_cjk = is_cjk(content)
    tokens = estimate_tokens(len(content), cjk=answer_cjk)
    if chat.limit is not None and tokens > chat.limit:
        content = content[: int(chat.limit * (CJK_CHARS_PER_TOKEN if answer_cjk else EN_CHARS_PER_TOKEN))]
        return Completion(number, chat.model, content, "length", estimate_tokens(len(visible), cjk=cjk), chat.limit)
    return Completion(number, chat.model, content, "stop", estimate_tokens(len(visible), cjk=cjk), tokens)


def check_model(name: str) -> None:
    """Raise ApiError 404 unless `name` is an offline model."""
    if name not in MODELS:
        raise ApiError(404, "model_not_found", f"There is no offline model {name!r}; there are {', '.join(MODELS)}.")


def _reply(model: str, prompt: str, cache: IndexCache) -> str:
    if model != JUDGE:
        return CONTESTANTS[model](prompt, cache)
    verdict = lexical_judge(prompt)
    if verdict is None:
        raise ApiError(400, "unreadable_prompt", f"{JUDGE} grades the protocol's judge prompt and nothing else.")
    return verdict
