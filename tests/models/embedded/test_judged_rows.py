"""The judge on trivial rows: amounts in other words, rows of tables, exchanged roles, answers of a few words.

Rules were written with the rows of half "tune" in view, and nothing was changed for those of half "held"; the two have
no domain in common. docs/judges.md has both figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ragassay.models.embedded.judging.verdicts import opening_of, statements_of
from ragassay.models.embedded.model import handler
from ragassay.models.embeddings import SentenceEncoder
from ragassay.tasks.correctness import AnswerAndReference
from ragassay.tasks.verdicts import AnswerToQuestion, KeypointsOnAnswer, StatementsOnContext

ROWS = [json.loads(line) for line in Path(__file__).with_name("judged_rows.jsonl").read_text("utf-8").splitlines()]

FEWEST_RIGHT = {
    ("wording", "statement"): (16, 16),
    ("wording", "keypoint"): (18, 18),
    ("wording", "correctness"): (16, 13),
    ("table", "statement"): (20, 16),
    ("role", "statement"): (27, 27),
    ("short", "relevance"): (19, 15),
}
"""Of the rows of each kind, by what is asked of the judge: right ones of half "tune", and of half "held"."""


class Judgement(NamedTuple):
    kind: str
    half: str
    task: str
    is_right: bool


@pytest.mark.usefixtures("small_model_on")
def test_trivial_rows_are_judged_rightly() -> None:
    encoder = SentenceEncoder()
    judged = [judgement for row in ROWS for judgement in judgements(encoder, row)]
    found = {
        (kind, task): tuple(
            sum(each.is_right for each in judged if (each.kind, each.task, each.half) == (kind, task, half))
            for half in ("tune", "held")
        )
        for kind, task in FEWEST_RIGHT
    }
    for key, fewest in FEWEST_RIGHT.items():
        assert all(right >= least for right, least in zip(found[key], fewest, strict=True)), (key, found[key])


def judgements(encoder: SentenceEncoder, row: dict[str, Any]) -> Iterator[Judgement]:
    """A verdict counts from .5 on, where it is a share."""

    def judgement(task: str, accepted: bool) -> Judgement:
        return Judgement(row["kind"], row["half"], task, accepted == row["right"])

    def value(task: str, asked: Any) -> Any:
        return handler(task)(encoder, [asked])[0].value

    question, claim, text = row["question"], row["claim"], row["text"]
    if row["kind"] == "short":
        found = value("answer_relevance", AnswerToQuestion(question=question, answer=claim))
        yield judgement("relevance", found.relevance >= 0.5)
        return
    stated = tuple(statements_of(question, claim))
    found = value("statement_verdicts", StatementsOnContext(question=question, statements=stated, context=text))
    yield judgement("statement", found.items[0].supported)
    if row["kind"] == "wording":
        keypoint = claim if claim.endswith(".") else opening_of(question) + claim
        asked = KeypointsOnAnswer(question=question, keypoints=(keypoint,), answer=text)
        yield judgement("keypoint", value("keypoint_verdicts", asked).items[0].verdict == "covered")
        found = value("correctness", AnswerAndReference(question=question, answer=text, reference=claim))
        yield judgement("correctness", found.correctness >= 0.5)
