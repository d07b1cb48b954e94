"""Ratings of a whole answer: by the knowledge block (RAGVAL), by reference or one quality (RAGAS), by a rubric."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import (
    Material,
    ReplyData,
    Task,
    TaskData,
    as_name,
    as_number,
    distinct_lines,
    pieces,
    task,
)
from ragassay.tasks.quoting import verbatim
from ragassay.tasks.verdicts import AnswerToQuestion, Share

OneToFive = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(as_number)]
ZeroToTen = Annotated[Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], BeforeValidator(as_number)]


class AnswerOnBlock(AnswerToQuestion):
    """block: the knowledge that the question was made from; the judge sees it, whoever answered did not."""

    block: str


class BlockRatings(TaskData):
    """Both from 1 to 5; a relevance of 1 is given to an answer that says that it does not know."""

    truthfulness: Annotated[float, Field(ge=1, le=5)]
    relevance: Annotated[float, Field(ge=1, le=5)]
    reason: str


class BlockRatingsReply(ReplyData):
    reason: str = Field(description="what is right, wrong or missing, at most 25 words")
    truthful: OneToFive = Field(description="rating of truthfulness")
    relevant: OneToFive = Field(description="rating of relevance")


class AnswerAndReference(AnswerToQuestion):
    """reference: the answer that is known to be right; others: further ones. passages: what it rests on, verbatim."""

    reference: str
    others: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()


Relation = Literal["same", "contradicted", "extra_supported", "extra_unsupported"]
"""Of a claim to a reference answer and the passages that it rests on."""


class RelatedClaim(ReplyData):
    """A claim of an answer held against the reference: the words that decide come before the verdict."""

    claim: str = Field(description="one short sentence, understood alone")
    source: str = Field(description="words of the reference or its passages that decide, or empty")
    relation: Annotated[Relation, BeforeValidator(as_name)]
    central: bool = Field(description="true if who relies on it would act otherwise if it were wrong")


class Correctness(TaskData):
    """claims: of the answer; missing: needed claims of the reference that the answer does not make.

    correctness: in [0, 1], from a judge that says it directly, with precision, how much of the answer is right, and
    recall, how much of the reference it says; None from one that holds claims against the reference.
    """

    correctness: Share | None = None
    precision: Share | None = None
    recall: Share | None = None
    claims: tuple[RelatedClaim, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str

    @property
    def is_wrong(self) -> bool:
        """Whether a claim that matters is contradicted."""
        return any(each.central and each.relation == "contradicted" for each in self.claims)

    @property
    def share(self) -> float | None:
        """same / (same + missing + contradicted + extra_unsupported), 0 if it is wrong; None where nothing counts."""
        counted = self.count("same", "contradicted", "extra_unsupported") + len(self.missing)
        return None if not counted else 0.0 if self.is_wrong else self.count("same") / counted

    def count(self, *relations: Relation) -> int:
        return sum(each.relation in relations for each in self.claims)


class CorrectnessReply(ReplyData):
    claims: tuple[RelatedClaim, ...] = Field(description="in the order of the answer; empty if it claims nothing")
    missing: tuple[str, ...] = Field(description="empty if nothing is missing")


class SortedStatements(TaskData):
    """confirmed: statements of the answer that the reference says; unconfirmed: the others of the answer.

    left_out: statements of the reference that the answer does not say.
    """

    confirmed: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    reason: str


class SortedStatementsReply(ReplyData):
    reason: str = Field(description="where answer and reference differ, at most 15 words")
    confirmed: tuple[str, ...] = Field(description="statements of the answer that the reference says too")
    unconfirmed: tuple[str, ...] = Field(description="statements of the answer that the reference does not say")
    left_out: tuple[str, ...] = Field(description="statements of the reference that the answer does not say")


class AnswerUnderRubric(AnswerToQuestion):
    """rubric: the user's question. highest: the best rating; the worst is 1. context, reference: empty if not shown."""

    rubric: str
    highest: Annotated[int, Field(ge=2, le=100)]
    context: str = ""
    reference: str = ""


class RubricRating(ReplyData):
    """rating: from 1 to the highest."""

    reason: str = Field(description="what decides, at most 25 words; think before you rate")
    rating: Annotated[int, BeforeValidator(as_number)] = Field(description="from 1 to the highest rating")


