"""A model that stands in, in an estimate, for one on a server: it asks about sentences as they come.

What it writes is of no use but to be counted: prompts and replies get the sizes that a language model's would have. How
long the texts of a scenario are is not known: a section counts as its facts and some more, and every try as the first.
Judgements of answers are the embedded model's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from ragassay.models.base import Around, Model, Reply
from ragassay.models.joint import part_by_part
from ragassay.records import Label
from ragassay.tasks.answer_judgement import JudgedClaim, JudgedClaims, JudgementRequest
from ragassay.tasks.answering import (
    CHUNK_GRADES,
    CLOSED_BOOK,
    HYPOTHETICAL_PASSAGE,
    KNOWLEDGE_CHECK,
    SEARCH_DECISION,
    Answer,
    ChunkGrades,
    HypotheticalPassage,
    Known,
    Search,
)
from ragassay.tasks.base import In, Out, Task
from ragassay.tasks.critique import CRITIQUES, LABEL, LabelVerdict, Pair, Rating
from ragassay.tasks.drafting import (
    BRIEF,
    CONFLICTS,
    DRAFT_PAIRS,
    REVIEWS,
    Brief,
    Conflicts,
    DraftedPair,
    DraftRequest,
    Drafts,
    Review,
    ReviewRequest,
    Reviews,
)
from ragassay.tasks.follow_ups import (
    STANDALONE_QUESTION,
    FollowUp,
    StandaloneQuestion,
)
from ragassay.tasks.joint import JointTask
from ragassay.tasks.pairs import (
    CHUNK_PAIRS,
    CREATIVE_QUESTION,
    SIMPLE_PAIR,
    ChunkRequest,
    GroundedPair,
    GroundedPairs,
    PairRequest,
)
from ragassay.tasks.scenarios import (
    SCENARIO_QUESTIONS,
    SCENARIO_SECTION,
    SCENARIO_VALUES,
    SCHEMA_ELEMENTS,
    QuestionsToWrite,
    SchemaElement,
    SchemaElements,
    SectionText,
    SectionToWrite,
    SeedDocuments,
    WrittenQuestion,
    WrittenQuestions,
    WrittenValues,
)
from ragassay.tasks.statements import (
    CONCLUSIONS,
    FACTS,
    NEAR_MISSES,
    QUESTION,
    SUMMARIES,
    THEME,
    MissCandidates,
    NearMisses,
    Passage,
    PassageFacts,
    PassageOnTheme,
    Question,
    Statement,
    StatementOnTheme,
    Statements,
    Theme,
)
from ragassay.text import sentence_spans

_FEWEST_WORDS = 5
_FACTS = 8
"""Statements that a passage gives."""
_GRADE: Literal[1] = 1
_PASSAGE = "The passage says what such a document may say about the question, with names and figures. " * 4
_ELEMENTS = 25
"""Of a seed: a document of one kind has some 20 to 50."""
_BETWEEN_FACTS = {"zh": "此处另有一句说明。", "en": "Another sentence leads from one fact to the next."}


class StandIn(Around):
    """The model inside, but for what is written, labelled and rated."""

    def __init__(self, inner: Model) -> None:
        super().__init__(inner)
        self._labels: dict[str, Label] = {}
        self._said: Mapping[str, Callable[[Any], Any]] = {
            SCHEMA_ELEMENTS.name: _elements,
            SCENARIO_VALUES.name: lambda asked: WrittenValues(
                items=tuple((*each.examples, each.name)[0] for each in asked.elements)
            ),
            SCENARIO_SECTION.name: _section,
            SCENARIO_QUESTIONS.name: _scenario_questions,
            BRIEF.name: lambda asked: Brief(about=_PASSAGE[:180], askers=(_PASSAGE[:70],) * 4),
            DRAFT_PAIRS.name: self._drafts,
            REVIEWS.name: self._reviews,
            CONFLICTS.name: lambda asked: Conflicts(conflicts=()),
            THEME.name: lambda asked: Theme(theme=asked.title or " ".join(asked.text.split()[:4])),
            FACTS.name: self._facts,
            SUMMARIES.name: lambda asked: self._composed(asked, "summary"),
            CONCLUSIONS.name: lambda asked: self._composed(asked, "reasoning"),
            QUESTION.name: self._question,
            NEAR_MISSES.name: self._near_misses,
            SIMPLE_PAIR.name: lambda asked: self._pairs(asked, 1, "fact_single"),
            CHUNK_PAIRS.name: self._chunk_pairs,
            CREATIVE_QUESTION.name: lambda asked: self._pairs(asked, 1, "reasoning"),
            LABEL.name: self._label,
            KNOWLEDGE_CHECK.name: lambda asked: Known(known=False, after_cutoff=False, reason="nothing is known of it"),
            CLOSED_BOOK.name: lambda asked: Answer(text="I do not know that.", abstained=True),
            SEARCH_DECISION.name: lambda asked: Search(needed=True, query=asked.question),
            HYPOTHETICAL_PASSAGE.name: lambda asked: HypotheticalPassage(text=_PASSAGE),
            CHUNK_GRADES.name: lambda asked: ChunkGrades(grades=(_GRADE,) * len(asked.chunks)),
            STANDALONE_QUESTION.name: _restored,
            "judged_claims": _judged_claims,
            **{task.name: lambda asked: Rating(rating=5, reason="as it should be") for task in CRITIQUES.values()},
        }

    async def ask_all(self, task: Task[In, Out], inputs: Sequence[In]) -> list[Reply[Out]]:
        if isinstance(task, JointTask):
            joined: list[Reply[Any]] = await part_by_part(self, task, inputs)
            return joined
        said = self._said.get(task.name)
        return await super().ask_all(task, inputs) if said is None else [Reply(said(each)) for each in inputs]

    def _drafts(self, asked: DraftRequest) -> Drafts:
        labels = [label for label, count in asked.wanted for _ in range(count)]
        said = [said for passage in asked.passages for said in _sentences(passage)] or [asked.texts[0][:200]]
        quotes = tuple(_sentences(each)[0] for each in asked.passages) if asked.is_joint else ()
        pairs = []
        for place, label in enumerate(labels):
            stated = said[place % len(said)]
            question, answer = self._asked(f"{place} {stated}", label), "" if label == "unanswerable" else stated
            pairs.append(
                DraftedPair(
                    asker=_PASSAGE[:70],
                    label=label,
                    quotes=quotes or (stated,),
                    statement=stated,
                    style="plain",
                    question=question,
                    answer=answer,
                    keypoints=(stated,) if answer else (),
                )
            )
        return Drafts(pairs=tuple(pairs), findings=(), fewer="")

    def _reviews(self, asked: ReviewRequest) -> Reviews:
        return Reviews(
            items=tuple(
                Review(
                    number=number,
                    own_quotes=(each.answer,) if each.answer else (),
                    own_answer=each.answer,
                    label=self._labels.get(each.question, "fact_single"),
                    comparison="same" if each.answer else "both_open",
                    flaws=(),
                    verdict="accept",
                    question="",
                    answer="",
                    keypoints=(),
                    reason="",
                )
                for number, each in enumerate(asked.pairs, 1)
            )
        )

    def _facts(self, asked: PassageOnTheme) -> Statements:
        return Statements(items=tuple(Statement(text=said, quotes=(said,)) for said in _sentences(asked.passage)))

    def _composed(self, asked: PassageFacts, label: Label) -> Statements:
        facts = [fact.text for fact in asked.facts]
        made = tuple(Statement(text=f"{one} {two}", quotes=(one, two)) for one, two in pairwise(facts))[: _FACTS // 2]
        self._labels.update((statement.text, label) for statement in made)
        return Statements(items=made)

    def _question(self, asked: StatementOnTheme) -> Question:
        question = self._asked(asked.statement.text, self._labels.get(asked.statement.text, "fact_single"))
        return Question(question=question, answer=asked.statement.text)

    def _asked(self, stated: str, label: Label) -> str:
        words = re.findall(r"\w+", stated)
        question = f"What is known of {' '.join(words[:9])}?"
        self._labels[question] = label
        return question

    def _near_misses(self, asked: MissCandidates) -> NearMisses:
        stated = _sentences(asked.passage)[:3]
        questions = (f"What is left open of {' '.join(re.findall('[^_ ]+', said)[:6])}?" for said in stated)
        made = tuple(Question(question=question, answer="") for question in questions)
        self._labels.update((each.question, "unanswerable") for each in made)
        return NearMisses(items=made)

    def _pairs(self, asked: PairRequest, most: int, label: Label) -> GroundedPairs:
        made: list[GroundedPair] = []
        for said in _sentences(asked.passage):
            question = self._asked(said, label)
            if question not in asked.asked and len(made) < most:
                made.append(GroundedPair(question=question, answer=said, quotes=(said,)))
        return GroundedPairs(items=tuple(made))

    def _chunk_pairs(self, asked: ChunkRequest) -> GroundedPairs:
        return self._pairs(asked, asked.n, "fact_single")

    def _label(self, asked: Pair) -> LabelVerdict:
        label = self._labels.get(asked.question, "fact_single" if asked.answer else "unanswerable")
        return LabelVerdict(label=label, reason="as it was asked for")


def _sentences(passage: Passage) -> list[str]:
    found = (passage.text[start:end] for start, end in sentence_spans(passage.text))
    return [said for said in found if len(said.split()) >= _FEWEST_WORDS][:_FACTS]


def _restored(asked: FollowUp) -> StandaloneQuestion:
    return StandaloneQuestion(text=" ".join((asked.question, *(turn.content for turn in asked.turns))))


def _section(asked: SectionToWrite) -> SectionText:
    stop = "。" if asked.language == "zh" else ". "
    between = _BETWEEN_FACTS.get(asked.language, _BETWEEN_FACTS["en"])
    return SectionText(text=f"{stop}{between} ".join(asked.facts) + stop.rstrip() if asked.facts else between)


def _judged_claims(asked: JudgementRequest) -> JudgedClaims:
    claims = [asked.answer[start:end] for start, end in sentence_spans(asked.answer)] or [asked.answer]
    on_chunks: dict[str, Any] = {"supported": True, "evidence": claims[0]} if "support" in asked.wanted else {}
    compared = "correctness" in asked.wanted
    on_reference: dict[str, Any] = {"relation": "same", "source": asked.reference[:80]} if compared else {}
    items = tuple(JudgedClaim(claim=each, **on_chunks, **on_reference) for each in claims)
    return JudgedClaims(items=items, missing=(asked.reference[:80],) if compared else ())


def _scenario_questions(asked: QuestionsToWrite) -> WrittenQuestions:
    space = "" if asked.language == "zh" else " "
    every = tuple(range(1, len(asked.sentences) + 1))
    items = []
    for number, each in enumerate(asked.questions, 1):
        answer = space.join(each.facts)
        question = f"{each.kind} {answer[:120]}?"
        items.append(
            WrittenQuestion(number=number, question=question, sentences=every, answer=answer, keypoints=each.facts)
        )
    return WrittenQuestions(items=tuple(items))


def _elements(asked: SeedDocuments) -> SchemaElements:
    items = tuple(
        SchemaElement(
            name=f"element {at}",
            values=("a value of a few words",) * len(asked.seeds),
            alternatives=("another value of words",) * (5 * (at % 2)),
            sentences=("This document says of {subject}: {value}.",) * 2,
            questions=("What does the document say of {subject}?",) * 2,
            fact="Of {subject} a document says {value}.",
        )
        for at in range(_ELEMENTS)
    )
    return SchemaElements(items=items)
