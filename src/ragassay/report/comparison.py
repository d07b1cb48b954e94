"""Side by side: two runs, question by question; sets, by labels, question words and critiques (Know Your RAG)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.datasets.card import question_word
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.paired import ChangedExample, PairedTest, RunComparison, Tests
from ragassay.metrics.catalogue import range_words, scale_of
from ragassay.rag.setting import DECIDING
from ragassay.records import UNLABELLED, Example
from ragassay.report.blocks import Block, Column, Headline, Noted, Section, Table, Text, Tile, Tiles, Value, typed
from ragassay.report.html import render_page
from ragassay.report.notebook import Shown, fields_of
from ragassay.report.safe_text import excerpt
from ragassay.report.scores import blocks_of_corrected, corrected_by
from ragassay.report.synthesis import matrix_table
from ragassay.report.tiles import score_tile
from ragassay.report.wording import SIGNIFICANCE, count, decimal, label_order, methods_words, share

METRICS_SHOWN = 3
_NO_LABEL = f"{UNLABELLED}, "


def blocks_of_comparison(found: RunComparison, name_a: str, name_b: str) -> Iterator[Block]:
    """Yield what differs in the deciding metric, the questions that changed most, all metrics, and labels and types."""
    apart = found.only_a + found.only_b
    covered = f"{count(found.examples, 'example')} in both runs"
    if apart:
        covered += f"; {count(found.only_a)} only in A and {count(found.only_b)} only in B are left out"
    metric = _deciding(found)
    a, b = found.names if found.names[0] != found.names[1] else ("A", "B")
    title = f"{excerpt(b, 40)} against {excerpt(a, 40)}" + (f", by {metric}" if metric else "")
    yield Headline(title, [f"A: {name_a}", f"B: {name_b}", covered])
    if metric:
        yield Tiles(list(_tiles(found, metric)))
    yield from _changed(sorted(found.changed, key=lambda each: each.gain >= 0), metric)
    yield Section("Compared")
    title = "Answerable examples; those of abstention: all" if "unanswerable" in found.labels else "All examples"
    yield _table(f"{title}; the judge alone" if found.corrected else title, found.metrics)
    counts: list[Sequence[Value]] = [
        (name, test.better, test.worse, test.same, test.n) for name, test in found.metrics.items()
    ]
    columns = ["metric", *typed("count", "better", "worse", "about the same", "n")]
    yield Table("Examples on which B is (better or worse: by a tenth of the range or more)", columns, counts)
    yield Text(
        [
            f"B - A with its 95 % interval. {methods_words(found.metrics.values())}".rstrip(),
            "p: of the same paired test, two-sided; below 0.05 exactly where the interval leaves 0 out.",
            f"Holm: p corrected for the number of tests; * where it is below {SIGNIFICANCE:g}. n: examples in both.",
        ],
        "note",
    )
    yield from blocks_of_corrected({"": found.corrected} if found.corrected else {}, "Difference B - A")
    yield Text([f"{name}: no example has a value in both runs" for name in found.unpaired])
    if found.judged_apart:
        names = ", ".join(found.judged_apart)
        yield Text(f"Decided by different judges, which may be the difference: {names}", "warning")
    partly = [f"{name} {count(test.n)}" for name, test in found.metrics.items() if test.n < test.total]
    if partly:
        yield Text(f"Of {count(found.examples)} examples not all have a value in both runs: {', '.join(partly)}")
    yield Section("By group", is_folded=True)
    for title, groups in (("label", found.labels), ("question type", found.types)):
        for group, tests in groups.items():
            yield _table(f"{title} {excerpt(group, 40)}", tests)
    if found.not_in_both:
        yield Text(f"In one run only, so not compared: {', '.join(found.not_in_both)}")


def _deciding(found: RunComparison) -> str:
    """Return the metric that people corrected, a judged, the deciding or the first one; empty where there is none."""
    judged = [name for name in found.metrics if (scale := scale_of(name)) and scale.is_judged]
    names = (*found.corrected, *judged, DECIDING, *found.metrics)
    return next((name for name in names if name in found.metrics), "")


def _tiles(found: RunComparison, metric: str) -> Iterator[Tile]:
    test, by_people = found.metrics[metric], found.corrected.get(metric)
    doubt = "could be chance" if test.p_adjusted >= SIGNIFICANCE else ""
    judge = "the judge alone" if by_people else ""
    difference, note = _estimate(test), doubt
    if by_people:
        difference, note = by_people.estimate, corrected_by(by_people, "answer pair")
        if (difference.low or 0) <= 0 <= (difference.high or 0):
            note += "; could be chance"
    yield score_tile(f"{metric}, B - A", difference, note)
    yield Tile("From A to B", f"{decimal(test.a)} \u2192 {decimal(test.b)}", judge)
    counts = f"worse on {count(test.worse)}, about the same (within a tenth of the range) on {count(test.same)}"
    yield Tile("B is better on", count(test.better, "example"), "; ".join(filter(None, (counts, judge))))


def _table(title: str, tests: Tests) -> Table:
    columns = ["metric", Column("A", "decimal"), Column("B", "decimal"), Column("B - A", "signed"),
               *typed("p", "p", "Holm")]  # fmt: skip
    return Table(title, columns, [_row(name, test) for name, test in tests.items()])


def _row(name: str, test: PairedTest) -> Sequence[Value]:
    mark = " *" if test.p_adjusted < SIGNIFICANCE else ""
    return f"{name}{range_words(name)}{mark}", test.a, test.b, _estimate(test), test.p_value, test.p_adjusted


def _estimate(test: PairedTest) -> Estimate:
    return Estimate(value=test.difference, low=test.low, high=test.high, n=test.n, total=test.n)


def _changed(changed: Sequence[ChangedExample], metric: str) -> Iterator[Block]:
    """Yield each question with the right answer and both answers: a table on a page, a line each in the terminal."""
    yield Section("Changed most")
    lines, rows = list[str](), list[Sequence[Value]]()
    for each in changed:
        gain = "worse" if each.gain < 0 else "better" if each.gain > 0 else "mixed"
        about = f"{each.label}, {each.example_id}".removeprefix(_NO_LABEL)
        lines += [f"{gain}: {each.question}", *([f"  expected: {each.expected}"] if each.expected else [])]
        cells: list[Value] = []
        for side, answer in enumerate(each.answers):
            values, said = _values(each, metric, side), "the system failed" if answer is None else answer
            cells.append(Noted(said, ", ".join(values)))
            lines.append(f"  {'AB'[side]}, {values[0]}: {said}" if said else f"  {'AB'[side]}: {', '.join(values)}")
        rows.append((gain, Noted(each.question, about), each.expected, *cells))
    columns = ["B is", "question", "expected", "A", "B"]
    yield Table("By all metrics together; those that got worse first", columns, rows, on="page")
    lines = [each[:2] + " ".join(each[2:].split()) for each in lines]
    yield Text(lines, title="Changed most, by all metrics together", on="terminal", verbatim=True, is_cut=True)


def _values(each: ChangedExample, metric: str, side: int) -> list[str]:
    """Return the deciding metric's value of one system, then those of metrics that differ, judged ones first."""
    moved = sorted(
        (name for name, (a, b) in each.values.items() if a != b or name == metric),
        key=lambda name: (name != metric, not ((scale := scale_of(name)) and scale.is_judged)),
    )
    values = [(name, each.values[name][side]) for name in moved[:METRICS_SHOWN]]
    return [f"{name} {'none' if value is None else decimal(value, 2)}" for name, value in values]


