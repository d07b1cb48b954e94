"""What people asked of documents: topics, what no page answers, what was taken out, what the set holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ragassay.documents.sources import by_reason
from ragassay.generate.asked.answered import ANSWERED, NO_PAGE, NOT_KNOWN, OPEN, STATES, AskedQuestion, State
from ragassay.generate.near_duplicates import DUPLICATE
from ragassay.generate.synthesizer import Finding
from ragassay.models import EMBEDDED
from ragassay.report.blocks import Block, Column, Headline, Section, Table, Text, Value, next_steps, typed
from ragassay.report.costs import StageCost, spent_words, stopped_block, together
from ragassay.report.safe_text import excerpt
from ragassay.report.summary import CorpusFigures
from ragassay.report.wording import count, portion, share

LOG_SUMMARY_FILE = "log.json"
_ROWS_SHOWN, _OPEN_SHOWN, _CHARS, _TOPIC_CHARS, _PLACE_CHARS = 8, 8, 66, 34, 160
_WORDS: Mapping[State, str] = {ANSWERED: "a page answers", NO_PAGE: "no page answers", NOT_KNOWN: "not known"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """different_questions: after those that ask the same were merged.

    removed: kind of personal detail to count. left_out: reason to rows. times_asked: state to rows of the log.
    examples: of the set. findings: faults of the documents. stopped_by: the limit that ended the calls, or empty.
    """

    model: str
    different_questions: int
    removed: Mapping[str, int]
    left_out: Mapping[str, int]
    times_asked: Mapping[State, int]
    examples: int
    findings: tuple[Finding, ...]
    corpus: CorpusFigures
    stopped_by: str = ""


def blocks_of_log(
    summary: LogSummary,
    questions: Sequence[AskedQuestion],
    sources: Mapping[str, str],
    stages: Sequence[StageCost],
    folder: Path,
) -> Iterator[Block]:
    """Yield what was asked, what no page answers, what was read and taken out, and what to do next.

    questions: by topic. sources: document id to where it came from. The terminal gets 40 lines of it.
    """
    topics = [list(of) for _, of in groupby(questions, key=lambda each: each.topic)]
    total = sum(summary.times_asked.values())
    said = ", ".join(f"{_WORDS[state]} {share(summary.times_asked[state], total)}" for state in STATES)
    lead = f"{count(summary.different_questions)} are different ones; by times asked: {said} ({summary.model})"
    yield Headline(f"{count(total, 'question')} in {count(len(topics), 'topic')}", [lead])
    yield from stopped_block(summary.stopped_by)
    yield Section("Topics")
    columns: list[str] = ["topic, by its central question", *typed("count", "asked", *STATES)]
    asked = [[sum(each.times for each in topic if each.said.state == state) for state in STATES] for topic in topics]
    rows: list[Sequence[Value]]
    rows = [(excerpt(topic[0].question, _TOPIC_CHARS), sum(n), *n) for topic, n in zip(topics, asked, strict=True)]
    yield Table("", columns, rows, most=_ROWS_SHOWN, rest="questions.jsonl", searched=True)
    yield Section("Questions, first those that no page answers")
    ordered = [(each, topic[0].question) for topic in topics for each in topic]
    ordered.sort(key=lambda row: (row[0].said.state != NO_PAGE, row[0].said.nearness >= OPEN / 2, -row[0].times))
    gaps = [excerpt(each.question, _CHARS) for each, _ in ordered if each.said.state == NO_PAGE]
    check = " (a draft: check them)" if summary.model.startswith(EMBEDDED) else ""
    more = [f"{count(len(gaps) - _OPEN_SHOWN)} more in questions.jsonl"] if len(gaps) > _OPEN_SHOWN else []
    yield Text(gaps[:_OPEN_SHOWN] + more, title=f"No page answers, the surest first, of them the most asked{check}:")
    columns = ["question", "state", "answer", "page", Column("asked", "count"), "topic", "why not in the set"]
    rows = [_question_row(each, topic, sources) for each, topic in ordered]
    yield Table("", columns, rows, rest="questions.jsonl", on="page", searched=True)
    yield Section("Faults of the documents")
    yield _findings("Pages that say the same", DUPLICATE, summary.findings, sources)
    yield _findings("Pages that contradict each other", "contradiction", summary.findings, sources)
    if summary.model.startswith(EMBEDDED):
        yield Text("Contradictions between pages are looked for with `--model` only.")
    yield Section("What was read")
    removed = ", ".join(f"{kind} {n}" for kind, n in summary.removed.items())
    yield Text(
        f"Personal details replaced: {removed}. Some may remain: read it before you share it." if removed else ()
    )
    yield Text(
        [f"{excerpt(why, 200)}: {count(n, 'row')}" for why, n in summary.left_out.items()], "warning", "Left out:"
    )
    yield Text(f"{count(summary.corpus.files, 'file')} read, {count(len(summary.corpus.skipped))} not used")
    yield Text([excerpt(each, 200) for each in by_reason(summary.corpus.skipped)[:_OPEN_SHOWN]], "warning")
    yield Text(by_reason(summary.corpus.notes), on="page")
    lacking = Counter(each.said.reason for each in questions if each.said.reason).most_common()
    yield Text([f"{why}: {count(n)}" for why, n in lacking], title="Not in the set:", on="page")
    yield Text(f"The set has {portion(summary.examples, summary.different_questions, 'question')}; the report says why")
    yield Text(spent_words(together(stages)), on="terminal")
    files = f"Report: {folder / 'report.html'}; every question: {folder / 'questions.jsonl'}"
    yield Text(files, "strong", on="terminal")
    mend = (f"ragassay annotate {folder} --task mend", "read the set; keep, mend or drop each question")
    model = ("ragassay questions DOCS --log LOG --model openai:gpt-4o-mini --out FOLDER", "a model reads the pages")
    yield next_steps(*([model] if summary.model.startswith(EMBEDDED) else []), mend)


def _question_row(each: AskedQuestion, topic: str, sources: Mapping[str, str]) -> Sequence[Value]:
    said, question = each.said, " | ".join((each.question, *each.wordings))
    page = sources[said.passage.document_id] if said.passage else ""
    if page and said.state != ANSWERED:
        page = f"nearest: {page}"
    return question, _WORDS[said.state], said.answer, page, each.times, excerpt(topic, _TOPIC_CHARS), said.reason


def _findings(title: str, kind: str, findings: Sequence[Finding], sources: Mapping[str, str]) -> Table:
    """Return faults of one kind, each with what both pages say."""
    rows = []
    for each in findings:
        first, last = each.places[0], each.places[-1]
        places = (text for place in (first, last) for text in (sources[place.document_id], place.text))
        if each.kind == kind:
            rows.append((*(excerpt(text, _PLACE_CHARS) for text in places), each.note))
    columns = ["page", "says", "other page", "says", "note"]
    return Table(title, columns, rows, most=3, rest="findings.jsonl")
