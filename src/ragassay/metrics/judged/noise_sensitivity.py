"""Noise sensitivity: how much of an answer is wrong because of what was retrieved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ragassay.metrics.judged.answered import NO_CHUNK, Answered
from ragassay.metrics.judged.claims import TASKS, Claims, Verdicts, claims_of, verdicts_on
from ragassay.metrics.judged.declared import judged_metric
from ragassay.models.base import Model
from ragassay.records import Score
from ragassay.tasks.verdicts import AnswerToQuestion

_SOURCE = "RAGChecker (NeurIPS 2024), noise sensitivity; RAGAS 0.2"


class _Checked(NamedTuple):
    """right: claims of the answer held against the reference. by_chunk: the same held against each chunk.

    wanted: claims of the reference held against each chunk: a chunk that supports one is relevant.
    """

    right: Verdicts
    by_chunk: tuple[Verdicts, ...]
    wanted: tuple[Verdicts, ...]


async def noise_sensitivity(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """Claims of the answer that are wrong and that a relevant chunk supports, of all its claims, in [0, 1].

    Wrong: the reference answer does not support it. Relevant: the chunk supports a claim of the reference.
    None where the system abstained, failed or retrieved nothing, the example has no reference answer, either text makes
    no statement, or the judge failed or did not give one verdict for each statement.
    Source: RAGChecker (NeurIPS 2024); RAGAS 0.2 (its documentation, noise sensitivity, mode relevant).
    """
    return await _scores(model, answered, "noise_sensitivity", is_relevant=True)


async def noise_sensitivity_irrelevant(model: Model, answered: Sequence[Answered]) -> list[Score]:
    """As noise_sensitivity for irrelevant chunks: wrong claims that one of these supports and no relevant one does.

    None as there. Source: RAGChecker (NeurIPS 2024); RAGAS 0.2 (noise sensitivity, mode irrelevant).
    """
    return await _scores(model, answered, "noise_sensitivity_irrelevant", is_relevant=False)


async def _scores(model: Model, answered: Sequence[Answered], name: str, *, is_relevant: bool) -> list[Score]:
    asked = [each for each in answered if _why_not(each) is None]
    found = {each.key: one for each, one in zip(asked, await _checked(model, asked), strict=True)}
    return [
        _score(each, name, found[each.key], is_relevant=is_relevant)
        if each.key in found
        else each.score(name, None, _why_not(each))
        for each in answered
    ]


async def _checked(model: Model, asked: Sequence[Answered]) -> list[_Checked]:
    questions = [each.question for each in asked]

    def texts(answers: Sequence[str]) -> list[AnswerToQuestion]:
        return [AnswerToQuestion(question=one, answer=text) for one, text in zip(questions, answers, strict=True)]

    said = await claims_of(model, texts([each.answer for each in asked]), "the answer")
    wanted = await claims_of(model, texts([each.example.answer for each in asked]), "the reference answer")
    references = [each.example.answer for each in asked]
    right = await verdicts_on(model, list(zip(questions, said, references, strict=True)))
    by_chunk = iter(await verdicts_on(model, _with_chunks(asked, said)))
    of_wanted = iter(await verdicts_on(model, _with_chunks(asked, wanted)))
    return [
        _Checked(one, _next(by_chunk, len(each.chunk_texts)), _next(of_wanted, len(each.chunk_texts)))
        for each, one in zip(asked, right, strict=True)
    ]


def _with_chunks(asked: Sequence[Answered], claims: Sequence[Claims]) -> list[tuple[str, Claims, str]]:
    return [
        (each.question, of_it, chunk) for each, of_it in zip(asked, claims, strict=True) for chunk in each.chunk_texts
    ]


def _next(verdicts: Iterator[Verdicts], n: int) -> tuple[Verdicts, ...]:
    return tuple(islice(verdicts, n))


def _score(each: Answered, name: str, checked: _Checked, *, is_relevant: bool) -> Score:
    judged = (checked.right, *checked.by_chunk, *checked.wanted)
    reason = next((verdicts.reason for verdicts in judged if verdicts.reason is not None), None)
    if reason is not None:
        return each.score(name, None, reason)
    relevant = [any(verdicts.supported) for verdicts in checked.wanted]
    lines, noisy = [], 0
    for place, claim in enumerate(checked.right.claims):
        ranks = [rank for rank, verdicts in enumerate(checked.by_chunk, 1) if verdicts.supported[place]]
        of_relevant = [rank for rank in ranks if relevant[rank - 1]]
        is_right = checked.right.supported[place]
        counts = not is_right and bool(of_relevant if is_relevant else ranks and not of_relevant)
        noisy += counts
        source = f"supported by chunk {', '.join(map(str, ranks))}" if ranks else "supported by no chunk"
        lines.append(f"{'noise' if counts else 'right' if is_right else 'wrong'}: {claim} ({source})")
    of_use = ", ".join(str(rank) for rank, is_one in enumerate(relevant, 1) if is_one) or "none"
    return each.score(name, noisy / len(lines), evidence=(f"relevant chunks: {of_use}", *lines))


def _why_not(each: Answered) -> str | None:
    if each.missing is not None:
        return each.missing
    if not each.example.answer.strip():
        return "the example has no reference answer"
    return None if each.context.strip() else NO_CHUNK


METRICS = tuple(
    judged_metric(
        each,
        ("answer", "reference answer", "chunk texts"),
        _SOURCE,
        *TASKS,
        kind="answer and reference",
        higher_is_better=False,
    )
    for each in (noise_sensitivity, noise_sensitivity_irrelevant)
)
