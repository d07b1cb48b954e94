"""An answer with all that metrics look at, and who judges it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from ragassay.language import detect_language
from ragassay.metrics.retrieval.references import View, by_chunk, by_document, by_sentence, is_matched
from ragassay.models.base import Encoder, Model
from ragassay.records import Example, Prediction, RankedChunk, Score, Span
from ragassay.tasks.base import Task
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, prompt_hash
from ragassay.tasks.verdicts import QUESTIONS_OF_AN_ANSWER, RELEVANCE, relevance_task
from ragassay.text import sentences

TextOf = Callable[[str], str | None]
"""The text of a document by its id; None where it is not known."""

ABSTAINED = "the system abstained"
NO_CHUNK = "no chunk was retrieved"
NO_PREDICTION = "no prediction for this example"
NONE_MATCHED = "no chunk contains a sentence of the references"
NO_SENTENCE = "the references have no sentence"


def failure(prediction: Prediction) -> str | None:
    """Return why there is nothing of the system to look at; None where there is something."""
    if not prediction.error or prediction.error == NO_PREDICTION:
        return prediction.error or None
    return f"the system failed: {prediction.error}"


def miscounted(verdicts: int, asked: int, noun: str) -> str | None:
    """Return why a judge's verdicts cannot be used if they are not one for each thing asked; None where they can."""
    if verdicts == asked > 0:
        return None
    return f"{verdicts} verdict{'' if verdicts == 1 else 's'} for {asked} {noun}{'' if asked == 1 else 's'}"


def verdict_line(verdict: str, subject: str, reason: str, sentence: str = "") -> str:
    """``supported: It opened in 1998. <- "The bridge opened in 1998." (said)``, what is empty left out.

    subject: the statement, keypoint or chunk that was judged. sentence: what decided, verbatim.
    """
    source = f' <- "{sentence}"' if sentence else ""
    why = f" ({reason})" if reason else ""
    return f"{verdict}: {subject}{source}{why}"


def no_text(_: str) -> None:
    """Of documents that nobody has."""