def comparison_object(found: RunComparison, a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, Any]:
    """Return what ``--json`` prints. a, b: what is said of the runs."""
    told = asdict(found)
    del told["names"]
    examples = {"both": told.pop("examples"), "only_a": told.pop("only_a"), "only_b": told.pop("only_b")}
    return {"a": dict(a), "b": dict(b), "examples": examples, **told}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownComparison(Shown, RunComparison):
    """A comparison that notebooks show. name_a, name_b: folder and system of each run."""

    name_a: str
    name_b: str

    @classmethod
    def of(cls, found: RunComparison, name_a: str, name_b: str) -> ShownComparison:
        return cls(**fields_of(found), name_a=name_a, name_b=name_b)

    def blocks(self) -> Iterable[Block]:
        return blocks_of_comparison(self, self.name_a, self.name_b)


Counts = Mapping[str, int]
RATING = (1.0, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One critique of a set. ratings: 1 to 5 to examples; mean: over documents, of those that have a rating."""

    ratings: Mapping[int, int]
    mean: Estimate


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetFigures(Shown):
    """One set. documents: that its examples rest on. critiques: name to ratings, of the examples that have any.

    matrix: label asked for to label given, of the examples that have both.
    """

    name: str
    examples: int
    documents: int
    synthesizers: Counts
    labels: Counts
    matrix: Mapping[str, Counts]
    question_words: Counts
    critiques: Mapping[str, Rated]


def set_figures_of(name: str, examples: Sequence[Example]) -> SetFigures:
    """Return the figures of one set."""
    documents = {span.document_id for each in examples for span in (each.context, *each.references)} - {""}
    return SetFigures(
        name=name,
        examples=len(examples),
        documents=len(documents),
        synthesizers=_ordered(Counter(each.provenance.synthesizer or "not named" for each in examples)),
        labels=dict(Counter(each.label for each in examples)),
        matrix={asked: dict(given) for asked, given in matrix(examples).items()},
        question_words=_ordered(Counter(question_word(each.question) for each in examples)),
        critiques=_critiques(examples),
    )


def matrix(examples: Iterable[Example]) -> dict[str, Counter[str]]:
    """Return requested to verified label to count, of examples that have both."""
    found: dict[str, Counter[str]] = {}
    for example in examples:
        if example.requested_label and example.verified_label:
            found.setdefault(example.requested_label, Counter())[example.verified_label] += 1
    return found


def _critiques(examples: Sequence[Example]) -> dict[str, Rated]:
    found: dict[str, list[tuple[Example, int | None]]] = {}
    for example in examples:
        for critique in example.critiques:
            found.setdefault(critique.name, []).append((example, critique.value))
    return {
        name: Rated(
            ratings={rating: sum(value == rating for _, value in rated) for rating in range(1, 6)},
            mean=estimate(
                [None if value is None else float(value) for _, value in rated],
                bounds=RATING,
                clusters=clusters_of([example for example, _ in rated]),
            ),
        )
        for name, rated in found.items()
    }


def _ordered(counts: Counts) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def sets_object(sets: Sequence[SetFigures]) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {"sets": [asdict(each) for each in sets]}


def blocks_of_sets(sets: Sequence[SetFigures]) -> Iterator[Block]:
    """Yield a column for each set; what no set has anything of is left out."""
    yield Headline(f"{count(len(sets))} sets side by side: {', '.join(each.name for each in sets)}")
    yield Section("The sets")
    made: list[Sequence[Value]] = [
        ("examples", *(count(each.examples) for each in sets)),
        ("documents", *(count(each.documents) for each in sets)),
        ("made by", *(", ".join(each.synthesizers) for each in sets)),
    ]
    yield _beside("Sizes", "", sets, made)
    yield Section("Labels")
    yield _beside(
        "Examples of each label, and their share", "label", sets, _shares(sets, lambda each: each.labels, label_order)
    )
    for each in sets:
        yield matrix_table(each.matrix, each.name)
    yield Section("Question words")
    yield _beside(
        "Examples of each question word, and their share",
        "question word",
        sets,
        _shares(sets, lambda each: each.question_words),
    )
    yield from _critique_blocks(sets)


def render_sets(sets: Sequence[SetFigures]) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    return render_page("sets", list(blocks_of_sets(sets)))


def _beside(title: str, corner: str, sets: Sequence[SetFigures], rows: Iterable[Sequence[Value]]) -> Table:
    return Table(title, [corner, *(Column(each.name, "decimal") for each in sets)], list(rows))


def _shares(
    sets: Sequence[SetFigures],
    counts_of: Callable[[SetFigures], Counts],
    order: Callable[[Iterable[str]], list[str]] | None = None,
) -> Iterator[Sequence[Value]]:
    """Names of all sets, in their order or the most frequent first."""
    total: dict[str, float] = {}
    for each in sets:
        for name, number in counts_of(each).items():
            total[name] = total.get(name, 0.0) + number / each.examples
    for name in order(total) if order else sorted(total, key=lambda name: (-total[name], name)):
        numbers = [(counts_of(each).get(name, 0), each.examples) for each in sets]
        yield name, *(f"{count(number)} ({share(number, whole)})" for number, whole in numbers)


def _critique_blocks(sets: Sequence[SetFigures]) -> Iterator[Block]:
    yield Section("Critiques")
    cells: list[Sequence[Value]] = [
        (name.replace("_", " "), *(each.critiques[name].mean if name in each.critiques else None for each in sets))
        for name in dict.fromkeys(name for each in sets for name in each.critiques)
    ]
    yield _beside("Critiques: mean rating, 1 to 5, with its 95 % interval over documents", "critique", sets, cells)
