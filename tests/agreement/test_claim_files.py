from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragassay.agreement.claims import LEAST_CLAIMS, holds_claims, read_claim_set
from ragassay.errors import InputError, RecordError

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
