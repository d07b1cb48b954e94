"""``ragassay questions``: what people asked of documents, what no page answers, and the set of what is answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ragassay.datasets.format import Notes
from ragassay.datasets.registry import read_dataset, recognised
from ragassay.datasets.rows import read_rows
from ragassay.datasets.selection import RowsFrom, RowsMap, Selection
from ragassay.documents.read import ReadOptions
from ragassay.documents.sources import shown_path
from ragassay.documents.store import DocumentStore
from ragassay.errors import InputError
from ragassay.generate.asked.answered import NO_PAGE, NOT_KNOWN, STATES, Answered, Answering, AskedQuestion
from ragassay.generate.asked.merging import merged, topics
from ragassay.generate.asked.personal import Cleaner
from ragassay.generate.candidates import Candidate
from ragassay.generate.conflicts import conflicting
from ragassay.generate.near_duplicates import near_duplicates
from ragassay.jobs.asking.costs import READ, Costs, worst_coverage
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.asking.models import Endpoints
from ragassay.jobs.folders.job import working
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, FINDINGS_FILE, QUESTIONS_FILE, REPORT_FILE, fingerprint_of
from ragassay.jobs.folders.versions import versions_here
from ragassay.jobs.make.corpus import build_corpus
from ragassay.jobs.make.run_options import Documents, Out, Overwrite, RunOptions
from ragassay.language import detect_language
from ragassay.models.llm.budget import Spent
from ragassay.options import Count, Group, Option, Processes, settings
from ragassay.parts import in_batches
from ragassay.records import Example, to_json, write_jsonl
from ragassay.report.asked import LOG_SUMMARY_FILE, LogSummary, blocks_of_log
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
_PASSAGE_CHARS = 512
"""Size of the passages that a question is compared with: what the verifier reads at once."""
_AT_ONCE = 200
_WORDINGS_KEPT = 5
_WORD = re.compile(r"\w+")
LOOK_UP = "look up questions"


@settings
class LogOptions:
    """Which questions were asked, and of which documents."""

    command: ClassVar[str] = "questions"

    documents: Documents
    log: Annotated[Path, Option("File or folder with the questions: a table, JSONL, traces or a set.", metavar="LOG")]
    out: Out
    n: Annotated[Count, Option("Questions to look up, the most asked first.")] = 1_000
    from_format: RowsFrom = None
    mapping: RowsMap = field(default_factory=dict)
    overwrite: Overwrite = False
    processes: Processes = None
    read: Annotated[ReadOptions, Group()] = field(default_factory=ReadOptions)
    models: Annotated[ModelOptions, Group(frozenset({"panel", "embeddings", "answers"}))] = field(
        default_factory=ModelOptions
    )

    @property
    def corpus(self) -> RunOptions:
        """How documents are read and indexed, as a run would."""
        return RunOptions(
            documents=self.documents, out=self.out, models=self.models, chunk_sizes=(_PASSAGE_CHARS,), read=self.read
        )

    @property
    def uses_servers(self) -> bool:
        return self.models.uses_servers

    def check(self) -> None:
        """Raise UsageError for what cannot be meant, before anything is read or written."""
        self.corpus.check()
        _mapping_of(self.log, self.mapping, self.from_format)

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as run.json shows them."""
        return {
            "documents": ", ".join(map(shown_path, self.documents)),
            "log": shown_path(self.log),
            "n": str(self.n),
            **self.models.settings(),
            **self.read.settings(),
            **Selection(mapping=self.mapping).settings(),
        }

    def fingerprint(self) -> str:
        """Equal for two jobs that are asked the same of the same paths by the same version."""
        return fingerprint_of(self)


@dataclass(frozen=True, slots=True, repr=False)
class AskedLog(Shown):
    """A finished log. shown: what is printed. looked_up: how many questions. coverage, spent: as of ``Synthesized``."""

    folder: Path
    summary: LogSummary
    examples: tuple[Example, ...]
    shown: tuple[Block, ...]
    looked_up: int
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


def words_of(documents: DocumentStore) -> frozenset[str]:
    """Return the words of documents in lower case."""
    return frozenset(word for document in documents for word in _WORD.findall(document.text.lower()))


def _mapping_of(path: Path, mapping: Mapping[str, Any], name: str | None) -> Mapping[str, Any]:
    """Return where questions stand: as the user says, or in rows of no known format by the field's name."""
    if mapping or name:
        return mapping
    try:
        recognised(path, mapped="`ragassay questions ... --map question=FIELD`")
    except InputError:
        first = next(read_rows(path, Notes(keep_going=True)), None) if path.suffix in (".json", ".jsonl") else None
        if first is None or "question" not in first.value:
            raise
        return {"question": ("question",)}
    return {}


def asked_in(path: Path, notes: Notes, mapping: Mapping[str, Any], name: str | None = None) -> Iterator[Example]:
    """Yield the questions of a log as they were asked. name: of its format. Raises InputError for a log without any."""
    found = False
    selection = Selection(mapping=_mapping_of(path, mapping, name))
    for record in read_dataset(path, format_name=name, notes=notes, selection=selection):
        if isinstance(record, Example):
            found = True
            yield record
    if not found:
        raise InputError(f"{path}: no questions; name the column that has them with --map question=COLUMN")


