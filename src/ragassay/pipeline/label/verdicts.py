"""What a judge says of the pairs of a data set: a label or ratings with reasons, or an error of that pair."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragassay.models.base import Model
from ragassay.models.joint import jointly
from ragassay.pipeline.label.pair_contexts import ContextOrigin, PairContext
from ragassay.records import Critique, Example, Label
from ragassay.synthesis.baselines import OF_KNOWLEDGE
from ragassay.synthesis.judging import NOT_RATED
from ragassay.tasks.critique import CRITIQUES, NO_RULE, OF_ANSWERS, CritiquedPair
from ragassay.tasks.labelling import LABEL, Pair
from ragassay.tasks.pair_judgement import JudgedPair, pair_judgement

NO_ANSWER = "the example has no answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was said of one example; one line of ``verdicts.jsonl``.

    requested_label, verified_label: as in ``Example``, the latter as it was given now, or in a critique as it stood.
    reason: the labeller's. error: why something that was asked of this example has no value; None where all that was
    asked has one. context_from: what was judged, see ``PairContext``; None where there was nothing to judge.
    """

    example_id: str
    requested_label: Label | None
    verified_label: Label | None
    reason: str = ""
    error: str | None = None
    critiques: tuple[Critique, ...] = ()
    context_from: ContextOrigin | None = None
    context_chars: int = 0


class Posed(NamedTuple):
    """An example and what it is judged on."""

    example: Example
    context: PairContext


async def label_pairs(model: Model, posed: Sequence[Posed]) -> list[Verdict]:
    """The label of every pair, in their order; a pair without a context, or without a label after all, has an error."""
    asked = [each for each in posed if each.context.text is not None]
    pairs = [
        Pair(context=context.text or "", question=example.question, answer=example.answer) for example, context in asked
    ]
    replies = dict(zip(map(id, asked), await model.ask_all(LABEL, pairs), strict=True))
    found = []
    for each in posed:
        verdict = begun(each, None)
        reply = replies.get(id(each))
        if reply is not None and reply.value is None:
            verdict = replace(verdict, error=f"no label: {reply.reason}")
        elif reply is not None and reply.value is not None:
            verdict = replace(verdict, verified_label=reply.value.label, reason=reply.value.reason)
        found.append(verdict)
    return found


async def critique_pairs(model: Model, posed: Sequence[Posed], names: Sequence[str]) -> list[Verdict]:
    """The ratings of every pair, in their order; a pair has none by critiques that do not apply to it.

    names: of the critiques, which are asked for side by side.
    """
    asked = {
        name: [row for row, each in enumerate(posed) if each.context.text is not None and _can_be_rated(name, each)]
        for name in names
    }
    pairs = [
        CritiquedPair(context=context.text or "", question=example.question, answer=example.answer)
        for example, context in posed
    ]
    informed = await _informed(model, [each for each in posed if each.context.text is not None], tuple(names))
    replies = await asyncio.gather(
        *(informed.ask_all(CRITIQUES[name], [pairs[row] for row in rows]) for name, rows in asked.items())
    )
    ratings: list[dict[str, Critique]] = [{} for _ in posed]
    for (name, rows), of_critique in zip(asked.items(), replies, strict=True):
        for row, reply in zip(rows, of_critique, strict=True):
            value = reply.value.rating if reply.value else None
            reason = reply.value.reason if reply.value else reply.reason or ""
            ratings[row][name] = Critique(name=name, value=value, reason=reason)
    return [_rated(each, rated, names) for each, rated in zip(posed, ratings, strict=True)]


async def _informed(model: Model, posed: Sequence[Posed], names: tuple[str, ...]) -> Model:
    """The model; with the ratings of each pair at hand where it gives several in one call."""
    of_names: dict[tuple[str, ...], list[JudgedPair]] = {}
    for each in posed:
        asked = tuple(name for name in names if _can_be_rated(name, each))
        pair = JudgedPair(context=each.context.text or "", question=each.example.question, answer=each.example.answer)
        of_names.setdefault(asked, []).append(pair)
    return await jointly(
        model, *((pair_judgement(asked), pairs) for asked, pairs in of_names.items() if len(asked) > 1)
    )


def applies(critique: str, label: str) -> bool:
    """Whether a critique says anything of a pair with this label.

    An unanswerable pair has no answer, and its question is not grounded on purpose.
    """
    return label != "unanswerable" or critique not in NOT_RATED | OF_KNOWLEDGE


def with_label(example: Example, verdict: Verdict) -> Example:
    """The example with the label that was given now; without one where none could be."""
    return replace(example, verified_label=verdict.verified_label)


def with_critiques(example: Example, verdict: Verdict) -> Example:
    """The example with its new ratings in the place of those of the same name."""
    new = {each.name for each in verdict.critiques}
    return replace(
        example, critiques=(*(each for each in example.critiques if each.name not in new), *verdict.critiques)
    )


def begun(posed: Posed, verified: Label | None) -> Verdict:
    example, context = posed
    return Verdict(
        example_id=example.id,
        requested_label=example.requested_label,
        verified_label=verified,
        error=context.fault or None,
        context_from=context.origin,
        context_chars=len(context.text or ""),
    )


def _can_be_rated(critique: str, posed: Posed) -> bool:
    example = posed.example
    return applies(critique, example.label) and (critique not in OF_ANSWERS or bool(example.answer.strip()))


def _rated(posed: Posed, rated: dict[str, Critique], names: Sequence[str]) -> Verdict:
    example, context = posed
    critiques = tuple(
        rated.get(name) or Critique(name=name, value=None, reason=context.fault or NO_ANSWER)
        for name in names
        if applies(name, example.label)
    )
    # Where there is no answer, or no rule, the judge has not failed, unless nothing was rated: the rating says why.
    no_failure = {NO_ANSWER, NO_RULE} if any(each.value is not None for each in critiques) else {NO_ANSWER}
    missing = next((each for each in critiques if each.value is None and each.reason not in no_failure), None)
    verdict = replace(begun(posed, example.verified_label), critiques=critiques)
    if missing is None or verdict.error:
        return verdict
    return replace(verdict, error=f"no rating of {missing.name.replace('_', ' ')}: {missing.reason}")
