"""Blocks of compared settings: the best of each label, parameters, quality against tokens, all results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragassay.evaluation.aggregate import pareto_front
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.catalogue import known_metric
from ragassay.rag.setting import NO_GENERATOR, Setting, preference
from ragassay.report.blocks import (
    Block,
    Column,
    Figure,
    Format,
    Lines,
    Section,
    Table,
    Text,
    terms,
    typed,
)
from ragassay.report.compared import Compared
from ragassay.report.tiles import FEW, headline_figure
from ragassay.report.wording import (
    LABEL_MEANINGS,
    count,
    coverage,
    decimal,
    estimate_words,
    headline_words,
    methods_words,
    metric_title,
    portion,
    setting_words,
    share,
    ties_words,
)
from ragassay.sweep.outcome import WeightTable
from ragassay.sweep.values import COST, PRICE, TOKENS, TOKENS_IN, TOKENS_OUT, By

_SHOWN = 15
"""Settings of a label, reasons and points in the terminal."""
_PRICES: Mapping[str, tuple[str, Format]] = {
    TOKENS_IN: ("tokens in", "count"),
    TOKENS_OUT: ("tokens out", "count"),
    TOKENS: ("tokens", "count"),
    COST: ("US dollars", "dollars"),
}


def best_words(compared: Compared) -> str:
    """End a headline: the best mean, or that no other setting can be told from the best."""
    if compared.is_open:
        return "; no setting is clearly the best"
    return f", best {compared.deciding} {headline_figure(compared.top.estimate)}" if compared.top else ""


def lead_words(compared: Compared) -> Iterator[str]:
    """Say which setting did best, how far that can be told, and what became of the unanswerable questions."""
    top = compared.top
    if top is None:
        where = headline_words(compared.headline)
        yield f"No setting has a score over {where}." if compared.winners else compared.without
    else:
        tied = bool(top.ties and top.ties.tied)
        most = f"has the {'highest' if compared.higher_is_better else 'lowest'} mean" if tied else "did best"
        yield (
            f"Over {headline_words(top.label)}, {top.setting.name} {most}: {compared.deciding} "
            f"{estimate_words(top.estimate)}."
        )
        yield setting_words(top.setting)
        if len(compared.settings) > 1:
            less = "less" if compared.higher_is_better else "more"
            yield (
                f"It is the best of {count(len(compared.settings), 'setting')}, chosen on these same questions, so "
                f"expect a little {less} on new ones."
            )
        if top.ties and top.ties.others:
            yield ties_words(top.ties)
    if compared.refusals:
        yield compared.refusals


def blocks_of_best(compared: Compared) -> Iterator[Block]:
    """Yield the best setting of each label with its tests (Know Your RAG, table 2, with intervals)."""
    by = compared.deciding
    yield Section("Best settings")
    if not compared.winners:
        yield Text(compared.without, "warning")
        return
    rows = [
        (
            each.label,
            each.setting.name if each.estimate.value is not None else None,
            each.estimate,
            coverage(each.estimate) or count(each.estimate.n),
            portion(each.ties.tied, each.ties.others) if each.ties else None,
            each.dense,
            each.lexical,
        )
        for each in compared.winners
    ]
    columns = ["label", "setting", Column("best", "decimal"), "n", "tied", *typed("decimal", "dense", "lexical")]
    note = "Tied: settings that the paired test cannot distinguish from the best. Dense, lexical: all else as in it."
    note = f"{note} {methods_words(each.estimate for each in compared.winners)}".rstrip()
    yield Table(f"Best setting of each label by {by}, with 95 % intervals", columns, rows, note)
    if (spread := compared.spread) is not None:
        relative = "" if spread.relative is None else f", {share(round(1000 * spread.relative), 1000)} of the lower"
        yield Text(
            f"Between labels: {spread.highest} {decimal(spread.highest_value)}, {spread.lowest} "
            f"{decimal(spread.lowest_value)}, a spread of {decimal(spread.difference)}{relative}."
        )


def blocks_of_parameters(compared: Compared) -> Iterator[Block]:
    """Yield the deciding metric by text weight and by chunk size, and quality against tokens."""
    by, axis = compared.deciding, (0.0, 1.0) if compared.is_share else None
    panels = [
        (f"{each.label}, chunks of {count(each.setting.chunk_size)} {each.setting.unit}",
         Lines([f"{w:g}" for w in compared.text_weights(each)], lines, "text weight", axis))
        for each in compared.winners
        if each.estimate.n >= FEW and (lines := compared.by_weight(each))
    ]  # fmt: skip
    yield Section("By text weight", is_folded=True)
    if panels:
        note = "All else as in the best setting of the label. 0 is dense retrieval alone, 1 is lexical alone."
        yield Figure(f"{by} by text weight", panels, note)
    for table in compared.weights:
        yield _weights(table, by)
    panels = [
        (each.label, Lines([count(size) for size in sizes], compared.by_size(each),
                           f"chunk size, {each.setting.unit}", axis))
        for each in compared.winners
        if each.estimate.n >= FEW and len(sizes := compared.chunk_sizes(each)) > 1
    ]  # fmt: skip
    yield Section("By chunk size", is_folded=True)
    if panels:
        note = "Best hybrid: the best fusion and weight at each size. Larger chunks are easier to find and cost more."
        yield Figure(f"{by} by chunk size", panels, note)
    yield Section("Quality and tokens", is_folded=True)
    yield from _blocks_of_tokens(compared)


def _weights(table: WeightTable, by: str) -> Table:
    reranked = "" if table.reranker == "none" else f", re-ranked by {table.reranker}"
    spread = "" if table.spread is None else f"; spread over the labels {100 * table.spread:.1f} % of the lowest"
    columns = ["label", *typed("decimal", "dense", "lexical", "best"),
               Column("text weight", "general"), "setting"]  # fmt: skip
    rows = [(each.label, each.dense, each.lexical, each.best, each.setting.text_weight, each.setting.name)
            for each in table.rows]  # fmt: skip
    return Table(f"{by} by text weight, vectors by {table.encoder}{reranked}{spread}", columns, rows)


def tokens_words(settings: Iterable[Setting]) -> str:
    """Say what the tokens of these settings are of: where nothing answers, none are written."""
    answers = any(setting.generator != NO_GENERATOR for setting in settings)
    return "tokens of a question, read and written" if answers else "tokens of a question and its chunks"


def _blocks_of_tokens(compared: Compared) -> Iterator[Block]:
    """Over the questions of the headline; nothing where less is better: the front would be that of the worst."""
    measured = [
        (setting, quality, tokens)
        for setting, tokens in sorted(compared.tokens.items(), key=lambda item: preference(item[0]))
        if tokens.value is not None
        if (quality := compared.estimate(compared.headline, setting)) is not None and quality.value is not None
    ]
    if len(measured) < 2 or not compared.higher_is_better:
        return
    front = pareto_front(measured, lambda each: each[2].value or 0.0, lambda each: each[1].value or 0.0)
    of = tokens_words(each for each, _, _ in measured)
    rows = [
        (each.name, quality, tokens.value, (tokens.value or 0.0) * tokens.n)
        for each, quality, tokens in sorted(front, key=lambda each: each[2].value or 0.0)
    ]
    columns = ["setting", Column(compared.deciding, "decimal"), Column("tokens", "count"), Column("in total", "count")]
    note = "Settings that no other equals with as few tokens. Tokens of local models are estimated from the texts."
    title = f"Pareto front: {portion(len(front), len(measured), 'setting')} by {compared.deciding} and {of}"
    yield Table(title, columns, rows, note, most=_SHOWN)


Ranked = Sequence[tuple[Setting, Mapping[str, Estimate]]]
"""Settings with their metrics on one group of questions, the best by the deciding metric first."""


def blocks_of_results(compared: Compared, file: str) -> Iterator[Block]:
    """Yield every value in a table that a page sorts. file: that holds them, too."""
    yield Section("All results", is_folded=True)
    if groups := _ranked(compared):
        yield _all_results(groups, file)


def _ranked(compared: Compared) -> dict[tuple[By, str], Ranked]:
    """Return each group of questions, that of the headline first, then as they come."""
    groups: dict[tuple[By, str], dict[Setting, dict[str, Estimate]]] = {}
    for cell in compared.cells:
        groups.setdefault((cell.by, cell.group), {}).setdefault(cell.setting, {})[cell.metric] = cell.estimate
    sign = -1 if compared.higher_is_better else 1

    def order(row: tuple[Setting, Mapping[str, Estimate]]) -> tuple[bool, float]:
        value = row[1][compared.deciding].value if compared.deciding in row[1] else None
        return value is None, sign * (value or 0)

    first = sorted(groups, key=lambda group: group != (compared.by, compared.headline))
    return {group: sorted(groups[group].items(), key=order) for group in first}


def _all_results(groups: Mapping[tuple[By, str], Ranked], file: str) -> Table:
    """Return every metric of every setting on every group; what nothing takes, as dollars, has no column."""
    every = [row for ranked in groups.values() for row in ranked]
    metrics = dict.fromkeys(metric for _, of in every for metric in of)
    shown = [
        metric
        for metric in sorted(metrics, key=lambda name: name in PRICE)
        if metric not in PRICE or any(of[metric].value for _, of in every if metric in of)
    ]
    settings = list(dict.fromkeys(setting for setting, _ in every))
    short = dict(zip(settings, apart([each.name for each in settings]), strict=True))
    rows = [
        (short[setting], "undetermined" if group == "und" else group, *(of.get(each) for each in shown))
        for (_, group), ranked in groups.items()
        for setting, of in ranked
    ]
    columns = ["setting", "questions", *(Column(*_named(metric)) for metric in shown)]
    note = "Every metric of every setting on every group of questions, with what one question takes."
    return Table("All results", columns, rows, note, searched=True, rest=file, on="page")


def _named(metric: str) -> tuple[str, Format]:
    return _PRICES.get(metric) or (metric_title(metric), "decimal")


def apart(names: Sequence[str]) -> list[str]:
    """Return the names without the words that all of them begin and end with: what sets them apart."""
    words = [name.split() for name in names]
    if len(words) < 2:
        return list(names)
    first, last = 0, 0
    shortest = min(map(len, words))
    while first < shortest - 1 and len({each[first] for each in words}) == 1:
        first += 1
    while last < shortest - first - 1 and len({each[-1 - last] for each in words}) == 1:
        last += 1
    return [" ".join(each[first : len(each) - last]) for each in words]


def blocks_of_reading(metrics: Iterable[str], *, labels: bool) -> Iterator[Block]:
    """Yield what a reader has to know, for pages; the rest stands in docs/reading-the-report.md."""
    yield Section("How to read this", is_folded=True)
    if labels:
        yield terms("Labels: how a context answers a question", LABEL_MEANINGS, on="page")
    named = {metric_title(name): known.meaning for name in metrics if (known := known_metric(name)) is not None}
    yield terms("Metrics", named, on="page")