def read_log(options: LogOptions, cleaner: Cleaner, left_out: Counter[str], progress: Progress) -> Counter[str]:
    """Return wordings without personal details, to times asked. left_out: why, to rows; is added to.

    Raises InputError for a log without any.
    """
    notes, wordings = Notes(keep_going=True), Counter[str]()
    progress.start("reading questions", None)

    def keep(most: int) -> None:
        for text, times in wordings.most_common()[most:]:
            left_out[f"not among the {_MOST_WORDINGS} most asked wordings"] += times
            del wordings[text]

    for asked in asked_in(options.log, notes, options.mapping, options.from_format):
        text = " ".join((asked.standalone_question or asked.question).split())
        progress.advance()
        if len(text) > _MOST_CHARS or not _WORD.search(text):
            left_out[f"longer than {_MOST_CHARS} characters, or without a word"] += 1
            continue
        wordings[cleaner.cleaned(text)] += 1
        if len(wordings) > _MOST_COUNTED:
            keep(_MOST_COUNTED // 2)
    if notes.faults:
        where = str(notes.faults[0]).partition(":")[0]  # what follows may quote the row
        left_out[f"a row that cannot be read, the first is {where}"] += len(notes.faults)
    keep(_MOST_WORDINGS)
    named = Counter[str]()
    for text, times in cleaner.without_names(wordings):
        named[text] += times
    return named


async def _ask_log(options: LogOptions, progress: Progress) -> AskedLog:
    async with working(options, Endpoints(options.models), progress) as work:
        folder, models, costs = work.folder, work.models, Costs(work.models, work.workers)
        with costs.stage(READ):
            corpus = build_corpus(folder, options.corpus, work.workers, work.progress)
            known, left_out = words_of(corpus.store), Counter[str]()
            cleaner = Cleaner(known)
            wordings = read_log(options, cleaner, left_out, work.progress)
            findings = near_duplicates(corpus.store)
        with costs.stage(LOOK_UP):
            by_model = models.judge.is_on_server
            model = models.judging() if by_model else models.judge
            languages = {document.id: document.language for document in corpus.store}
            answering = Answering(corpus.gates, models.local_encoder, known, languages, model, by_model)
            questions = await _questions(answering, wordings, options.n, work.progress)
            candidates = [_candidate(each) for each in questions if each.said.label]
            if by_model:
                found, _ = await conflicting(candidates, model, corpus.gates, models.local_encoder)
                for _, finding in found:
                    findings += [finding] if not any(map(finding.repeats, findings)) else []
        examples = tuple(each.as_example(models.judge.name) for each in candidates)
        write_jsonl(folder / QUESTIONS_FILE, questions)
        write_jsonl(folder / EXAMPLES_FILE, examples)
        write_jsonl(folder / FINDINGS_FILE, findings)
        summary = LogSummary(
            model=models.judge.name,
            different_questions=len(questions),
            removed=dict(cleaner.removed.most_common()),
            left_out=dict(left_out.most_common()),
            times_asked={state: sum(each.times for each in questions if each.said.state == state) for state in STATES},
            examples=len(examples),
            findings=tuple(findings),
            corpus=corpus.figures,
            stopped_by=models.endpoints.budget.reached or "",
        )
        (folder / LOG_SUMMARY_FILE).write_text(to_json(summary) + "\n", encoding="utf-8")
        sources = {document.id: document.source for document in corpus.store}
        shown = tuple(blocks_of_log(summary, questions, sources, costs.stages, options.out))
        about, versions = options.settings(), versions_here()
        page = render_page("questions", shown, title="What people ask", settings=about, versions=versions)
        (folder / REPORT_FILE).write_text(page, encoding="utf-8")
        corpus.store.close()
        coverage, spent = worst_coverage(costs.stages), models.endpoints.budget.spent
        return AskedLog(options.out, summary, examples, shown, min(options.n, len(questions)), coverage, spent)


async def _questions(answering: Answering, wordings: Counter[str], n: int, progress: Progress) -> list[AskedQuestion]:
    """The questions of a log, each once, with what the documents say to the n most asked ones, by topic."""
    texts = [text for text, _ in wordings.most_common()]
    read = [answering.spelled(text) for text in texts]
    vectors = answering.encoder.encode(read)
    near = [found[0].span if found else None for found in answering.gates.nearest_passages(read, 1, answering.encoder)]
    groups = merged(read, vectors, near)
    times = [sum(wordings[texts[place]] for place in group) for group in groups]
    order = sorted(range(len(groups)), key=lambda place: -times[place])
    progress.start("looking up questions", min(n, len(order)))
    found = dict.fromkeys(order, Answered(state=NOT_KNOWN, reason=f"not among the {n} most asked; raise --n"))
    for some in in_batches(order[:n], _AT_ONCE):
        said = await answering.said_to([texts[groups[place][0]] for place in some])
        found.update(zip(some, said, strict=True))
        progress.advance(len(some))
    return [
        AskedQuestion(
            question=texts[groups[place][0]],
            times=times[place],
            wordings=tuple(texts[one] for one in groups[place][1 : 1 + _WORDINGS_KEPT]),
            topic=number,
            said=found[place],
        )
        for number, topic in enumerate(topics(vectors[[group[0] for group in groups]], times), 1)
        for place in topic
    ]


def _candidate(asked: AskedQuestion) -> Candidate:
    said = asked.said
    assert said.passage is not None
    return Candidate(
        ordinal=0,
        label=None,
        question=asked.question,
        answer=said.answer,
        context=said.passage,
        references=said.references,
        language=detect_language(asked.question),
        keypoints=said.keypoints,
        verified=said.label,
        unanswerable_in="corpus" if said.state == NO_PAGE else None,
        synthesizer="log",
    )
