"""What people asked of documents: topics, what no page answers, what was taken out, what the set holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, zip_longest
from pathlib import Path

from ragassay.documents.sources import by_reason
from ragassay.generate.asked.answered import ANSWERED, NO_PAGE, NOT_KNOWN, STATES, State
from ragassay.generate.synthesizer import Finding
from ragassay.models import EMBEDDED
from ragassay.report.blocks import Block, Column, Headline, Section, Table, Text, Tile, Tiles, Value, next_steps, typed
from ragassay.report.costs import StageCost, spent_words, stopped_block, together
from ragassay.report.safe_text import excerpt
from ragassay.report.summary import CorpusFigures
from ragassay.report.wording import count, portion, share

LOG_SUMMARY_FILE = "log.json"
_ROWS_SHOWN, _OPEN_SHOWN, _CHARS, _TOPIC_CHARS, _PLACE_CHARS = 8, 8, 66, 34, 160
_WORDS: Mapping[State, str] = {ANSWERED: "a page answers", NO_PAGE: "no page answers", NOT_KNOWN: "not known"}
_MEANING = "Times asked. answered: a passage answers. no page: no passage comes near. not known: neither is sure."
DUPLICATE, CONTRADICTION = "duplicate", "contradiction"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question of a log, without personal details. times: how often it was asked, in all its wordings.

    wordings: some of the other ones; others: how many more there are. topic: its number, from 1, of the most asked.
    reason: why its state is not known, or why it is not in the set; empty for one that is. answer: the one of the set.
    document_id: of the page that answers; empty where none is known to.
    """

    question: str
    times: int
    wordings: tuple[str, ...]
    others: int
    topic: int
    state: State
    reason: str
    answer: str
    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """rows: questions read. asked: those that count. questions: after those that ask the same were merged.

    removed: kind of personal detail to count. left_out: reason to rows. states: state to times asked.
    examples: of the set; not_in_set: reason to questions. findings: faults of the documents.
    stopped_by: the limit that ended the calls, or empty.
    """

    model: str
    rows: int
    asked: int
    questions: int
    topics: int
    removed: Mapping[str, int]
    left_out: Mapping[str, int]
    states: Mapping[State, int]
    examples: int
    not_in_set: Mapping[str, int]
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
    said = ", ".join(f"{_WORDS[state]} {share(summary.states[state], summary.asked)}" for state in STATES)
    lead = f"{count(summary.questions)} are different ones; by times asked: {said} ({summary.model})"
    yield Headline(f"{count(summary.asked, 'question')} in {count(summary.topics, 'topic')}", [lead])
    yield from stopped_block(summary.stopped_by)
    shares = [Tile(_WORDS[state], share(summary.states[state], summary.asked)) for state in STATES]
    yield Tiles([*shares, Tile("in the set", count(summary.examples))], on="page")
    topics = [list(of) for _, of in groupby(questions, key=lambda each: each.topic)]
    yield Section("Topics")
    columns = ["topic, by its central question", *typed("count", "asked", *STATES)]
    rows = [_topic_row(topic) for topic in topics]
    yield Table("", columns, rows, _MEANING, most=_ROWS_SHOWN, rest="report.html", searched=True)
    yield Section("What no page answers")
    unanswered = [
        sorted((each for each in topic if each.state == NO_PAGE), key=lambda each: -each.times) for topic in topics
    ]
    in_turn = [each for each in chain.from_iterable(zip_longest(*unanswered)) if each is not None]
    yield Text(
        [excerpt(each.question, _CHARS) for each in in_turn[:_OPEN_SHOWN]],
        title="No page answers, the most asked topics first:",
        on="terminal",
    )
    columns = ["question", Column("asked", "count"), "topic", "also asked as"]
    named = [(topic[0].question, each) for topic, of in zip(topics, unanswered, strict=True) for each in of]
    rows = [(each.question, each.times, name, " | ".join(each.wordings)) for name, each in named]
    yield Table("", columns, rows, on="page", searched=True)
    yield Section("All questions", is_folded=True)
    columns = ["question", Column("asked", "count"), "state", "page", "answer", "why not in the set", "also asked as"]
    rows = [_question_row(each, sources) for each in questions]
    yield Table("", columns, rows, on="page", searched=True)
    yield Section("Faults of the documents")
    yield _findings("Pages that say the same", DUPLICATE, summary.findings, sources)
    yield _findings("Pages that contradict each other", CONTRADICTION, summary.findings, sources)
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
    yield Text([f"{why}: {count(n)}" for why, n in summary.not_in_set.items()], title="Not in the set:", on="page")
    missing = portion(sum(summary.not_in_set.values()), summary.questions)
    yield Text(f"The set has {count(summary.examples, 'question')}; {missing} are not in it, the report says why")
    yield Text(spent_words(together(stages)), on="terminal")
    files = f"Report: {folder / 'report.html'}; every question: {folder / 'questions.jsonl'}"
    yield Text(files, "strong", on="terminal")
    mend = (f"ragassay annotate {folder} --task mend", "read the set; keep, mend or drop each question")
    model = ("ragassay questions DOCS --log LOG --model openai:gpt-4o-mini --out FOLDER", "a model reads the pages")
    yield next_steps(*([model] if summary.model.startswith(EMBEDDED) else []), mend)


def _topic_row(topic: Sequence[AskedQuestion]) -> Sequence[Value]:
    times = Counter[str]()
    for each in topic:
        times[each.state] += each.times
    return (excerpt(topic[0].question, _TOPIC_CHARS), times.total(), *(times[state] for state in STATES))


def _question_row(each: AskedQuestion, sources: Mapping[str, str]) -> Sequence[Value]:
    page, wordings = sources.get(each.document_id, ""), " | ".join(each.wordings)
    return each.question, each.times, _WORDS[each.state], page, each.answer, each.reason, wordings


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
