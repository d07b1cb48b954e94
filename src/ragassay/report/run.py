"""What a run came to: the set, the best settings, the answers, documents and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ragassay.documents.sources import by_reason
from ragassay.evaluation.clusters import ANSWERABLE
from ragassay.people.agreement.judge_agreement import questions_read
from ragassay.records import Example
from ragassay.report.blocks import (
    Block,
    Column,
    Headline,
    Missing,
    Section,
    Table,
    Text,
    Tile,
    Tiles,
    Value,
    terms,
    typed,
)
from ragassay.report.compared import Compared, compared_in_run
from ragassay.report.costs import blocks_of_costs, call_cost_object, stopped_block, together, unanswered_words
from ragassay.report.html import render_page
from ragassay.report.items import Cases, Items, of_each_label
from ragassay.report.safe_text import excerpt
from ragassay.report.set import CASES, critique_tables
from ragassay.report.settings import (
    best_words,
    blocks_of_best,
    blocks_of_parameters,
    blocks_of_reading,
    blocks_of_results,
    lead_words,
)
from ragassay.report.summary import CorpusFigures, RunSummary, recommended
from ragassay.report.synthesis import blocks_of_drafting, losses_table, matrix_table
from ragassay.report.tiles import problems_tile, score_tile, worst_tile
from ragassay.report.trust import blocks_of_trust, circular_lines
from ragassay.report.wording import (
    answered_words,
    count,
    difficulty_words,
    few_chunks_words,
    label_order,
    metric_order,
    metric_title,
    noun,
    portion,
    readers_words,
    spread_words,
    unused_words,
    worst_words,
)

SKIPPED_SHOWN, MOST_SOURCES, REASON_CHARS = 5, 200, 320


def blocks_of_run(
    summary: RunSummary, examples: Sequence[Example] = (), items: Items | None = None, report: Path | None = None
) -> Iterator[Block]:
    """Yield all figures of a run. examples, items: of it, for its page; report: where that is, for the terminal."""
    compared, of = compared_in_run(summary), summary.composition
    made, asked = sum(of.delivered.values()), sum(of.requested.values())
    said = list(lead_words(compared))
    spread = spread_words(of.documents_used, summary.corpus.documents, of.most_per_document)
    yield Headline(f"{count(made, 'question')} {spread}{best_words(compared)}")
    some = f"{count(made)} of the {count(asked, 'question')} asked for were made."
    whole = f"All {count(asked)} questions that were asked for were made."
    yield Text([some if made < asked else whole, *said], on="terminal")
    yield from stopped_block(summary.stopped_by)
    if not summary.stopped_by:
        yield Text(unanswered_words(summary.stages), "warning")
    yield Tiles(list(_tiles(summary, compared, made, asked)), on="page")
    yield from (Text(line, on="page") for line in said[1 if compared.top else 0 :])
    yield Text(few_chunks(summary, compared) or (), "warning")
    if items is not None:
        yield Section("Examples to read")
        yield _cases(summary, compared, items)
    if examples and summary.model.startswith("embedded ("):
        yield Text(readers_words(questions_read()), "note")
    yield from _by_label(summary)
    yield from blocks_of_best(compared)
    yield from _answers(summary, compared, made)
    yield Section("How the set was made", is_folded=True)
    yield replace(matrix_table(of.matrix), on="page")
    yield replace(losses_table(of.dropped, ""), on="page")
    yield from blocks_of_drafting(summary.drafting)
    yield from critique_tables(examples)
    yield from blocks_of_parameters(compared)
    yield from blocks_of_results(compared, "summary.json")
    if items is not None:
        yield Section("Single items", is_folded=True)
        yield items
    yield from _documents(summary.corpus)
    yield Section("Cost", is_folded=True)
    yield from blocks_of_costs(summary.stages)
    answers = {metric for each in compared.winners for metric in each.generation}
    metrics = sorted({*compared.metrics, *answers}, key=metric_order)
    yield from blocks_of_reading(metrics, labels=True)
    yield Text(f"Report: {report}" if report is not None else (), "strong")


def render_report(
    summary: RunSummary,
    examples: Sequence[Example],
    items: Items | None = None,
    versions: Mapping[str, str] | None = None,
) -> str:
    """Return the whole page. items: examples with what systems answered; versions: of what the run was made with."""
    shown = items or Items(examples, sources=summary.sources)
    answered = {each.system for each in shown.predictions if each.answer is not None}
    shown = replace(shown, recommended=recommended(summary.best, answered))
    blocks = list(blocks_of_run(summary, examples, shown))
    settings = {"models that took part": summary.model, **summary.settings}
    return render_page("report", blocks, version=summary.version, settings=settings, versions=versions)


def few_chunks(summary: RunSummary, compared: Compared) -> str:
    """Say that the deciding metric looks at a large part of the best setting's chunks; empty where it does not."""
    known = summary.corpus.chunks.get(compared.top.setting.chunk_size) if compared.top else None
    return few_chunks_words(compared.deciding, known) if known else ""


def _tiles(summary: RunSummary, compared: Compared, made: int, asked: int) -> Iterator[Tile]:
    yield Tile("Questions made", portion(made, asked))
    if (top := compared.top) is not None:
        yield score_tile(f"Best {compared.deciding}", top.estimate, top.setting.name)
        named = {name: compared.estimate(name, top.setting) for name in compared.labels if name != top.label}
        yield from worst_tile(named, 1 if compared.higher_is_better else -1)
    yield problems_tile(
        [
            (sum(each.missing for each in summary.composition.missing), "question missing", "questions missing"),
            (together(summary.stages).unanswered, "call unanswered", "calls unanswered"),
            (len(summary.corpus.skipped), "source not used", "sources not used"),
            (len(circular_lines(summary.trust)) if summary.trust else 0, "warning", ""),
        ]
    )


