"""What a command prints when it is done, in 40 lines of 80 characters; pages and ``report --text`` have the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ragassay.documents.sources import by_reason
from ragassay.records import LABELS, SkippedSource
from ragassay.report.blocks import Block, Column, Headline, Table, Text, Value, next_steps
from ragassay.report.compared import compared_in_run, compared_in_sweep
from ragassay.report.costs import StageCost, spent_words, stopped_block, together, unanswered_words
from ragassay.report.run import few_chunks
from ragassay.report.safe_text import excerpt
from ragassay.report.settings import best_words, lead_words
from ragassay.report.summary import RunSummary
from ragassay.report.sweep import unanswered_lines
from ragassay.report.synthesis import SynthesisSummary, baseline_table, drafting_words, likeness_table
from ragassay.report.trust import circular_lines
from ragassay.report.wording import (
    count,
    difficulty_words,
    estimate_words,
    headline_words,
    label_order,
    portion,
    spread_words,
    unused_words,
)
from ragassay.sweep.results import Swept

KINDS_SHOWN, LABELS_SHOWN, LINE_CHARS = 3, 5, 230
MOST_ADVISED = 500
"""Questions that a set can be expected to grow to."""
_OF_ANSWERS = ("faithfulness", "completeness")
Counts = Mapping[str, int]


def _by_model(command: str, missing: int) -> tuple[str, str]:
    whole = "all that were asked for, a set in place of this one" if missing else "better questions"
    return command, f"{whole}; --dry-run shows the cost"


def _own_system(folder: Path) -> tuple[str, str]:
    return f"ragassay evaluate {folder} --system http://HOST/PATH --out FOLDER", "ask your own system"


def _made(
    requested: Counts, delivered: Counts, used: int, documents: int, most: int, missing: Mapping[str, str]
) -> Iterator[Block]:
    """Yield how many examples were made, of each label, and why others are missing. missing: label to reason."""
    asked, made = sum(requested.values()), sum(delivered.values())
    labels = [
        f"{label} {delivered.get(label, 0)}" + (f" of {requested[label]}" if label in requested else "")
        for label in label_order([*requested, *delivered])
        if label in LABELS or label in delivered
    ]
    spread = spread_words(used, documents, most)
    yield Headline(f"{portion(made, asked, 'question')} made, {spread}", [", ".join(labels)])
    alike = defaultdict(list)
    for label, reason in missing.items():
        alike[reason].append(label)
    yield Text([f"Missing {', '.join(of)}: {excerpt(why, 2 * LINE_CHARS)}" for why, of in alike.items()], "warning")


def _files(read: int, skipped: Sequence[SkippedSource], notes: Sequence[str], rest: str) -> Iterator[Text]:
    """Account for every file that was given: read, not used for a reason, or ignored for its kind (a note)."""
    kinds = by_reason(skipped)
    yield Text(f"{count(read, 'file')} read, {count(len(skipped))} not used{':' if kinds else ''}")
    for lines, style in ((kinds, "warning"), (notes, "plain")):
        more = [f"- {count(len(lines) - KINDS_SHOWN)} more in {rest}"] if len(lines) > KINDS_SHOWN else []
        yield Text([*(f"- {excerpt(each, LINE_CHARS)}" for each in lines[:KINDS_SHOWN]), *more], style)  # type: ignore[arg-type]


def brief_of_run(summary: RunSummary, folder: Path) -> Iterator[Block]:
    """Yield what was made of which files, three numbers, the setting to take, and what to do next."""
    made, corpus = summary.composition, summary.corpus
    compared = compared_in_run(summary)
    yield from stopped_block(summary.stopped_by)
    missing = {each.label: each.reason for each in made.missing}
    places = made.documents_used, corpus.documents, made.most_per_document
    yield from _made(made.requested, made.delivered, *places, missing)
    yield Text(unused_words(made.unused, corpus.documents - made.documents_used) or ())
    yield from _files(corpus.files, corpus.skipped, by_reason(corpus.notes), "summary.json")
    yield Text(drafting_words(summary.drafting) or ())
    yield Text(unanswered_words(summary.stages) if not summary.stopped_by else (), "warning")
    lead = list(lead_words(compared))
    if (top := compared.top) is not None:
        means = {compared.deciding: top.estimate, **{name: top.generation.get(name) for name in _OF_ANSWERS}}
        rows: list[Sequence[Value]] = [(name, of, portion(of.n, of.total)) for name, of in means.items() if of]
        columns = ["metric", Column("value", "decimal"), "scored"]
        best = "not clearly better than others" if compared.is_open else "best"
        yield Table(f"{top.setting.name}, {best} over {headline_words(top.label)}", columns, rows)
        lead = lead[1:]
    yield Text(lead)
    yield Text(few_chunks(summary, compared) or (), "warning")
    yield Text(circular_lines(summary.trust)[:1] if summary.trust else (), "warning")
    yield Text(spent_words(together(summary.stages)))
    yield Text(f"Report: {folder / 'report.html'}; all tables: ragassay report {folder} --text", "strong")
    mend = (f"ragassay annotate {folder} --task mend", "read the questions; keep, mend or drop each")
    steps = [_by_model(made.by_model, len(missing)) if made.by_model else mend, _own_system(folder)]
    yield next_steps(*steps[: None if sum(made.delivered.values()) else 1])


def brief_of_synthesis(summary: SynthesisSummary, stages: Sequence[StageCost], folder: Path) -> Iterator[Block]:
    """Yield what was made of which files, what is missing and why, and what to do next."""
    yield from stopped_block(summary.stopped_by)
    missing = {each.name: each.reason for each in summary.missing}
    places = summary.used, summary.documents, summary.most_per_document
    yield from _made(summary.requested, summary.delivered, *places, missing)
    if summary.missing and summary.spare:
        spare = ", ".join(f"{count(summary.spare[label])} {label}" for label in label_order(list(summary.spare)))
        yield Text(f"Good, but more than was asked for: {spare}. A higher --n, or another --mix, takes them.")
    if summary.by_type:
        types = ", ".join(f"{name} {number}" for name, number in sorted(summary.by_type.items()))
        yield Text(f"Question types: {types}")
    yield likeness_table(summary.like)
    yield from _files(summary.files, summary.skipped, summary.notes, "synthesis.json")
    if dropped := sum((Counter(of) for of in summary.dropped.values()), Counter()):
        why = ", ".join(f"{reason.replace('_', ' ')} ({count(n)})" for reason, n in dropped.most_common(KINDS_SHOWN))
        yield Text(f"Dropped {count(dropped.total(), 'candidate')}; most often: {why}.")
    yield Text(difficulty_words(summary.difficulty) or ())
    yield Text(drafting_words(summary.drafting) or ())
    if summary.baselines is not None:
        yield baseline_table([("nothing retrieved", "with the block", summary.baselines)])
        known = summary.baselines.known
        share = f"share {estimate_words(known)} of examples (both ratings 4 or better)"
        yield Text(f"Known without context: {share if known.value is not None else summary.baselines.reason}")
    yield Text(spent_words(together(stages)))
    yield Text(f"Models: {summary.models}", "note")
    yield Text(f"Examples: {folder / 'examples.jsonl'}", "strong")
    see = (f"ragassay report {folder}", "the set on a page")
    better = _by_model(summary.by_model, len(missing)) if summary.by_model else _own_system(folder)
    yield next_steps(*[see, better][0 if summary.examples else 1 :])


def brief_of_sweep(swept: Swept) -> Iterator[Block]:
    """Yield the best setting of each label, which one to take, the first few of all, and what to do next."""
    compared, top = compared_in_sweep(swept), compared_in_sweep(swept).top
    settings, questions = count(len(swept.planned.settings), "setting"), count(swept.planned.questions, "question")
    yield Headline(f"{settings} on {questions}{best_words(compared) if compared.is_open else ''}")
    yield from stopped_block(swept.budget_reached)
    yield Text([excerpt(each, LINE_CHARS) for each in swept.doubts[:KINDS_SHOWN]], "warning")
    rows: list[Sequence[Value]] = [(each.label, each.setting.name, each.estimate) for each in compared.winners]
    columns = ["label", "best setting", Column(swept.deciding, "decimal")]
    yield Table("", columns, rows, most=LABELS_SHOWN, rest="report.html")
    yield Text(list(lead_words(compared))[1 if top else 0 :])
    if left := len(swept.outcome.uncovered):
        yield Text(f"{count(left)} not eligible as best, too few values: report.html lists them.")
    yield Text(unanswered_lines(swept)[:KINDS_SHOWN], "warning")
    reasons = {why: n for why, n in swept.reasons.items() if why.startswith(swept.deciding)}
    lines = [f"No value, {count(n, 'time')}: {excerpt(why, LINE_CHARS)}" for why, n in reasons.items()]
    yield Text(lines[:KINDS_SHOWN])
    yield Text(f"Report: {swept.folder / 'report.html'}; all values: {swept.folder / 'results.csv'}", "strong")
    steps = [("ragassay view " + str(swept.folder.parent), "all runs in one place, item by item")]
    if top and top.ties and top.ties.tied and top.ties.questions < (top.ties.needed or 0) <= MOST_ADVISED:
        more = f"ragassay synthesize DOCS --model MODEL --n {top.ties.needed} --out FOLDER"
        steps.append((more, "questions enough to decide"))
    yield next_steps(*steps)
