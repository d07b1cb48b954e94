"""What a server's reply means: an answer, or which kind of trouble."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from ragassay.models.llm.masking import Mask, one_line, unsteered
from ragassay.models.llm.pace import retry_after_s
from ragassay.models.llm.transport import RAISED, Received

MOST_TOKENS = 100_000_000
"""No call takes more, on either side: the longest contexts on offer have some ten million."""
MAX_SHOWN_CHARS = 300
MOST_READ_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. estimated: the server did not say, or what cannot be. cached_tokens: of the prompt's."""

    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model had to say, which asking again would not change. failure: why there is nothing to read, or None.

    finish_reason: the server's word, or empty. replayed: it was in the log. reasoning: what the model thought before.
    served_by: the model that the server says it is from, where it names another than the one asked for.
    """

    text: str
    usage: Usage
    finish_reason: str = ""
    failure: str | None = None
    reasoning: str = ""
    served_by: str = ""
    replayed: bool = field(default=False, compare=False)

    @property
    def cut_off(self) -> bool:
        """Whether the reply ended at a limit of its length."""
        return self.finish_reason == "length"


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Nothing came that could be kept: asking again may well help. over_budget: not sent, a limit is reached."""

    reason: str
    over_budget: bool = False


@dataclass(frozen=True, slots=True)
class _Trouble:
    """billed: the server may have done the work all the same."""

    reason: str
    billed: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Busy(_Trouble):
    """Turned away as one call too many; wait_s: as the server asks, or None."""

    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class Fault(_Trouble):
    """Something broke that may not break again. of_address: unless a call was answered before, it is no such server."""

    of_address: bool = False


@dataclass(frozen=True, slots=True)
class Refusal(_Trouble):
    """The request is not accepted as it is. said: the server's words, which may name what it does not know."""

    said: str


@dataclass(frozen=True, slots=True)
class Hopeless(_Trouble):
    """No call to this server can succeed; with unless_answered, only if none was answered before."""

    unless_answered: bool = False


Problem = Busy | Fault | Refusal | Hopeless

_BUSY = {429, 503, 529}
_FAULTS = {408, 409, 425}
_NO_ACCESS = {401, 402, 403, 404}
_TOO_LONG = re.compile(
    r"(?i)context[_ ]?(?:length|window|size)|maximum context|too many tokens"
    r"|(?:prompt|input|messages?)\W.{0,40}too long|string_above_max_length"
    r"|exceeds? the (?:maximum|available|model'?s?) .{0,30}(?:context|tokens|length)"
)
_REPLY_TOO_LONG = re.compile(r"(?i)max(?:_completion)?_tokens\W.{0,40}too large|in the completion")
"""It is the room for the reply that is too much, rather than the prompt; unless the prompt alone fills the context."""
_CONTEXT = re.compile(r"(?i)context length (?:is|of) (\d{1,9})")
_PROMPT = re.compile(r"(?i)(\d{1,9}) (?:in the messages|in (?:your|the) prompt|input tokens)")
_OF_THE_BODY = re.compile(r"(?i)content[- ]length|payload|body|bytes|entity")
"""It is the size of the request in bytes that a server or a proxy before it does not take."""
_FILTER_MARKS = {"content_filter", "content_policy_violation", "responsibleaipolicyviolation"}
_CUT_BY_FILTER = {"content_filter", "safety", "prohibited_content", "recitation"}
"""OpenAI's reason for the end of a reply, and others that gateways pass on."""
_THROTTLED = re.compile(
    r"(?i)throttling_?(?:exception|error)|rate_?limit_?(?:error|exceeded)|too_?many_?requests_?(?:exception|error)"
)
"""Names of errors, as Bedrock and gateways before it give them with status 400."""
_NO_CREDIT = re.compile(r"(?i)insufficient[_ ](?:quota|balance|credits?|funds)|credit balance")
_NO_MODEL = re.compile(
    r"(?i)model\W.{0,80}(?:not (?:found|exist|available|supported)|does not exist|unknown)"
    r"|(?:unknown|invalid|no such|unsupported) model|model_not_found"
)
_NAMES_OPTION = re.compile(r"(?i)grammar|json_schema|response_format")
_SURROGATE = re.compile("[\ud800-\udfff]")


