"""``ragassay refresh``: a set made earlier, held against its documents as they are now, mended, and filled up again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

from ragassay.datasets.registry import brings_documents, read_dataset
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.documents.sources import shown_path
from ragassay.errors import InputError, UsageError
from ragassay.generate.filtered import BlockFilters
from ragassay.generate.following import STATES, Followed, Follower, is_of_one_place, words_stand
from ragassay.generate.options import whole_numbers
from ragassay.generate.repeats import telling
from ragassay.jobs.asking.costs import MAKE, READ, Costs, worst_coverage
from ragassay.jobs.asking.event_loop import finished
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.asking.models import Endpoints, RunModels
from ragassay.jobs.folders.job import working
from ragassay.jobs.folders.progress import Progress, Silent
from ragassay.jobs.folders.run_folder import EXAMPLES_FILE, FOLLOWED_FILE, FolderOptions, fingerprint_of
from ragassay.jobs.make.corpus import Corpus, build_corpus
from ragassay.jobs.make.run_options import Documents, Overwrite, SeedOfRun
from ragassay.jobs.make.synthesis_options import SynthesizeOptions
from ragassay.jobs.make.synthesize import make_examples
from ragassay.models.base import Model
from ragassay.models.llm.budget import Spent
from ragassay.options import Count, Group, Option, Processes, settings, shown_settings
from ragassay.records import LABELS, Document, Example, Label, to_json, write_jsonl
from ragassay.report.notebook import Shown
from ragassay.report.refresh import (
    REFRESH_FILE,
    REFRESH_PAGE,
    RefreshSummary,
    blocks_of_refresh,
    render_refresh,
)
from ragassay.report.summary import write_stages
from ragassay.tasks.answering import ANSWER, QuestionWithChunks
from ragassay.tasks.verdicts import STATEMENT_VERDICTS, StatementsOnContext, StatementVerdicts
from ragassay.version import __version__

if TYPE_CHECKING:
    from ragassay.report.blocks import Block

CHECK = "checking what has changed"
ANSWERED = "a new text answers the question"
_TRIED = 3
"""Passages that are read for an answer whose text is gone."""
_SHOWN = frozenset({"data", "n", "seed"})


@settings
class RefreshOptions:
    """A set, its documents as they are now, and where the set that holds of them goes."""

    command: ClassVar[str] = "refresh"

    data: Annotated[
        Path, Option("Run folder or set to renew, best with its documents.", metavar="SET", is_argument=True)
    ]
    documents: Documents
    out: Annotated[
        Path | None,
        Option(
            "Folder for the new set; created if missing. Without it the state of SET is only printed.",
            metavar="FOLDER",
            panel="Output",
            is_about_work=True,
        ),
    ] = None
    n: Annotated[
        Count | None, Option("Examples of the new set; default: as many as SET has. All that hold are kept.")
    ] = None
    seed: SeedOfRun = 0
    overwrite: Overwrite = False
    processes: Processes = None
    read: Annotated[ReadOptions, Group()] = field(default_factory=ReadOptions)
    models: Annotated[ModelOptions, Group(frozenset({"panel", "embeddings", "answers"}))] = field(
        default_factory=ModelOptions
    )

    @property
    def uses_servers(self) -> bool:
        return self.out is not None and self.models.uses_servers

    def check(self) -> None:
        """Raise UsageError or InputError for what cannot be meant, before anything is read or written."""
        if self.out is None:
            for option, given in (("--n", self.n is not None), ("--model", self.models.uses_servers)):
                if given:
                    raise UsageError(f"{option}: needs --out, the folder of the new set")
        else:
            self.made({}).check()

    def made(self, quotas: Mapping[str, int]) -> SynthesizeOptions:
        """Return how missing examples are made. quotas: label to examples; those without a label are of any."""
        n = sum(quotas.values()) or 1
        labels: dict[Label, float] = {label: quotas[label] / n for label in LABELS if quotas.get(label)}
        is_mixed = labels and sum(labels.values()) > 1 - 1e-9
        return SynthesizeOptions(
            documents=self.documents,
            out=self.out or Path(),
            n=n,
            mix=labels if is_mixed else None,
            seed=self.seed,
            overwrite=self.overwrite,
            processes=self.processes,
            read=self.read,
            models=self.models,
        )

    def settings(self) -> dict[str, str]:
        """Option name to value as text, as run.json shows them."""
        return {
            "documents": ", ".join(map(shown_path, self.documents)),
            **{name: value for name, value in shown_settings(self).items() if name in _SHOWN},
            **self.models.settings(),
            **self.read.settings(),
        }

    def fingerprint(self) -> str:
        """Equal for two jobs that are asked the same of the same paths by the same version."""
        return fingerprint_of(self)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Refreshed(Shown):
    """folder: of the new set; None where nothing was written. examples: of the new set, those that were kept first.

    coverage: share of what models on servers were asked and answered; None where none was. spent: on them, now.
    """

    folder: Path | None
    summary: RefreshSummary
    examples: tuple[Example, ...]
    coverage: float | None = None
    spent: Spent = field(default_factory=Spent)

    def blocks(self) -> Iterable[Block]:
        return blocks_of_refresh(self.summary, self.folder)

    def as_object(self) -> dict[str, Any]:
        return self.summary.as_object() | {"folder": str(self.folder) if self.folder else None}


def refresh(options: RefreshOptions, progress: Progress | None = None) -> Refreshed:
    """Say which examples still hold, and with ``out`` write the set that does; nothing is overwritten.

    Raises UsageError, InputError or RunFolderError for what cannot be used; the folder then stays as it was.
    """
    options.check()
    progress = progress or Silent()
    documents, examples = _read_set(options.data)
    if options.out is None:
        skipped: list[Any] = []
        progress.start("reading documents", None)
        new = list(read_corpus(options.documents, options.read, skipped.append, lambda _: None))
        follower = Follower(new, documents)
        followed = [follower.follow(example) for example in examples]
        summary = _summary(options, follower, followed, skipped=len(skipped))
        return Refreshed(
            folder=None, summary=summary, examples=tuple(each.example for each in followed if each.is_kept)
        )
    return finished(_refreshed(options, documents, examples, progress))


def _read_set(data: Path) -> tuple[list[Document], list[Example]]:
    """Return the documents that the set was made from, none where it has only texts of references, and its examples."""
    documents, examples = list[Document](), list[Example]()
    has_documents = brings_documents(data)
    for record in read_dataset(data):
        if isinstance(record, Document) and has_documents:
            documents.append(record)
        elif isinstance(record, Example):
            examples.append(record)
    if not examples:
        raise InputError(f"{data} holds no examples")
    return documents, examples


async def _refreshed(
    options: RefreshOptions, documents: list[Document], examples: list[Example], progress: Progress
) -> Refreshed:
    folder_options = cast(FolderOptions, options)  # out is there
    async with working(folder_options, Endpoints(options.models), progress) as work:
        folder, models, workers, told = work
        costs = Costs(models, workers)
        with costs.stage(READ):
            corpus = build_corpus(folder, options.made({}).corpus, workers, told)
        new = list(corpus.store)
        follower = Follower(new, documents)
        with costs.stage(CHECK):
            told.start(CHECK, None)
            followed = [follower.follow(example) for example in examples]
            followed = await _checked(followed, corpus, follower.fresh, models)
        kept = [each.example for each in followed if each.is_kept]
        with costs.stage(MAKE):
            added = await _added(options, examples, kept, corpus, follower.fresh, documents, models, told)
        write_jsonl(folder / EXAMPLES_FILE, (*kept, *added))
        write_jsonl(folder / FOLLOWED_FILE, followed)
        stopped_by = models.endpoints.budget.reached or ""
        summary = _summary(options, follower, followed, added, len(corpus.figures.skipped), stopped_by)
        (folder / REFRESH_FILE).write_text(to_json(summary.as_object()) + "\n", encoding="utf-8")
        (folder / REFRESH_PAGE).write_text(render_refresh(summary, added), encoding="utf-8")
        write_stages(folder, costs.stages)
        corpus.store.close()
        return Refreshed(
            folder=options.out,
            summary=summary,
            examples=(*kept, *added),
            coverage=worst_coverage(costs.stages),
            spent=models.endpoints.budget.spent,
        )


async def _checked(
    followed: list[Followed], corpus: Corpus, fresh: frozenset[str], models: RunModels
) -> list[Followed]:
    """Judge again what has changed or gone, and ask whether a new text answers what nothing answered."""
    judge, found = models.judging(), dict(enumerate(followed))
    changed = [row for row, each in found.items() if each.state == "changed" and each.example.answer]
    texts = ["\n\n".join(dict.fromkeys(_now(found[row]))) for row in changed]
    for row, reply in zip(changed, await _supports(judge, [found[row] for row in changed], texts), strict=True):
        is_told = reply is not None and all(each.supported for each in reply.items)
        if reply is None:
            found[row] = replace(found[row], reason="no verdict")
        elif is_told and not models.judge.is_on_server and not is_of_one_place(found[row].example):
            found[row] = replace(found[row], reason="what was listed, counted or compared may have changed")
        else:
            holds = is_told and (models.judge.is_on_server or words_stand(found[row]))
            found[row] = replace(
                found[row], holds=holds, reason="" if holds else "the new words do not support the answer"
            )
    gone = [row for row, each in found.items() if each.state == "gone" and each.example.answer]
    nearest = corpus.gates.nearest([found[row].example.question for row in gone])
    tries = [(row, text) for row, chunks in zip(gone, nearest, strict=True) for text in chunks[:_TRIED]]
    replies = await _supports(judge, [found[row] for row, _ in tries], [text for _, text in tries])
    for (row, text), reply in zip(tries, replies, strict=True):
        if found[row].state == "gone" and reply is not None and all(each.supported for each in reply.items):
            found[row] = _by_meaning(found[row], text, reply, corpus, is_sure=models.judge.is_on_server)
    still_open = [row for row, each in found.items() if each.is_kept and each.example.label == "unanswerable"]
    nearest = corpus.gates.nearest([found[row].example.question for row in still_open])
    asked = [
        (row, QuestionWithChunks(question=found[row].example.question, chunks=tuple(new)))
        for row, chunks in zip(still_open, nearest, strict=True)
        if (new := [text for text in chunks if any(text in corpus.store.get(name).text for name in fresh)])
    ]
    answers = await models.judge.ask_all(ANSWER, [each for _, each in asked])
    for (row, put), reply_ in zip(asked, answers, strict=True):
        if reply_.value is not None and not reply_.value.abstained:
            used = [put.chunks[place] for place in reply_.value.used if place < len(put.chunks)] or list(put.chunks[:1])
            pair = ("", used[0])
            found[row] = replace(found[row], state="changed", pairs=(pair,), holds=False, reason=ANSWERED)
    return list(found.values())


def _now(followed: Followed) -> list[str]:
    """What the references of an example are now, those that have not changed too."""
    changed = [now for _, now in followed.pairs]
    return changed + [span.text for span in followed.example.references if all(span.text not in now for now in changed)]


async def _supports(judge: Model, followed: Sequence[Followed], texts: Sequence[str]) -> list[StatementVerdicts | None]:
    """Whether each text supports the keypoints, or the answer, of each example; None where the model does not say."""
    asked = [
        StatementsOnContext(
            question=each.example.question, statements=each.example.keypoints or (each.example.answer,), context=text
        )
        for each, text in zip(followed, texts, strict=True)
    ]
    return [reply.value for reply in await judge.ask_all(STATEMENT_VERDICTS, asked)]


def _by_meaning(
    followed: Followed, text: str, verdicts: StatementVerdicts, corpus: Corpus, *, is_sure: bool
) -> Followed:
    """The example with the sentences that support it now; as it is where they do not stand in a document."""
    example = followed.example
    evidence = list(dict.fromkeys(each.evidence for each in verdicts.items))
    home = next((document for document in corpus.store if text in document.text), None)
    if home is None or not all(evidence) or not all(each in home.text for each in evidence):
        return followed
    begin = home.text.find(text)
    starts = [home.text.find(each, begin) if each in text else home.text.find(each) for each in evidence]
    references = tuple(home.span(start, start + len(each)) for start, each in zip(starts, evidence, strict=True))
    was = " ".join(text for text, _ in followed.pairs)
    now = " ".join(evidence)
    renewed = replace(
        followed,
        example=replace(example, references=references, context=home.span(begin, begin + len(text))),
        state="changed",
        pairs=((was, now),),
        holds=True,
        reason="another text says the same",
    )
    return renewed if is_sure or words_stand(renewed) else followed


async def _added(
    options: RefreshOptions,
    examples: Sequence[Example],
    kept: Sequence[Example],
    corpus: Corpus,
    fresh: frozenset[str],
    documents: Sequence[Document],
    models: RunModels,
    progress: Progress,
) -> tuple[Example, ...]:
    """Make what the set lacks, of new and changed texts alone, in the mix that it had."""
    wanted = Counter(each.label for each in examples)
    if options.n is not None:
        shares = {label: number / len(examples) for label, number in wanted.items()}
        wanted = Counter(whole_numbers(options.n, shares))
    lacking = wanted - Counter(each.label for each in kept)
    if not lacking or not fresh:
        return ()
    job = options.made(lacking)
    made = await make_examples(
        job.synthesis,
        corpus,
        models,
        progress,
        options.documents,
        BlockFilters(documents=fresh),
        drafting=job.drafting,
    )
    old_texts = "\n\n".join(document.text for document in documents)
    asked = {telling(each.asked) for each in kept}
    ids = {each.id for each in kept}
    return tuple(
        each
        for each in made.examples
        if each.id not in ids
        and telling(each.asked) not in asked
        and not (each.references and all(span.text in old_texts for span in each.references))
    )


def _summary(
    options: RefreshOptions,
    follower: Follower,
    followed: Sequence[Followed],
    added: Sequence[Example] = (),
    skipped: int = 0,
    stopped_by: str = "",
) -> RefreshSummary:
    return RefreshSummary(
        version=__version__,
        data=str(options.data),
        states={state: sum(each.state == state for each in followed) for state in STATES},
        kept=sum(each.is_kept for each in followed),
        unjudged=sum(each.state == "changed" and each.holds is None for each in followed),
        answered=sum(each.reason == ANSWERED for each in followed),
        added=dict(Counter(each.label for each in added)),
        wanted=max(options.n or len(followed), sum(each.is_kept for each in followed)),
        by_model=options.models.uses_servers,
        documents=follower.account(),
        skipped=skipped,
        changes=tuple(each for state in ("changed", "gone") for each in followed if each.state == state),
        stopped_by=stopped_by,
    )
