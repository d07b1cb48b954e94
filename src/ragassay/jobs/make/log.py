"""``ragassay questions``: what people asked of documents, what no page answers, and the set of what is answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.datasets.format import Notes
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.selection import Selection
from ragassay.documents.near_duplicates import near_duplicates
from ragassay.errors import InputError
from ragassay.generate.asked.answered import ANSWERED, NO_PAGE, NOT_KNOWN, STATES, Answered, Answering
from ragassay.generate.asked.merging import in_same_words, merged, topics
from ragassay.generate.asked.personal import Cleaner
from ragassay.generate.candidates import Candidate
from ragassay.generate.clashes import clashing
from ragassay.generate.synthesizer import Finding
from ragassay.jobs.asking.costs import Costs, worst_coverage
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.models import Endpoints, RunModels
from ragassay.jobs.folders.job import working
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, FINDINGS_FILE, QUESTIONS_FILE, REPORT_FILE
from ragassay.jobs.folders.versions import versions_here
from ragassay.jobs.make.corpus import Corpus, build_corpus
from ragassay.jobs.make.log_options import LogOptions
from ragassay.language import detect_language
from ragassay.models.llm.budget import Spent
from ragassay.parts import in_batches
from ragassay.records import Example, to_json, write_jsonl
from ragassay.report.asked import DUPLICATE, LOG_SUMMARY_FILE, AskedQuestion, LogSummary, blocks_of_log
from ragassay.report.html import render_page
from ragassay.report.notebook import Shown

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

_MOST_WORDINGS = 10_000
"""Different wordings that are compared with each other, the most asked first."""
_MOST_COUNTED = 200_000
"""Different wordings at once in memory; beyond, those asked least are counted and forgotten."""
_MOST_CHARS = 1_000
"""Of a question: what is longer is a letter or a pasted text."""
_AT_ONCE = 200
_WORDINGS_KEPT = 5
_WORD = re.compile(r"\w+")
READ, LOOK_UP = "read and index", "look up questions"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AskedLog(Shown):
    """A finished log. folder: where its files are. shown: what is printed. coverage, spent: as of ``Synthesized``."""

    folder: Path
    summary: LogSummary
    examples: tuple[Example, ...]
    shown: tuple[Block, ...]
    coverage: float | None = None
    spent: Spent = field(default_factory=Spent)

    def blocks(self) -> Iterable[Block]:
        return self.shown

    def as_object(self) -> dict[str, Any]:
        return {**asdict(self.summary), "folder": str(self.folder)}


def ask_log(options: LogOptions, progress: Progress | None = None) -> AskedLog:
    """Read the log, look its questions up and write the folder.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the folder then stays as it was.
    """
    options.check()
    return finished(_ask_log(options, progress or Silent()))


def questions_of(path: Path, format_name: str | None, mapping: Mapping[str, Any], notes: Notes) -> Iterator[str]:
    """Yield the questions of a log, each in one line. Raises InputError for a log without any."""
    found = False
    for record in read_dataset(path, format_name=format_name, notes=notes, selection=Selection(mapping=mapping)):
        if isinstance(record, Example):
            found = True
            yield " ".join((record.standalone_question or record.question).split())
    if not found:
        why = f" ({notes.faults[0]})" if notes.faults else ""
        raise InputError(
            f"{path}: no questions{why}; give a file with a column 'question', or name it with --map question=COLUMN"
        )


@dataclass(slots=True)
class LogRead:
    """wordings: without personal details, to times asked. removed: kind to count. left_out: why, to rows."""

    wordings: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    removed: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def _keep(self, most: int) -> None:
        """Forget all wordings but the most asked."""
        kept = Counter(dict(self.wordings.most_common(most)))
        if rest := self.wordings.total() - kept.total():
            self.left_out[f"not among the {_MOST_WORDINGS} most asked wordings"] += rest
        self.wordings = kept

    def read(self, options: LogOptions, known: frozenset[str], progress: Progress) -> LogRead:
        """Read the questions. known: words of the documents. Raises InputError for a log without any."""
        notes, cleaner = Notes(keep_going=True), Cleaner(known)
        progress.start("reading questions", None)
        for text in questions_of(options.log, options.from_format, options.mapping, notes):
            self.rows += 1
            progress.advance()
            if len(text) > _MOST_CHARS:
                self.left_out[f"longer than {_MOST_CHARS} characters"] += 1
            elif not _WORD.search(text):
                self.left_out["no words"] += 1
            else:
                self.wordings[cleaner.cleaned(text)] += 1
                if len(self.wordings) > _MOST_COUNTED:
                    self._keep(_MOST_COUNTED // 2)
        if notes.faults:
            self.left_out[f"a row that cannot be read, such as {notes.faults[0]}"] += len(notes.faults)
        self._keep(_MOST_WORDINGS)
        named, self.wordings = self.wordings, Counter()
        for text, times in zip(cleaner.without_names(list(named), list(named.values())), named.values(), strict=True):
            self.wordings[text] += times
        self.removed = cleaner.removed
        return self


async def _ask_log(options: LogOptions, progress: Progress) -> AskedLog:
    imports = ("ragassay.jobs.make.corpus",)
    async with working(options, Endpoints(options.models), progress, processes=options.processes, imports=imports) as (
        folder,
        models,
        workers,
        told,
    ):
        costs = Costs(models, workers)
        with costs.stage(READ):
            corpus = build_corpus(folder, options.corpus, workers, told)
            known = frozenset(word for document in corpus.store for word in _WORD.findall(document.text.lower()))
            log = LogRead().read(options, known, told)
            findings = [
                Finding(
                    kind=DUPLICATE, note=f"{pair.share:.0%} of the shorter page stands in the other", places=pair.places
                )
                for pair in near_duplicates(corpus.store)
            ]
        with costs.stage(LOOK_UP):
            questions = await _questions(options, corpus, log, known, models, told)
            candidates = {
                asked: _candidate(asked, said)
                for asked, said in questions
                if said.passage and (said.label or said.answer)
            }
            if models.writer.is_on_server:
                clashes = await clashing(list(candidates.values()), models.judging(), models.local_encoder)
                findings += [finding for _, _, finding in clashes]
        asked = [each for each, _ in questions]
        examples = tuple(of.as_example(models.writer.name) for each, of in candidates.items() if not each.reason)
        write_jsonl(folder / QUESTIONS_FILE, asked)
        write_jsonl(folder / EXAMPLES_FILE, examples)
        write_jsonl(folder / FINDINGS_FILE, findings)
        summary = LogSummary(
            model=models.writer.name,
            rows=log.rows,
            asked=sum(each.times for each in asked),
            questions=len(asked),
            topics=max((each.topic for each in asked), default=0),
            removed=dict(log.removed.most_common()),
            left_out=dict(log.left_out.most_common()),
            states={state: sum(each.times for each in asked if each.state == state) for state in STATES},
            examples=len(examples),
            not_in_set=dict(Counter(each.reason for each in asked if each.reason).most_common()),
            findings=tuple(findings),
            corpus=corpus.figures,
            stopped_by=models.endpoints.budget.reached or "",
        )
        (folder / LOG_SUMMARY_FILE).write_text(to_json(summary) + "\n", encoding="utf-8")
        sources = {document.id: document.source for document in corpus.store}
        shown = tuple(blocks_of_log(summary, asked, sources, costs.stages, options.out))
        page = render_page(
            "questions", shown, title="What people ask", settings=options.settings(), versions=versions_here()
        )
        (folder / REPORT_FILE).write_text(page, encoding="utf-8")
        corpus.store.close()
        return AskedLog(
            folder=options.out,
            summary=summary,
            examples=examples,
            shown=shown,
            coverage=worst_coverage(costs.stages),
            spent=models.endpoints.budget.spent,
        )


async def _questions(
    options: LogOptions, corpus: Corpus, log: LogRead, known: frozenset[str], models: RunModels, progress: Progress
) -> list[tuple[AskedQuestion, Answered]]:
    """The questions of a log, each once, with what the documents say to it, by topic."""
    wordings = in_same_words(log.wordings)
    texts, encoder, gates = [group[0] for group in wordings], models.local_encoder, corpus.gates
    vectors = encoder.encode(texts)
    near = [found[0].span if found else None for found in gates.nearest_passages(texts, 1, encoder)]
    groups = merged(texts, vectors, near)
    members = [[text for place in group for text in wordings[place]] for group in groups]
    times = [sum(map(log.wordings.__getitem__, of)) for of in members]
    order = sorted(range(len(groups)), key=lambda place: -times[place])
    by_server = models.writer.is_on_server
    model = models.judging() if by_server else models.writer
    answering = Answering(gates, encoder, known, frozenset(corpus.figures.languages), model)
    progress.start("looking up questions", min(options.n, len(order)))
    more = Answered(state=NOT_KNOWN, reason=f"not among the {options.n} most asked; raise --n")
    found = dict.fromkeys(order, more)
    for some in in_batches(order[: options.n], _AT_ONCE):
        batch = [members[place][0] for place in some]
        said = await (answering.by_model(batch) if by_server else answering.locally(batch))
        found.update(zip(some, said, strict=True))
        progress.advance(len(some))
    questions = []
    for number, topic in enumerate(topics(vectors[[group[0] for group in groups]], times), 1):
        for place in topic:
            said_of, others = found[place], members[place][1:]
            is_open = said_of.state == NO_PAGE and not by_server
            record = AskedQuestion(
                question=members[place][0],
                times=times[place],
                wordings=tuple(others[:_WORDINGS_KEPT]),
                others=max(0, len(others) - _WORDINGS_KEPT),
                topic=number,
                state=said_of.state,
                reason="no page answers it, which a language model or a person has to confirm" * is_open
                or said_of.reason,
                answer=said_of.answer,
                document_id=said_of.passage.document_id if said_of.passage and said_of.state == ANSWERED else "",
            )
            questions.append((record, said_of))
    return questions


def _candidate(asked: AskedQuestion, said: Answered) -> Candidate:
    assert said.passage is not None
    is_open = said.state == NO_PAGE
    return Candidate(
        ordinal=0,
        label=None,
        question=asked.question,
        answer=said.answer,
        context=said.passage,
        references=said.references,
        language=detect_language(asked.question),
        keypoints=said.keypoints,
        verified="unanswerable" if is_open else said.label,
        unanswerable_in="corpus" if is_open else None,
        synthesizer="log",
    )
