"""Claims: files of them, a scripted judge with figures worked by hand, and intervals that know what hangs together."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ragassay.errors import InputError, RecordError
from ragassay.evaluation.aggregate import estimate
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.people.agreement.claims import (
    LEAST_CLAIMS,
    NO_SCORES,
    Claim,
    ClaimJudgement,
    Passage,
    checked_claims,
    holds_claims,
    judged_claims,
    read_claim_set,
)
from ragassay.tasks.verdicts import StatementsOnContext, StatementVerdict, StatementVerdicts

CLAIM = {"text": "It opened in 1998.", "supported": True, "type": "verbatim", "quote": "It opened in 1998."}
PASSAGE = {"id": 7, "source": "guides", "title": "Gannet Bridge", "text": "It opened in 1998.", "claims": [CLAIM] * 20}


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_title_and_heading_stand_before_the_text_where_they_are_given(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", PASSAGE, PASSAGE | {"heading": "History"}, PASSAGE | {"title": None})
    found = read_claim_set(file)
    assert [each.context for each in found.passages] == [
        "Gannet Bridge\n\nIt opened in 1998.",
        "Gannet Bridge\nHistory\n\nIt opened in 1998.",
        "It opened in 1998.",
    ]
    first = found.passages[0].claims[1]
    assert (first.where, first.supported, first.type) == ("c.jsonl line 1, claim 2", True, "verbatim")


def test_lines_about_one_passage_hang_together_and_lines_without_an_id_do_not(tmp_path: Path) -> None:
    nameless = {name: value for name, value in PASSAGE.items() if name != "id"}
    rows = (PASSAGE, PASSAGE, PASSAGE | {"source": "manuals"}, nameless, nameless)
    keys = [each.key for each in read_claim_set(write(tmp_path / "c.jsonl", *rows)).passages]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 4


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ({"claims": [CLAIM, {"text": "a"}]}, "claims.1.supported"),
        ({"claims": [CLAIM | {"supported": "yes"}]}, "claims.0.supported"),
        ({"claims": [CLAIM | {"supported": 1}]}, "claims.0.supported"),
        ({"claims": [CLAIM | {"text": " \n"}]}, "claims.0.text"),
        ({"claims": [{"supported": True}]}, "claims.0.text"),
        ({"claims": [CLAIM | {"type": 3}]}, "claims.0.type"),
        ({"claims": [CLAIM | {"quote": ["a"]}]}, "claims.0.quote"),
        ({"claims": ["It opened in 1998."]}, "claims.0"),
        ({"claims": {"text": "a"}}, "claims"),
        ({"text": ""}, "text"),
        ({"title": ["a"]}, "title"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, row: dict[str, Any], place: str) -> None:
    file = write(tmp_path / "c.jsonl", PASSAGE, PASSAGE | row)
    with pytest.raises(RecordError) as raised:
        read_claim_set(file)
    assert str(raised.value).startswith(f"c.jsonl line 2: {place}: ")


def test_a_few_claims_measure_nothing(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", PASSAGE | {"claims": [CLAIM] * (LEAST_CLAIMS - 1)})
    with pytest.raises(InputError, match=r"claims to measure a judge, not 19 \(in 1 line\)"):
        read_claim_set(file)
    with pytest.raises(InputError, match=r"gone\.jsonl cannot be read"):
        read_claim_set(tmp_path / "gone.jsonl")


def test_a_file_of_claims_is_recognised_by_its_first_object(tmp_path: Path) -> None:
    assert holds_claims(write(tmp_path / "a.jsonl", "{broken\n", PASSAGE))
    assert not holds_claims(write(tmp_path / "b.jsonl", {"question": "When?"}, PASSAGE))
    assert not holds_claims(write(tmp_path / "c.jsonl"))
    assert not holds_claims(tmp_path / "gone.jsonl")


def test_the_shipped_claims_are_half_right_and_quote_their_passages() -> None:
    found = read_claim_set(None)
    claims = [(passage, claim) for passage in found.passages for claim in passage.claims]
    assert (len(found.passages), found.n) == (40, 320)
    assert sum(claim.supported for _, claim in claims) == 160
    types = Counter((claim.type, claim.supported) for _, claim in claims)
    assert len(types) == 16
    assert min(types.values()) >= 12
    for passage, claim in claims:
        if claim.quote:
            assert " ".join(claim.quote.split()) in " ".join(passage.text.split()), claim.where


def claim(said: float, supported: bool, type_: str = "") -> Claim:
    """A claim that the scripted judge gives this score."""
    return Claim(where=f"line {said}", text=f"{said}", supported=supported, type=type_)


def passage_of(key: str, *claims: Claim, source: str = "") -> Passage:
    return Passage(key=key, text=f"Text of {key}.", claims=claims, source=source, title="Title")


def verdicts(inputs: StatementsOnContext) -> StatementVerdicts:
    scores = [float(each) for each in inputs.statements]
    return StatementVerdicts(
        items=tuple(
            StatementVerdict(supported=score > 0.5, support=score, reason="as told", evidence=inputs.context[:5])
            for score in scores
        )
    )


def judged(*passages: Passage) -> list[ClaimJudgement]:
    return asyncio.run(judged_claims(ScriptedModel({"statement_verdicts": verdicts}), passages))


FIVE = (
    passage_of("p1", claim(0.9, True, "paraphrase"), claim(0.6, False, "number"), source="guides"),
    passage_of(
        "p2", claim(0.4, True, "paraphrase"), claim(0.1, False, "number"), claim(0.8, True, "joined"), source="news"
    ),
)


def test_a_judge_is_asked_as_for_faithfulness_ten_claims_at_a_time() -> None:
    model = ScriptedModel({"statement_verdicts": verdicts})
    found = asyncio.run(
        judged_claims(model, [passage_of("p", *[claim(0.9, True)] * 12), passage_of("q", claim(0.2, True))])
    )
    asked = model.asked("statement_verdicts")
    assert [(len(each.statements), each.question) for each in asked] == [(10, ""), (2, ""), (1, "")]
    assert asked[0].context == "Title\n\nText of p."
    assert [(each.passage, each.verdict, each.score, each.evidence) for each in found[11:]] == [
        ("p", True, 0.9, "Title"),
        ("q", False, 0.2, "Title"),
    ]


def test_figures_of_five_claims() -> None:
    found = checked_claims(judged(*FIVE))
    # Right: 0.9, 0.1 and 0.8, three of five. Of three supported ones two, of the two others one: (2/3 + 1/2) / 2.
    assert found.figures.accuracy.value == pytest.approx(3 / 5)
    assert found.figures.balanced_accuracy.value == pytest.approx(7 / 12)
    # Of 3 x 2 pairs, only 0.4 against 0.6 is in the wrong order.
    assert found.figures.auroc.value == pytest.approx(5 / 6)
    assert (found.figures.passages, found.figures.supported, found.commonest) == (2, 3, 0.6)
    types = [(each.type, each.supported, each.accuracy.value, each.accuracy.n) for each in found.by_type]
    assert types == [("paraphrase", True, 0.5, 2), ("joined", True, 1.0, 1), ("number", False, 0.5, 2)]
    assert found.figures.auroc.reason == "no interval: the 5 items are from 2 passages, too few to resample"


def test_a_judge_without_scores_has_no_auroc() -> None:
    found = checked_claims(judged(passage_of("p", claim(1.0, True), claim(0.0, False), claim(1.0, False))))
    assert found.figures.accuracy.value == pytest.approx(2 / 3)
    assert (found.figures.auroc.value, found.figures.auroc.reason, found.figures.auroc.n) == (None, NO_SCORES, 3)


def test_claims_without_a_verdict_are_counted_with_the_reason() -> None:
    def short(inputs: StatementsOnContext) -> StatementVerdicts | Reply[StatementVerdicts]:
        if "p3" in inputs.context:
            return Reply(None, "the server was busy")
        found = verdicts(inputs)
        return StatementVerdicts(items=found.items[:1]) if "p2" in inputs.context else found

    model = ScriptedModel({"statement_verdicts": short})
    passages = [*FIVE, passage_of("p3", claim(0.7, True))]
    judgements = asyncio.run(judged_claims(model, passages))
    found = checked_claims(judgements)
    assert (found.figures.accuracy.n, found.figures.accuracy.total, found.figures.accuracy.value) == (2, 6, 0.5)
    assert found.reasons == {"1 verdict for 3 claims": 3, "the server was busy": 1}
    assert json.loads(json.dumps(asdict(found)))["reasons"] == found.reasons
    nothing = checked_claims([each for each in judgements if each.verdict is None])
    assert (nothing.figures.auroc.value, nothing.figures.accuracy.value) == (None, None)


def test_claims_of_one_passage_count_as_little_as_they_know() -> None:
    def width(*passages: Passage) -> float:
        found = checked_claims(judged(*passages)).figures.accuracy
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    one = [(claim(0.9, number % 2 == 0),) for number in range(30)]
    single = width(*(passage_of(f"p{n}", *claims) for n, claims in enumerate(one)))
    assert width(*(passage_of(f"p{n}", *claims * 8) for n, claims in enumerate(one))) == pytest.approx(single, rel=0.05)
    apart = width(*(passage_of(f"p{n}-{m}", *claims) for n, claims in enumerate(one) for m in range(8)))
    assert single / apart == pytest.approx(8**0.5, rel=0.15)


def test_all_right_is_no_certainty() -> None:
    right = judged(*(passage_of(f"p{n}", claim(0.9, True), claim(0.1, False)) for n in range(12)))
    found = checked_claims(right).figures
    assert (found.accuracy.value, found.accuracy.low, found.accuracy.high) == (1.0, pytest.approx(0.832, abs=1e-3), 1.0)
    # The two classes have twelve claims each, and so has the rarer one of AUROC.
    of_class = estimate([1.0] * 12)
    assert found.balanced_accuracy.low == of_class.low
    assert found.auroc.low == of_class.low