Quality = Literal["faithfulness", "answer_relevance", "context_relevance"]
"""What baseline judges score and rank (RAGAS, baselines)."""
QUALITIES: tuple[Quality, ...] = get_args(Quality)


class QualityCase(AnswerToQuestion):
    """An answer with its question and context; a quality looks at two of the three."""

    context: str


class QualityScore(ReplyData):
    reason: str = Field(description="one short sentence; think before you score")
    score: ZeroToTen


class Candidates(TaskData):
    """Two answers, or for context relevance two contexts. given: what both are compared on, the context or nothing."""

    question: str
    given: str = ""
    first: str
    second: str


Preferred = Literal["first", "second", "tie"]


class Preference(TaskData):
    preferred: Preferred
    reason: str


class PreferenceReply(ReplyData):
    reason: str = Field(description="the difference that decides, at most 25 words")
    verdict: Annotated[Preferred, BeforeValidator(as_name)]


class _Quality(NamedTuple):
    """shown: pieces that the quality is decided from. noun: what is compared. definition: in words of our own."""

    shown: tuple[Literal["context", "question", "answer"], ...]
    noun: Literal["answer", "context"]
    definition: str


_QUALITIES: Mapping[Quality, _Quality] = {
    "faithfulness": _Quality(
        ("context", "question", "answer"),
        "answer",
        """\
Faithfulness: every claim of an answer is found in the context or follows from it; what is true but not in the context
counts against it.""",
    ),
    "answer_relevance": _Quality(
        ("question", "answer"),
        "answer",
        """\
Answer relevance: an answer addresses the question directly and completely, without evading and without what was not
asked. Whether it is true is no matter.""",
    ),
    "context_relevance": _Quality(
        ("context", "question"),
        "context",
        "Context relevance: a context holds what is needed to answer the question, and as little else as possible.",
    ),
}


def _block_ratings(_: AnswerOnBlock, reply: BlockRatingsReply) -> BlockRatings:
    return BlockRatings(truthfulness=reply.truthful, relevance=reply.relevant, reason=reply.reason)


def standing_words(source: str, inputs: Any) -> str:
    """The words that a judge gives for a relation, as the references have them; empty where they have not."""
    text = "\n\n".join((inputs.reference, *inputs.others, *inputs.passages))
    return max(verbatim(source, text), key=len, default="")


def _correctness(inputs: AnswerAndReference, reply: CorrectnessReply) -> Correctness:
    claims = tuple(
        each.model_copy(update={"source": standing_words(each.source, inputs)})
        for each in reply.claims
        if each.claim.strip()
    )
    return Correctness(claims=claims, missing=distinct_lines(reply.missing), reason="")


def _sorted(_: AnswerAndReference, reply: SortedStatementsReply) -> SortedStatements:
    sorted_ones = [distinct_lines(texts) for texts in (reply.confirmed, reply.unconfirmed, reply.left_out)]
    if not any(sorted_ones):
        raise ValueError("no statement is sorted; the answer and the reference each make at least one")
    confirmed, unconfirmed, left_out = sorted_ones
    return SortedStatements(confirmed=confirmed, unconfirmed=unconfirmed, left_out=left_out, reason=reply.reason)


def _rubric_rating(inputs: AnswerUnderRubric, reply: RubricRating) -> RubricRating:
    if not 1 <= reply.rating <= inputs.highest:
        raise ValueError(f"the rating is {reply.rating}, and must be a whole number from 1 to {inputs.highest}")
    return reply


BLOCK_RATINGS = task(
    _block_ratings,
    name="block_ratings",
    version=2,
    source="RAGVAL, evaluation",
    prompt="""\
You rate an answer to a question. Where you are shown a text with the relevant knowledge, whoever answered did not have
it; without one, truthfulness is 3.
Truthfulness: 5 if all that the answer claims agrees with the knowledge, 3 if its main point does and details do not,
1 if its main point is wrong. What the knowledge does not mention counts against it only if it is essential.
Relevance: 5 if it answers the whole question, 3 if it answers a part or stays vague, 1 if it answers something else, or
says that it does not know or has no information. 2 and 4 lie between. Length is no merit.""",
    material=pieces(("knowledge", "block"), "question", "answer"),
)

