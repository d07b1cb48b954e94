"""Sets by a strong model, with one that does as it is told: what is asked for, kept, mended, relabelled and refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from ragassay.errors import UsageError
from ragassay.generate.conflicts import _shown
from ragassay.generate.drafted import DraftPlan, draft_set_by_model
from ragassay.generate.options import SetPlan
from ragassay.generate.synthesizer import BEFORE_LABELS, SynthesisResult
from ragassay.generate.units import STYLES, Unit, Units, read_styles, shared_out
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Document
from ragassay.tasks.drafting import (
    DRAFT_PAIRS,
    Brief,
    Conflict,
    ConflictRequest,
    Conflicts,
    DraftedFinding,
    DraftedPair,
    DraftRequest,
    Drafts,
    Review,
    ReviewRequest,
    Reviews,
)


class Letters:
    """An encoder whose vectors count letters: texts of the same words are the same."""

    name, dimension = "letters", 26

    def encode(self, texts: Sequence[str]) -> Any:
        counts = [[text.lower().count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        vectors = np.array(counts, np.float32).reshape(len(texts), 26)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def drafted(label: str, quote: str, question: str, **fields: Any) -> DraftedPair:
    is_open = label == "unanswerable"
    given = {"answer": "" if is_open else quote, "keypoints": () if is_open else (quote,), "style": "plain"}
    pair = {"asker": "a guest", "statement": quote, "label": label, "quotes": (quote,), "question": question}
    return DraftedPair(**(pair | given | fields))


def review(number: int, label: str, **fields: Any) -> Review:
    given = {
        "own_quotes": (), "own_answer": "", "comparison": "both_open" if label == "unanswerable" else "same",
        "flaws": (), "verdict": "accept", "question": "", "answer": "", "keypoints": (), "reason": "",
    }  # fmt: skip
    return Review(number=number, label=label, **(given | fields))


def as_asked(request: DraftRequest) -> Drafts:
    """One pair for each that is wanted, of the sentences of the first text."""
    sentences = [f"{each}." for each in request.passages[0].text.split("\n")[-1].rstrip(".").split(". ")]
    house = request.passages[0].title
    labels = [label for label, count in request.wanted for _ in range(count)]
    pairs = [
        drafted(label, sentences[place % 3], f"Tell about {house} {label} {'abcdefgh'[place] * 5}?")
        for place, label in enumerate(labels)
    ]
    return Drafts(pairs=tuple(pairs), findings=(), fewer="")


def accepting(request: ReviewRequest) -> Reviews:
    """Every pair under the label that stands in its question."""
    found = (review(number, each.question.split()[-2]) for number, each in enumerate(request.pairs, 1))
    return Reviews(items=tuple(found))


@pytest.fixture
def made(
    small_corpus: Callable[..., Any], houses: list[Document]
) -> Callable[..., tuple[SynthesisResult, ScriptedModel]]:
    def make(
        script: dict[str, Any], documents: Sequence[Document] = (), drafting: DraftPlan | None = None, **plan: Any
    ) -> tuple[SynthesisResult, ScriptedModel]:
        corpus = small_corpus(documents or houses)
        model = ScriptedModel({"drafts": as_asked, "reviews": accepting} | script)
        found = draft_set_by_model(
            corpus.store, corpus.strata, corpus.collection, corpus.gates, model, model, Letters(),
            SetPlan(balance_by="verified", **plan), drafting or DraftPlan(about="houses on a hill"),
        )  # fmt: skip
        return asyncio.run(found), model

    return make


def test_all_that_is_asked_for_comes_in_two_rounds(made: Callable[..., Any]) -> None:
    found, model = made({}, n=10)
    assert Counter(each.label for each in found.examples) == {
        "fact_single": 4, "summary": 2, "reasoning": 2, "unanswerable": 2,
    }  # fmt: skip
    assert [name for name, _ in model.calls if name == "collection_brief"] == []  # the user has said what it is
    assert len(model.asked("drafts")) == len(model.asked("reviews")) <= 7
    assert found.rounds == 1
    for each in found.examples:
        assert (each.references == ()) == (each.label == "unanswerable")
        assert each.provenance.unanswerable_in == ("corpus" if each.label == "unanswerable" else None)
        inside = [each.context.start <= span.start < span.end <= each.context.end for span in each.references]
        assert all(inside) or each.question_type == "multi_hop"
    assert 0 < found.drafting.shared_words <= 1


def test_the_judge_sees_no_label_and_passages_from_elsewhere_for_open_questions(made: Callable[..., Any]) -> None:
    _, model = made({}, n=10)
    for request in model.asked("reviews"):
        titles = {passage.title for passage in request.passages}
        assert bool(request.elsewhere) == any(not pair.answer for pair in request.pairs)
        assert all(text.splitlines()[0] not in titles for text in request.elsewhere)
        assert "unanswerable" not in str(request.model_dump(exclude={"pairs"}))


def test_what_lacks_is_drafted_once_more_knowing_what_was_asked(made: Callable[..., Any]) -> None:
    seen: list[DraftRequest] = []

    def none_at_first(request: DraftRequest) -> Drafts:
        seen.append(request)
        found = as_asked(request)
        return found if request.asked or len(seen) > 3 else Drafts(pairs=found.pairs[:1], findings=(), fewer="short")

    found, _ = made({"drafts": none_at_first}, n=10)
    assert found.rounds == 2
    assert any(request.asked for request in seen)
    assert sum(found.requested.values()) - len(found.examples) == sum(each.missing for each in found.shortages)


def test_texts_that_gave_nothing_are_asked_before_others_in_the_second_round(
    made: Callable[..., Any], houses: list[Document]
) -> None:
    def one_of_the_first_text(request: DraftRequest) -> Drafts:
        return Drafts(pairs=as_asked(request).pairs[:1], findings=(), fewer="")

    _, model = made({"drafts": one_of_the_first_text}, houses[:3], n=6)
    first, second = model.asked("drafts")
    assert len(first.passages) == len(second.passages) == 3  # in one call
    assert second.passages[-1].title == first.passages[0].title


HOUSE = "The mill has a keeper named Moss."


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        pytest.param(review(1, "reasoning"), ("reasoning", HOUSE), id="another label: relabelled"),
        pytest.param(
            review(
                1, "fact_single", verdict="repair", comparison="lacks", question="Who keeps it?", answer="Moss, now.",
                keypoints=("Moss keeps it.",), own_quotes=("keeper named Moss",),
            ),
            ("fact_single", "Moss, now."),
            id="repaired",
        ),
        pytest.param(review(1, "fact_single", verdict="refuse", reason="pedantic"), None, id="refused"),
        pytest.param(review(1, "fact_single", comparison="wrong"), None, id="accepted though wrong"),
        pytest.param(review(1, "fact_single", flaws=("not_alone",)), None, id="accepted though not alone"),
        pytest.param(review(1, "unanswerable"), None, id="no answer in the text"),
        pytest.param(review(1, "fact_single", verdict="repair"), None, id="repair without a repair"),
        pytest.param(
            review(1, "fact_single", verdict="repair", question="Who?", answer="She does.", keypoints=("She does.",)),
            None,
            id="an answer without a name",
        ),
        pytest.param(review(1, "unanswerable", verdict="repair", question="Who left it?"), None, id="answer gone"),
        pytest.param(
            review(1, "fact_single", verdict="repair", question="Who keeps the mill?"), ("fact_single", HOUSE),
            id="the question alone repaired",
        ),
        pytest.param(
            review(1, "fact_single", verdict="repair", question="Who keeps the mill?", comparison="wrong"), None,
            id="the question alone repaired, though the answer is wrong",
        ),
        pytest.param(
            review(1, "fact_single", verdict="repair", answer="Moss.", keypoints=("Moss keeps it.",)),
            ("fact_single", "Moss."),
            id="the answer alone repaired",
        ),
        pytest.param(
            review(
                1, "fact_single", verdict="repair", question="Who keeps it?", answer="Elm.", keypoints=("Elm does.",),
                own_quotes=("Elm keeps the mill",),
            ),
            None,
            id="the new answer stands elsewhere",
        ),
        pytest.param(None, None, id="passed over"),
    ],
)  # fmt: skip
def test_what_the_judge_says_counts(
    made: Callable[..., Any], houses: list[Document], said: Review | None, kept: tuple[str, str] | None
) -> None:
    script = {
        "drafts": lambda request: Drafts(
            pairs=(drafted("fact_single", HOUSE, "Who is the keeper?"),), findings=(), fewer=""
        ),
        "reviews": lambda request: Reviews(items=(said,)),
    }
    found, _ = made(script, houses[:1], n=2, mix={"fact_single": 0.5, "reasoning": 0.5})
    assert [(each.label, each.answer) for each in found.examples] == ([kept] if kept else [])
    assert kept or found.drafting.refused
    assert all(each.reason for each in found.drafting.refused)


def test_an_open_question_that_the_judge_answers_is_not_delivered(
    made: Callable[..., Any], houses: list[Document]
) -> None:
    pair = drafted("unanswerable", HOUSE, "How old is the keeper?")
    script = {
        "drafts": lambda request: Drafts(pairs=(pair,), findings=(), fewer=""),
        "reviews": lambda request: Reviews(items=(review(1, "unanswerable", own_answer="40", comparison="wrong"),)),
    }
    found, _ = made(script, houses[:1], n=1, mix={"unanswerable": 1})
    assert found.examples == ()
    assert found.drafting.refused[0].question == "How old is the keeper?"


def test_quotes_that_do_not_stand_there_and_replies_that_do_not_come_are_counted(
    made: Callable[..., Any], houses: list[Document]
) -> None:
    pair = drafted("fact_single", "The mill is made of glass.", "What is it made of?")
    found, _ = made({"drafts": lambda request: Drafts(pairs=(pair,), findings=(), fewer="")}, houses[:1], n=1)
    assert "reference not verbatim in its context" in found.dropped["fact_single"]
    found, _ = made({"drafts": lambda request: Reply(None, "it refused")}, houses[:1], n=1)
    assert any("it refused" in reason for reason in found.dropped["before a label"])
    pair = drafted("fact_single", HOUSE, "What is it made of?", answer="")
    found, _ = made({"drafts": lambda request: Drafts(pairs=(pair,), findings=(), fewer="")}, houses[:1], n=1)
    assert "no question or no answer" in found.dropped["fact_single"]


def test_a_pair_that_was_not_judged_is_not_refused(made: Callable[..., Any], houses: list[Document]) -> None:
    reached = Reply(None, "budget reached: --max-calls 1 reached", unheard=True)
    found, _ = made({"reviews": lambda request: reached}, houses[:1], n=1, mix={"fact_single": 1})
    assert found.drafting.refused == ()
    (reason,) = found.dropped["fact_single"]
    assert reason.startswith("not judged: ")
    assert sum(found.matrix["fact_single"].values()) == found.shortages[0].candidates


def test_findings_stand_at_their_places(made: Callable[..., Any], houses: list[Document]) -> None:
    fault = DraftedFinding(
        kind="contradiction", quotes=("named Moss", "the Moss farm", "not there"), note="two of them"
    )
    lone = DraftedFinding(kind="contradiction", quotes=("named Moss", "not there"), note="of one place")
    script = {"drafts": lambda request: Drafts(pairs=(), findings=(fault, lone), fewer="all is said")}
    found, model = made(script, houses[:1], n=1)
    assert len(model.asked("drafts")) == 2
    (finding,) = found.drafting.findings
    assert [span.text for span in finding.places] == ["named Moss", "the Moss farm"]
    assert found.dropped == {}  # what a text says no more of is no loss


def test_pairs_that_another_passage_contradicts_are_findings(made: Callable[..., Any], houses: list[Document]) -> None:
    def asked(request: DraftRequest) -> Drafts:
        house = request.passages[0].title
        pair = drafted("fact_single", request.passages[0].text.split("\n")[-1].split(".")[0], f"Who built {house}?")
        return Drafts(pairs=(pair,), findings=(), fewer="")

    def labelled(request: ReviewRequest) -> Reviews:
        return Reviews(items=tuple(review(number, "fact_single") for number in range(1, len(request.pairs) + 1)))

    def conflicts(request: ConflictRequest) -> Conflicts:
        assert len(request.pairs) <= 10
        quotes = (request.passages[0][-30:-10], "not there", ".", " ", request.passages[0].split()[0])
        of = [Conflict(pair=1, passage=1, quote=each, reason="one house has one builder") for each in quotes]
        return Conflicts(conflicts=tuple(of))

    found, model = made({"drafts": asked, "reviews": labelled, "conflicts": conflicts}, n=4, mix={"fact_single": 1})
    request, *later = model.asked("conflicts")
    assert not set(request.pairs) & {pair for each in later for pair in each.pairs}  # each is looked at once
    finding, *_ = found.drafting.findings
    assert (finding.kind, finding.note) == ("contradiction", "one house has one builder")
    assert request.passages[0].endswith(finding.places[-1].text + request.passages[0][-10:])
    refused, *_ = (each for each in found.drafting.refused if each.reason.startswith("another passage"))
    assert refused.question in request.pairs[0]
    assert refused.question not in {each.question for each in found.examples}


def test_long_pairs_are_cut_at_a_word_where_there_is_one(candidate: Callable[..., Any]) -> None:
    english = _shown(candidate("Why?", answer="because " * 100))
    assert english.endswith("because …")
    assert 470 < len(english) <= 502
    assert len(_shown(candidate("灯是什么颜色的？", answer="红" * 600))) == 502


def test_pairs_that_no_judge_looked_at_are_counted(made: Callable[..., Any]) -> None:
    found, _ = made({"conflicts": Reply(None, "503")}, n=10)
    assert found.dropped[BEFORE_LABELS]["kept, but not held against other passages: 503"] > 0
    assert len(found.examples) == 10


def test_the_model_describes_a_collection_that_nobody_described(made: Callable[..., Any]) -> None:
    brief = Brief(about="houses", askers=("a guest",))
    found, model = made({"collection_brief": brief}, drafting=DraftPlan(askers=("a child",)), n=4)
    assert found.drafting.about == "houses"
    assert {request.collection.askers for request in model.asked("drafts")} == {("a child",)}
    assert {request.collection.about for request in model.asked("drafts")} == {"houses"}


def test_long_documents_come_first_and_by_sections(
    small_corpus: Callable[..., Any], document: Callable[..., Document]
) -> None:
    short = [
        document(f"# Note {number}\n\n{'The ferry leaves at nine. ' * 20}", f"n{number}.md") for number in range(30)
    ]
    sections = "\n\n".join(f"## Part {number}\n\n{'A rule of the house is kept here. ' * 60}" for number in range(12))
    corpus = small_corpus([*short, document(f"# Manual\n\n{sections}", "manual.md")])
    units = Units(corpus.store, corpus.strata, range(31), corpus.collection, SetPlan(n=20))
    taken = units.take(20)
    assert taken[0].contexts[0].document.title == "Manual"
    assert all(unit.characters <= 9_000 for unit in taken)
    assert taken[0].around != ("", "")


def test_pairs_are_shared_out_to_the_last_one(small_corpus: Callable[..., Any], houses: list[Document]) -> None:
    corpus = small_corpus(houses)
    units = Units(corpus.store, corpus.strata, range(10), corpus.collection, SetPlan(n=8)).take(8)
    shared = shared_out(units, {"fact_single": 5, "summary": 3}, STYLES, 0)
    wanted = sum((Counter(unit.wanted) for unit in shared), Counter())
    assert wanted == {"fact_single": 5, "summary": 3}
    assert sum(sum(unit.styles.values()) for unit in shared) == 8
    assert len(shared) < len(units)  # small texts share a call
    assert isinstance(shared[0], Unit)
    few = shared_out(units[:4], {"fact_single": 16, "summary": 8, "reasoning": 8, "unanswerable": 8}, STYLES, 0)
    labels = sum((Counter(unit.wanted) for unit in few), Counter())
    assert labels == dict.fromkeys(("fact_single", "summary", "reasoning", "unanswerable"), 1)


def test_texts_that_are_too_short_for_the_pairs_are_named(made: Callable[..., Any], houses: list[Document]) -> None:
    found, _ = made({}, houses[:2], n=40)
    assert "--synthesizer per_chunk" in found.shortages[0].reason


def test_of_several_sections_the_one_that_holds_the_quotes_is_the_context(
    small_corpus: Callable[..., Any], document: Callable[..., Document]
) -> None:
    sections = "\n\n".join(f"## Part {n}\n\nRule {n} holds. {'A rule of the house. ' * 200}" for n in range(4))
    corpus = small_corpus([document(f"# Manual\n\n{sections}", "manual.md")])
    units = Units(corpus.store, corpus.strata, range(1), corpus.collection, SetPlan(n=20)).take(20)
    unit = Unit(contexts=tuple(each.contexts[0] for each in units))
    for number in range(4):
        home, (span,) = unit.located([f"Rule {number} holds."])
        assert home.span.start <= span.start < span.end <= home.span.end


def test_styles_are_named_or_have_shares() -> None:
    assert read_styles("plain, keywords") == {"plain": 0.5, "keywords": 0.5}
    assert read_styles({"terse": 0.25, "plain": 0.75}) == {"plain": 0.75, "terse": 0.25}
    with pytest.raises(UsageError, match="--style"):
        read_styles("rude")


def test_a_flood_of_pairs_is_cut_before_it_costs_the_judge(made: Callable[..., Any], houses: list[Document]) -> None:
    def flood(request: DraftRequest) -> Drafts:
        pairs = [drafted("fact_single", HOUSE, f"Who keeps {'abcdefghijklmnop'[number] * 9}?") for number in range(16)]
        return DRAFT_PAIRS.to_output(request, Drafts(pairs=tuple(pairs), findings=(), fewer=""))

    def labelled(request: ReviewRequest) -> Reviews:
        return Reviews(items=tuple(review(number, "fact_single") for number in range(1, len(request.pairs) + 1)))

    _, model = made({"drafts": flood, "reviews": labelled}, houses[:1], n=1, mix={"fact_single": 1})
    wanted = sum(count for _, count in model.asked("drafts")[0].wanted)
    assert len(model.asked("reviews")[0].pairs) <= 2 * wanted


def test_a_pair_in_another_language_is_refused(made: Callable[..., Any], houses: list[Document]) -> None:
    said = "Die Mühle hat einen Müller, der sie seit vielen Jahren betreibt und abends hinter den Gästen abschließt."
    pair = drafted("fact_single", HOUSE, "Wer betreibt eigentlich die Mühle am Fluss?", answer=said)
    script = {
        "drafts": lambda request: Drafts(pairs=(pair,), findings=(), fewer=""),
        "reviews": lambda request: Reviews(items=(review(1, "fact_single"),)),
    }
    found, model = made(script, houses[:1], n=1, mix={"fact_single": 1})
    assert model.asked("reviews") == []
    assert (found.examples, found.drafting.refused[0].reason) == ((), "in German, not English")
    found, _ = made(script, houses[:1], DraftPlan(about="x", language="de"), n=1, mix={"fact_single": 1})
    assert len(found.examples) == 1


def test_thousands_of_tiny_documents_cost_calls_for_the_pairs_alone(
    small_corpus: Callable[..., Any], document: Callable[..., Document]
) -> None:
    said = "of the yard is opened at dawn by a porter, who also keeps the key. Visitors ring the bell and wait."
    tiny = [document(f"# Note {number}\n\nThe gate number {number} {said}", f"{number}.md") for number in range(2000)]
    corpus = small_corpus(tiny)
    units = Units(corpus.store, corpus.strata, range(2000), corpus.collection, SetPlan(n=20))
    taken = units.take(23)
    assert len(units.visited) <= 23
    assert 4 <= len(shared_out(taken, {"fact_single": 23}, STYLES, 0)) <= 6
    assert len({unit.contexts[0].document.id for unit in taken}) == len(taken)
