"""What several metrics ask of one answer, in one call: the judge sees question, references, chunks and answer once.

Claims are written in the same reply in which they are judged; ``--judging separate`` asks as the papers do, who write
the statements of an answer before its chunks are seen. What is told from the answer alone (answer relevance) stays
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, create_model

from ragassay.tasks.base import Material, ReplyData, TaskData, as_name, one_line, pieces, task
from ragassay.tasks.contexts import CONTEXT_USEFULNESS, AnswerFromChunks, chunk_pieces
from ragassay.tasks.joint import JointTask, Part, joint_task
from ragassay.tasks.quoting import verbatim
from ragassay.tasks.ratings import (
    BLOCK_RATINGS,
    AnswerOnBlock,
    Correctness,
    RelatedClaim,
    Relation,
    standing_words,
)
from ragassay.tasks.verdicts import (
    KEYPOINT_VERDICTS,
    AnswerStatements,
    AnswerToQuestion,
    KeypointsOnAnswer,
    StatementVerdict,
    StatementVerdicts,
)

Wanted = Literal["support", "correctness", "keypoints", "chunks", "ratings"]
"""What may be asked for: claims held against the chunks, or the reference; the rest by the name of its part."""
WANTED: tuple[Wanted, ...] = get_args(Wanted)


class JudgementRequest(AnswerToQuestion):
    """wanted: what is asked for, in the order of ``WANTED``. Other fields are empty where nothing asked for needs them.

    passages: what the reference answer rests on. block: the knowledge that ratings go by, where there are no passages:
    it holds them, and is far longer.
    """

    wanted: tuple[Wanted, ...]
    reference: str = ""
    others: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    keypoints: tuple[str, ...] = ()
    chunks: tuple[str, ...] = ()
    block: str = ""


class JudgedClaim(TaskData):
    """One claim of an answer. supported: by the chunks, with the sentence; relation: to the reference; None if unasked.

    central: whether who relies on it would act otherwise if it were wrong.
    """

    claim: str
    supported: bool | None = None
    evidence: str = ""
    relation: Relation | None = None
    source: str = ""
    central: bool = False


class JudgedClaims(TaskData):
    """missing: what the reference says in answer to the question, is needed, and the answer does not say."""

    items: tuple[JudgedClaim, ...]
    missing: tuple[str, ...] = ()

    @property
    def statements(self) -> AnswerStatements:
        return AnswerStatements(items=tuple(each.claim for each in self.items))

    @property
    def verdicts(self) -> StatementVerdicts:
        """Each claim held against the chunks."""
        return StatementVerdicts(
            items=tuple(
                StatementVerdict(
                    supported=bool(each.supported),
                    support=float(bool(each.supported)),
                    reason="",
                    evidence=each.evidence,
                )
                for each in self.items
            )
        )

    @property
    def correctness(self) -> Correctness:
        """Each claim held against the reference."""
        claims = tuple(
            RelatedClaim(claim=each.claim, source=each.source, relation=each.relation, central=each.central)
            for each in self.items
            if each.relation is not None
        )
        return Correctness(claims=claims, missing=self.missing, reason="")


_ON_CHUNKS = {
    "evidence": (str, Field(description="the deciding sentence of the chunks, copied exactly, or empty")),
    "supported": (bool, Field(description="by the chunks alone")),
}
_ON_REFERENCE = {
    "source": (str, Field(description="words of the reference or its passages that decide, or empty")),
    "relation": (Annotated[Relation, BeforeValidator(as_name)], Field(description="to reference and passages")),
    "central": (bool, Field(description="true if who relies on it would act otherwise if it were wrong")),
}
_CLAIMS = """\
all that the answer claims and nothing else, right or wrong, each one short sentence understood alone, in its language.
  What claims nothing, such as "I do not know", gives none.{support}{relation}"""
_SUPPORT = """
  supported: all of it is said in the chunks or follows from them directly; not if they contradict any of it or are
  silent about any of it, however true it is."""
RELATIONS = """
  relation: same, the reference says it, in whatever words, or it follows from it. contradicted, it cannot be true
  together with reference and passages: another number, date, name, actor, condition, or yes for no. extra_supported,
  the reference does not say it, and a passage does. extra_unsupported, neither says it."""
MISSING = """\
claims of the reference that answer the question, without which the asker would act otherwise, and which the answer
  does not make in any words; examples and reasons are none, nor is what the answer contradicts."""


@lru_cache
def judgement_task(wanted: tuple[Wanted, ...] = WANTED) -> JointTask[JudgementRequest]:
    """The joint task for what is wanted, in the order of ``WANTED``."""
    fields: dict[str, Any] = {"claim": (str, ...)}
    fields |= _ON_CHUNKS if "support" in wanted else {}
    fields |= _ON_REFERENCE if "correctness" in wanted else {}
    claim_type = create_model("JudgedClaimReply", __base__=ReplyData, **fields)
    reply: dict[str, Any] = {"claims": (tuple[claim_type, ...], Field(description="in the order of the answer"))}
    if "correctness" in wanted:
        reply["missing"] = (tuple[str, ...], Field(description="empty if nothing is missing"))
    judged = task(
        _judged_claims,
        name="judged_claims",
        source="RAGAS (EACL 2024), faithfulness; correctness is ours",
        prompt="",
        material=pieces("question"),
        reply_type=create_model("JudgedClaimsReply", __base__=ReplyData, **reply),
    )
    parts: dict[str, Part] = {}
    if {"support", "correctness"} & set(wanted):
        brief = _CLAIMS.format(
            support=_SUPPORT if "support" in wanted else "", relation=RELATIONS if "correctness" in wanted else ""
        )
        brief += f"\n  missing: {MISSING}" if "correctness" in wanted else ""
        parts["claims"] = Part(judged, lambda inputs: inputs, brief)
    others = {
        "keypoints": Part(
            KEYPOINT_VERDICTS,
            lambda inputs: KeypointsOnAnswer(
                question=inputs.question, answer=inputs.answer, keypoints=inputs.keypoints
            ),
            """\
