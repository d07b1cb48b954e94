"""Sets side by side: labels, question words, critiques (Know Your RAG, figures 2 and 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.datasets.card import question_word
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.clusters import clusters_of
from ragassay.evaluation.estimate import Estimate
from ragassay.records import Example
from ragassay.report.blocks import Bars, Block, Column, Figure, Headline, Section, Table, Value
from ragassay.report.html import render_page
from ragassay.report.set import RATING, matrix
from ragassay.report.synthesis import matrix_table
from ragassay.report.wording import count, label_order, share

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One critique of a set. ratings: 1 to 5 to examples; mean: over documents, of those that have a rating."""

    ratings: Mapping[int, int]
    mean: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFigures:
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
    yield _table("Sizes", "", sets, made)
    yield Section("Labels")
    labels = label_order({label for each in sets for label in each.labels})
    bars = Bars([(each.name, each.labels) for each in sets], labels)
    yield Figure("Examples by label", [("", bars)], values=False)
    yield _table(
        "Examples of each label, and their share", "label", sets, _shares(sets, lambda each: each.labels, label_order)
    )
    for each in sets:
        yield matrix_table(each.matrix, each.name)
    yield Section("Question words")
    yield _table(
        "Examples of each question word, and their share",
        "question word",
        sets,
        _shares(sets, lambda each: each.question_words),
    )
    yield from _critique_blocks(sets)


def render_sets(sets: Sequence[SetFigures]) -> str:
    """Return the whole page as text, to be written as UTF-8."""
    return render_page("sets", list(blocks_of_sets(sets)))


def _table(title: str, corner: str, sets: Sequence[SetFigures], rows: Iterable[Sequence[Value]]) -> Table:
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
    names = list(dict.fromkeys(name for each in sets for name in each.critiques))
    rows = [
        (name.replace("_", " "), {each.name: each.critiques[name].mean for each in sets if name in each.critiques})
        for name in names
    ]
    if not rows:
        return
    cells: list[Sequence[Value]] = [(name, *(means.get(each.name) for each in sets)) for name, means in rows]
    yield _table("Critiques: mean rating, 1 to 5, with its 95 % interval over documents", "critique", sets, cells)
