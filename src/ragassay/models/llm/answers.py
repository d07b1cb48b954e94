"""What came of a call to a server."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_TOKENS = 100_000_000
"""No call takes more, on either side: the longest contexts on offer have some ten million."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. estimated: counted here, because the server did not say, or said what cannot be.

    cached_tokens: of those of the prompt, what the server says that it had kept from before.
    """

    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False
    cached_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model had to say, which asking again would not change.

    failure: why there is nothing to read (a refusal, a content filter, a text that is too long), or None.
    finish_reason: the server's word for why the reply ended, or empty. replayed: it was in the log.
    reasoning: what the model thought before it answered, where the server keeps it apart. served_by: the model that
    the server says it is from, where it names another than the one asked for.
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
    """Nothing came that could be kept: asking again may well help. reason: one sentence, without secrets.

    over_budget: nothing was sent, since a limit is reached.
    """

    reason: str
    over_budget: bool = False
