import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoints.offline.test_parsing import asked, grading
from wildtrace.endpoints.offline.passages import IndexCache
from wildtrace.endpoints.offline.roster import CONTESTANTS, MODELS, ContextWindow, Cut, complete
from wildtrace.endpoints.offline.wire import ApiError, ChatRequest, Message
from wildtrace.errors import UsageError

CACHE = IndexCache()
OPEN = ContextWindow()


def chat(model: str, prompt: str, max_tokens: int | None = None) -> ChatRequest:
    """One user turn."""
    return ChatRequest(model, [Message("user", prompt)], max_tokens=max_tokens)


@pytest.mark.parametrize("model", CONTESTANTS)
def test_every_contestant_answers_the_protocols_prompt(model: str) -> None:
    """None is silent, and each says when it is finished."""
    completion = complete(chat(model, asked("Who?", "Ann AB1234CD. " * 50)), 1, OPEN, CACHE)
    assert completion.content
    assert "stop" == completion.finish_reason


def test_tokens_are_estimated_at_the_protocols_rates() -> None:
    """3.3 characters a token in English, 1.5 in Chinese, by the document's script and not the question's."""
    english, chinese = asked("Who?", "Ann. " * 200), asked("谁？", "水闸。" * 200)
    assert round(len(english) / 3.3) == complete(chat("no-document", english), 1, OPEN, CACHE).prompt_tokens
    mixed = asked("是谁在深夜里把水闸的闸门打开又关上然后逃走的呢请说明缘由", "Ann. " * 200)
    assert round(len(mixed) / 3.3) == complete(chat("no-document", mixed), 1, OPEN, CACHE).prompt_tokens
    assert round(len(chinese) / 1.5) == complete(chat("no-document", chinese), 1, OPEN, CACHE).prompt_tokens


def test_a_completion_budget_cuts_the_answer_and_says_so() -> None:
    """`max_tokens` ends the answer with finish reason length."""
    completion = complete(chat("first-passages", asked("Who?", "Ann opened the valve. " * 50), 10), 1, OPEN, CACHE)
    assert ("length", 33, 10) == (completion.finish_reason, len(completion.content), completion.completion_tokens)


def test_a_budget_that_just_fits_cuts_nothing() -> None:
    """An answer of exactly `max_tokens` tokens is finished."""
    prompt = asked("Who?", "x" * 33)
    assert "stop" == complete(chat("first-passages", prompt, 10), 1, OPEN, CACHE).finish_reason
    assert "length" == complete(chat("first-passages", prompt, 9), 1, OPEN, CACHE).finish_reason


def test_a_cut_in_the_middle_keeps_as_much_of_either_end() -> None:
    """Half of the room goes to the start, half to the end."""
    assert "abyz" == ContextWindow(3, "middle").kept("abcdefghijklmnopqrstuvwxyz"[:26], cjk=True)


def test_a_prompt_beyond_the_window_is_an_error() -> None:
    """HTTP 400 with the code that names context length, and both numbers in the message."""
    with pytest.raises(ApiError, match=r"is 100 tokens\. Your messages have 337") as caught:
        complete(chat("echo-codes", asked("Codes?", "x" * 1000)), 1, ContextWindow(100), CACHE)
    assert (400, "context_length_exceeded") == (caught.value.status, caught.value.code)


@pytest.mark.parametrize(
    ("cut", "expected"),
    [("end", "AA0000AA"), ("front", "CC2222CC"), ("middle", "AA0000AA CC2222CC")],
)
def test_a_silent_cut_loses_the_codes_that_stood_there(cut: Cut, expected: str) -> None:
    """What is cut away never reaches the model, and usage counts what was kept."""
    filler = "plain words\n\n" * 100
    prompt = asked("Codes?", f"AA0000AA {filler}BB1111BB {filler}CC2222CC")
    completion = complete(chat("echo-codes", prompt), 1, ContextWindow(200, cut), CACHE)
    assert expected == completion.content
    assert completion.prompt_tokens == pytest.approx(200, abs=1)


@given(st.integers(1, 400), st.sampled_from(["front", "middle", "end"]), st.booleans())
def test_what_is_kept_fits_the_window(tokens: int, cut: Cut, cjk: bool) -> None:
    """A cut prompt is a start and an end of the prompt, as long as the window allows."""
    prompt = "".join(chr(0x4E00 + number) for number in range(500))
    kept = ContextWindow(tokens, cut).kept(prompt, cjk=cjk)
    rate = 1.5 if cjk else 3.3
    assert (500 if round(500 / rate) <= tokens else int(tokens * rate)) == len(kept)
    assert any(prompt == kept[:n] + prompt[n : n + 500 - len(kept)] + kept[n:] for n in range(len(kept) + 1))


def test_a_cut_without_a_window_is_refused() -> None:
    """Where to cut says nothing without how much fits."""
    with pytest.raises(UsageError, match="--context-tokens"):
        ContextWindow(cut="front")


def test_an_unknown_model_is_named_with_those_there_are() -> None:
    """HTTP 404 lists the offline models."""
    with pytest.raises(
        ApiError, match="lexical-reader, first-passages, no-document, echo-codes, lexical-judge"
    ) as caught:
        complete(chat("gpt", "x"), 1, OPEN, CACHE)
    assert 404 == caught.value.status
    assert 5 == len(MODELS)


def test_the_judge_refuses_what_is_no_judge_prompt() -> None:
    """A contestant's prompt sent to the judge is an error of the caller."""
    assert complete(chat("lexical-judge", grading("Q", [(100, "Ann")], "Ann")), 1, OPEN, CACHE).content
    with pytest.raises(ApiError, match="judge prompt") as caught:
        complete(chat("lexical-judge", asked("Who?", "Ann")), 1, OPEN, CACHE)
    assert 400 == caught.value.status