def chat_answer(received: Received) -> Answer | Problem:
    """Return what came of a request to ``/chat/completions``. Usage: (0, 0, estimated) if the server does not say."""
    data = parsed(received.body)
    if received.status == 200 and isinstance(data, dict) and not data.get("error"):
        return _completion(data, received.mask)
    return problem(received, data)


def problem(received: Received, data: Any) -> Answer | Problem:
    """Say what is wrong with a reply that is no success, a filter's refusal as an Answer. data: its JSON, or None."""
    status = received.status
    said = _said(received, data)
    if status == 200:  # gateways pass errors on with status 200 and the real one inside
        error = data.get("error") if isinstance(data, dict) else None
        if not error and received.body.lstrip()[:1] == b"<":
            return Fault(f"it returned a web page instead of JSON{said and f' ({said})'}", of_address=True)
        if not error:
            return Fault("the reply is not a JSON object")
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code <= 599 else 500
    reason = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if status == RAISED:
        return Refusal(said, said)
    if is_throttled(status, received):
        return Busy(reason, retry_after_s(received.headers))
    if status == 402 or (status in {400, 403, 429} and _NO_CREDIT.search(said)):
        return Hopeless(f"the account has no credit left ({reason})")
    if status in {400, 422} and _filtered(data):
        return _without_text(f"a filter of the server refused the text ({reason})", "content_filter")
    if _too_long(status, said):
        if _REPLY_TOO_LONG.search(said) and not _fills_context(said):
            return Refusal(reason, said)
        return _without_text(f"the text is too long for the model ({reason})", "context_length")
    if status in _BUSY:
        return Busy(reason, retry_after_s(received.headers))
    if status in _NO_ACCESS or (status == 400 and _NO_MODEL.search(said)):
        return Hopeless(reason, unless_answered=status in {403, 404})
    if 300 <= status < 400:
        return Hopeless(f"{reason}, a redirect, which is not followed, so that no other server gets the key")
    if status in _FAULTS or status >= 500:
        # A server that cannot keep to a schema may fail as if by accident.
        return Refusal(reason, said) if _NAMES_OPTION.search(said) else Fault(reason)
    return Refusal(reason, said)


def is_throttled(status: int, received: Received) -> bool:
    """Return whether a server means too many calls though its status says that the request is wrong."""
    named = received.headers.get("x-amzn-errortype", "") + received.body[:2000].decode("utf-8", "replace")
    return status == 400 and _THROTTLED.search(named) is not None


def _filtered(data: Any) -> bool:
    """Return whether an error has the mark of a filter. Its words prove nothing: they may quote the text, or a rule."""
    error = data.get("error", data) if isinstance(data, dict) else None
    inner = error.get("innererror") if isinstance(error, dict) else None
    marks = [each.get(name) for each in (error, inner) if isinstance(each, dict) for name in ("code", "type")]
    return any(isinstance(mark, str) and mark.lower() in _FILTER_MARKS for mark in marks)


def _too_long(status: int, said: str) -> bool:
    """Return whether the text is more than the model takes, for good; a proxy's limit may be another tomorrow."""
    if status == 413 and _OF_THE_BODY.search(said):
        return False
    return status in {400, 413, 422, 500} and _TOO_LONG.search(said) is not None


def _fills_context(said: str) -> bool:
    """Return whether the prompt leaves no room for any reply, by the server's own count."""
    context, prompt = _CONTEXT.search(said), _PROMPT.search(said)
    return context is not None and prompt is not None and int(prompt[1]) >= int(context[1])


