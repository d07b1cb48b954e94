"""The embedded model with a writer of the user's own: the small language model asks the questions of a passage.

Facts: a sentence is chosen by learned worth, then question and answer are written from it. Summaries and conclusions
are the embedded model's: what its rules derive stays as it is, for another wording may make it wrong; what the parse
drafts is put into the writer's words. What a passage leaves open, the writer says. A pair without chosen statements
(``simple``) is written from any sentence. Labels, ratings and the rest are the embedded model's own. English only;
Chinese passages are asked about by rules.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import EmbeddedModel, Handler, handler
from ragassay.models.embedded.prose.facts import FactDraft, fact_drafts
from ragassay.models.embedded.prose.whole_sentences import whole_sentences
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.embedded.writing import prose_drafts as prose
from ragassay.models.embedded.writing import statements
from ragassay.models.small.named import digest_of
from ragassay.models.small.roles import BASE
from ragassay.models.small.writer import Sentence, Writer
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import PassageFacts, PassageOnTheme, QuestionDraft, Statement, Statements

SENTENCES_TRIED = 3
"""Of a passage that is to give one pair: the writer refuses a third of what it is given."""

FEW_PASSAGES = 16
"""So many are all read for what they leave open, at half a second each."""


class AdaptedModel(EmbeddedModel):
    """Answers tasks as its class does, with questions by an adapter of ``ragassay train writer``."""

    def __init__(self, adapter: Path, encoder: Encoder, sharing: TaskSharing | None = None) -> None:
        super().__init__(encoder, sharing)
        self._adapter = adapter
        self._own: Mapping[str, Handler] = {
            "theme": prose.HANDLERS["theme"],
            "facts": self._facts,
            "summaries": self._summaries,
            "question": self._questions,
            "near_misses": self._near_misses,
            "simple_pair": self._simple_pairs,
        }

    @cached_property
    def name(self) -> str:
        return f"{BASE} with writer {digest_of(self._adapter)[:8]}, beside {super().name}"

    @cached_property
    def _writer(self) -> Writer:
        return Writer.load(self._adapter)

    def _handler(self, task_name: str) -> Handler:
        return handler(task_name, self._own.get(task_name))

    def _facts(self, encoder: Encoder, inputs: Sequence[PassageOnTheme]) -> list[Reply[Statements]]:
        """Sentences that are worth a question, most worth first; their drafts have no question yet."""
        found = fact_drafts([each.passage for each in inputs], [each.theme for each in inputs])
        replies = []
        for each, drafts in zip(inputs, found, strict=True):
            by_sentence = {draft.quotes: draft for draft in drafts}.values()
            worthy = sorted(by_sentence, key=lambda draft: (-draft.worth, draft.quotes))[: prose.MOST_OF_A_PASSAGE]
            items = tuple(_unasked(each.passage.text, draft) for draft in worthy)
            replies.append(Reply(Statements(items=items)))
        return replies

    def _summaries(self, encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
        """What rules find, and behind it the drafts of the parse."""
        found = (statements.HANDLERS["summaries"](encoder, inputs), prose.HANDLERS["summaries"](encoder, inputs))
        return [
            Reply(Statements(items=tuple(item for reply in both if reply.value for item in reply.value.items)))
            for both in zip(*found, strict=True)
        ]

    def _questions(self, encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
        """Chosen sentences are asked about, drafts are put into better words."""
        has_draft = [each.statement.draft is not None and bool(each.statement.draft.question) for each in inputs]
        new = [each for each, drafted in zip(inputs, has_draft, strict=True) if not drafted]
        drafts = [each for each, drafted in zip(inputs, has_draft, strict=True) if drafted]
        mended = iter(prose.drafted_questions(drafts, lambda: self._writer))
        written = iter(self._writer.write([prose.to_ask_of(each) for each in new]))
        replies = []
        for each, drafted in zip(inputs, has_draft, strict=True):
            if drafted:
                replies.append(next(mended))
                continue
            pair, draft = next(written), each.statement.draft
            worth = 1.0 if draft is None or draft.quality is None else draft.quality
            replies.append(
                Reply(None, prose.NOT_WORTH_ASKING)
                if pair is None
                else Reply(
                    Question(
                        question=pair.question,
                        answer=pair.answer,
                        pattern=prose.pattern_of(pair.question),
                        quality=worth * math.exp(pair.likelihood),
                    )
                )
            )
        return replies

    def _near_misses(self, encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
        """What the writer thinks that passages leave open; of many, some are read, by their text alone."""
        read = [len(inputs) <= FEW_PASSAGES or prose.is_read(each.passage) for each in inputs]
        passages = [each.passage for each, wanted in zip(inputs, read, strict=True) if wanted]
        found = iter(prose.open_questions(passages, self._writer))
        return [Reply(NearMisses(items=tuple(next(found)) if wanted else ())) for wanted in read]

    def _simple_pairs(self, encoder: Encoder, inputs: Sequence[PairRequest]) -> list[Reply[GroundedPairs]]:
        """A pair of each passage, from the first of a few sentences, taken by chance, that the writer can ask about."""
        drawn = [_by_chance(each) for each in inputs]
        written = iter(self._writer.write([sentence for some in drawn for sentence in some]))
        replies = []
        for each, some in zip(inputs, drawn, strict=True):
            pairs = [(sentence, pair) for sentence in some if (pair := next(written)) is not None]
            items = [
                GroundedPair(
                    question=pair.question,
                    answer=pair.answer,
                    quotes=(sentence.quote,),
                    pattern=prose.pattern_of(pair.question),
                )
                for sentence, pair in pairs
                if pair.question not in each.asked
            ]
            replies.append(Reply(GroundedPairs(items=tuple(items[:1]))))
        return replies


def _unasked(text: str, draft: FactDraft) -> Statement:
    return Statement(
        text=draft.statement,
        quotes=tuple(text[start:end] for start, end in draft.quotes),
        draft=QuestionDraft(question="", answer="", pattern="", quality=draft.worth),
    )


def _by_chance(request: PairRequest) -> list[Sentence]:
    passage = request.passage
    if passage.language not in ("en", "und"):
        return []
    found = whole_sentences(passage)
    random.Random(f"{passage.title} {passage.text}").shuffle(found)
    heading = " > ".join(passage.section)
    return [
        Sentence(passage.title, heading, passage.text, passage.text[each.start : each.end])
        for each in found[len(request.asked) :][:SENTENCES_TRIED]
    ]