CORRECTNESS = task(
    _correctness,
    name="correctness",
    version=2,
    source="ours, after RAGChecker (NeurIPS 2024) and RAGAS 0.1, answer correctness",
    prompt="""\
You hold an answer to a question against a reference answer, which is right, and the passages that it rests on. Where
there are other right answers, take the one that is nearest as the reference. Find the words that decide first, then
decide.
- claims: all that the answer claims and nothing else, each one short sentence understood alone, in its language.
  relation: same, the reference says it, in whatever words, or it follows from it. contradicted, it cannot be true
  together with reference and passages: another number, date, name, actor, condition, or yes for no. extra_supported,
  the reference does not say it, and a passage does. extra_unsupported, neither says it.
- missing: claims of the reference that answer the question, without which the asker would act otherwise, and which the
  answer does not make in any words; examples and reasons are none, nor is what the answer contradicts.""",
    material=pieces(
        "passages", "question", ("reference answer", "reference"), ("other right answers", "others"), "answer"
    ),
)

SORTED_STATEMENTS = task(
    _sorted,
    name="answer_correctness",
    source="RAGAS 0.1 (its documentation, section on answer correctness)",
    prompt="""\
You compare an answer to a question with a reference answer, which is right. Break both into short statements, each with
one claim, and sort every one of them:
- confirmed: the answer makes it, and the reference says it too, in whatever words, or it follows from the reference.
- unconfirmed: the answer makes it, and the reference contradicts it or is silent about it.
- left_out: the reference makes it, and the answer does not.
Each statement stands in one list, once.""",
    material=pieces("question", ("reference answer", "reference"), "answer"),
)

RUBRIC = task(
    _rubric_rating,
    name="rubric",
    source="ours, after G-Eval (EMNLP 2023), section 2",
    prompt="""\
You rate the answer of a system by one rubric, a question that the team behind the system asks of every answer. Rate by
the rubric alone: what it does not ask about, such as length, style or truth, does not count.
1: the rubric is not met at all. The highest rating: it is met to the full. Numbers between lie evenly between.
A context and a reference answer, where they are shown, are there to check the answer against.""",
    material=pieces(
        "rubric", ("highest rating", "highest"), "context", "question", ("reference answer", "reference"), "answer"
    ),
)


def _score_task(name: Quality, quality: _Quality) -> Task[QualityCase, QualityScore]:
    return Task(
        name=f"score_{name}",
        input_type=QualityCase,
        output_type=QualityScore,
        source="RAGAS (EACL 2024), baselines: GPT score",
        prompt=f"""\
You give {"an" if quality.noun == "answer" else "a"} {quality.noun} a score from 0 to 10 for one quality, and look at \
nothing else.
{quality.definition}
10: to the full. 5: about half of it. 0: not at all.""",
        material=pieces(*quality.shown),
    )


def _preference_task(name: Quality, quality: _Quality) -> Task[Candidates, Preference]:
    def material(inputs: Candidates) -> list[Material]:
        shared = [Material("context", inputs.given)] if quality.shown[0] == "context" != quality.noun else []
        return [
            *shared,
            Material("question", inputs.question),
            # A blank one is compared as well, and would be left out.
            Material(f"first {quality.noun}", inputs.first.strip() or "(empty)"),
            Material(f"second {quality.noun}", inputs.second.strip() or "(empty)"),
        ]

    return Task(
        name=f"prefer_{name}",
        input_type=Candidates,
        output_type=Preference,
        source="RAGAS (EACL 2024), baselines: GPT ranking",
        prompt=f"""\
You compare two {quality.noun}s for one question by one quality, and look at nothing else.
{quality.definition}
Say which has more of it, the first or the second; tie only if you cannot tell. The order in which they stand means
nothing, and a longer one is not better for its length.""",
        material=material,
        reply_type=PreferenceReply,
        to_output=lambda inputs, reply: Preference(preferred=reply.verdict, reason=reply.reason),
    )


QUALITY_SCORES: Mapping[Quality, Task[QualityCase, QualityScore]] = MappingProxyType(
    {name: _score_task(name, quality) for name, quality in _QUALITIES.items()}
)
"""Quality to the task that scores it, 0 to 10."""
PREFERENCES: Mapping[Quality, Task[Candidates, Preference]] = MappingProxyType(
    {name: _preference_task(name, quality) for name, quality in _QUALITIES.items()}
)
"""Quality to the task that compares two candidates by it."""
