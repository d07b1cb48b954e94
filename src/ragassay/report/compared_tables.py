"""Tables of compared settings as rows of finished text: the best of each label, tests, metrics, values of figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.estimate import Comparison
from ragassay.rag.setting import FUSIONS
from ragassay.report.compared import Compared
from ragassay.report.tables import Cell, DataRow, DataTable, cell
from ragassay.report.wording import (
    FUSION_WORDS,
    MetricName,
    count,
    coverage,
    decimal,
    differs,
    headline_words,
    interval,
    label_order,
    metric_name,
    metric_order,
    neighbours_words,
    p_value_words,
)


def weight_table(compared: Compared) -> DataTable:
    """The values behind the figure of text weights."""
    winners = [each for each in compared.winners if compared.fusions(each)]
    tried = {fusion for each in winners for fusion in compared.fusions(each)}
    fusions = [fusion for fusion in FUSIONS if fusion in tried]
    rows: list[DataRow] = []
    for each in winners:
        lines = [compared.by_weight(each, fusion) for fusion in fusions]
        for slot, weight in enumerate(compared.text_weights(each)):
            heads = (each.label, count(each.setting.chunk_size), f"{weight:g}")
            points = [line[slot] for line in lines]
            rows.append((heads, [cell(None if point is None else point.estimate) for point in points]))
    return DataTable(
        caption=f"{metric_name(compared.deciding).title} by text weight, at the best chunk size of each label",
        heads=["label", "chunk size", "text weight", *(FUSION_WORDS[fusion] for fusion in fusions)],
        rows=rows,
    )


def chunk_table(compared: Compared) -> DataTable:
    """The values behind the figure of chunk sizes."""
    named = metric_name(compared.deciding).title
    rows: list[DataRow] = []
    for each in compared.winners:
        lines = compared.by_size(each)
        for slot, size in enumerate(compared.chunk_sizes(each)):
            points = [lines[name][slot] if name in lines else None for name in ("dense", "lexical", "best hybrid")]
            hybrid = points[-1].setting.mix if points[-1] else "none tried"
            rows.append(((each.label, count(size), hybrid), [cell(None if p is None else p.estimate) for p in points]))
    heads = [
        "label",
        "chunk size",
        "best hybrid",
        *(f"{named}, {name}" for name in ("dense", "lexical", "best hybrid")),
    ]
    return DataTable(caption=f"{named} by chunk size", heads=heads, rows=rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """A setting tested against the best. among: the tests that Holm adjusts it for."""

    other: str
    among: str
    difference: str
    interval: str
    p_value: str
    p_adjusted: str
    n: str
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRow:
    """tied: how many of the other settings the test does not tell from it. tests: the next best and the neighbours."""

    label: str
    n: str
    dense: Cell
    lexical: Cell
    best: Cell
    setting: str
    tied: str
    next_best: Tested | None
    verdict: str
    tests: Sequence[Tested]


def best_rows(compared: Compared) -> list[BestRow]:
    """In the shape of Know Your RAG, table 2, with intervals and tests."""
    rows = []
    for each in compared.winners:
        next_best = _test(each.next_best, "all others") if each.next_best else None
        rows.append(
            BestRow(
                label=each.label,
                n=coverage(each.estimate) or count(each.estimate.n),
                dense=cell(each.dense),
                lexical=cell(each.lexical),
                best=cell(each.estimate),
                setting=each.setting.name,
                tied=f"{count(each.ties.tied)} of {count(each.ties.others)}" if each.ties else "–",
                next_best=next_best,
                verdict=neighbours_words(each.neighbours),
                tests=[*([next_best] if next_best else []), *(_test(n, "neighbours") for n in each.neighbours)],
            )
        )
    return rows


def _test(other: Comparison, among: str) -> Tested:
    return Tested(
        other=other.other,
        among=among,
        difference=decimal(other.difference),
        interval=interval(other.low, other.high),
        p_value=p_value_words(other.p_value) if other.p_adjusted is not None else "–",
        p_adjusted=p_value_words(other.p_of_family),
        n=count(other.n),
        differs=differs(other),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricBlock:
    """One label of the table of further metrics. rows: setting, what is special about it, a cell per metric."""

    label: str
    n: str
    rows: Sequence[tuple[str, str, Sequence[Cell]]]


def metric_blocks(compared: Compared) -> list[MetricBlock]:
    """The best setting of every label beside both ends with all else as in it, on all metrics.

    A label without a best of its own, such as ``unanswerable``, is shown under the best of the headline.
    """
    own = {each.label: each for each in compared.winners}
    blocks = []
    for label in label_order([*own, *compared.labels]):
        winner = own.get(label) or own.get(compared.headline)
        if winner is None:
            continue
        note = "best" if label in own else f"best over {headline_words(compared.headline)}"
        shown = [(winner.setting, note), *((end, "") for end in compared.ends(winner))]
        rows = [
            (each.name, note, [cell(compared.estimate(label, each, metric)) for metric in compared.metrics])
            for each, note in shown
        ]
        blocks.append(MetricBlock(label=label, n=count(compared.most(label)), rows=rows))
    return blocks


def metric_names(metrics: Sequence[str]) -> list[MetricName]:
    return [metric_name(metric) for metric in metrics]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTable:
    """Quality of the answers made with the best setting of each label. rows: label, setting, answers, cells."""

    metrics: Sequence[MetricName]
    rows: Sequence[tuple[str, str, str, Sequence[Cell]]]


def answer_table(compared: Compared) -> AnswerTable | None:
    """None where no answers were made. The row of the unanswerable questions comes last, if there is one."""
    metrics = sorted({metric for each in compared.winners for metric in each.generation}, key=metric_order)
    if not metrics:
        return None
    rows = []
    for each in compared.winners:
        cells = [cell(each.generation.get(metric)) for metric in metrics]
        n = max((figure.total for figure in each.generation.values()), default=0)
        rows.append((each.label, each.setting.name, count(n), cells))
    if compared.refused is not None:
        headline = next((each.setting.name for each in compared.winners if each.label == ANSWERABLE), "")
        nothing = Cell(missing="of answerable ones")
        cells = [cell(compared.refused) if metric == "abstention_accuracy" else nothing for metric in metrics]
        rows.append(("unanswerable", headline, count(compared.refused.total), cells))
    return AnswerTable(metrics=metric_names(metrics), rows=rows)
