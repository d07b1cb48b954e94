"""Candidates judged: verified label, critiques, keypoints; what fails is dropped and counted, never mended."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from ragassay.generate.candidates import Candidate
from ragassay.generate.options import ANY, SetPlan
from ragassay.models.base import Model
from ragassay.models.joint import jointly
from ragassay.records import Critique, Label
from ragassay.tasks.critique import CRITIQUES, LABEL, Pair
from ragassay.tasks.pair_judgement import PAIR_JUDGEMENT, WITHOUT_ANSWER, JudgedPair, pair_judgement
from ragassay.tasks.verdicts import KEYPOINTS, AnswerStatement

NOT_RATED = frozenset({"answer_groundedness", "question_groundedness", "tautology"})
"""Critiques that ask about an answer; an unanswerable pair has none, and its question is not grounded on purpose."""


async def rate_pairs(model: Model, pairs: Sequence[Pair], rated_by: Sequence[Collection[str]]) -> list[list[Critique]]:
    """Rate each pair by the critiques of these names, asked side by side; a rating that failed has its reason."""
    rows_of = {name: [row for row, names in enumerate(rated_by) if name in names] for name in CRITIQUES}
    replies = await asyncio.gather(
        *(model.ask_all(CRITIQUES[name], [pairs[row] for row in rows]) for name, rows in rows_of.items())
    )
    ratings: list[list[Critique]] = [[] for _ in pairs]
    for (name, rows), of_critique in zip(rows_of.items(), replies, strict=True):
        for row, reply in zip(rows, of_critique, strict=True):
            value = None if reply.value is None else reply.value.rating
            reason = reply.reason if reply.value is None else reply.value.reason
            ratings[row].append(Critique(name=name, value=value, reason=reason or ""))
    return ratings


class Judge:
    """Labels, rates and completes candidates.

    matrix: requested label to verified label to number of candidates. dropped: label to reason to number. ``ANY``
    stands for the label of candidates that were asked for none.
    """

    def __init__(self, model: Model, options: SetPlan) -> None:
        self._model = model
        self._options = options
        self.matrix: dict[str, Counter[str]] = {}
        self.dropped: dict[str, Counter[str]] = {}

    async def accepted(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those whose verified label is the requested one and that no threshold drops, judged, in their order.

        Where none was requested, the verified label must be one that the mix has a share for.
        """
        labelled = await self._labelled(candidates)
        model = await self._informed(labelled)
        return await self._with_keypoints(model, await self._rated(model, labelled))

    def drop(self, candidate: Candidate, reason: str) -> None:
        """Count a candidate that goes no further."""
        self.dropped.setdefault(candidate.label or ANY, Counter())[reason] += 1

    async def _informed(self, candidates: Sequence[Candidate]) -> Model:
        """The model; with its ratings and keypoints of the candidates at hand where it gives them in one call."""
        pairs = [
            JudgedPair(**_pair(each).model_dump(), statements=_statements(each) if each.answer else ())
            for each in candidates
        ]
        whole, bare = [each for each in pairs if each.answer], [each for each in pairs if not each.answer]
        return await jointly(self._model, (PAIR_JUDGEMENT, whole), (pair_judgement(WITHOUT_ANSWER), bare))

    async def _labelled(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        kept = []
        replies = await self._model.ask_all(LABEL, list(map(_pair, candidates)))
        for candidate, reply in zip(candidates, replies, strict=True):
            if reply.value is None:
                self.drop(candidate, f"no label: {reply.reason}")
                continue
            given = reply.value.label
            self.matrix.setdefault(candidate.label or ANY, Counter())[given] += 1
            fault = self._fault_of_label(candidate, given)
            if fault:
                self.drop(candidate, fault)
                continue
            kept.append(replace(candidate, verified=given))
        return kept

    def _fault_of_label(self, candidate: Candidate, given: Label) -> str | None:
        by = self._options.balance_by
        if candidate.label is not None and (given == candidate.label or by == "requested"):
            return None
        if candidate.label is not None and by == "both":
            return "the labeller gives another label"
        if given != "unanswerable" and not candidate.answer:
            return "the labeller finds an answer, although none was given"
        if given == "unanswerable" and candidate.answer:
            return "the labeller finds no answer in its context"
        if self._options.mix and not self._options.mix.get(given):
            return f"the labeller gives {given}, which was not requested"
        return None

    async def _rated(self, model: Model, candidates: Sequence[Candidate]) -> list[Candidate]:
        rated_by = [[name for name in CRITIQUES if each.answer or name not in NOT_RATED] for each in candidates]
        ratings = await rate_pairs(model, list(map(_pair, candidates)), rated_by)
        kept = []
        for candidate, critiques in zip(candidates, ratings, strict=True):
            if fault := next(filter(None, map(self._fault_of_rating, critiques)), None):
                self.drop(candidate, fault)
            else:
                kept.append(replace(candidate, critiques=tuple(critiques)))
        return kept

    def _fault_of_rating(self, critique: Critique) -> str | None:
        threshold, name = self._options.thresholds.get(critique.name), critique.name.replace("_", " ")
        if threshold is None:
            return None
        if critique.value is None:
            return f"no rating of {name}: {critique.reason}"
        return f"rated below {threshold} for {name}" if critique.value < threshold else None

    async def _with_keypoints(self, model: Model, candidates: Sequence[Candidate]) -> list[Candidate]:
        inputs = [
            AnswerStatement(question=each.question, answer=each.answer, statements=_statements(each))
            for each in candidates
            if each.answer
        ]
        replies = iter(await model.ask_all(KEYPOINTS, inputs))
        kept = []
        for candidate in candidates:
            reply = next(replies).value if candidate.answer else None
            if candidate.answer and not (reply and reply.items):
                self.drop(candidate, "no keypoints")
            else:
                kept.append(replace(candidate, keypoints=reply.items if reply else ()))
        return kept


def _pair(candidate: Candidate) -> Pair:
    return Pair(context=candidate.context.text, question=candidate.question, answer=candidate.answer)


def _statements(candidate: Candidate) -> tuple[str, ...]:
    return tuple(filter(None, (candidate.statement,)))
