"""The steps from a question to an answer that the built-in system, its baselines and sweeps take alike.

A question in a conversation is made to stand alone; one that is near to unwanted ones is refused; the model decides
whether to search, and makes up a passage to search with (HyDE); chunks are found; the answer is written from them. A
question that a step has failed on, or that is answered, is left alone by the steps after it.
Source: RAGVAL, variants of RAG.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ragassay.datasets.format import Notes
from ragassay.datasets.lines import read_objects
from ragassay.errors import InputError
from ragassay.models.base import Effort, Model, Reply
from ragassay.models.vector_cache import SpanEncoder
from ragassay.records import Prediction, RankedChunk, Turn
from ragassay.tasks.answering import (
    ANSWER,
    CLOSED_BOOK,
    HYPOTHETICAL_PASSAGE,
    SEARCH_DECISION,
    Answer,
    BareQuestion,
    QuestionWithChunks,
)
from ragassay.tasks.follow_ups import STANDALONE_QUESTION, FollowUp
from ragassay.tasks.prompts import read_own_text

REFUSAL = "This question is outside of what can be answered here."
_FIELDS = ("question", "query", "text")


@dataclass(slots=True)
class OpenQuestion:
    """A question on its way through the steps. standalone: what one in a conversation was made into.

    query: what is searched for instead. passage: made up by the model, compared by its vector. searches: False where
    the model chose not to. effort: what models counted; read, written: texts of calls that they did not count.
    """

    id: str
    asked: str
    history: tuple[Turn, ...] = ()
    standalone: str | None = None
    query: str | None = None
    passage: str | None = None
    searches: bool = True
    chunks: tuple[RankedChunk, ...] = ()
    texts: tuple[str, ...] = ()
    answer: str | None = None
    abstained: bool = False
    error: str | None = None
    effort: Effort | None = None
    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.answer is None and self.error is None

    @property
    def is_unread(self) -> bool:
        """Return whether it could not be made to stand alone: nobody knows what it asks."""
        return self.error is not None and bool(self.history) and self.standalone is None

    @property
    def text(self) -> str:
        """Return what is asked of models."""
        return self.asked if self.standalone is None else self.standalone

    @property
    def searched(self) -> str:
        """Return what BM25 and rerankers look for."""
        return self.text if self.query is None else self.query

    def count(self, effort: Effort | None, read: Iterable[str] = (), written: str = "") -> None:
        """Add what a reply took. read, written: the texts, in case that nobody counted their tokens."""
        if effort is None:
            self.read, self.written = (*self.read, *read), (*self.written, written)
        else:
            self.effort = effort if self.effort is None else self.effort.plus(effort)

    def fail(self, kind: str, reason: str | None) -> None:
        """Become a failure; what it had found by then stays found."""
        self.error = f"{kind}: {reason}" if reason else kind

    def refuse(self) -> None:
        """Become a refusal, which asks nobody."""
        self.answer, self.abstained, self.error = REFUSAL, True, None
        self.count(Effort(0, 0))

    def done(self, system: str, seconds: float | None = None) -> Prediction:
        """Return the record, with its cost. seconds: of the clock; no time is known of what came out of the log."""
        replayed = self.effort is not None and self.effort.replayed
        return Prediction(
            example_id=self.id,
            system=system,
            chunks=self.chunks,
            answer=self.answer,
            abstained=self.abstained,
            input_tokens=self.effort.input_tokens if self.effort else None,
            output_tokens=self.effort.output_tokens if self.effort else None,
            latency_s=None if replayed or seconds is None else round(seconds, 4),
            error=self.error,
            standalone_question=self.standalone,
        )


async def restate(model: Model, questions: Iterable[OpenQuestion]) -> None:
    """Make questions that stand alone of those in a conversation, to be searched for and answered in their place."""
    some = [each for each in questions if each.history and each.is_open]
    asked = [FollowUp(turns=each.history, question=each.asked) for each in some]
    for each, reply in zip(some, await model.ask_all(STANDALONE_QUESTION, asked) if some else (), strict=True):
        each.count(reply.effort)
        if reply.value is None:
            each.fail("the model did not restate the question", reply.reason)
        else:
            each.standalone = reply.value.text


async def decide(model: Model, questions: Iterable[OpenQuestion]) -> None:
    """Let the model decide whether to search, and for what (RAGVAL's boolean agent)."""
    some = [each for each in questions if each.is_open]
    asked = [BareQuestion(question=each.text) for each in some]
    for each, reply in zip(some, await model.ask_all(SEARCH_DECISION, asked), strict=True):
        each.count(reply.effort, [each.text], reply.value.query if reply.value else "")
        if reply.value is None:
            each.fail("the model did not decide whether to search", reply.reason)
        elif reply.value.needed:
            each.query = reply.value.query
        else:
            each.searches = False


async def imagine(model: Model, questions: Iterable[OpenQuestion]) -> None:
    """Make up passages to search with (HyDE, Gao et al. 2023)."""
    some = [each for each in questions if each.is_open and each.searches]
    asked = [BareQuestion(question=each.searched) for each in some]
    for each, reply in zip(some, await model.ask_all(HYPOTHETICAL_PASSAGE, asked), strict=True):
        each.count(reply.effort, [each.searched], reply.value.text if reply.value else "")
        if reply.value is None:
            each.fail("the model wrote no passage to search with", reply.reason)
        else:
            each.passage = reply.value.text


async def generate(model: Model, questions: Iterable[OpenQuestion]) -> None:
    """Answer from the chunks; from what the model knows where it did not search."""
    some = [each for each in questions if each.is_open]
    grounded, alone = ([each for each in some if each.searches is searches] for searches in (True, False))
    from_chunks = [QuestionWithChunks(question=each.text, chunks=each.texts) for each in grounded]
    bare = [BareQuestion(question=each.text) for each in alone]
    replies: list[Reply[Answer]] = [
        *(await model.ask_all(ANSWER, from_chunks) if grounded else ()),
        *(await model.ask_all(CLOSED_BOOK, bare) if alone else ()),
    ]
    for each, reply in zip([*grounded, *alone], replies, strict=True):
        each.count(reply.effort, (each.text, *each.texts), reply.value.text if reply.value else "")
        if reply.value is None:
            each.fail("the model gave no answer", reply.reason)
        else:
            each.answer, each.abstained = reply.value.text, reply.value.abstained


class Guardrail:
    """Refuses from a cosine with the nearest example on: the threshold."""

    def __init__(self, examples: Sequence[str], encoder: SpanEncoder, threshold: float) -> None:
        self._encoder = encoder
        self._vectors = encoder.encode(examples)
        self._threshold = threshold

    def refused(self, questions: Sequence[OpenQuestion]) -> list[bool]:
        """Say of each question whether it is near to an example."""
        if not questions:
            return []
        vectors = self._encoder.encode([each.text for each in questions])
        nearest: npt.NDArray[np.float32] = np.round(vectors @ self._vectors.T, 6).max(axis=1)
        return [bool(cosine >= self._threshold) for cosine in nearest]


def read_guard(path: Path) -> list[str]:
    """Read examples: a question a line, or JSONL with a field question, query or text. Raises InputError."""
    try:
        if path.suffix.lower() == ".jsonl":
            rows = [row.value for row in read_objects(path, Notes())]
            found = [next((row[name] for name in _FIELDS if isinstance(row.get(name), str)), "") for row in rows]
            if not all(each.strip() for each in found):
                raise InputError(f"guard: a line of {path} has no text in a field {', '.join(_FIELDS)}")
        else:
            found = list(filter(None, map(str.strip, read_own_text(path, "guard").splitlines())))
    except OSError as error:
        fault = f"guard: {path} cannot be read ({error.strerror})"
        raise InputError(f"{fault}; give a file with a question a line") from None
    if not found:
        raise InputError(f"guard: {path} holds no example questions")
    return found