they are true. covered: the answer says all of it, in whatever words, with its facts right. contradicted: the answer
  says what cannot be true together with it. neither: it is silent, says half of it, or says that it does not know. A
  keypoint that there is no answer: covered by one who says so too, contradicted by one who answers all the same.""",
        ),
        "chunks": Part(
            CONTEXT_USEFULNESS,
            lambda inputs: AnswerFromChunks(
                question=inputs.question, answer=inputs.reference or inputs.answer, chunks=inputs.chunks
            ),
            """\
useful if it holds information that the reference answer, or without one the answer, gives or rests on; the same
  subject is not enough. As if it were the only one: one that repeats another is as useful as the other.""",
        ),
        "ratings": Part(
            BLOCK_RATINGS,
            lambda inputs: AnswerOnBlock(question=inputs.question, answer=inputs.answer, block=inputs.block),
            """\
truthful, by the knowledge, else by reference and passages (3 without any): 5 if all that the answer claims agrees
  with it, 3 if its main point does, 1 if that is wrong or made up. relevant: 5 if it answers the whole question, 3 a
  part, 1 something else. Length is no merit.""",
        ),
    }
    parts |= {name: part for name, part in others.items() if name in wanted}
    return joint_task(
        "answer_judgement",
        version=3,
        input_type=JudgementRequest,
        head="You judge an answer to a question, which stands last. Find the words first, then decide; each by itself.",
        parts=parts,
        material=pieces(
            _chunks,
            ("knowledge", "block"),
            "passages",
            "question",
            ("reference answer", "reference"),
            ("other right answers", "others"),
            "keypoints",
            "answer",
        ),
    )


def _chunks(inputs: JudgementRequest) -> Sequence[Material]:
    return chunk_pieces(inputs) if inputs.chunks else ()


def _judged_claims(inputs: JudgementRequest, reply: Any) -> JudgedClaims:
    """The claims with evidence as the chunks have it."""
    context = "\n\n".join(inputs.chunks)
    items = []
    for each in reply.claims:
        if claim := one_line(each.claim):
            given = each.model_dump() | {"claim": claim}
            if "evidence" in given:
                given["evidence"] = max(verbatim(given["evidence"], context), key=len, default="")
            if "source" in given:
                given["source"] = standing_words(given["source"], inputs)
            items.append(JudgedClaim(**given))
    return JudgedClaims(items=tuple(items), missing=tuple(getattr(reply, "missing", ())))


ANSWER_JUDGEMENT = judgement_task()
