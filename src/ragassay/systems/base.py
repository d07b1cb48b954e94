"""What a system under test is: questions in; answer, ranked chunks, tokens, latency, error out.

Also how systems outside are called: a template is a JSON value whose texts hold ``{question}``, and ``{id}`` where it
is wanted. A text that is ``{history}`` becomes the list of the turns before the question, ``{messages}`` that with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ragassay.errors import RagassayError, UsageError
from ragassay.records import Prediction, Turn

QUESTION, ID = "{question}", "{id}"
HISTORY, MESSAGES = "{history}", "{messages}"
_TURNS = (HISTORY, MESSAGES)

Take = Callable[[Prediction], None]
"""Told every prediction as soon as it is there: what was told is kept, whatever happens next."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a system gets to see of an example: never the answer, the references or the label. history: before."""

    id: str
    text: str
    history: tuple[Turn, ...] = ()

    @property
    def earlier(self) -> list[dict[str, str]]:
        """Return the turns before it as messages, the form in which systems outside get them."""
        return [{"role": turn.role, "content": turn.content} for turn in self.history]


class System(Protocol):
    """A system under test. batch: questions that it takes at once. most_at_once: batches at a time, by default."""

    @property
    def name(self) -> str: ...

    @property
    def batch(self) -> int: ...

    @property
    def most_at_once(self) -> int: ...

    async def answer(self, questions: Sequence[Question], take: Take) -> None:
        """Tell ``take`` one prediction for each question, in any order. A failure is a prediction with an error."""
        ...

    async def close(self) -> None:
        """End what it holds: connections, processes."""
        ...


class UnusableSystemError(RagassayError):
    """A system that cannot be used as it is set up: not reached, not found, or its replies are not as described."""

    exit_code = 6

    def __init__(self, system: str, kind: str, detail: str = "") -> None:
        """kind, detail: as for ``failed``."""
        super().__init__(": ".join(part for part in (system, kind, detail) if part))
        self.kind, self.detail = kind, detail


def failed(system: str, question: Question, kind: str, detail: str = "", latency_s: float | None = None) -> Prediction:
    """Return the record of a question not answered. kind: the same for the same trouble, as reports count by it."""
    error = f"{kind}: {detail}" if detail else kind
    return Prediction(example_id=question.id, system=system, chunks=(), error=error, latency_s=latency_s)


def parse_template(value: Any, option: str) -> Any:
    """Read a template as users write it: a JSON value, or a text that holds one. Raises UsageError."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"') and value.strip() != QUESTION:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            example = f'{option}=\'{{"query": "{QUESTION}", "top_k": 5}}\''
            raise UsageError(f"{option}: must be JSON, such as {example}") from None
    texts = list(_texts(value))
    if not any(QUESTION in text or text == MESSAGES for text in texts):
        raise UsageError(f"{option}: must contain {QUESTION}, the place of the question")
    mixed = next((name for text in texts for name in _TURNS if name in text and text != name), None)
    if mixed is not None:
        raise UsageError(f"{option}: {mixed} stands for a list, so it must be a value of its own, without other text")
    return value


def holds_turns(template: Any) -> bool:
    """Return whether the turns before a question have a place in it."""
    return any(text in _TURNS for text in _texts(template))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def filled_default(template: Mapping[str, Any], question: Question) -> Any:
    """Fill a template that the user did not give; the turns are its ``history`` where there are any."""
    return filled(template, question) | ({"history": question.earlier} if question.history else {})


def filled(template: Any, question: Question) -> Any:
    """Put the question into a template. Nothing in a question is taken for a template."""
    if isinstance(template, str):
        if template in _TURNS:
            last = [{"role": "user", "content": question.text}] if template == MESSAGES else []
            return [*question.earlier, *last]
        return question.text.join(part.replace(ID, question.id) for part in template.split(QUESTION))
    if isinstance(template, Mapping):
        return {name: filled(value, question) for name, value in template.items()}
    return [filled(each, question) for each in template] if isinstance(template, list) else template
