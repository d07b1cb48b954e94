"""Answers with nothing retrieved and with the block: what becomes of them, and of those that failed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragassay.generate.baselines import ANSWERED_WITH_BLOCK, KNOWN_WITHOUT_CONTEXT, attempts, with_baselines
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Critique, Example, Provenance, Span
from ragassay.report.synthesis import knowledge_figures
from ragassay.tasks.answering import Answer, BareQuestion
from ragassay.tasks.ratings import AnswerOnBlock, BlockRatings

BLOCK = "The bridge opened in 1998."


def example(name: str, answer: str = "In 1998.") -> Example:
    span = Span(document_id="d", start=0, end=len(BLOCK), text=BLOCK)
    return Example(
        id=name,
        question=f"{name}?",
        answer=answer,
        context=span,
        references=(span,) if answer else (),
        keypoints=(),
        requested_label=None,
        verified_label="fact_single",
        provenance=Provenance(synthesizer="creative", model="m"),
        critiques=(Critique(name="tautology", value=5, reason=""),),
    )


def closed_book(asked: BareQuestion) -> Any:
    if asked.question == "fails?":
        return Reply(None, "time-out")
    return Answer(text="1998" if asked.question == "known?" else "I do not know.", abstained=asked.question != "known?")


def rating(asked: AnswerOnBlock) -> Any:
    if asked.question == "odd?":
        return Reply(None, "not JSON")
    good = "1998" in asked.answer
    return BlockRatings(truthfulness=4.6 if good else 2, relevance=4.4 if good else 1, reason="scripted")


def made() -> dict[str, list[Critique]]:
    answerer = ScriptedModel(
        {"closed_book_answer": closed_book, "answer": Answer(text="In 1998.", abstained=False, used=(0,))}
    )
    judge = ScriptedModel({"block_ratings": rating})
    examples = [example(name) for name in ("known", "unknown", "fails", "odd")] + [example("none", answer="")]
    rated, _ = asyncio.run(with_baselines(examples, {each.id: BLOCK for each in examples}, answerer, judge))
    assert [each.id for each in rated] == [each.id for each in examples]
    assert len(answerer.asked("closed_book_answer")) == len(answerer.asked("answer")) == 4
    assert all(each.chunks == (BLOCK,) for each in answerer.asked("answer"))
    return {each.id: list(each.critiques[1:]) for each in rated}


def test_both_baselines_become_critiques() -> None:
    found = made()
    values = {name: [(each.name, each.value) for each in critiques] for name, critiques in found.items()}
    assert values == {
        "known": [(KNOWN_WITHOUT_CONTEXT, 4), (ANSWERED_WITH_BLOCK, 4)],  # 4.4, the lower rating, rounded
        "unknown": [(KNOWN_WITHOUT_CONTEXT, 1), (ANSWERED_WITH_BLOCK, 4)],
        "fails": [(KNOWN_WITHOUT_CONTEXT, None), (ANSWERED_WITH_BLOCK, 4)],
        "odd": [(KNOWN_WITHOUT_CONTEXT, None), (ANSWERED_WITH_BLOCK, None)],
        "none": [],
    }
    assert found["fails"][0].reason == "not answered: time-out"
    assert found["odd"][0].reason == "not rated: not JSON"
    assert found["known"][0].reason == "answered: 1998; scripted"


def test_a_question_is_known_always_sometimes_or_never() -> None:
    """Three tries: of "sometimes" the second alone is right, of "fails" no try is answered."""

    def answer(asked: BareQuestion) -> Any:
        if asked.question == "fails?":
            return Reply(None, "time-out")
        knows = asked.question == "always?" or (asked.question == "sometimes?" and asked.attempt == 1)
        return Answer(text="1998" if knows else "I do not know.", abstained=not knows)

    answerer = ScriptedModel(
        {"closed_book_answer": answer, "answer": Answer(text="In 1998.", abstained=False, used=(0,))}
    )
    judge = ScriptedModel({"block_ratings": rating})
    examples = [example(name) for name in ("always", "sometimes", "never", "fails")]
    blocks = {each.id: BLOCK for each in examples}
    found = asyncio.run(attempts(examples, blocks, answerer, judge, tries=3))
    assert {name: each.knows for name, each in found.items()} == {
        "always": (True, True, True),
        "sometimes": (False, True, False),
        "never": (False, False, False),
        "fails": None,
    }
    figures = knowledge_figures("all", list(found.values()), "m")
    assert (figures.always, figures.sometimes, figures.unknown, figures.unrated) == (1, 1, 1, 1)
    # the first try is the baseline: truthfulness 4.6, 2 and 2, sums 9 (4.6 + 4.4) and twice 3 (2 + 1)
    assert figures.baselines.truthfulness.value == pytest.approx((4.6 + 2 + 2) / 3)
    assert {number: n for number, n in figures.baselines.sums.items() if n} == {3: 2, 9: 1}
    assert figures.baselines.sums_with_block[9] == 4
