"""What a run on a language model will cost, before it is made.

The pipeline runs with another model in the place of the real one: who asks what depends on what was answered before.
Prompts are made and counted; a reply is counted as the fields to fill in, with as many and as long entries.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, get_args, get_origin

from ragassay.models.base import InBatches, Model, Reply
from ragassay.models.llm.prices import Prices
from ragassay.models.llm.token_counts import estimate_chat_tokens, estimate_tokens
from ragassay.tasks.base import In, Out, Task, TaskData
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, messages_for

TEXT_TOKENS = 25
"""Of a text that the other model does not give: the prompts ask for a short sentence or 15 words."""

VALUE_TOKENS = 2
"""Of a number, a name out of a few, or true or false."""

ENTRIES = 3


class CallEstimate(NamedTuple):
    """Calls of one task in one stage to one model (of an endpoint's name). cost_usd: None for an unknown price."""

    stage: str
    task: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class Estimates:
    """Collects what the models of a run will be asked. stage: set it whenever another stage begins."""

    def __init__(self, prices: Prices) -> None:
        self.stage = ""
        self._prices = prices
        self._counts: dict[tuple[str, str, str], list[int]] = {}
        self._seen: set[bytes] = set()

    def add(self, task: str, model: str, prompt_tokens: int, completion_tokens: int, calls: int = 1) -> None:
        """Count calls in the stage that holds now."""
        counts = self._counts.setdefault((self.stage, task, model), [0, 0, 0])
        for place, more in enumerate((calls, prompt_tokens, completion_tokens)):
            counts[place] += more

    def is_new(self, *parts: str) -> bool:
        """Return whether this was not asked before: the same call is made once and then found in the log."""
        digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if digest in self._seen:
            return False
        self._seen.add(digest)
        return True

    def rows(self) -> list[CallEstimate]:
        """Return the rows in the order in which they were first asked."""
        return [
            CallEstimate(*names, n, prompts, replies, self._prices.cost(names[2], prompts, replies))
            for names, (n, prompts, replies) in self._counts.items()
        ]


def total(rows: Iterable[CallEstimate], name: str = "all") -> CallEstimate:
    """Return all rows together; the cost is None unless that of every row is known."""
    rows = list(rows)
    costs = [row.cost_usd for row in rows]
    known = [cost for cost in costs if cost is not None]
    calls, prompts = sum(row.calls for row in rows), sum(row.prompt_tokens for row in rows)
    cost = sum(known) if len(known) == len(costs) else None
    return CallEstimate(name, name, name, calls, prompts, sum(row.completion_tokens for row in rows), cost)


class EstimatingModel(InBatches):
    """Counts what the model of an endpoint would be asked, repeated tries aside, and lets ``inner`` answer."""

    def __init__(
        self, inner: Model, name: str, estimates: Estimates, *, overrides: PromptOverrides = NO_OVERRIDES
    ) -> None:
        self.name = name
        self._inner = inner
        self._estimates = estimates
        self._overrides = overrides

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        replies = await self._inner.ask_all(task, inputs)
        for each, reply in zip(inputs, replies, strict=True):
            messages = messages_for(task, each, self._overrides)
            sample = str(task.sample(each))
            if self._estimates.is_new(self.name, task.name, sample, *(message.content for message in messages)):
                tokens = reply_tokens(task.filled_in, reply.value)
                self._estimates.add(task.name, self.name, estimate_chat_tokens(messages), tokens)
        return replies


def reply_tokens(reply_type: type[TaskData], output: Any) -> int:
    """Return the tokens of a reply in JSON whose entries are as many and as long as an output's, if there is one."""
    fields: dict[str, Any] = output.__dict__ if isinstance(output, TaskData) else {}
    first_list = next((value for value in fields.values() if isinstance(value, tuple)), None)
    tokens = 2  # braces
    for name, info in reply_type.model_fields.items():
        is_list = get_origin(info.annotation) is tuple
        value = fields.get(name, first_list if is_list else None)
        tokens += estimate_tokens(f'"{name}": ,') + _value_tokens(info.annotation, value)
    return tokens


def _value_tokens(annotation: Any, given: Any) -> int:
    if get_origin(annotation) is tuple:
        entry = get_args(annotation)[0]
        if isinstance(given, TaskData):
            given = next((each for each in given.__dict__.values() if isinstance(each, tuple)), None)
        entries = given if isinstance(given, tuple) else (None,) * ENTRIES
        return 2 + sum(1 + _value_tokens(entry, each) for each in entries)
    if isinstance(annotation, type) and issubclass(annotation, TaskData):
        return reply_tokens(annotation, given)
    if annotation is str:
        return 2 + estimate_tokens(given) if isinstance(given, str) else TEXT_TOKENS
    return VALUE_TOKENS
