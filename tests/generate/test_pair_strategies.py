"""Synthesizers that write whole pairs, with a model that does as it is told: what they ask, keep and count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from ragassay.generate.candidates import Strategy
from ragassay.generate.filtered import BlockFilters, Filtered
from ragassay.generate.metadata_filter import parse_condition
from ragassay.generate.options import ANY, SetPlan
from ragassay.generate.pair_writer import PairWriter
from ragassay.generate.synthesizer import SynthesisResult, synthesize
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Document, Label
from ragassay.tasks.answering import KnowledgeCheck, Known
from ragassay.tasks.critique import CRITIQUES, LabelVerdict, Pair, Rating
from ragassay.tasks.pairs import (
    ChunkRequest,
    GroundedPair,
    GroundedPairs,
    PairRequest,
)
from ragassay.tasks.verdicts import AnswerStatement, Keypoints


def sentences(text: str) -> list[str]:
    body = " ".join(text.rsplit("\n", maxsplit=1)[-1].split())
    return [f"{each}." for each in body.rstrip(".").split(". ")]


def pairs(request: PairRequest) -> list[GroundedPair]:
    """One pair a sentence of the passage, those asked before left out."""
    made = [
        GroundedPair(question=f"what of {each[:-1]}?", answer=each, quotes=(each,))
        for each in sentences(request.passage.text)
    ]
    return [pair for pair in made if pair.question not in request.asked]


def label_of(pair: Pair) -> LabelVerdict:
    if not pair.answer:
        return LabelVerdict(label="unanswerable", reason="scripted")
    label: Label = "reasoning" if "why" in pair.question else "summary" if "signs" in pair.question else "fact_single"
    return LabelVerdict(label=label, reason="scripted")


def keypoints(each: AnswerStatement) -> Keypoints:
    return Keypoints(items=each.statements or (each.answer,))


SCRIPT: dict[str, Any] = {
    "simple_pair": lambda each: GroundedPairs(items=tuple(pairs(each)[:1])),
    "chunk_pairs": lambda each: GroundedPairs(items=tuple(pairs(each)[: each.n])),
    "creative_question": lambda each: GroundedPairs(items=tuple(pairs(each)[:1])),
    "label": label_of,
    "keypoints": keypoints,
    **{f"critique_{name}": Rating(rating=4, reason="scripted") for name in CRITIQUES},
}


class Made(NamedTuple):
    result: SynthesisResult
    model: ScriptedModel


MakeStrategy = Callable[[ScriptedModel, Any, SetPlan], Strategy]
Making = Callable[..., Made]


@pytest.fixture
def made(small_corpus: Callable, houses: list[Document]) -> Making:
    """Synthesis over ten houses by a strategy and the script, some of whose tasks are replaced."""

    def make(
        strategy: MakeStrategy,
        n: int,
        script: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Made:
        corpus = small_corpus(houses)
        model = ScriptedModel({**SCRIPT, **(script or {})})
        asked = SetPlan(n=n, mix={}, **options)
        maker = strategy(model, corpus.collection, asked)
        result = asyncio.run(synthesize(corpus.store, corpus.strata, corpus.gates, maker, model.name, model, asked))
        check(result, corpus.store)
        return Made(result, model)

    return make


def check(result: SynthesisResult, store: Any) -> None:
    """What holds of every result: spans at their offsets, a verified label, keypoints, the requested ones kept."""
    for example in result.examples:
        for span in (example.context, *example.references):
            assert store.get(span.document_id).text[span.start : span.end] == span.text
        assert example.references
        assert example.keypoints
        assert example.verified_label not in {None, "unanswerable"}
        assert example.requested_label in {None, example.verified_label}
        assert len(example.critiques) == len(CRITIQUES)
    assert sum(result.requested.values()) >= len(result.examples)


def by(name: str, filters: BlockFilters | None = None) -> MakeStrategy:
    def make(model: Any, collection: Any, options: SetPlan) -> Strategy:
        strategy = PairWriter(name, model, collection, options)
        return strategy if filters is None else Filtered(strategy, collection, options, filters)

    return make


def test_simple_takes_one_call_a_pair_where_calls_cost_money(made: Making) -> None:
    result, model = made(by("simple"), 8, oversupply=1.0)
    assert len(result.examples) == 8
    assert result.requested == {ANY: 8}
    assert len(model.asked("simple_pair")) == 8
    assert all(example.provenance.synthesizer == "simple" for example in result.examples)
    assert all(example.requested_label is None for example in result.examples)
    assert result.matrix == {ANY: {"fact_single": 8}}


def test_a_passage_that_is_asked_again_is_told_what_it_gave(made: Making) -> None:
    result, model = made(by("simple"), 20, per_document=3)
    assert len(result.examples) == 20
    again = [each for each in model.asked("simple_pair") if each.asked]
    assert again
    for each in again:
        assert set(each.asked) <= {pair.question for pair in pairs(PairRequest(passage=each.passage))}
    assert len({example.question for example in result.examples}) == 20


def test_failures_and_invented_quotes_are_counted(made: Making) -> None:
    def answer(request: PairRequest) -> Any:
        if "mill" in request.passage.text:
            return Reply(None, "time-out")
        if "forge" in request.passage.text:
            return GroundedPairs(items=(GroundedPair(question="who is it?", answer="x", quotes=("Not there.",)),))
        if "dairy" in request.passage.text:
            return GroundedPairs(items=())
        return GroundedPairs(items=tuple(pairs(request)[:1]))

    result, _ = made(by("simple"), 30, script={"simple_pair": answer})
    lost = dict(result.dropped["before a label"])
    assert lost.pop("reference not verbatim in its context") == result.rounds  # asked again, it does so again
    # what fails or has nothing to ask about is asked once
    assert lost == {"no pair: time-out": 1, "context that the model finds nothing to ask about": 1}


def test_one_reply_serves_several_examples(made: Making) -> None:
    options = {"oversupply": 1.0, "pairs": 3, "per_document": 3}
    result, model = made(by("per_chunk"), 12, **options)
    assert len(result.examples) == 12
    asked: list[ChunkRequest] = model.asked("chunk_pairs")
    assert [each.n for each in asked] == [3] * 4  # 12 examples by 4 calls
    assert {example.provenance.synthesizer for example in result.examples} == {"per_chunk"}


def test_a_block_is_asked_about_once(made: Making) -> None:
    result, model = made(by("creative"), 30, whole_documents=True, per_document=2)
    assert len(result.examples) == 10
    assert len(model.asked("creative_question")) == 10
    assert all(example.context.text.endswith("beside the door.") for example in result.examples)


def test_a_condition_on_metadata_leaves_blocks_out(made: Making) -> None:
    filters = BlockFilters(conditions=(parse_condition("year>=2022"),))
    result, model = made(by("creative", filters), 30, whole_documents=True)
    assert len(result.examples) == 3  # 2022, 2023, 2024
    assert len(model.asked("creative_question")) == 3
    assert result.dropped["before a label"] == {"block left out by --where year>=2022": 7}


def test_blocks_that_the_answering_model_knows_are_left_out(made: Making) -> None:
    def known(check: KnowledgeCheck) -> Any:
        house = check.passage.title.removeprefix("The ")
        if house == "mill":
            return Reply(None, "time-out")
        return Known(known=house in {"forge", "dairy"}, after_cutoff=house == "dairy", reason="scripted")

    answerer = ScriptedModel({"knowledge_check": known}, name="answering")
    result, _ = made(by("creative", BlockFilters(new_to=answerer, cutoff="2023-10")), 30, whole_documents=True)
    assert len(result.examples) == 8  # without the forge, which is known, and the mill, of which that is not known
    assert result.dropped["before a label"] == {
        "block that answering knows already": 1,
        "no knowledge check: time-out": 1,
    }
    assert {each.cutoff for each in answerer.asked("knowledge_check")} == {"2023-10"}
    assert len(answerer.asked("knowledge_check")) == 10  # once, though the documents are visited twice
