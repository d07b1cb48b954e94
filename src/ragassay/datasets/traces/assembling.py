"""Spans to examples and predictions, one question a trace; ``docs/traces.md`` says which span counts for what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from ragassay.datasets.conversations import answer_in, question_in
from ragassay.datasets.foreign import RECORDED, example_of
from ragassay.datasets.format import Format, Notes, Record, Source
from ragassay.datasets.mapping import as_option, check_found, read_item
from ragassay.datasets.replies.places import count_of, fields_seen, unpack
from ragassay.datasets.replies.reading import declines
from ragassay.datasets.rows import read_rows
from ragassay.datasets.traces.spans import Span, spans_in
from ragassay.errors import InputError, UsageError
from ragassay.records import Prediction, RankedChunk

_LEFT_OUT = "traces left out: "


def assemble(origin: str, spans: Callable[[Notes], Iterator[Span]], source: Source, notes: Notes) -> Iterator[Record]:
    """Yield the prediction and the example of each trace, as soon as all of its spans have come.

    spans: called twice. Raises InputError where no trace gives an example, UsageError for documents beside the traces.
    """
    if source.documents is not None:
        raise UsageError("--documents: traces bring the texts that were retrieved; leave it out")
    for name in source.mapping.keys() - {"question", "answer", "contexts", "reference"}:
        raise UsageError(f"--map: traces have {name} by themselves; map question, answer, contexts or reference")
    left = Counter(span.trace_id for span in spans(Notes(keep_going=True)))
    waiting: dict[str, dict[str, Span]] = defaultdict(dict)
    seen = ""
    count = traces = 0
    for span in spans(notes):
        trace = waiting[span.trace_id]
        if span.id in trace:
            notes.add("repeated spans; the first counts")
        trace.setdefault(span.id, span)
        left[span.trace_id] -= 1
        if left[span.trace_id] > 0:
            continue
        tree = _Tree(list(waiting.pop(span.trace_id).values()))
        seen = seen or _fields(tree)
        traces += 1
        for record in _records(origin, tree, source.mapping, notes):
            count += not isinstance(record, Prediction)
            yield record
    check_found(
        source.mapping,
        notes,
        traces,
        lambda name, place: (
            f"{source.path.name}: {as_option(name, place)} finds nothing in any trace of {traces}; "
            f"the first root has {seen}"
        ),
    )
    if not count:
        raise InputError(f"{source.path.name} {_nothing(notes, seen)}")


def _nothing(notes: Notes, seen: str) -> str:
    if not seen:
        return "holds no spans; name its format with --from, or its fields with --map"
    reasons = [f"{count} {what.removeprefix(_LEFT_OUT)}" for what, count in notes.counts.items() if _LEFT_OUT in what]
    return (
        f"holds no trace that makes an example ({', '.join(reasons)}); the first root has {seen}; name the question "
        "with --map question=PLACE, such as --map question=input.query"
    )


class _Tree:
    """One trace. tops: spans without a parent, earliest first. order: all that hang on them, by depth and time."""

    def __init__(self, spans: Sequence[Span]) -> None:
        by_id = {span.id: span for span in spans}
        in_time = sorted(spans, key=lambda span: (span.started_s is None, span.started_s or 0))
        self._time = {span.id: number for number, span in enumerate(in_time)}
        self.parent_missing = sum(1 for span in spans if span.parent and span.parent not in by_id)
        self.children: dict[str, list[Span]] = defaultdict(list)
        self.tops: list[Span] = []
        for span in in_time:
            if span.parent in by_id and span.parent != span.id:
                self.children[span.parent].append(span)
            else:
                self.tops.append(span)
        self.order: list[Span] = []
        level = self.tops
        while level:
            self.order += level
            level = [child for span in level for child in self.children[span.id]]

    def of(self, *kinds: str) -> list[Span]:
        """Return the spans of some kinds by depth."""
        return [span for span in self.order if span.kind in kinds]

    def in_time(self, spans: Iterable[Span]) -> list[Span]:
        """Return the spans in the order in which they began."""
        return sorted(spans, key=lambda span: self._time[span.id])

    def within(self, kinds: Set[str]) -> set[str]:
        """Return the ids of spans that are inside of one of these kinds that gave chunks."""
        found: set[str] = set()
        for span in self.order:  # parents come first
            if span.id in found or (span.kind in kinds and span.chunks):
                found.update(child.id for child in self.children[span.id])
        return found

    def total(self, value: Callable[[Span], float | None]) -> float | None:
        """Return what the root tells of all, else the sum over the innermost calls; None where one tells nothing."""
        whole = value(self.tops[0]) if len(self.tops) == 1 else None
        calls = [span for span in self.of("llm") if all(child.kind != "llm" for child in self.children[span.id])]
        told = [number for call in calls if (number := value(call)) is not None]
        return sum(told) if whole is None and told and len(told) == len(calls) else whole


def _fields(tree: _Tree) -> str:
    if not tree.tops:
        return "no root"
    return f"as input {fields_seen(unpack(tree.tops[0].input))}, as output {fields_seen(unpack(tree.tops[0].output))}"


def _records(origin: str, tree: _Tree, mapping: Mapping[str, Any], notes: Notes) -> Iterator[Record]:
    if not tree.order:
        notes.add(f"{_LEFT_OUT}their spans are parts of each other in a circle")
        return
    if tree.parent_missing:
        notes.add("spans whose parent is not in the file, taken as topmost", tree.parent_missing)
    top = tree.tops[0]
    given = read_item(top.where, {"input": unpack(top.input), "output": unpack(top.output)}, mapping, notes)
    made = given.prediction or Prediction(example_id="", system=RECORDED, chunks=())
    question, answer, reason = _said(tree, notes)
    question, answer = given.question or question, made.answer or answer
    if top.error and made.answer is None and answer_in(top.output) is None:
        answer = None  # whatever a model said inside, nobody was given it
    if question is None:
        notes.add(_LEFT_OUT + (reason or "no span holds a question"))
        return
    chunks = made.chunks or _retrieved(tree, notes)
    error = next((span.error for span in tree.order if span.error), None) if answer is None else None
    if answer is None and not chunks and error is None:
        notes.add(f"{_LEFT_OUT}a question with neither answer nor retrieval (cut off, or not recorded)")
        return
    if not chunks:
        notes.add("traces without a retrieval")
    trace_id = top.trace_id
    prediction = Prediction(example_id=trace_id, system=RECORDED, chunks=chunks, error=error)
    if answer is not None:
        prediction = replace(prediction, answer=answer, abstained=declines(answer))
    yield replace(prediction, **_measured(tree))
    yield example_of(origin=origin, question=question, example_id=trace_id, answer=next(iter(given.answers), ""))


def _measured(tree: _Tree) -> dict[str, Any]:
    top = tree.tops[0]
    is_whole = len(tree.tops) == 1 and top.started_s is not None and top.ended_s is not None
    latency = round(top.ended_s - top.started_s, 6) if is_whole and top.ended_s and top.started_s else None
    return {
        "input_tokens": count_of(tree.total(lambda span: span.input_tokens)),
        "output_tokens": count_of(tree.total(lambda span: span.output_tokens)),
        "latency_s": latency if latency is not None and latency >= 0 else None,
        "cost_usd": tree.total(lambda span: span.cost_usd),
        "session": next((span.session for span in tree.order if span.session), None),
    }


def _said(tree: _Tree, notes: Notes) -> tuple[str | None, str | None, str]:
    """Return question and answer of the topmost span that has both, else of those with one; and why there is none."""
    both = [
        (span, question, answer)
        for span in tree.of("other")
        if (question := question_in(span.input)) and (answer := answer_in(span.output))
    ]
    if both:
        if sum(span in tree.tops for span, _, _ in both) > 1:
            return None, None, "several topmost spans with question and answer, and no root above them"
        return both[0][1], both[0][2], ""
    asked = (*tree.of("other"), *tree.of("retriever"), *tree.of("llm"))
    question = next(filter(None, (question_in(span.input) for span in asked)), None)
    last = (*tree.in_time(tree.of("llm")), *reversed(tree.of("other")))
    answers = [answer for span in last if (answer := answer_in(span.output))]
    if question and answers:
        notes.add("questions and answers that stand in different spans")
    return question, answers[-1] if answers else None, ""


def _retrieved(tree: _Tree, notes: Notes) -> tuple[RankedChunk, ...]:
    """Return the chunks of the outermost retrievals in time, each once; a re-ranking stands for those it was given."""
    kinds = {"retriever", "reranker"}
    inside = tree.within(kinds)
    found = [each for each in tree.of(*kinds) if each.chunks and not (each.kind == "retriever" and each.id in inside)]
    last: list[Span] = []
    for span in tree.in_time(found):
        if span.kind == "reranker":
            given = _keys(span)
            last = [each for each in last if _keys(each).isdisjoint(given)]
        last.append(span)
    if len(last) > 1:
        notes.add("traces with several retrievals; their chunks are joined in order")
    chunks: dict[tuple[str, str | None], RankedChunk] = {}
    for chunk in (chunk for span in last for chunk in span.chunks):
        chunks.setdefault((chunk.chunk_id, chunk.text), chunk)
    return tuple(chunks.values())


def _keys(span: Span) -> set[str]:
    return {chunk.text or chunk.chunk_id for chunk in span.chunks}


def _read(name: str, source: Source, notes: Notes) -> Iterator[Record]:
    def spans(notes: Notes) -> Iterator[Span]:
        for row in read_rows(source.path, notes):
            yield from spans_in(row, notes)

    return assemble(name, spans, source, notes)


OTEL = Format(
    name="otel",
    when=[
        {"all": ["resourceSpans"]},
        {"all": ["resource_spans"]},
        {"all": ["context", "attributes", "parent_id"]},
        {"all": ["context", "attributes", "span_kind"]},
        {"all": ["context.span_id"]},
    ],
    read=partial(_read, "otel"),
    maps=True,
)
LANGFUSE = Format(
    name="langfuse",
    when=[
        {"all": ["id", "trace_id", "type", "start_time"], "snake_case": True},
        {"all": ["id", "observations", "input"]},
        {"all": ["trace", "observations"]},
    ],
    read=partial(_read, "langfuse"),
    maps=True,
)
