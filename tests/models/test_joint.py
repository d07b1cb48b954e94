"""Joint tasks put to models: one call in place of many, and nothing lost by a part that cannot be read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.judged.judged_metric import judged_scores
from ragassay.models.base import Model, Reply
from ragassay.models.joint import JointModel, jointly, part_by_part
from ragassay.models.scripted import ScriptedModel
from ragassay.records import NO_CONTEXT, Example, Prediction, Provenance, Span
from ragassay.tasks.answer_judgement import JudgedClaim, JudgedClaims
from ragassay.tasks.base import Task
from ragassay.tasks.contexts import ChunkUse, ChunkUses
from ragassay.tasks.critique import CRITIQUES, Rating
from ragassay.tasks.joint import JointTask, Unread
from ragassay.tasks.pair_judgement import PAIR_JUDGEMENT, JudgedPair
from ragassay.tasks.prompts import NO_OVERRIDES
from ragassay.tasks.ratings import BlockRatings, Correctness, RelatedClaim
from ragassay.tasks.verdicts import (
    AnswerStatements,
    Keypoints,
    KeypointVerdict,
    KeypointVerdicts,
    Relevance,
    StatementVerdict,
    StatementVerdicts,
)

SINGLE: Mapping[str, Any] = {
    **{f"critique_{name}": Rating(rating=4, reason="good") for name in CRITIQUES},
    "keypoints": Keypoints(items=("It is red.",)),
    "answer_statements": AnswerStatements(items=("It is red.", "It is old.")),
    "statement_verdicts": StatementVerdicts(
        items=(
            StatementVerdict(supported=True, support=1, reason="said"),
            StatementVerdict(supported=False, support=0, reason="not said"),
        )
    ),
    "judged_claims": JudgedClaims(
        items=(
            JudgedClaim(claim="It is red.", supported=True, evidence="The lamp is red.", relation="same"),
            JudgedClaim(claim="It is old.", supported=False, relation="extra_unsupported"),
        )
    ),
    "correctness": Correctness(
        claims=(
            RelatedClaim(claim="It is red.", source="", relation="same", central=True),
            RelatedClaim(claim="It is old.", source="", relation="extra_unsupported", central=False),
        ),
        reason="",
    ),
    "block_ratings": BlockRatings(truthfulness=5, relevance=4, reason="right"),
    "keypoint_verdicts": KeypointVerdicts(items=(KeypointVerdict(verdict="covered", support=1, reason="said"),)),
    "context_usefulness": ChunkUses(items=(ChunkUse(useful=False, reason="no"), ChunkUse(useful=True, reason="yes"))),
    "answer_relevance": Relevance(relevance=0.5, committal=True, reason="in part"),
}
PAIR = JudgedPair(context="The lamp is red.", question="Which colour?", answer="Red.")


class Server:
    """Answers joint tasks in one call. lost: parts that it spoils, by the task that they are parts of."""

    name = "server"

    def __init__(self, single: Mapping[str, Any] = SINGLE, lost: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.single = ScriptedModel(single)
        self.asked: list[str] = []
        self._lost = lost or {}

    async def ask(self, task: Task[Any, Any], inputs: Any) -> Reply[Any]:
        return (await self.ask_all(task, [inputs]))[0]

    async def ask_all(self, task: Task[Any, Any], inputs: Any) -> list[Reply[Any]]:
        self.asked += [task.name] * len(inputs)
        if not isinstance(task, JointTask):
            return await self.single.ask_all(task, inputs)
        spoiled = {name: Unread(reason="it is missing") for name in self._lost.get(task.name, ())}
        return [
            reply if reply.value is None else Reply(reply.value.model_copy(update=spoiled))
            for reply in await part_by_part(self.single, task, inputs)
        ]


def asked_for(model: Model, *tasks: Task[Any, Any]) -> list[Any]:
    async def ask() -> list[Any]:
        told = await jointly(model, (PAIR_JUDGEMENT, [PAIR]))
        return [await told.ask(task, given(task)) for task in tasks]

    return asyncio.run(ask())


def given(task: Task[Any, Any]) -> Any:
    return next(part.given(PAIR) for part in PAIR_JUDGEMENT.parts.values() if part.task is task)


ALL_PARTS = [part.task for part in PAIR_JUDGEMENT.parts.values()]


def test_one_call_answers_all_parts() -> None:
    server = Server()
    assert asked_for(JointModel(server), *ALL_PARTS) == [Reply(SINGLE[task.name]) for task in ALL_PARTS]
    assert server.asked == ["pair_judgement"]


def test_a_part_that_could_not_be_read_is_asked_by_itself() -> None:
    server = Server(lost={"pair_judgement": ("tautology", "keypoints")})
    replies = asked_for(JointModel(server), *ALL_PARTS)
    assert replies == [Reply(SINGLE[task.name]) for task in ALL_PARTS]
    assert server.asked == ["pair_judgement", "critique_tautology", "keypoints"]


def answered(number: int = 1, **changes: Any) -> Answered:
    example = Example(
        id=f"q{number}",
        question="Which colour?",
        answer="Red.",
        context=NO_CONTEXT,
        references=(),
        keypoints=("It is red.",),
        requested_label=None,
        verified_label=None,
        provenance=Provenance(synthesizer="", model=""),
    )
    answer = f"It is red and old, and number {number}."
    prediction = Prediction(example_id=example.id, system="s", chunks=(), answer=answer)
    return replace(Answered(example, prediction, ("It is small.", "The lamp is red.")), **changes)


RUN = ("faithfulness", "answer_relevance", "completeness", "context_precision", "correctness")


def scored(model: Model, items: list[Answered], names: tuple[str, ...] = RUN) -> list[Any]:
    judge = Judge(model=model, prompts=NO_OVERRIDES)
    return asyncio.run(judged_scores(judge, [METRICS[name] for name in names], items))


def test_two_answers_that_say_the_same_are_each_held_against_their_own() -> None:
    one, other = answered(1), answered(2)
    same = replace(other, prediction=replace(other.prediction, answer=one.answer), chunk_texts=("Nothing of it.",))
    server = Server()
    scores = scored(JointModel(server), [one, same], ("faithfulness", "completeness"))
    assert [each.value for each in scores] == [0.5, 0.5, 1.0, 1.0]
    assert server.asked == ["answer_judgement"] * 2


def test_claims_held_against_another_text_are_no_part_of_a_joint_judgement() -> None:
    server = Server()
    scores = scored(JointModel(server), [answered(1)], ("factual_precision", "completeness"))
    assert scores[0].evidence[-1].startswith("prompt of statement_verdicts")
    assert "answer_judgement" not in server.asked
    both = Server()
    scored(JointModel(both), [answered(1)], ("faithfulness", "correctness"))
    assert both.asked == ["answer_judgement"]


def test_ratings_by_a_long_block_go_by_the_reference_passages_in_the_same_call() -> None:
    span = Span(document_id="d", start=0, end=8, text="It is red")
    own = answered(1)
    item = replace(own, block="A long text. It is red.", example=replace(own.example, references=(span,)))
    server = Server()
    scores = scored(JointModel(server), [item], ("correctness", "truthfulness", "relevance"))
    assert [each.value for each in scores] == [0.5, 5, 4]
    assert server.asked == ["answer_judgement"]


def test_five_metrics_of_an_answer_take_two_calls_and_give_the_same_values() -> None:
    together, apart = Server(), Server()
    items = [answered(1), answered(2)]
    joint, separate = scored(JointModel(together), items), scored(apart, items)
    assert [(each.metric, each.value) for each in joint] == [(each.metric, each.value) for each in separate]
    # 1 of 2 statements; as scripted; 1 of 1 keypoint; the useful chunk is second of two
    assert [each.value for each in joint[::2]] == [0.5, 0.5, 1.0, 0.5, 0.5]
    assert sorted(together.asked) == sorted(["answer_judgement", "answer_relevance"] * 2)
    assert len(apart.asked) == 12
