"""The table of single items: its rows, what opens below them, and that its data cannot leave their place."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace

from plain_examples import plain_example

from ragassay.records import Critique, Example, Prediction, RankedChunk, Score, Span
from ragassay.report.items import Items, detail, embedded, packed, table_data

TEXT = "The Argo was built in 1990. She carries 40 cars and 200 people."


def example(number: int = 0, *, label: str = "summary", text: str = TEXT) -> Example:
    return plain_example(
        text,
        id=f"q{number}",
        question=f"How many cars, case {number}?",
        references=(Span(document_id="d", start=28, end=48, text=text[28:48]),),
        keypoints=("It is 40.",),
        requested_label="fact_single",
        verified_label=label,
        question_type="factual",
        critiques=(Critique(name="feasibility", value=None, reason="no reply"),),
    )


def chunk(document: str, start: int, end: int, text: str | None = None) -> RankedChunk:
    return RankedChunk(chunk_id=f"{document}{start}", document_id=document, start=start, end=end, score=1.0, text=text)


ITEMS = Items(
    [example(0), example(1, label="reasoning")],
    [
        Prediction(
            example_id="q0",
            system="bm25",
            chunks=(chunk("d", 20, 63), chunk("elsewhere", 0, 9, TEXT[28:48] + " again")),
            answer="40 cars",
        ),
        Prediction(example_id="q1", system="bm25", chunks=(), error="timed out"),
    ],
    [
        Score(example_id="q0", system="bm25", metric="recall@5", value=1.0),
        Score(example_id="q0", system="bm25", metric="faithfulness", value=0.123456, evidence=("supported: 40 cars",)),
        Score(example_id="q1", system="bm25", metric="faithfulness", value=None, reason="timed out"),
        Score(example_id="q1", system="other", metric="recall@5", value=0.0),
    ],
    sources={"d": "ships/argo.md"},
    text_of=lambda each: each.text or TEXT[each.start : each.end],
)


def test_a_row_has_a_value_for_each_system_and_metric_or_none() -> None:
    data = table_data(ITEMS)
    assert data["systems"] == ["bm25", "other"]
    assert data["system"] == 0  # nothing is recommended
    assert table_data(replace(ITEMS, recommended="other"))["system"] == 1
    assert table_data(replace(ITEMS, recommended="nobody"))["system"] == 0
    assert data["metrics"] == ["recall@5", "faithfulness"]
    assert data["labels"] == ["summary", "reasoning"]
    assert [row["values"] for row in data["rows"]] == [[[1.0, 0.1235], [None, None]], [[None, None], [0.0, None]]]


def test_what_was_looked_for_is_marked_by_place_and_elsewhere_by_words() -> None:
    (answer,) = detail(ITEMS, ITEMS.examples[0])["answers"]
    first, second = answer["chunks"]
    assert first == ["ships/argo.md", ["n 1990. ", False], ["She carries 40 cars ", True], ["and 200 people.", False]]
    assert second == ["document elsewhere", ["She carries 40 cars ", True], [" again", False]]
    assert answer["verdicts"] == [["faithfulness", 0.1235, "", ["supported: 40 cars"]]]


def test_data_in_a_page_cannot_end_their_element() -> None:
    hostile = "</script><!--<script>alert(1)//\u2028\u2029\u202e"
    items = Items(
        [example(text=hostile + TEXT)], [Prediction(example_id="q0", system=hostile, chunks=(), answer=hostile)]
    )
    written = embedded(items)
    assert "<" not in written
    assert not set("\u2028\u2029\u202e") & set(written)
    assert json.loads(written)["systems"][0].startswith("</script><!--<script>alert(1)//")
    details = packed(items)
    assert re.fullmatch(r"[A-Za-z0-9+/]+=*", details)
    (described,) = json.loads(zlib.decompress(base64.b64decode(details)))["details"]
    assert described["answers"][0]["answer"].startswith("</script><!--<script>alert(1)//")


def test_a_chunk_of_several_answers_is_packed_once() -> None:
    shared = chunk("d", 0, len(TEXT))
    items = Items(
        [example(), example()],
        [Prediction(example_id="q0", system=name, chunks=(shared,)) for name in ("one", "two")],
        text_of=lambda each: TEXT,
    )
    unpacked = json.loads(zlib.decompress(base64.b64decode(packed(items))))
    assert len(unpacked["chunks"]) == 1
    assert [answer["chunks"] for answer in unpacked["details"][0]["answers"]] == [[0], [0]]