@dataclass(frozen=True)
class Answered:
    """One example with its prediction: what metrics look at, worked out when first asked for.

    chunk_texts: of the chunks that the answer was made from, best first.

    block: the knowledge that the question was made from, empty where it is not known. rival: the same example with the
    prediction of another system, for metrics that compare two. text_of: of the documents that chunks were placed in.
    """

    example: Example
    prediction: Prediction
    chunk_texts: tuple[str, ...]
    block: str = ""
    rival: Answered | None = None
    text_of: TextOf = field(default=no_text, compare=False)

    def __reduce__(self) -> tuple[type[Answered], tuple[object, ...]]:
        """For another process: only with the documents that hold other words at the place of a chunk."""
        of_others: dict[str, str] = {}
        for chunk in self.prediction.chunks:
            if chunk.text is not None and chunk.document_id and chunk.end > chunk.start:
                text = self.text_of(chunk.document_id)
                if text is not None and text[chunk.start : chunk.end] != chunk.text:
                    of_others[chunk.document_id] = text
        return Answered, (
            self.example,
            self.prediction,
            self.chunk_texts,
            self.block,
            self.rival,
            of_others.get if of_others else no_text,
        )

    @property
    def question(self) -> str:
        """What a judge reads: in a conversation the standalone question of the set, else that of the system, if any."""
        made = self.prediction.standalone_question if self.example.history else None
        return self.example.standalone_question or made or self.example.question

    @property
    def answer(self) -> str:
        return self.prediction.answer or ""

    @property
    def context(self) -> str:
        """All chunks in one text."""
        return "\n\n".join(self.chunk_texts)

    @property
    def key(self) -> tuple[str, str]:
        return self.example.id, self.prediction.system

    @property
    def missing(self) -> str | None:
        """Return why there is no answer to judge; None where there is one."""
        if reason := failure(self.prediction):
            return reason
        if self.prediction.abstained:
            return ABSTAINED
        return None if self.answer.strip() else "the answer is empty"

    @property
    def reference_answers(self) -> tuple[str, ...]:
        """All that are right, the first one first."""
        return self.example.answer, *self.example.other_answers

    @cached_property
    def quoted_texts(self) -> tuple[str, ...]:
        """What reference sentences are looked for in, chunk by chunk: its text, or what its document has at its place.

        The latter where it has more of them: a loader's markup, or a table's bars that it dropped, tear sentences apart
        that stand there. Chunks without a place keep their text.
        """
        chunks = self.prediction.chunks
        return tuple(
            self._quoted(text, chunks[rank]) if rank < len(chunks) else text
            for rank, text in enumerate(self.chunk_texts)
        )

    def _quoted(self, text: str, chunk: RankedChunk) -> str:
        lost = [each for each in self.reference_sentences if each not in text]
        if not lost or chunk.text is None or not chunk.document_id or chunk.end <= chunk.start:
            return text
        there = (self.text_of(chunk.document_id) or "")[chunk.start : chunk.end]
        return there if sum(each not in there for each in self.reference_sentences) < len(lost) else text

    @cached_property
    def language(self) -> str:
        """Which words are counted by; found in the references where the example does not say it."""
        known = self.example.language
        return known if known != "und" else detect_language(" ".join(self.reference_sentences))

    @cached_property
    def ground_spans(self) -> tuple[Span, ...]:
        return self.example.ground_spans

    @property
    def reference_texts(self) -> tuple[str, ...]:
        """What the reference answer rests on, each text once."""
        return tuple(dict.fromkeys(span.text for span in self.example.references if span.text.strip()))

    @cached_property
    def references(self) -> list[list[str]]:
        """Return the sentences of each reference that has any."""
        split = (sentences(span.text) for span in self.example.references)
        return [found for found in split if found]

    @cached_property
    def reference_sentences(self) -> list[str]:
        return list(dict.fromkeys(chain.from_iterable(self.references)))

    def told_matches(self, k: int, *, as_returned: bool = False) -> tuple[str, ...]:
        """The reference sentences that one of the first k chunks contains, or that there is none: what scores tell.

        as_returned: in the texts that the system gave, and nowhere else.
        """
        if (k, as_returned) not in self._matched:
            chunks = (self.chunk_texts if as_returned else self.quoted_texts)[:k]
            found = tuple(each for each in self.reference_sentences if is_matched([each], chunks))
            self._matched[k, as_returned] = found or (NONE_MATCHED if self.reference_sentences else NO_SENTENCE,)
        return self._matched[k, as_returned]

    @cached_property
    def _matched(self) -> dict[tuple[int, bool], tuple[str, ...]]:
        return {}

    @cached_property
    def chunk_view(self) -> View:
        if self.example.is_graded:
            return self.document_view
        return by_chunk(self.prediction.chunks, self.chunk_texts, self.ground_spans)

    @cached_property
    def document_view(self) -> View:
        chunks = self.prediction.chunks
        if self.example.is_itself_a_document:  # BEIR leaves it out
            chunks = tuple(chunk for chunk in chunks if chunk.document_id != self.example.id)
        return by_document(chunks, self.ground_spans)

    @cached_property
    def sentence_view(self) -> View:
        return by_sentence(self.quoted_texts, self.reference_sentences)

    def score(
        self, metric: str, value: float | None, reason: str | None = None, evidence: tuple[str, ...] = ()
    ) -> Score:
        return Score(
            example_id=self.example.id,
            system=self.prediction.system,
            metric=metric,
            value=value,
            reason=None if value is not None else reason or "no reason given",
            evidence=evidence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """further: models of metrics' own, by the name of the metric; further_prompts: the user's own prompts for them.

    encoder: compares the questions that a language model writes for answer relevance. prompts: the user's own; None
    where the judge reads no prompt, as the embedded model. questions: n of answer relevance. evasive_is_zero: answer
    relevance of 0 for answers that do not commit themselves. seed: of the ties of rankings.
    """

    model: Model
    further: Mapping[str, Model] = field(default_factory=dict)
    further_prompts: PromptOverrides = NO_OVERRIDES
    encoder: Encoder | None = None
    prompts: PromptOverrides | None = None
    questions: int = QUESTIONS_OF_AN_ANSWER
    evasive_is_zero: bool = False
    seed: int = 0

    def of(self, metric: str) -> Judge:
        """Return the same with the model of a metric's own, where it has one."""
        model = self.further.get(metric)
        return self if model is None else replace(self, model=model, prompts=self.further_prompts)

    def task(self, name: str) -> Task[Any, Any]:
        """Return the task of a name as this judge is asked it."""
        return relevance_task(self.questions) if name == RELEVANCE.name else TASKS[name]

    def asked_with(self, task: Task[Any, Any] | str) -> str:
        """Return what the judge goes by in a task, or in that of a name: the hash of its prompt, or of the rules."""
        task = self.task(task) if isinstance(task, str) else task
        if self.prompts is None:
            return f"by built-in rules ({task.name}, version {task.version})"
        return f"prompt of {task.name}: {prompt_hash(task, self.prompts)}"


Judging = Callable[[Judge, Sequence[Answered]], Awaitable[list[Score]]]
"""One score for each answer, in their order; all of them have what the metric needs."""
