"""Context entity recall: how much of what the reference answer names the retrieved chunks name too."""

from __future__ import annotations

from collections.abc import Sequence

from ragassay.metrics.answer.tokens import answer_tokens, stand_in
from ragassay.metrics.judged.answered import Answered
from ragassay.metrics.judged.declared import judged_metric
from ragassay.models.base import Model, Reply
from ragassay.records import Score
from ragassay.tasks.entities import ENTITIES, Entities, TextWithEntities

NAME = "context_entity_recall"


async def context_entity_recall(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Named entities of the reference answer that a retrieved chunk names, of all of them, in [0, 1].

    A language model lists the entities; a chunk names one if it has its words side by side (as in
    ``string_presence``), so that another way to write a date or a name is another entity. 0 where nothing was
    retrieved. None where the example has no reference answer, where that names nothing, and where the judge failed.
    Source: RAGAS 0.2 (its documentation, context entities recall), which has the entities of the chunks listed too.
    """
    asked = [each for each in answered if each.example.answer.strip()]
    replies = await model.ask_all(ENTITIES, [TextWithEntities(text=each.example.answer) for each in asked])
    scores = {each.key: _score(each, reply) for each, reply in zip(asked, replies, strict=True)}
    return [scores.get(each.key) or each.score(NAME, None, "the example has no reference answer") for each in answered]


def _score(each: Answered, reply: Reply[Entities]) -> Score:
    if reply.value is None:
        return each.score(NAME, None, reply.reason)
    entities = [tokens for entity in reply.value.items if (tokens := answer_tokens(entity))]
    if not entities:
        return each.score(NAME, None, "the reference answer names nothing")
    chunks = [answer_tokens(text) for text in each.chunk_texts]
    named = [any(stand_in(tokens, chunk) for chunk in chunks) for tokens in entities]
    evidence = tuple(
        f"{'named' if is_named else 'not named'}: {' '.join(tokens)}"
        for tokens, is_named in zip(entities, named, strict=True)
    )
    return each.score(NAME, sum(named) / len(named), evidence=evidence)


METRICS = (
    judged_metric(
        context_entity_recall,
        ("reference answer", "chunk texts"),
        "RAGAS 0.2, context entities recall",
        ENTITIES.name,
        kind="retrieval",
        needs="language model",
    ),
)
