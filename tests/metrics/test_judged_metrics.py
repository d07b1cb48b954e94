"""Judged metrics by hand: shares of verdicts, ratings, rankings in both orders, and their evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from by_hand import example_of

from ragassay.metrics.answered import Answered, Judge
from ragassay.metrics.catalogue import METRICS
from ragassay.metrics.judged.contexts import average_precision
from ragassay.metrics.judged.judged_metric import judged_scores
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Prediction, Score, Span
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.contexts import ChunkUse, ChunkUses, HelpfulSentences
from ragassay.tasks.prompts import NO_OVERRIDES, prompt_hash
from ragassay.tasks.ratings import (
    BlockRatings,
    Candidates,
    Correctness,
    Preference,
    QualityScore,
    RelatedClaim,
    SortedStatements,
)
from ragassay.tasks.verdicts import (
    AnswerStatements,
    KeypointVerdict,
    KeypointVerdicts,
    Relevance,
    StatementVerdict,
    StatementVerdicts,
)

CHUNKS = ("The tower is red. It was built by Ines Lind.", "It is old.")


def answered(
    answer: str | None = "The tower is red and old.", chunks: tuple[str, ...] = CHUNKS, **more: Any
) -> Answered:
    span = Span(document_id="d", start=0, end=17, text="The tower is red.")
    example = example_of(
        more.pop("id", "e"),
        question="What is the tower like?",
        answer=more.pop("reference", "Red and old."),
        context=span,
        references=(span,),
        keypoints=more.pop("keypoints", ("It is red.", "It is old.", "It is high.", "It is round.")),
        requested_label=more.pop("label", "fact_single"),
    )
    block, rival = more.pop("block", "All about the tower."), more.pop("rival", None)
    prediction = Prediction(example_id=example.id, system=more.pop("system", "ours"), chunks=(), answer=answer, **more)
    return Answered(example, prediction, chunks, block, rival)


def score(name: str, each: Answered, model: Any, **options: Any) -> Score:
    judge = Judge(model=ScriptedModel(model) if isinstance(model, dict) else model, **options)
    (found,) = asyncio.run(judged_scores(judge, [METRICS[name]], [each]))
    assert (found.metric, found.example_id, found.system) == (name, each.example.id, each.prediction.system)
    return found


def verdicts(*given: str) -> dict[str, Any]:
    items = tuple(KeypointVerdict(verdict=each, support=0, reason=f"because {each}") for each in given)  # type: ignore[arg-type]
    return {"keypoint_verdicts": KeypointVerdicts(items=items)}


@pytest.mark.parametrize(
    ("name", "value", "of_an_abstention"),
    [("completeness", 2 / 4, 0.0), ("hallucination", 1 / 4, 0.0), ("irrelevancy", 1 / 4, 1.0)],
)
def test_shares_of_the_keypoints(name: str, value: float, of_an_abstention: float) -> None:
    judge = verdicts("covered", "contradicted", "neither", "covered")
    found = score(name, answered(), judge)
    assert found.value == value
    assert found.evidence[1] == "contradicted: It is old. (because contradicted)"
    assert score(name, answered(), verdicts("covered")).reason == "1 verdict for 4 keypoints"
    assert score(name, answered(), {"keypoint_verdicts": Reply(None, "timed out")}).reason == "timed out"
    assert score(name, answered("I do not know.", abstained=True), judge).value == value  # judged by what it says
    silent = score(name, answered(None, abstained=True), {})
    assert (silent.value, silent.evidence[3]) == (of_an_abstention, "neither: It is round. (the system abstained)")
    of_nothing = score(name, answered(None, abstained=True, keypoints=("Unable to answer.",)), {})
    assert of_nothing.value == float(name == "completeness")
    assert score(name, answered(keypoints=()), judge).reason == "the example has no keypoints"
    assert score(name, answered(None, error="HTTP 500"), judge).reason == "the system failed: HTTP 500"
    assert score(name, answered(" "), {}).evidence == silent.evidence
    assert score(name, answered(None), judge).reason == "the answer is empty"


def test_context_relevance_counts_sentences_of_the_chunks() -> None:
    helpful = HelpfulSentences(
        items=("The tower is red.", "It is old."), foreign=("It is blue.",), reason="colour and age"
    )
    found = score("context_relevance", answered(), {"helpful_sentences": helpful})
    # 2 of the 3 sentences of both chunks
    assert found.value == pytest.approx(2 / 3)
    assert found.evidence[:4] == (
        "colour and age",
        "helps: The tower is red.",
        "helps: It is old.",
        "not in the context: It is blue.",
    )
    nothing = {"helpful_sentences": HelpfulSentences(items=(), reason="insufficient")}
    assert score("context_relevance", answered(), nothing).value == 0
    assert score("context_relevance", answered("I do not know", abstained=True), nothing).value == 0
    assert score("context_relevance", answered(chunks=()), nothing).reason == "no chunk with a sentence was retrieved"
    assert score("context_relevance", answered(None, error="HTTP 500"), nothing).reason == "the system failed: HTTP 500"


@pytest.mark.parametrize(
    ("useful", "expected"),
    [
        ((True, False, True), (1 / 1 + 2 / 3) / 2),
        ((False, True, True), (1 / 2 + 2 / 3) / 2),
        ((True, True, True), 1.0),
        ((False, False, True), 1 / 3),
        ((False, False, False), 0.0),
        ((), 0.0),
    ],
)
def test_average_precision(useful: tuple[bool, ...], expected: float) -> None:
    assert average_precision(useful) == pytest.approx(expected)


def test_context_precision_is_that_of_the_useful_chunks() -> None:
    def uses(*useful: bool) -> dict[str, Any]:
        return {"context_usefulness": ChunkUses(items=tuple(ChunkUse(useful=one, reason=f"{one}") for one in useful))}

    three = answered(chunks=("one", "two", "three"))
    found = score("context_precision", three, uses(False, True, True))
    assert found.value == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found.evidence[:2] == ("not useful: chunk 1 (False)", "useful: chunk 2 (True)")
    assert score("context_precision", three, uses(True)).reason == "1 verdict for 3 chunks"
    assert score("context_precision", three, {"context_usefulness": Reply(None, "timed out")}).reason == "timed out"
    assert score("context_precision", answered(chunks=()), uses()).reason == "no chunk was retrieved"
    refused = answered(None, abstained=True)
    assert score("context_precision", refused, uses()).reason == "the system abstained"


def held(*relations: str, missing: int = 0, central: bool = False) -> Correctness:
    claims = (RelatedClaim(claim=str(n), source="", relation=each, central=central) for n, each in enumerate(relations))
    return Correctness(claims=tuple(claims), missing=("m",) * missing, reason="")


@pytest.mark.parametrize(
    ("judged", "value", "verdict"),
    [
        (held("same", "same", "extra_supported"), 1, "right"),
        (held("same", missing=2), 1 / 3, "partly right"),
        (held("same", "same", "extra_unsupported", missing=1), 1 / 2, "partly right"),
        (held("same", "same", "contradicted"), 2 / 3, "partly right"),
        (held("same", "same", "contradicted", central=True), 0, "wrong"),
        (held("extra_supported", missing=1), 0, "wrong"),
    ],
)
def test_correctness_is_the_share_of_right_claims_and_0_where_what_matters_is_wrong(
    judged: Correctness, value: float, verdict: str
) -> None:
    found = score("correctness", answered(), {"correctness": judged})
    assert found.value == pytest.approx(value)
    assert found.evidence[0] == verdict


def test_correctness_says_what_decided() -> None:
    claim = RelatedClaim(claim="It is red.", source="a red lamp", relation="contradicted", central=True)
    found = score("correctness", answered(), {"correctness": Correctness(claims=(claim,), missing=("m",), reason="")})
    assert found.evidence[1:3] == ('contradicted: It is red. <- "a red lamp"', "missing: m")
    assert score("correctness", answered(), {"correctness": Correctness(correctness=0.7, reason="r")}).value == 0.7
    assert score("correctness", answered(), {"correctness": held()}).value is None


def test_answer_correctness_is_the_f1_of_the_statements() -> None:
    both = SortedStatements(confirmed=("a", "b"), unconfirmed=("c",), left_out=("d", "e"), reason="r")
    found = score("answer_correctness", answered(), {"answer_correctness": both})
    # 2 / (2 + (1 + 2) / 2)
    assert found.value == pytest.approx(4 / 7)
    assert found.evidence[:6] == ("r", "confirmed: a", "confirmed: b", "not confirmed: c", "left out: d", "left out: e")
    none_right = SortedStatements(unconfirmed=("c",), reason="r")
    assert score("answer_correctness", answered(), {"answer_correctness": none_right}).value == 0


def test_correctness_of_refusals_and_without_reference() -> None:
    assert score("correctness", answered(reference=""), {}).reason == "the example has no reference answer"
    assert score("correctness", answered(None, abstained=True), {}).value == 0
    silent_reference = answered(None, abstained=True, reference="The text does not say what the tower is like.")
    assert score("correctness", silent_reference, {}).value == 1


def test_ratings_by_the_knowledge_block() -> None:
    judge = {"block_ratings": BlockRatings(truthfulness=4, relevance=3, reason="one date is wrong")}
    names = ("truthfulness", "relevance", "truthfulness_and_relevance")
    assert [score(name, answered(), judge).value for name in names] == [4, 3, 7]
    assert score(names[0], answered(), judge).evidence[0] == "truthfulness 4, relevance 3: one date is wrong"
    # whoever says that he does not know is not relevant, whatever the judge says
    refused = answered("I do not know.", abstained=True)
    assert [score(name, refused, judge).value for name in names] == [4, 1, 5]
    assert score(names[1], refused, judge).evidence[1] == "the system abstained: relevance is 1"
    declined = score(names[1], answered("The context does not say what the tower is like."), judge)
    assert (declined.value, declined.evidence[1]) == (1, "the answer declines: relevance is 1")
    assert score(names[1], answered(None, abstained=True), judge).reason == "the system abstained"
    assert score(names[0], answered(block=" "), judge).reason == "the knowledge block of the example is not known"
    assert score(names[0], answered(), {"block_ratings": Reply(None, "timed out")}).reason == "timed out"


@pytest.mark.parametrize(
    ("answer", "label", "truthfulness"),
    [
        ("The text does not say what the tower is like.", "unanswerable", 5),
        ("Le texte ne dit pas comment est la tour.", "unanswerable", 5),
        ("The text does not say. It names the builder and the year.", "unanswerable", 5),
        ("The text does not say. However, towers are mostly round.", "unanswerable", 2),
        ("It is red.", "unanswerable", 2),
        ("The text does not say what the tower is like.", "fact_single", 2),
    ],
)
def test_who_refuses_an_unanswerable_question_is_truthful(answer: str, label: str, truthfulness: float) -> None:
    judge = {"block_ratings": BlockRatings(truthfulness=2, relevance=1, reason="r")}
    assert score("truthfulness", answered(answer, label=label), judge).value == truthfulness


@pytest.mark.parametrize("quality", ["faithfulness", "answer_relevance", "context_relevance"])
def test_scores_of_a_quality(quality: str) -> None:
    name = f"gpt_score_{quality}"
    judge = {f"score_{quality}": QualityScore(score=7, reason="mostly")}
    found = score(name, answered(), judge)
    assert (found.value, found.evidence[0]) == (7, "mostly")
    without = {"answer_relevance": 7}.get(quality)
    assert score(name, answered(chunks=()), judge).value == without
    refused = score(name, answered(None, abstained=True), judge)
    assert refused.value == (7 if quality == "context_relevance" else None)


Says = Callable[[Candidates], str]


def rank(says: Says, quality: str = "answer_relevance", **options: Any) -> tuple[Score, Score]:
    def judge(inputs: Candidates) -> Preference:
        return Preference(preferred=says(inputs), reason="so")  # type: ignore[arg-type]

    rival = answered("It is a tower.", chunks=("Other.",), system="theirs")
    each = answered(rival=rival, id=options.pop("id", "e"))
    model = {f"prefer_{quality}": judge}
    name = f"gpt_ranking_{quality}"
    return score(name, each, model, **options), score(f"{name}_agreement", each, model, **options)


def ours_if(better: bool) -> Says:
    """Prefers one of the two, wherever it stands."""
    return lambda inputs: "first" if ("red" in inputs.first) == better else "second"


def test_rankings_in_both_orders() -> None:
    won, agreed = rank(ours_if(better=True))
    assert (won.value, agreed.value) == (1, 1)
    assert won.evidence[:3] == ("ours: in both orders", "ours first: so", "ours second: so")
    lost, agreed = rank(ours_if(better=False))
    assert (lost.value, agreed.value, lost.evidence[0]) == (0, 1, "theirs: in both orders")
    once, agreed = rank(lambda inputs: "first" if "red" in inputs.first else "tie")
    assert (once.value, agreed.value, once.evidence[0]) == (1, 0, "ours: in one order, a tie in the other")


def test_ties_are_drawn_by_the_seed_and_said_so() -> None:
    always_first, agreed = rank(lambda inputs: "first")
    assert agreed.value == 0
    assert agreed.evidence[0] == "ours first: ours; ours second: theirs"
    assert always_first.evidence[0].endswith(": the two orders contradict each other, drawn")
    drawn = [rank(lambda inputs: "tie", id=f"e{number}", seed=1)[0] for number in range(40)]
    assert drawn == [rank(lambda inputs: "tie", id=f"e{number}", seed=1)[0] for number in range(40)]
    assert {each.value for each in drawn} == {0.0, 1.0}
    assert 10 <= sum(each.value or 0 for each in drawn) <= 30
    other_seed = [rank(lambda inputs: "tie", id=f"e{number}", seed=2)[0].value for number in range(40)]
    assert other_seed != [each.value for each in drawn]


def test_rankings_need_two_to_compare() -> None:
    name = "gpt_ranking_answer_relevance"
    assert score(name, answered(), {}).reason == "no prediction of another system for this example"
    silent = answered(" ", system="theirs")
    assert score(name, answered(rival=silent), {}).reason == "the other system: the system abstained"
    failed = answered(None, system="theirs", error="HTTP 500")
    assert score(name, answered(rival=failed), {}).reason == "the other system: the system failed: HTTP 500"
    assert score("gpt_ranking_context_relevance", answered(rival=answered(chunks=())), {}).reason == (
        "the other system: no chunk with a text was retrieved"
    )
    half = [Preference(preferred="first", reason="so"), Reply(None, "timed out")]
    assert score(name, answered(rival=answered("Another.")), ScriptedModel(half)).reason == "timed out"


STATED = {
    "answer_claims": AnswerStatements(items=("It is red.", "It is old.")),
    "statement_inferences": StatementVerdicts(
        items=(
            StatementVerdict(supported=True, support=1, reason="said", evidence="The tower is red."),
            StatementVerdict(supported=False, support=0, reason="a guess"),
        )
    ),
}


def test_the_other_wording_of_faithfulness() -> None:
    found = score("faithfulness_inferred", answered(), STATED)
    assert found.value == 0.5
    assert found.evidence[:2] == (
        'supported: It is red. <- "The tower is red." (said)',
        "not supported: It is old. (a guess)",
    )
    assert score("faithfulness_inferred", answered("No.", abstained=True), {}).reason == "the system abstained"


def test_the_evidence_ends_with_what_the_judge_goes_by() -> None:
    by_rules = score("faithfulness_inferred", answered(), STATED)
    assert by_rules.evidence[2:] == (
        "by built-in rules (answer_claims, version 1)",
        "by built-in rules (statement_inferences, version 1)",
    )
    asked = score("faithfulness_inferred", answered(), STATED, prompts=NO_OVERRIDES)
    assert asked.evidence[2:] == tuple(
        f"prompt of {name}: {prompt_hash(TASKS[name])}" for name in ("answer_claims", "statement_inferences")
    )
    assert score("faithfulness_inferred", answered(" "), STATED, prompts=NO_OVERRIDES).evidence == ()


def test_options_of_answer_relevance() -> None:
    class Plane:
        name, dimension = "plane", 2

        def encode(self, texts: Sequence[str]) -> Any:
            import numpy as np

            return np.array([(1.0, 0.0) if text[0] == "W" else (0.6, 0.8) for text in texts], np.float32)

    model = ScriptedModel(
        {"answer_relevance": Relevance(questions=("Which?", "Name it"), committal=False, reason="vague")}
    )
    found = score("answer_relevance", answered(), model, encoder=Plane(), questions=2, prompts=NO_OVERRIDES)
    # (1 + 0.6) / 2
    assert found.value == pytest.approx(0.8)
    assert found.evidence[0] == "not committal: vague"
    two, three = (
        score("answer_relevance", answered(), model, questions=n, prompts=NO_OVERRIDES, encoder=Plane()) for n in (2, 3)
    )
    assert two.evidence[-1] != three.evidence[-1]
    assert score("answer_relevance", answered(), model, encoder=Plane(), evasive_is_zero=True).value == 0
