"""Records: what is written comes back, ids depend on content alone, and a bad line is named."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.errors import InputError, RecordError
from ragassay.records import (
    NO_CONTEXT,
    UNLABELLED,
    Annotation,
    Block,
    Chunk,
    Critique,
    Document,
    Example,
    Prediction,
    Provenance,
    Score,
    SkippedSource,
    Span,
    content_id,
    from_json,
    read_jsonl,
    to_json,
    write_jsonl,
)

SPAN = Span(document_id="doc-1", start=4, end=11, text="harbour")
EXAMPLE = Example(
    id="q-1",
    question="Where is the lamp?",
    answer="In the harbour",
    context=Span(document_id="doc-1", start=0, end=20, text="The harbour has one."),
    references=(SPAN,),
    keypoints=("The lamp is in the harbour.",),
    requested_label="fact_single",
    verified_label=None,
    provenance=Provenance(synthesizer="statements", model="embedded", pattern="where"),
    critiques=(Critique(name="tautology", value=None, reason="no answer"),),
)
any_text = st.text(st.characters())
records = st.one_of(
    *map(st.from_type, (Block, Span, Chunk, Example, Annotation, SkippedSource)),
    st.builds(Document, metadata=st.dictionaries(st.text(), st.text(), max_size=3)),
    st.builds(Prediction, chunks=st.just(()), latency_s=st.none(), cost_usd=st.none()),
    st.builds(Score, value=st.none() | st.floats(allow_nan=False, allow_infinity=False)),
)


@given(records)
def test_whatever_can_be_encoded_comes_back(record: object) -> None:
    line = to_json(record)
    assert "\n" not in line
    assert from_json(type(record), line) == record == from_json(type(record), line.encode())
    assert to_json(from_json(type(record), line)) == line


@pytest.mark.parametrize(
    "text",
    [
        "line\nend\r\n and \u2028 and \u2029 and \x0b and \x85",
        "\x00\x01\x1f\x7f",
        "\u202eright to left\u202c \u200f",
        "e\u0301 is not \u00e9",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        '"\\ \\u0041 </script>',
        "\ufeff\ufffe\uffff",
        "\U0010ffff",
    ],
    ids=["line ends", "controls", "direction", "combining", "emoji", "escapes", "marks", "last"],
)
def test_odd_characters_survive_the_file(tmp_path: Path, text: str) -> None:
    record = replace(EXAMPLE, question=text, answer=text)
    assert write_jsonl(tmp_path / "examples.jsonl", [record, record]) == 2
    assert list(read_jsonl(tmp_path / "examples.jsonl", Example)) == [record, record]


def test_an_id_is_the_same_for_ever() -> None:
    # blake2b-64 of b"a\x00b\x00", as `printf 'a\0b\0' | b2sum -l 64` prints it.
    assert content_id("doc", "a", "b") == "doc-ad2fbbf2e07b42c7"


@given(st.lists(any_text, max_size=4), st.lists(any_text, max_size=4))
def test_ids_of_other_parts_differ(one: list[str], other: list[str]) -> None:
    without_zero = [[part.replace("\x00", "") for part in parts] for parts in (one, other)]
    first, second = (content_id("doc", *parts) for parts in without_zero)
    assert (first == second) == (without_zero[0] == without_zero[1])
    assert first.startswith("doc-")
    assert len(first) == len("doc-") + 16
    assert set(first[4:]) <= set(string.hexdigits.lower())


@given(st.text(min_size=1), st.data())
def test_a_span_is_the_text_between_its_offsets(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    document = Document(id="doc-1", title="", source="a.md", text=text)
    span = document.span(start, end)
    assert (span.document_id, span.text) == ("doc-1", text[start:end])
    assert text[span.start : span.end] == span.text


def test_ground_spans_are_the_references_or_else_the_context() -> None:
    assert EXAMPLE.ground_spans == (SPAN,)
    assert replace(EXAMPLE, references=()).ground_spans == (EXAMPLE.context,)
    assert replace(EXAMPLE, references=(), context=NO_CONTEXT).ground_spans == ()


def test_an_example_counts_under_the_label_that_is_known_best() -> None:
    assert EXAMPLE.label == "fact_single"
    assert replace(EXAMPLE, verified_label="summary").label == "summary"
    assert replace(EXAMPLE, requested_label=None).label == UNLABELLED


def test_a_bad_line_is_named_with_its_field(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    good = to_json(EXAMPLE)
    bad = good.replace('"end":11', '"end":"eleven"')
    path.write_text(f"{good}\n\n{bad}\n", encoding="utf-8")
    read = read_jsonl(path, Example)
    assert next(read) == EXAMPLE  # the first line is given out before the third is looked at
    with pytest.raises(RecordError, match=r"^examples\.jsonl line 3: references\.0\.end: .*; expected an Example$"):
        next(read)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{}", "x: id: Field required; expected a Document"),
        ("", "x: the line: Invalid JSON"),
        ("[1]", "x: the line: Input should be an object"),
        (b"\xff\xfe", "x: the line: Invalid JSON"),
        ('{"id":"d","title":"T","source":"s","text":"t"', "x: the line: Invalid JSON: EOF"),
        ('{"id":"d","title":"T","source":"s","text":7}', "x: text: Input should be a valid string"),
        (
            '{"id":"d","title":"T","source":"s","text":"t","blocks":[{"kind":"verse","start":0,"end":1}]}',
            "x: blocks.0.kind: Input should be 'title', ",
        ),
    ],
)
def test_what_is_no_document_is_refused(line: str | bytes, said: str) -> None:
    with pytest.raises(RecordError) as raised:
        from_json(Document, line, where="x")
    assert str(raised.value).startswith(said)
    assert isinstance(raised.value, InputError)
    assert raised.value.exit_code == 3


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"

    def broken() -> Iterator[Span]:
        yield SPAN
        raise RuntimeError("the source dried up")

    with pytest.raises(RuntimeError, match="dried up"):
        write_jsonl(path, broken())
    assert list(tmp_path.iterdir()) == []
    write_jsonl(path, [SPAN])
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="dried up"):
        write_jsonl(path, broken())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused(number: str) -> None:
    line = f'{{"example_id": "q", "system": "s", "metric": "m", "value": {number}}}'
    with pytest.raises(RecordError, match="line 3: value: Input should be a finite number"):
        from_json(Score, line, where="line 3")
