"""Synthesis from end to end with a model that does as it is told: exact counts, and an account of everything lost."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ragassay.generate.balance import SPREAD
from ragassay.generate.extraction import Extractor
from ragassay.generate.options import SetPlan
from ragassay.generate.synthesizer import SynthesisResult, synthesize
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import LABELS, Document, Label
from ragassay.tasks.critique import CRITIQUES, LabelVerdict, Pair, Rating
from ragassay.tasks.statements import (
    MissCandidates,
    NearMisses,
    Passage,
    PassageFacts,
    PassageOnTheme,
    Question,
    Statement,
    StatementOnTheme,
    Statements,
    Theme,
)
from ragassay.tasks.verdicts import Keypoints

HOUSES = "mill forge dairy school tower ferry tannery bakery brewery chapel".split()


def fact(passage: Passage) -> Statement:
    return Statement(text=f"fact of {passage.title}", quotes=(passage.text.split("\n")[-1].split(". ")[0] + ".",))


def theme_of(passage: Passage) -> Theme:
    return Theme(theme=passage.title)


def facts_of(each: PassageOnTheme) -> Statements:
    return Statements(items=(fact(each.passage),))


def question_of(each: StatementOnTheme) -> Question:
    kind = {"fact": "who keeps", "more": "what of", "so": "why is"}[each.statement.text.split()[0]]
    return Question(question=f"{kind} {each.theme}?", answer="Somebody")


def of_facts(first: str) -> Callable[[PassageFacts], Statements]:
    return lambda each: Statements(items=(Statement(text=f"{first} of {each.theme}", quotes=each.facts[0].quotes),))


def miss_of(each: MissCandidates) -> NearMisses:
    return NearMisses(items=(Question(question=f"What is sold in {each.theme}?", answer=""),))


def label_of(pair: Pair) -> LabelVerdict:
    by_word: dict[str, Label] = {"who": "fact_single", "why": "reasoning"}
    label: Label = by_word.get(pair.question.split()[0], "summary") if pair.answer else "unanswerable"
    return LabelVerdict(label=label, reason="scripted")


SCRIPT: dict[str, Any] = {
    "theme": theme_of,
    "facts": facts_of,
    "summaries": of_facts("more"),
    "conclusions": of_facts("so"),
    "question": question_of,
    "near_misses": miss_of,
    "label": label_of,
    "keypoints": lambda each: Keypoints(items=each.statements),
    **{f"critique_{name}": Rating(rating=4, reason="scripted") for name in CRITIQUES},
}

Synthesis = Callable[..., SynthesisResult]
models: list[ScriptedModel] = []
"""Of all sets that were made, the latest last."""


@pytest.fixture
def made(small_corpus: Callable, houses: list[Document]) -> Synthesis:
    """Synthesis over ten houses by the script, with some of its tasks replaced."""

    def make(
        n: int,
        mix: Mapping[Label, float],
        script: Mapping[str, Any] | None = None,
        documents: list[Document] | None = None,
        **options: Any,
    ) -> SynthesisResult:
        corpus = small_corpus(documents or houses)
        model = ScriptedModel({**SCRIPT, **(script or {})})
        models.append(model)
        asked = SetPlan(n=n, mix=mix, **options)
        result = asyncio.run(
            synthesize(
                corpus.store,
                corpus.strata,
                corpus.gates,
                Extractor(model, corpus.collection, asked),
                model.name,
                model,
                asked,
            )
        )
        check_account(result, n, corpus)
        return result

    return make


def check_account(result: SynthesisResult, n: int, corpus: Any) -> None:
    """What holds of every result: requested adds up, what is missing has a reason, spans hold, ids are unique."""
    delivered = Counter(example.requested_label for example in result.examples)
    assert sum(result.requested.values()) == n
    assert all(delivered[label] <= result.requested[label] for label in LABELS)
    short = {label for label in LABELS if delivered[label] < result.requested[label]}
    assert set(result.shortfall) == short
    for label, row in result.matrix.items():
        # every labelled candidate of another label was dropped for it
        assert sum(row.values()) - row.get(label, 0) == result.dropped.get(label, {}).get(
            "the labeller gives another label", 0
        )
    for example in result.examples:
        text = corpus.store.get(example.context.document_id).text
        assert text[example.context.start : example.context.end] == example.context.text
        assert all(text[span.start : span.end] == span.text for span in example.references)
    assert len({example.id for example in result.examples}) == len(result.examples)


def test_what_was_asked_for_is_delivered(made: Synthesis) -> None:
    result = made(10, {"fact_single": 0.4, "summary": 0.3, "unanswerable": 0.3})
    assert Counter(example.requested_label for example in result.examples) == {
        "fact_single": 4,
        "summary": 3,
        "unanswerable": 3,
    }
    assert result.shortfall == {}
    wanted = {"fact_single": 4, "summary": 3, "unanswerable": 3}
    assert result.spare == {label: spare for label, n in wanted.items() if (spare := result.matrix[label][label] - n)}
    assert all(example.verified_label == example.requested_label for example in result.examples)
    assert all(example.provenance.model == "scripted" for example in result.examples)
    assert max(Counter(example.context.document_id for example in result.examples).values()) <= SPREAD
    miss = next(example for example in result.examples if example.requested_label == "unanswerable")
    assert (miss.answer, miss.references, miss.keypoints) == ("", (), ())
    assert miss.provenance.unanswerable_in == "context"


def test_the_same_twice(made: Synthesis) -> None:
    mix: dict[Label, float] = {"fact_single": 0.5, "summary": 0.5}
    assert made(6, mix, seed=3) == made(6, mix, seed=3)
    assert {example.question for example in made(3, mix, seed=3).examples} != {
        example.question for example in made(3, mix, seed=4).examples
    }


def test_more_than_the_documents_give_is_said(made: Synthesis) -> None:
    result = made(25, {"fact_single": 1.0})
    assert len(result.examples) == 10
    assert result.shortfall == {"fact_single": "all 10 documents were read and gave 10 candidates, 10 of them good"}
    assert result.visited == 10


def test_what_a_search_by_words_does_not_find_is_in_the_set_and_counts_as_hard(made: Synthesis) -> None:
    def question(each: StatementOnTheme) -> Question:
        if "m" in each.theme:
            return question_of(each)
        hard = f"xyzzy{HOUSES.index(each.theme[4:])}?"  # no word of the corpus
        return Question(question=hard, answer="Somebody")

    labels = {"question": question, "label": LabelVerdict(label="fact_single", reason="")}
    result = made(10, {"fact_single": 1.0}, labels)
    assert len(result.examples) == 10
    assert {each.difficulty for each in result.examples if each.question.startswith("xyzzy")} == {"hard"}
    assert {each.difficulty for each in result.examples if not each.question.startswith("xyzzy")} == {"easy"}


def test_a_model_that_fails_on_some_inputs_loses_only_those_and_says_so(made: Synthesis) -> None:
    def failing(task: str, house: str, reason: str) -> Callable[[Any], Reply[Any]]:
        def answer(each: Any) -> Any:
            scripted = SCRIPT[task]
            if f"The {house}" in repr(each):
                return Reply(None, reason)
            return scripted(each) if callable(scripted) else scripted

        return answer

    script = {
        "facts": failing("facts", "mill", "time-out"),
        "question": failing("question", "forge", "not JSON"),
        "label": failing("label", "dairy", "refused"),
        "keypoints": failing("keypoints", "school", "not JSON"),
        "critique_stand_alone": failing("critique_stand_alone", "tower", "time-out"),
    }
    result = made(10, {"fact_single": 1.0}, script)
    lost = {"The mill", "The forge", "The dairy", "The school", "The tower"}
    asked_of = {re.sub(r".*(The \w+)\?", r"\1", example.question) for example in result.examples}
    assert asked_of == {f"The {house}" for house in HOUSES} - lost
    assert result.dropped == {
        "before a label": {"no facts: time-out": 2, "no question: not JSON": 1},
        "fact_single": {"no label: refused": 1, "no rating of stand alone: time-out": 1, "no keypoints": 1},
    }
    assert result.shortfall == {
        "fact_single": "all 10 documents were read and gave 8 candidates, 5 of them good; dropped: "
        "no label: refused (1), no rating of stand alone: time-out (1), no keypoints (1)"
    }


def test_seven_calls_give_three_pairs(made: Synthesis, houses: list[Document]) -> None:
    """Know Your RAG, statement extraction: found once, statements serve all labels; without that it would be 11."""
    result = made(3, {"fact_single": 0.4, "summary": 0.3, "reasoning": 0.3}, documents=houses[:1])
    assert {example.verified_label for example in result.examples} == {"fact_single", "summary", "reasoning"}
    writing = ("theme", "facts", "summaries", "conclusions", "question")
    calls = Counter(call.task for call in models[-1].calls if call.task in writing)
    assert calls == {"theme": 1, "facts": 1, "summaries": 1, "conclusions": 1, "question": 3}
