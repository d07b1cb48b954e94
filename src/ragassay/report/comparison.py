"""Two runs compared: question by question, for the terminal, pages and ``--json``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ragassay.evaluation.estimate import Estimate
from ragassay.evaluation.paired import PairedTest
from ragassay.evaluation.run_comparison import ChangedExample, RunComparison, Tests
from ragassay.report.blocks import Block, Column, Headline, Section, Table, Text, Value
from ragassay.report.notebook import Shown, fields_of
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import SIGNIFICANCE, count, methods_words

QUESTION_CHARS = 100


def blocks_of_comparison(found: RunComparison, name_a: str, name_b: str) -> Iterator[Block]:
    """Yield differences of all metrics, within labels and types, and the questions that changed most."""
    apart = found.only_a + found.only_b
    covered = f"{count(found.examples, 'example')} in both runs"
    if apart:
        covered += f"; {count(found.only_a)} only in A and {count(found.only_b)} only in B are left out"
    yield Headline(f"A: {name_a}", [f"B: {name_b}", covered])
    yield Section("Metrics")
    title = "Answerable examples; those of abstention: all" if "unanswerable" in found.labels else "All examples"
    yield _table(title, found.metrics)
    yield Text(
        [
            f"B - A with its 95 % interval. {methods_words(found.metrics.values())}".rstrip(),
            "p: of the same paired test, two-sided; below 0.05 exactly where the interval leaves 0 out.",
            f"Holm: p corrected for the number of tests; * where it is below {SIGNIFICANCE:g}. n: examples in both.",
        ],
        "note",
    )
    yield Text([f"{name}: no example has a value in both runs" for name in found.unpaired])
    if found.judged_apart:
        names = ", ".join(found.judged_apart)
        yield Text(f"Decided by different judges, which may be the difference: {names}", "warning")
    if found.not_in_both:
        yield Text(f"In one run only, so not compared: {', '.join(found.not_in_both)}")
    partly = [f"{name} {count(test.n)}" for name, test in found.metrics.items() if test.n < test.total]
    if partly:
        yield Text(f"Of {count(found.examples)} examples not all have a value in both runs: {', '.join(partly)}")
    if found.labels or found.types:
        yield Section("By group")
    for title, groups in (("label", found.labels), ("question type", found.types)):
        for group, tests in groups.items():
            yield _table(f"{title} {excerpt(group, 40)}", tests)
    yield Section("Changed most")
    changed: list[Sequence[Value]] = [
        (excerpt(each.question, QUESTION_CHARS), each.label, each.example_id, _changes(each)) for each in found.changed
    ]
    yield Table("Changed most", ["question", "label", "id", "A -> B"], changed)


def _table(title: str, tests: Tests) -> Table:
    columns = ["metric", Column("A", "decimal"), Column("B", "decimal"), Column("B - A", "signed"), Column("p", "p"),
               Column("Holm", "p"), Column("n", "count")]  # fmt: skip
    return Table(title, columns, [_row(name, test) for name, test in tests.items()])


def _row(name: str, test: PairedTest) -> Sequence[Value]:
    mark = " *" if test.p_adjusted < SIGNIFICANCE else ""
    difference = Estimate(value=test.difference, low=test.low, high=test.high, n=test.n, total=test.n)
    return f"{name}{mark}", test.a, test.b, difference, test.p_value, test.p_adjusted, test.n


def _changes(each: ChangedExample) -> str:
    moved = {name: pair for name, pair in each.values.items() if pair[0] != pair[1]}
    return ", ".join(f"{name} {_number(a)} -> {_number(b)}" for name, (a, b) in moved.items())


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3g}"


def comparison_object(found: RunComparison, a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, Any]:
    """Return what ``--json`` prints. a, b: what is said of the runs."""
    told = asdict(found)
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
