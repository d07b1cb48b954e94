"""The embedded model with a writer of the user's own: the small language model asks the questions of a passage.

Facts: a sentence is chosen by learned worth, then question and answer are written from it. Summaries and conclusions
are the embedded model's and stay as they are, for another wording may make them wrong. What a passage leaves open, the
writer says. A pair without chosen statements (``simple``) is written from any sentence. Labels, ratings and the rest
are the embedded model's own. English only; Chinese passages are asked about by rules.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import compress
from pathlib import Path

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import EmbeddedModel, Handler, handler
from ragassay.models.embedded.prose.facts import FactDraft, fact_drafts
from ragassay.models.embedded.prose.whole_sentences import whole_sentences
from ragassay.models.embedded.sharing import TaskSharing
from ragassay.models.embedded.writing import questions, statements
from ragassay.models.embedded.writing.prose import BEHIND_RULES, MOST_OF_A_PASSAGE
from ragassay.models.small.named import digest_of
from ragassay.models.small.roles import BASE
from ragassay.models.small.writer import Sentence, Writer, Written
from ragassay.tasks.pairs import GroundedPair, GroundedPairs, PairRequest
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import Passage, PassageOnTheme, QuestionDraft, Statement, Statements, Theme

SENTENCES_TRIED = 3
"""Of a passage that is to give one pair: the writer refuses a third of what it is given."""

FEW_PASSAGES = 16
"""So many are all read for what they leave open, at half a second each."""
GAP_EVERY = 4
"""Of more passages one in so many is read."""
GAP_CANDIDATES = 3
NOT_WORTH_ASKING = "the writer finds no question in it that is worth asking"


class AdaptedModel(EmbeddedModel):
    """Answers tasks as its class does, with questions by an adapter of ``ragassay train writer``."""

    def __init__(self, adapter: Path, encoder: Encoder, sharing: TaskSharing | None = None) -> None:
        super().__init__(encoder, sharing)
        self._adapter = adapter
        self._own: Mapping[str, Handler] = {
            "theme": _theme,
            "facts": self._facts,
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
        """Sentences that are worth a question, most worth first; without a question yet."""
        found = fact_drafts([each.passage for each in inputs], [each.theme for each in inputs])
        replies = []
        for each, drafts in zip(inputs, found, strict=True):
            by_sentence = {draft.quotes: draft for draft in drafts}.values()
            worthy = sorted(by_sentence, key=lambda draft: (-draft.worth, draft.quotes))[:MOST_OF_A_PASSAGE]
            items = tuple(_unasked(each.passage.text, draft) for draft in worthy)
            replies.append(Reply(Statements(items=items)))
        return replies

    def _questions(self, encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
        """Chosen sentences are asked about; a statement that came with its question keeps it."""
        has_question = [bool(each.statement.draft and each.statement.draft.question) for each in inputs]
        kept = iter(questions.HANDLERS["question"](encoder, list(compress(inputs, has_question))))
        new = [each for each, has in zip(inputs, has_question, strict=True) if not has]
        sentences = [_sentence(each.passage, " ".join(each.statement.quotes)) for each in new]
        written = iter(map(_asked, new, self._writer.write(sentences)))
        return [next(kept if has else written) for has in has_question]

    def _near_misses(self, encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
        """What the writer thinks that passages leave open; of many, some are read, by their text alone."""
        read = [len(inputs) <= FEW_PASSAGES or _is_read(each.passage) for each in inputs]
        passages = [each.passage for each, wanted in zip(inputs, read, strict=True) if wanted]
        found = iter(_open_questions(passages, self._writer))
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
                    pattern=_pattern_of(pair.question),
                )
                for sentence, pair in pairs
                if pair.question not in each.asked
            ]
            replies.append(Reply(GroundedPairs(items=tuple(items[:1]))))
        return replies


def _theme(encoder: Encoder, inputs: Sequence[Passage]) -> list[Reply[Theme]]:
    """As by rules, or the title of an English document, whatever it is: its questions need not name it."""
    found = statements.HANDLERS["theme"](encoder, inputs)
    return [
        Reply(Theme(text=passage.title.strip()))
        if reply.value is None and passage.title.strip() and passage.language in ("en", "und")
        else reply
        for passage, reply in zip(inputs, found, strict=True)
    ]


def _unasked(text: str, draft: FactDraft) -> Statement:
    return Statement(
        text=draft.statement,
        quotes=tuple(text[start:end] for start, end in draft.quotes),
        draft=QuestionDraft(question="", answer="", pattern="", quality=draft.worth),
    )


def _sentence(passage: Passage, quote: str) -> Sentence:
    return Sentence(passage.title, " > ".join(passage.section), passage.text, quote)


def _asked(on: StatementOnTheme, pair: Written | None) -> Reply[Question]:
    if pair is None:
        return Reply(None, NOT_WORTH_ASKING)
    draft = on.statement.draft
    worth = 1.0 if draft is None or draft.quality is None else draft.quality
    return Reply(_question(pair, worth))


def _question(found: Written, worth: float) -> Question:
    return Question(
        question=found.question,
        answer=found.answer,
        pattern=_pattern_of(found.question),
        quality=worth * math.exp(found.likelihood),
    )


def _pattern_of(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: written_how_long."""
    return "_".join(["written", *question.lower().split()[:2]])


def _open_questions(passages: Sequence[Passage], writer: Writer) -> list[list[Question]]:
    """For each passage what the writer thinks that it leaves open, most likely first."""
    found = writer.ask_missing([_sentence(each, each.text[:200]) for each in passages], GAP_CANDIDATES)
    return [[_question(one, BEHIND_RULES) for one in several] for several in found]


def _is_read(passage: Passage) -> bool:
    """One passage in ``GAP_EVERY``, by its text alone."""
    return hashlib.sha256(passage.text.encode("utf-8", "replace")).digest()[0] % GAP_EVERY == 0


def _by_chance(request: PairRequest) -> list[Sentence]:
    passage = request.passage
    if passage.language not in ("en", "und"):
        return []
    found = whole_sentences(passage)
    random.Random(f"{passage.title} {passage.text}").shuffle(found)
    return [
        _sentence(passage, passage.text[each.start : each.end])
        for each in found[len(request.asked) :][:SENTENCES_TRIED]
    ]
