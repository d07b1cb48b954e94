"""Ratings of a whole answer: truthfulness and relevance by the knowledge block (RAGVAL), and scores of a quality."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field

from ragassay.tasks.base import Material, ReplyData, Task, TaskData, as_name, as_number, pieces

OneToFive = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(as_number)]
ZeroToTen = Annotated[Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], BeforeValidator(as_number)]


class AnswerOnBlock(TaskData):
    """block: the knowledge that the question was made from; the judge sees it, whoever answered did not."""

    question: str
    answer: str
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


Quality = Literal["faithfulness", "answer_relevance", "context_relevance"]
"""What baseline judges score and rank (RAGAS, baselines)."""
QUALITIES: tuple[Quality, ...] = get_args(Quality)


class QualityCase(TaskData):
    """An answer with its question and context; a quality looks at two of the three."""

    question: str
    answer: str
    context: str


class QualityScore(TaskData):
    score: Annotated[int, Field(ge=0, le=10)]
    reason: str


class QualityScoreReply(ReplyData):
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


_QUALITIES: Mapping[Quality, _Quality] = MappingProxyType(
    {
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
)


def _block_ratings(_: AnswerOnBlock, reply: BlockRatingsReply) -> BlockRatings:
    return BlockRatings(truthfulness=reply.truthful, relevance=reply.relevant, reason=reply.reason)


BLOCK_RATINGS = Task(
    name="block_ratings",
    version=1,
    input_type=AnswerOnBlock,
    output_type=BlockRatings,
    source="RAGVAL, evaluation",
    prompt="""\
You rate an answer to a question. You have a text with the relevant knowledge; whoever answered did not have it.
Truthfulness: 5 if all that the answer claims agrees with the knowledge, 3 if its main point does and details do not,
1 if its main point is wrong. What the knowledge does not mention counts against it only if it is essential.
Relevance: 5 if it answers the whole question, 3 if it answers a part or stays vague, 1 if it answers something else, or
says that it does not know or has no information. 2 and 4 lie between. Length is no merit.""",
    material=pieces(("knowledge", "block"), "question", "answer"),
    reply_type=BlockRatingsReply,
    to_output=_block_ratings,
)


def _score_task(name: Quality, quality: _Quality) -> Task[QualityCase, QualityScore]:
    return Task(
        name=f"score_{name}",
        version=1,
        input_type=QualityCase,
        output_type=QualityScore,
        source="RAGAS (EACL 2024), baselines: GPT score",
        prompt=f"""\
You give {_article(quality.noun)} a score from 0 to 10 for one quality, and look at nothing else.
{quality.definition}
10: to the full. 5: about half of it. 0: not at all.""",
        material=pieces(*quality.shown),
        reply_type=QualityScoreReply,
        to_output=lambda inputs, reply: QualityScore(score=reply.score, reason=reply.reason),
    )


def _preference_task(name: Quality, quality: _Quality) -> Task[Candidates, Preference]:
    return Task(
        name=f"prefer_{name}",
        version=1,
        input_type=Candidates,
        output_type=Preference,
        source="RAGAS (EACL 2024), baselines: GPT ranking",
        prompt=f"""\
You compare two {quality.noun}s for one question by one quality, and look at nothing else.
{quality.definition}
Say which has more of it, the first or the second; tie only if you cannot tell. The order in which they stand means
nothing, and a longer one is not better for its length.""",
        material=_preference_material(quality),
        reply_type=PreferenceReply,
        to_output=lambda inputs, reply: Preference(preferred=reply.verdict, reason=reply.reason),
    )


def _preference_material(quality: _Quality) -> Callable[[Candidates], list[Material]]:
    def material(inputs: Candidates) -> list[Material]:
        shared = [Material("context", inputs.given)] if quality.shown[0] == "context" != quality.noun else []
        return [
            *shared,
            Material("question", inputs.question),
            # A blank one is compared as well, and would be left out.
            Material(f"first {quality.noun}", inputs.first.strip() or "(empty)"),
            Material(f"second {quality.noun}", inputs.second.strip() or "(empty)"),
        ]

    return material


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


QUALITY_SCORES: Mapping[Quality, Task[QualityCase, QualityScore]] = MappingProxyType(
    {name: _score_task(name, quality) for name, quality in _QUALITIES.items()}
)
"""Quality to the task that scores it, 0 to 10."""
PREFERENCES: Mapping[Quality, Task[Candidates, Preference]] = MappingProxyType(
    {name: _preference_task(name, quality) for name, quality in _QUALITIES.items()}
)
"""Quality to the task that compares two candidates by it."""
