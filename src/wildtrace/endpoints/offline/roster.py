"""The offline models by name, and how much of a prompt reaches them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from wildtrace.endpoints.offline.echo import echo_codes
from wildtrace.endpoints.offline.judge import lexical_judge
from wildtrace.endpoints.offline.parsing import read_asked
from wildtrace.endpoints.offline.passages import IndexCache
from wildtrace.endpoints.offline.reader import first_passages, lexical_reader, no_document
from wildtrace.endpoints.offline.wire import ApiError, ChatRequest, Completion
from wildtrace.errors import UsageError
from wildtrace.text.script import is_cjk
from wildtrace.text.tokens import CJK_CHARS_PER_TOKEN, EN_CHARS_PER_TOKEN, estimate_tokens

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

    def kept(self, prompt: str, *, cjk: bool) -> str:
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
    kept = window.kept(prompt, cjk=cjk)
    content = _reply(chat.model, kept, cache)
    answer_cjk = is_cjk(content)
    tokens = estimate_tokens(len(content), cjk=answer_cjk)
    if chat.limit is not None and tokens > chat.limit:
        content = content[: int(chat.limit * (CJK_CHARS_PER_TOKEN if answer_cjk else EN_CHARS_PER_TOKEN))]
        return Completion(number, chat.model, content, "length", estimate_tokens(len(kept), cjk=cjk), chat.limit)
    return Completion(number, chat.model, content, "stop", estimate_tokens(len(kept), cjk=cjk), tokens)


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
