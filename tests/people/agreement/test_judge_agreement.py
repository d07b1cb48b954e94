"""What is known of a judge: the package's files, names of judges, and rows of checks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import METRICS
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embeddings import SentenceEncoder
from ragassay.people.agreement import judge_agreement
from ragassay.people.agreement.check_statistics import QualityCheck, Row
from ragassay.people.agreement.claims import Claim, ClaimJudgement, checked_claims
from ragassay.people.agreement.judge_agreement import (
    AgreementFile,
    Control,
    JudgeAgreement,
    Lead,
    QuestionsRead,
    TypeShare,
    is_same_judge,
    measured,
    questions_read,
    rows_of_check,
    rows_of_claims,
    shipped,
)
from ragassay.report.wording import readers_words

JUDGE = "embedded (MiniLM-1, SmolLM2-135M-Instruct with writer 11111111 and verifier 22222222)"


def estimate(value: float | None, n: int = 10) -> Estimate:
    known = value is not None
    return Estimate(value=value, low=0.1 if known else None, high=0.9 if known else None, n=n, total=n)


def row(metric: str = "faithfulness", **fields: object) -> JudgeAgreement:
    made = JudgeAgreement(
        metric=metric,
        data="claims",
        said_by="people",
        statistic="AUROC",
        value=0.8,
        low=0.7,
        high=0.9,
        n=10,
    )
    return judge_agreement.replace(made, **fields)  # type: ignore[arg-type]


def test_the_file_is_about_the_judge_that_is_shipped(small_model_on: None) -> None:
    """After a change of adapter or encoder: ``python benchmarks/judge.py --write`` with this file."""
    assert is_same_judge(shipped().judge, EmbeddedModel(SentenceEncoder()).name)


def test_the_file_says_of_judged_metrics_what_can_be() -> None:
    rows = shipped().rows
    assert {each.metric for each in rows} <= {name for name, metric in METRICS.items() if metric.judge is not None}
    for each in rows:
        least = -1 if each.statistic == "Pearson correlation" else 0
        assert least <= each.value <= 1
        assert each.low is None or each.high is None or each.low <= each.value <= each.high
        assert all(0 <= of_type.right <= 1 and of_type.n > 0 for of_type in each.by_type)
        assert not each.by_type or sum(of_type.n for of_type in each.by_type) == each.n
    assert {"faithfulness", "answer_relevance", "context_relevance", "truthfulness"} <= {each.metric for each in rows}


@pytest.mark.parametrize(
    ("name", "same"),
    [
        (JUDGE, True),
        (JUDGE.replace("11111111", "33333333"), True),  # who writes the questions does not matter
        (JUDGE.replace(")", ", questions on prose)"), True),
        (f"SmolLM2-135M-Instruct with writer 44444444, beside {JUDGE}", True),
        (JUDGE.replace("22222222", "33333333"), False),
        (JUDGE.replace("MiniLM-1", "MiniLM-2"), False),
        ("embedded (MiniLM-1)", False),  # without the small language model
        ("embedded, words alone", False),
        ("openai:gpt-4o-mini", False),
        ("", False),
    ],
)
def test_a_judge_is_its_encoder_and_its_verifier(name: str, same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_agreement, "shipped", lambda: AgreementFile(judge=JUDGE, rows=(row(),)))
    assert is_same_judge(JUDGE, name) is same
    assert bool(measured(name)) is same


@pytest.mark.parametrize(
    ("control", "low", "lead"),
    [(None, 0.7, None), (0.6, 0.7, "clear"), (0.7, 0.7, "unclear"), (0.75, None, "unclear"), (0.8, 0.7, "none")],
)
def test_the_lead_over_a_control(control: float | None, low: float | None, lead: Lead | None) -> None:
    beside = None if control is None else Control(rule="the longer one is better", value=control)
    assert row(control=beside, low=low).lead == lead


def judgement(number: int, supported: bool, score: float, type_: str) -> ClaimJudgement:
    claim = Claim(where="", text="", supported=supported, type=type_)
    return ClaimJudgement(
        passage=str(number), source="", claim=claim, verdict=score > 0.5, score=score, reason="", evidence=""
    )


def test_claims_give_two_statistics_and_their_types() -> None:
    said = [judgement(i, True, 0.9 - i / 100, "verbatim") for i in range(10)]
    said += [judgement(10 + i, False, 0.2 if i % 2 else 0.7, "date") for i in range(10)]  # five of ten are wrong
    area, balanced = rows_of_claims(checked_claims(said), "claims about ships", said_by="readers")
    assert (area.metric, area.statistic, area.value, area.n) == ("faithfulness", "AUROC", 1.0, 20)
    assert area.by_type == (
        TypeShare(type="supported: verbatim", right=1.0, n=10),
        TypeShare(type="not supported: date", right=0.5, n=10),
    )
    # (10/10 + 5/10) / 2
    assert (balanced.statistic, balanced.value, balanced.by_type) == ("balanced accuracy", 0.75, ())
    assert (balanced.data, balanced.said_by, balanced.seen) == ("claims about ships", "readers", False)


def check(shape: str, *rows: Row) -> QualityCheck:
    return QualityCheck(quality="faithfulness", shape=shape, items=10, rows=rows)  # type: ignore[arg-type]


def test_pairs_ratings_and_comparisons() -> None:
    pairs = check(
        "pairs",
        Row(scorer="faithfulness", role="judge", measures={"accuracy": estimate(0.5)}),
        Row(scorer="longer wins", role="control", measures={"accuracy": estimate(0.6)}),
        Row(scorer="random", role="control", measures={"accuracy": estimate(0.4)}),
    )
    (of_pairs,) = rows_of_check(pairs, "of x.jsonl", said_by="people")
    assert (of_pairs.metric, of_pairs.statistic, of_pairs.value) == ("faithfulness", "accuracy on pairs", 0.5)
    assert (of_pairs.data, of_pairs.lead) == ("pairs of x.jsonl", "none")
    assert of_pairs.control == Control(rule="the longer one is better", value=0.6)
    ratings = check(
        "ratings",
        Row(scorer="truthfulness", role="judge", measures={"auroc": estimate(None, 0), "pearson": estimate(0.3)}),
    )
    (of_ratings,) = rows_of_check(ratings, "of x.jsonl", said_by="people")
    assert (of_ratings.statistic, of_ratings.value, of_ratings.control) == ("Pearson correlation", 0.3, None)
    comparisons = check(
        "comparisons",
        Row(scorer="precision", role="judge", aspect="correctness", measures={"pearson": estimate(0.2)}),
        Row(scorer="f1", role="judge", aspect="overall", measures={"pearson": estimate(0.6)}),
        Row(scorer="longer wins", role="control", aspect="overall", measures={"pearson": estimate(0.1)}),
        Row(scorer="another person", role="people", aspect="overall", measures={"pearson": estimate(0.7)}),
    )
    (of_answers,) = rows_of_check(comparisons, "of x.jsonl", said_by="people")
    assert (of_answers.metric, of_answers.value) == ("correctness", 0.6)  # F1 is the metric of this name
    assert of_answers.control == Control(rule="the longer one is better", value=0.1)


KEPT = Path(__file__).parents[3] / "benchmarks" / "worth_kept"


def test_the_file_counts_the_latest_verdicts() -> None:
    """After a reading: ``python benchmarks/worth.py table --write`` with this file."""
    latest = max(folder for folder in KEPT.iterdir() if re.fullmatch(r"[0-9-]+", folder.name))
    verdicts = [json.loads(line) for line in (latest / "verdicts.jsonl").read_text("utf-8").splitlines()]
    verdicts = [each for each in verdicts if not each["people"]]
    qualities = {name: sum(each[name] for each in verdicts) for name in ("usable", "right", "accept")}
    assert questions_read() == QuestionsRead(
        read=len(verdicts), kinds=len({each["kind"] for each in verdicts}), **qualities
    )


def test_the_sentence() -> None:
    read = QuestionsRead(read=200, kinds=4, usable=150, right=180, accept=50)
    said = readers_words(read).replace("\u202f", " ")
    assert "Of 200 pairs from pages of 4 kinds of documents" in said
    assert (
        "found 75 % usable and 90 % right in substance, and took 25 % as they stood; some rules have changed since."
        in said
    )
