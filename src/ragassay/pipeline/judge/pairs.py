"""Pairs to check a judge on, built from documents and written to a file that ``ragassay judge check`` reads."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ragassay.agreement.check_items import Quality
from ragassay.agreement.pair_building import Built, build_pairs
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.corpus.sources import printable, shown_path
from ragassay.errors import InputError, RunFolderError, UsageError, check_seed
from ragassay.keyless.writer import PairWriter
from ragassay.models.base import Model
from ragassay.models.estimating import CallEstimate, Estimates, EstimatingModel
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.stand_in import StandIn
from ragassay.pipeline.asking.event_loop import finished
from ragassay.pipeline.asking.model_options import EMBEDDED, ModelOptions
from ragassay.pipeline.asking.models import Endpoints, RunModels
from ragassay.pipeline.folders.at_work import at_work
from ragassay.pipeline.folders.own_result import is_own_result, note_result
from ragassay.pipeline.folders.progress import Progress, Silent
from ragassay.records import Document, SkippedSource
from ragassay.workers import Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePairsOptions:
    """documents: files and folders. out: the file. n: pairs of each quality. models: its writer makes the pairs."""

    documents: tuple[Path, ...]
    out: Path
    n: int = 20
    seed: int = 0
    models: ModelOptions = field(default_factory=ModelOptions)
    overwrite: bool = False

    @property
    def folder(self) -> Path | None:
        """Where calls are logged; None where none are sent."""
        return self.out.with_name(f"{self.out.stem}.judge-pairs") if "writer" in self.models.on_servers else None

    def settings(self) -> dict[str, str]:
        """Option name to value, as pages show them."""
        return {
            "documents": ", ".join(map(shown_path, self.documents)),
            "out": printable(str(self.out)),
            "n": str(self.n),
            "seed": str(self.seed),
            **self.models.settings(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePairs:
    """made: quality to count. dropped: why others came to nothing, counted. stopped_by: a limit, or empty."""

    out: Path
    model: str
    documents: int
    made: Mapping[Quality, int]
    wanted: int
    dropped: Mapping[str, int]
    skipped: tuple[SkippedSource, ...]
    stopped_by: str = ""


def build_judge_pairs(options: JudgePairsOptions, progress: Progress | None = None) -> JudgePairs:
    """Builds the pairs and writes the file, whole or not at all; calls are logged in a folder beside it.

    Raises UsageError, InputError or ModelError for what cannot be used; nothing is written then, nor where no pair
    could be made.
    """
    _check(options)
    endpoints = Endpoints(options.models)
    skipped: list[SkippedSource] = []
    folder = options.folder
    with at_work(folder, COMMAND, options.settings(), progress or Silent()) as told:
        _check(options)  # once more: another process may have ended since
        told.start("reading", None)
        documents, total = _drawn(options, skipped.append)
        told.begin()
        told.start("pairs", None)
        built, model = finished(_built(options, documents, endpoints, told, folder or Path()))
        made: dict[Quality, int] = {quality: len(pairs) for quality, pairs in built.pairs.items()}
        if any(made.values()):
            _write(options.out, built, folder)
        told.stopped(endpoints.budget.reached or "")
    if not any(made.values()):
        reason = built.dropped.most_common(1)
        raise InputError(f"no pairs could be made from {total} documents: {reason[0][0] if reason else 'no text'}")
    return JudgePairs(
        out=options.out,
        model=model,
        documents=total,
        made=made,
        wanted=options.n,
        dropped=dict(built.dropped.most_common()),
        skipped=tuple(skipped),
        stopped_by=endpoints.budget.reached or "",
    )


def estimate_judge_pairs(options: JudgePairsOptions, progress: Progress | None = None) -> list[CallEstimate]:
    """What ``build_judge_pairs`` would ask of a model on a server; nothing is sent or written."""
    _check(options)
    endpoints = Endpoints(options.models, without_keys=True)
    estimates = Estimates(endpoints.prices)
    estimates.stage = "judge pairs"

    def stand_in(inner: Model, endpoint: Endpoint) -> Model:
        return EstimatingModel(StandIn(inner), endpoint.name, estimates, overrides=options.models.prompts)

    documents, _ = _drawn(options, lambda _: None)
    finished(_built(options, documents, endpoints, progress or Silent(), Path(), stand_in))
    return estimates.rows()


COMMAND = "judge pairs"
DOCUMENTS_FOR_A_PAIR = 50
"""Documents that are kept of a large collection for each pair that is wanted: memory does not grow with the rest."""


def _drawn(options: JudgePairsOptions, on_skip: Callable[[SkippedSource], None]) -> tuple[list[Document], int]:
    """Documents to build from, and how many there are: all, or a sample by chance of a large collection.

    Each document has the same chance (Vitter 1985, algorithm R); the same seed and documents give the same sample.
    """
    most = DOCUMENTS_FOR_A_PAIR * options.n
    chance = random.Random(options.seed)
    kept: list[Document] = []
    total = 0
    for document in read_corpus(options.documents, ReadOptions(), on_skip, on_skip):
        total += 1
        if len(kept) < most:
            kept.append(document)
        elif (place := chance.randrange(total)) < most:
            kept[place] = document
    return kept, total


def _check(options: JudgePairsOptions) -> None:
    options.models.check()
    if options.n < 1:
        raise UsageError(f"--n: must be at least 1, not {options.n}")
    check_seed(options.seed)
    if options.out.is_dir():
        raise RunFolderError(f"--out: {options.out} is a folder; name a file, for example pairs.jsonl")
    is_own = options.folder is not None and is_own_result(options.folder, options.out)
    if options.out.exists() and not options.overwrite and not is_own:
        raise RunFolderError(f"--out: {options.out} already exists; name another file, or replace it with --overwrite")


async def _built(
    options: JudgePairsOptions,
    documents: list[Document],
    endpoints: Endpoints,
    progress: Progress,
    log_folder: Path,
    stand_in: Callable[[Model, Endpoint], Model] | None = None,
) -> tuple[Built, str]:
    with Workers(1) as workers:
        async with RunModels(options.models, endpoints, workers, progress) as models:
            if stand_in is not None:
                models.stand_in(stand_in)
            else:
                models.ask_servers(log_folder)
            writer = PairWriter(models.writer) if options.models.name_of("writer") == EMBEDDED else models.writer
            return await build_pairs(writer, documents, options.n, seed=options.seed), writer.name


def _write(out: Path, built: Built, folder: Path | None) -> None:
    """folder: that of the calls, which says whose the file is until the work is done."""
    part = _made(out.parent) / f"{out.name}.part"
    lines = (json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pairs in built.pairs.values() for pair in pairs)
    part.write_text("".join(lines), encoding="utf-8", newline="\n")
    if folder is not None:
        note_result(folder, part)
    os.replace(part, out)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(f"--out: {folder} cannot be created ({error.strerror}); name another place") from None
    return folder
