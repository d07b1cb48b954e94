"""The embedded model with a writer of the user's own: the small language model asks the questions on plain sentences.

What is worth asking, and the answer, are found by the parse; the question is the writer's alone. A pair without chosen
statements (``simple``) is of any sentence. Summaries, conclusions, labels, ratings and the rest are the embedded
model's own. English only; Chinese passages are asked about by rules.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import compress
from pathlib import Path

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import EmbeddedModel, Handler, handler
from ragassay.models.embedded.prose.whole_sentences import whole_sentences
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.embedded.writing import questions
from ragassay.models.small.named import digest_of
from ragassay.models.small.roles import BASE
from ragassay.models.small.writer import Wanted, Writer
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.questions import Question, StatementOnTheme

SENTENCES_TRIED = 3
"""Of a passage that is to give one pair: not all that the writer writes is taken."""


class AdaptedModel(EmbeddedModel):
    """Answers tasks as its class does, with questions by an adapter of ``ragassay train writer``."""

    def __init__(self, adapter: Path, encoder: Encoder, sharing: TaskSharing | None = None) -> None:
        super().__init__(encoder, sharing)
        self._adapter = adapter
        self._own: Mapping[str, Handler] = {"question": self._questions, "simple_pair": self._simple_pairs}

    @cached_property
    def name(self) -> str:
        return f"{BASE} with writer {digest_of(self._adapter)[:8]}, beside {super().name}"

    @cached_property
    def _writer(self) -> Writer:
        return Writer.load(self._adapter)

    def _handler(self, task_name: str) -> Handler:
        return handler(task_name, self._own.get(task_name))

    def _questions(self, encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
        """Plain sentences are asked about by the adapter alone; any other statement keeps its question."""
        plain = list(map(questions.is_plain, inputs))
        asked = iter(questions.asked_anew(self._writer, list(compress(inputs, plain))))
        rest = [each for each, by_writer in zip(inputs, plain, strict=True) if not by_writer]
        kept = iter(questions.HANDLERS["question"](encoder, rest))
        return [next(kept) if not by_writer else _likeliest(next(asked)) for by_writer in plain]

    def _simple_pairs(self, encoder: Encoder, inputs: Sequence[PairRequest]) -> list[Reply[GroundedPairs]]:
        """A pair of each passage, from the first of a few sentences, taken by chance, that the writer can ask about."""
        drawn = [_by_chance(each) for each in inputs]
        written = iter(self._writer.ask([wanted for some in drawn for wanted in some]))
        replies = []
        for each, some in zip(inputs, drawn, strict=True):
            pairs = [(wanted, found[0].question) for wanted in some if (found := next(written))]
            items = [
                GroundedPair(
                    question=question,
                    answer=wanted.answer,
                    quotes=(wanted.quote,),
                    pattern=questions.pattern_of(question),
                )
                for wanted, question in pairs
                if question not in each.asked
            ]
            replies.append(Reply(GroundedPairs(items=tuple(items[:1]))))
        return replies


def _likeliest(asked: Sequence[questions.Option]) -> Reply[Question]:
    return Reply(asked[0].question) if asked else Reply(None, questions.NOT_WORTH_ASKING)


def _by_chance(request: PairRequest) -> list[Wanted]:
    passage = request.passage
    if passage.language not in ("en", "und"):
        return []
    found = whole_sentences(passage)
    random.Random(f"{passage.title} {passage.text}").shuffle(found)
    quotes = (passage.text[each.start : each.end] for each in found[len(request.asked) :][:SENTENCES_TRIED])
    return [Wanted(passage.title, " > ".join(passage.section), passage.text, quote, quote) for quote in quotes]