def _completion(data: dict[str, Any], mask: Mask) -> Answer | Problem:
    choices = data.get("choices")
    given = [each for each in choices if isinstance(each, dict)] if isinstance(choices, list) else []
    usage = _usage(data.get("usage"))
    answers = [_choice(each, usage, mask) for each in given if isinstance(each.get("message"), dict)]
    if not answers:
        return Fault("the reply contains no message", billed=True)
    # One is asked for; of several that a server gives all the same, the first that is no refusal.
    answer = next((each for each in answers if each.failure is None), answers[0])
    served_by = data.get("model")
    return replace(answer, served_by=" ".join(unsteered(served_by).split())) if isinstance(served_by, str) else answer


def _choice(choice: dict[str, Any], usage: Usage, mask: Mask) -> Answer:
    message = choice["message"]
    ended = choice.get("finish_reason")
    finish_reason = ended if isinstance(ended, str) else ""
    text = _text(message.get("content"), mask)
    refusal = message.get("refusal")
    failure = None
    if finish_reason.lower() in _CUT_BY_FILTER:
        failure = "a filter of the server cut the reply off"
    elif isinstance(refusal, str) and refusal.strip():
        failure = f"the model refused: {_short(refusal)}"
    elif not text.strip() and finish_reason == "refusal":
        failure = "the model refused, and said no more"
    elif not text.strip() and finish_reason == "length":
        failure = "the reply is empty: the model reached the limit of its length before it began to answer"
    # Apart from the answer by one of two names; nothing is read out of it.
    reasoning = _text(message.get("reasoning_content") or message.get("reasoning"), mask)
    return Answer(text, usage, finish_reason, failure, reasoning)


def _without_text(failure: str, finish_reason: str) -> Answer:
    return Answer("", Usage(0, 0), finish_reason, failure)


def is_count(given: Any) -> TypeGuard[int]:
    """Return whether it may be a number of tokens."""
    return type(given) is int and 0 <= given <= MOST_TOKENS


def _usage(given: Any) -> Usage:
    """Return what the server counted. A prompt of no tokens there is none: whoever says so does not count."""
    if isinstance(given, dict):
        prompt, completion = given.get("prompt_tokens"), given.get("completion_tokens")
        if is_count(prompt) and is_count(completion) and prompt:
            return Usage(prompt, completion, cached_tokens=min(prompt, _cached(given)))
    return Usage(0, 0, estimated=True)


def _cached(usage: dict[str, Any]) -> int:
    """Return tokens of the prompt that the server had kept: as OpenAI, vLLM and others say it, or as DeepSeek does."""
    details = usage.get("prompt_tokens_details")
    said = details.get("cached_tokens") if isinstance(details, dict) else usage.get("prompt_cache_hit_tokens")
    return said if is_count(said) else 0


def _text(content: Any, mask: Mask) -> str:
    """Return the text of a message, which some servers give in parts; half a surrogate pair is replaced."""
    if isinstance(content, list):
        parts = (part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
        content = mask.text("".join(parts))  # a key that they hold together is whole now
    if not isinstance(content, str):
        return ""
    return content if content.isascii() else _SURROGATE.sub("\ufffd", content)


def _said(received: Received, data: Any) -> str:
    """Return the server's words about an error: message, code and the parameter it names, on one line."""
    error = data.get("error", data) if isinstance(data, dict) else data
    parts: list[str] = []
    if isinstance(error, dict):
        for name in ("message", "detail", "msg", "code", "param", "type"):
            value = error.get(name)
            if isinstance(value, (dict, list)):
                value = json.dumps(value)
            if isinstance(value, str) and value and value not in parts:
                parts.append(value)
    elif isinstance(error, str):
        parts.append(error)
    elif data is None:
        text = received.body[:MOST_READ_CHARS].decode("utf-8", "replace")
        parts.append(re.sub(r"<style.*?</style>|<[^>]*>", " ", text, flags=re.S))
    return _short("; ".join(parts))


def _short(text: str) -> str:
    line = one_line(text[:MOST_READ_CHARS])
    return line if len(line) <= MAX_SHOWN_CHARS else f"{line[: MAX_SHOWN_CHARS - 1]}…"


def parsed(body: bytes) -> Any:
    """Return the JSON of a body, or None where it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
