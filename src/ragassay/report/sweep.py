"""What a sweep found, and what it will do: settings side by side, and how they share the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragassay.report.blocks import Block, Column, Headline, Section, Table, Text, Value, typed
from ragassay.report.compared import compared_in_sweep
from ragassay.report.costs import stopped_block
from ragassay.report.html import render_page
from ragassay.report.items import Items
from ragassay.report.notebook import Shown, fields_of
from ragassay.report.settings import (
    best_words,
    blocks_of_best,
    blocks_of_parameters,
    blocks_of_reading,
    blocks_of_results,
    lead_words,
)
from ragassay.report.trust import JudgeTrust, blocks_of_trust, judge_trust, trust_object
from ragassay.report.wording import count, portion
from ragassay.sweep.results import Planned, Swept, summary_of

_SHOWN, MOST_UNCOVERED = 15, 200


def blocks_of_plan(planned: Planned) -> Iterator[Block]:
    """Yield what will be done, once for all settings and if each were worked out alone, and what it costs."""
    grid = f" of {count(planned.total)} in the grid" if planned.total != len(planned.settings) else ""
    settings, questions = count(len(planned.settings), "setting"), count(planned.questions, "question")
    yield Headline(f"{settings}{grid}, {questions}, {count(planned.documents, 'document')}")
    yield _work(planned)
    if any(row.model for row in planned.rows):
        cost = planned.cost_usd
        yield Text(
            f"Estimated cost, at most: {'not known: a price is missing' if cost is None else f'{cost:.4f} US dollars'}"
        )


def _work(planned: Planned) -> Table:
    rows: list[Sequence[Value]] = [
        (row.work, row.alone, row.shared, *((row.tokens, "not known" if row.cost_usd is None else row.cost_usd)
                                           if row.model else (None, None)))
        for row in planned.rows
    ]  # fmt: skip
    columns = ["work", *typed("count", "each setting alone", "shared", "tokens"), Column("US dollars", "dollars")]
    shown = len(columns) if any(row.model for row in planned.rows) else 3
    return Table("Planned work", columns[:shown], [row[:shown] for row in rows])


def blocks_of_sweep(swept: Swept, *, items: Items | None = None) -> Iterator[Block]:
    """Yield the results. items: for the page."""
    compared, outcome = compared_in_sweep(swept), swept.outcome
    settings, questions = count(len(swept.planned.settings), "setting"), count(swept.planned.questions, "question")
    yield Headline(f"{settings} on {questions}{best_words(compared)}", list(lead_words(compared)))
    yield from stopped_block(swept.budget_reached)
    yield Text(swept.doubts, "warning")
    yield from blocks_of_best(compared)
    yield from blocks_of_trust(trust_of_sweep(swept))
    rows: list[Sequence[Value]] = [
        (each.label, each.setting.name, portion(each.n, each.total), each.why)
        for each in outcome.uncovered[:MOST_UNCOVERED]
    ]
    least = f"{100 * outcome.coverage:g} %"
    title = f"Not eligible as best: they have {swept.deciding} for less than {least} of the questions"
    yield Table(title, ["label", "setting", "n", "why there is no value"], rows, most=_SHOWN, rest="summary.json")
    yield from blocks_of_parameters(compared)
    yield from blocks_of_results(compared, "results.csv")
    if items is not None:
        yield Section("Single items", is_folded=True)
        yield items
    yield Section("What was shared", is_folded=True)
    work = _work(swept.planned)
    yield Table("Planned work", work.columns[:3], [row[:3] for row in work.rows], on="page")
    yield Text(unanswered_lines(swept), "warning")
    reasons = list(swept.reasons.items())[:_SHOWN]
    yield Text([f"No value, {count(n, 'time')}: {reason}" for reason, n in reasons])
    yield from blocks_of_reading(compared.metrics, labels=compared.by == "label")


def unanswered_lines(swept: Swept) -> list[str]:
    """Warn of settings whose questions servers left unanswered."""
    lines = [
        f"Servers left something unanswered for {portion(each.n, each.questions, 'question')}: "
        f"{each.setting.name}"
        + (f"; nothing came back for {count(each.unheard)}, which the same command asks again" if each.unheard else "")
        for each in swept.unanswered[:_SHOWN]
    ]
    more = len(swept.unanswered) - _SHOWN
    return [*lines, f"And for questions of {count(more, 'more setting')}"] if more > 0 else lines


def render_sweep(
    swept: Swept, settings: Mapping[str, str], versions: Mapping[str, str] | None = None, items: Items | None = None
) -> str:
    """Return the whole page. versions: of what the sweep was made with. items: what the best settings made of it."""
    blocks = list(blocks_of_sweep(swept, items=items))
    return render_page("sweep", blocks, version=swept.version, settings=settings, versions=versions)


def trust_of_sweep(swept: Swept) -> JudgeTrust | None:
    """Return how far the values of the deciding metric can be believed; None where no judge gives them."""
    return judge_trust(swept.judge, [swept.deciding], swept.copied, own=swept.own) if swept.judge else None


def sweep_object(swept: Swept) -> dict[str, Any]:
    """Return what ``summary.json`` holds and ``--json`` prints."""
    return {**summary_of(swept), "trust": trust_object(trust_of_sweep(swept))}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShownSweep(Shown, Swept):
    """A sweep that notebooks show."""

    @classmethod
    def of(cls, found: Swept) -> ShownSweep:
        return cls(**fields_of(found))

    def blocks(self) -> Iterable[Block]:
        return blocks_of_sweep(self)
