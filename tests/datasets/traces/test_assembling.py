"""Which span of a trace counts for what, on trees that are worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.datasets.format import Notes, Source
from ragassay.datasets.replies.places import Places
from ragassay.datasets.replies.reading import chunks_of
from ragassay.datasets.traces.assembling import assemble
from ragassay.datasets.traces.spans import Span
from ragassay.errors import InputError, UsageError
from ragassay.records import Example, Prediction, RankedChunk

SOURCE = Source(path=Path("traces.jsonl"))


def chunks(*texts: str) -> tuple[RankedChunk, ...]:
    return chunks_of(list(texts), Places()) or ()


def span(name: str, parent: str = "", **values: Any) -> Span:
    return Span(trace_id=values.pop("trace_id", "t"), id=name, where="x", parent=parent, **values)


def made(*spans: Span) -> tuple[Prediction, Example, dict[str, int]]:
    notes = Notes()
    prediction, example = assemble("otel", lambda notes: iter(spans), SOURCE, notes)
    assert isinstance(prediction, Prediction)
    assert isinstance(example, Example)
    return prediction, example, dict(notes.counts)


ROOT = span("root", input="Who?", output="Ines.", started_s=10, ended_s=12)


def texts(prediction: Prediction) -> list[str | None]:
    return [each.text for each in prediction.chunks]


def test_several_retrievals_follow_one_another_and_repeats_count_once() -> None:
    first = span("r1", "root", kind="retriever", chunks=chunks("a", "b"), started_s=10.1)
    second = span("r2", "root", kind="retriever", chunks=chunks("b", "c"), started_s=10.5)
    prediction, _, notes = made(second, ROOT, first)  # in any order of the file
    assert texts(prediction) == ["a", "b", "c"]
    assert notes == {"traces with several retrievals; their chunks are joined in order": 1}


def test_of_nested_retrievals_the_outermost_counts() -> None:
    outer = span("r1", "root", kind="retriever", chunks=chunks("b", "a"))
    chain = span("chain", "r1")
    inner = [span(f"i{text}", "chain", kind="retriever", chunks=chunks(text)) for text in "ab"]
    assert texts(made(ROOT, outer, chain, *inner)[0]) == ["b", "a"]
    empty = replace(outer, chunks=())  # it hands nothing on: what is inside counts
    assert texts(made(ROOT, empty, chain, *inner)[0]) == ["a", "b"]


def test_a_reranking_stands_for_the_retrieval_before_it_and_no_other() -> None:
    found = span("r1", "root", kind="retriever", chunks=chunks("a", "b", "c"), started_s=1)
    ranked = span("k", "root", kind="reranker", chunks=chunks("c", "a"), started_s=2)
    later = span("r2", "root", kind="retriever", chunks=chunks("d"), started_s=3)
    assert texts(made(ROOT, found, ranked)[0]) == ["c", "a"]
    assert texts(made(ROOT, found, ranked, later)[0]) == ["c", "a", "d"]


def test_tokens_are_those_of_the_innermost_calls_and_unknown_where_one_does_not_tell() -> None:
    agent = span("agent", "root", input_tokens=30)  # repeats the sum
    call = span("m1", "agent", kind="llm", input_tokens=10)
    other = span("m2", "agent", kind="llm", input_tokens=20)
    inner = span("m3", "m2", kind="llm", input_tokens=20)  # the same call, told by the client of the server
    assert made(ROOT, agent, call, other, inner)[0].input_tokens == 30
    silent = replace(other, input_tokens=None)
    assert made(ROOT, agent, call, silent)[0].input_tokens is None  # not 10
    assert made(replace(ROOT, input_tokens=30), agent, call, silent)[0].input_tokens == 30  # the root has the sum
    assert made(ROOT)[0].input_tokens is None  # no call: not 0


def test_question_and_answer_in_different_spans() -> None:
    request = span("http")
    search = span("r", "http", kind="retriever", input="Who?", chunks=chunks("a"), started_s=1)
    first = span("m1", "http", kind="llm", input="rewrite", output="who built", started_s=0)
    last = span("m2", "http", kind="llm", input="prompt", output="Ines.", started_s=2)
    prediction, example, notes = made(request, search, last, first)
    assert (example.question, prediction.answer) == ("Who?", "Ines.")
    assert notes["questions and answers that stand in different spans"] == 1


def test_a_failed_trace_keeps_its_question_and_its_reason() -> None:
    failed = replace(ROOT, output=None, error="timeout")
    inside = span("m", "root", kind="llm", input="p", output="Ines.")  # nobody was given it
    prediction, example, _ = made(failed, inside)
    assert (example.question, prediction.answer, prediction.error) == ("Who?", None, "timeout")


def test_spans_whose_parent_is_not_there() -> None:
    orphan = replace(ROOT, parent="elsewhere")
    prediction, example, notes = made(orphan, span("r", "root", kind="retriever", chunks=chunks("a")))
    assert (example.question, prediction.answer, texts(prediction)) == ("Who?", "Ines.", ["a"])
    assert notes["spans whose parent is not in the file, taken as topmost"] == 1
    two = [replace(orphan, id="x"), replace(orphan, id="y")]
    with pytest.raises(InputError, match="1 several topmost spans with question and answer"):
        made(*two)


@pytest.mark.parametrize(
    ("spans", "said"),
    [
        ([], "holds no spans; name its format with --from"),
        ([span("a", "b"), span("b", "a")], "1 their spans are parts of each other in a circle"),
        ([span("a", "a", input={"pages": 3, "lamps": 2})], r"as input the fields pages, lamps, as output nothing"),
        ([span("a", input="Who?")], "1 a question with neither answer nor retrieval"),
        ([span("a", output="Ines.")], "1 no span holds a question"),
    ],
)
def test_what_makes_no_example_is_said(spans: list[Span], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        list(assemble("otel", lambda notes: iter(spans), SOURCE, Notes()))
    assert str(caught.value).startswith("traces.jsonl holds no ")


def test_a_mapping_that_finds_nothing_or_that_traces_have_no_need_of() -> None:
    source = Source(path=Path("x.jsonl"), mapping={"question": ("input", "ask")})
    with pytest.raises(InputError) as caught:
        list(assemble("otel", lambda notes: iter([replace(ROOT, input={"query": "Who?"})]), source, Notes()))
    assert str(caught.value) == (
        "x.jsonl: --map question=input.ask finds nothing in any trace of 1; the first root has as input the fields "
        "query, as output a text"
    )
    with pytest.raises(UsageError, match="--map: traces have session by themselves"):
        list(assemble("otel", lambda notes: iter([ROOT]), replace(source, mapping={"session": ("a",)}), Notes()))


@st.composite
def trees(draw: st.DrawFn) -> list[Span]:
    """Spans of one trace with parents at random: circles and missing ones are among them."""
    count = draw(st.integers(1, 8))
    names = [*map(str, range(count)), "", "gone"]
    return [
        span(
            str(number),
            draw(st.sampled_from(names)),
            kind=draw(st.sampled_from(["other", "llm", "retriever", "reranker", "tool"])),
            input=draw(st.sampled_from([None, "Who?", {"a": 1}])),
            output=draw(st.sampled_from([None, "Ines."])),
            chunks=draw(st.sampled_from([(), chunks("a"), chunks("a", "b")])),
            started_s=draw(st.sampled_from([None, 1.0, 2.0])),
            input_tokens=draw(st.sampled_from([None, 1, 2])),
            error=draw(st.sampled_from(["", "timeout"])),
        )
        for number in range(count)
    ]


@given(trees(), st.randoms())
def test_any_tree_gives_one_example_or_a_reason(spans: list[Span], chance: Any) -> None:
    def read(order: list[Span]) -> list[Any] | str:
        def given_spans(notes: Notes) -> Iterator[Span]:
            return iter(order)

        try:
            return list(assemble("otel", given_spans, SOURCE, Notes()))
        except InputError as error:
            return str(error)

    found = read(spans)
    assert isinstance(found, str) or (len(found) == 2 and len(set(texts(found[0]))) == len(found[0].chunks))
    starts = [each.started_s for each in spans]
    if len(set(starts)) == len(starts):  # where times tell the order, that of the file does not matter
        mixed = list(spans)
        chance.shuffle(mixed)
        assert read(mixed) == found
