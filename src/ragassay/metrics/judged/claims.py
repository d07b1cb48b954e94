"""Texts split into claims, and claims held against other texts: what several metrics count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ragassay.metrics.judged.answered import miscounted, verdict_line
from ragassay.models.base import Model
from ragassay.tasks.base import Task
from ragassay.tasks.verdicts import (
    ANSWER_STATEMENTS,
    STATEMENT_VERDICTS,
    AnswerStatements,
    AnswerToQuestion,
    StatementsOnContext,
    StatementVerdict,
    StatementVerdicts,
)

TASKS = (ANSWER_STATEMENTS.name, STATEMENT_VERDICTS.name)
"""Asked for claims and for verdicts; two metrics that ask the same of one answer ask it once."""


class Claims(NamedTuple):
    """What a text claims. reason: why that is not known, or that it claims nothing; None where there are claims."""

    items: tuple[str, ...]
    reason: str | None = None


class Verdicts(NamedTuple):
    """One verdict for each claim. reason: why there are none; None where there are."""

    claims: tuple[str, ...]
    items: tuple[StatementVerdict, ...]
    reason: str | None = None

    @property
    def supported(self) -> tuple[bool, ...]:
        return tuple(each.supported for each in self.items)

    @property
    def share(self) -> float:
        """Supported claims of all, in [0, 1]. Only where there are verdicts."""
        return sum(self.supported) / len(self.items)

    def told(self, yes: str, no: str) -> tuple[str, ...]:
        """The evidence of a score: a line for each claim."""
        return tuple(
            verdict_line(yes if each.supported else no, claim, each.reason, each.evidence)
            for claim, each in zip(self.claims, self.items, strict=True)
        )


async def claims_of(
    model: Model,
    texts: Sequence[AnswerToQuestion],
    name: str = "the answer",
    task: Task[AnswerToQuestion, AnswerStatements] = ANSWER_STATEMENTS,
) -> list[Claims]:
    """Split each text. name: what the texts are called in reasons."""
    replies = await model.ask_all(task, texts)
    return [
        Claims((), reply.reason)
        if reply.value is None
        else Claims(reply.value.items, None if reply.value.items else f"{name} makes no statement")
        for reply in replies
    ]


async def verdicts_on(
    model: Model,
    cases: Sequence[tuple[str, Claims, str]],
    task: Task[StatementsOnContext, StatementVerdicts] = STATEMENT_VERDICTS,
) -> list[Verdicts]:
    """Judge each (question, claims, text that they are held against); where there are no claims, say why not."""
    asked = [place for place, (_, claims, _) in enumerate(cases) if claims.reason is None]
    replies = await model.ask_all(
        task,
        [
            StatementsOnContext(question=question, statements=claims.items, context=text)
            for question, claims, text in (cases[place] for place in asked)
        ],
    )
    found = dict(zip(asked, replies, strict=True))
    verdicts = []
    for place, (_, claims, _) in enumerate(cases):
        reply = found.get(place)
        if reply is None or reply.value is None:
            reason = claims.reason if reply is None else reply.reason
            verdicts.append(Verdicts(claims.items, (), reason))
        else:
            items = reply.value.items
            problem = miscounted(len(items), len(claims.items), "statement")
            verdicts.append(Verdicts(claims.items, () if problem else items, problem))
    return verdicts