def _cases(summary: RunSummary, compared: Compared, items: Items) -> Cases:
    """Return the questions that the best setting served worst, then others of each label."""
    worst = {each.example_id: worst_words(each.first_rank, each.answer_rank) for each in summary.worst}
    others = [each for each in items.examples if each.id not in worst]
    chosen = [*worst.items(), *of_each_label(others)][:CASES]
    return Cases(items, chosen, compared.top.setting.name if compared.top else "")


def _by_label(summary: RunSummary) -> Iterator[Block]:
    made = summary.composition
    yield Section("The set")
    labels = label_order([*made.requested, *made.delivered])
    rows = [(label, made.requested.get(label, 0), made.delivered.get(label, 0)) for label in labels]
    yield Table("Examples by label", ["label", *typed("count", "asked for", "delivered")], rows)
    yield Text([f"{each.label}: {each.missing} missing, {excerpt(each.reason, 600)}" for each in made.missing],
               "warning")  # fmt: skip
    number = summary.corpus.documents - made.documents_used
    yield Text(unused_words(made.unused, number) or ())
    idle = [(each.source, excerpt(each.reason, REASON_CHARS)) for each in made.unused]
    more = f"{count(number - len(idle))} more are not listed." if number > len(idle) else ""
    yield Table("Documents that gave no question", ["document", "reason"], idle, more, folded=True, on="page")
    yield Text(difficulty_words(made.difficulty) or ())


def _answers(summary: RunSummary, compared: Compared, made: int) -> Iterator[Block]:
    yield Section("Answers")
    metrics = sorted({metric for each in compared.winners for metric in each.generation}, key=metric_order)
    if not metrics:
        return
    rows: list[Sequence[Value]] = [
        (each.label, each.setting.name, *(each.generation.get(metric) for metric in metrics))
        for each in compared.winners
        if each.generation
    ]
    if (refused := compared.refused) is not None:
        headline = next((each.setting.name for each in compared.winners if each.label == ANSWERABLE), "")
        abstained = (refused if each == "abstention_accuracy" else Missing("of answerable ones") for each in metrics)
        rows.append(("unanswerable", headline, *abstained))
    columns = ["label", "setting", *(Column(metric_title(each), "decimal") for each in metrics)]
    note = f"Judged by {summary.model.partition(' (')[0]}."
    yield Table("Answers with the best setting of each label", columns, rows, note, on="page")
    yield Text(answered_words(summary.answered, made) or ())
    yield from blocks_of_trust(summary.trust)


def _documents(corpus: CorpusFigures) -> Iterator[Block]:
    yield Section("Documents", is_folded=True)
    chunks = (f"{count(number)} of at most {count(size)} characters" for size, number in corpus.chunks.items())
    yield terms(
        "Documents",
        {
            "documents": count(corpus.documents),
            "length": f"{count(corpus.words, 'word')}, {count(corpus.characters, 'character')}",
            "formats": _listed(corpus.formats),
            "languages": _listed(corpus.languages),
            "chunks": "; ".join(chunks),
        },
        on="page",
    )
    yield Text([excerpt(each, REASON_CHARS) for each in by_reason(corpus.notes)])
    skipped = [excerpt(each, REASON_CHARS) for each in by_reason(corpus.skipped)]
    if skipped:
        number = len(corpus.skipped)
        yield Text(f"{number} {noun(number, 'source was', 'sources were')} not used:", "warning")
        yield Text([f"- {each}" for each in skipped[:SKIPPED_SHOWN]], on="page")
        yield Text([f"- {each}" for each in skipped[:MOST_SOURCES]], on="terminal")
    for title, sources in (("Sources that were not used", corpus.skipped), ("Notes on sources", corpus.notes)):
        more = f"{count(len(sources) - MOST_SOURCES)} more are in summary.json." if len(sources) > MOST_SOURCES else ""
        rows = [(each.source, each.reason) for each in sources[:MOST_SOURCES]]
        yield Table(title, ["source", "reason"], rows, more, folded=True)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{'undetermined' if name == 'und' else name} {count(n)}" for name, n in counts.items())


def run_object(summary: RunSummary, report: Path | str) -> dict[str, Any]:
    """Return what ``--json`` prints: counts by label, the best setting by label, the time of each stage."""
    made = summary.composition
    missing = dict.fromkeys(made.requested, 0)
    for item in made.missing:
        missing[item.label] = missing.get(item.label, 0) + item.missing
    calls = call_cost_object(together(summary.stages))
    return {
        "examples": sum(made.delivered.values()),
        "labels": dict(made.delivered),
        "requested": dict(made.requested),
        "missing": missing,
        "without_question": [asdict(each) for each in made.unused],
        "answered": summary.answered,
        "best": {
            item.label: {"setting": item.setting.name, "recall_at_5": asdict(item.estimate)}
            for item in compared_in_run(summary).winners
        },
        "unanswerable": asdict(summary.unanswerable) if summary.unanswerable else None,
        "stages": {stage.name: {"wall_s": stage.wall_s} for stage in summary.stages},
        "models": {"served": calls.pop("asked"), **calls, "stopped_by": summary.stopped_by or None},
        "report": str(report),
    }
