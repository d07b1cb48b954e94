"""What ``ragassay predict`` is asked to do."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragassay.corpus.read import ReadOptions
from ragassay.corpus.sources import shown_path
from ragassay.datasets.beir import Grades
from ragassay.errors import InputError, UsageError
from ragassay.pipeline.asking.model_options import EMBEDDED, ModelOptions
from ragassay.systems.build import BUILT_IN
from ragassay.systems.options import GroundTruthOptions, NoRetrievalOptions, RagOptions
from ragassay.systems.spec import SystemSpec
from ragassay.tasks.answering import ANSWER
from ragassay.tasks.creative import CLOSED_BOOK
from ragassay.version import __version__

_FILE_OPTIONS = ("guard", "prompt", "file")


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictOptions:
    """dataset: file or folder with examples. documents: what a built-in system searches, where the set has none.

    chunks: the user's own, as JSONL, which the built-in system searches as they are, and by whose ids those of other
    systems are known; documents are made of them where neither ``documents`` nor the set has any.
    out: folder of the predictions. judged: of a BEIR folder, whose other queries are not asked; None for those of its
    test split. where: documents with these fields alone are searched, and the examples that rest on them asked. limit:
    only the first so many of these. retry_failed: questions that failed before are asked again. overwrite: forget the
    predictions in ``out``, and ask all again. models: who answers and embeds for the built-in systems. coverage: share
    of the questions that have to be answered. command: whose folder it is.
    """

    dataset: Path
    system: SystemSpec
    out: Path
    from_format: str | None = None
    documents: Path | None = None
    chunks: Path | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    judged: Grades | None = None
    where: tuple[tuple[str, str], ...] = ()
    limit: int | None = None
    retry_failed: bool = False
    overwrite: bool = False
    models: ModelOptions = field(default_factory=ModelOptions)
    coverage: float = 0.95
    command: str = "predict"

    @property
    def is_built_in(self) -> bool:
        """Whether the system is ours: models and documents are for it alone."""
        return self.system.kind in BUILT_IN

    @property
    def version(self) -> str | None:
        """Of a system outside, as the user counts."""
        return getattr(self.system.options, "version", None)

    def check(self) -> None:
        """Raises UsageError or InputError for what cannot be meant, before anything is read or written."""
        if not self.dataset.exists():
            raise InputError(f"{self.dataset} does not exist; give a file or folder with an evaluation set")
        if self.documents is not None and not self.documents.exists():
            raise InputError(f"--documents: {self.documents} does not exist; give a file or folder of documents")
        self.read.check()
        if self.chunks is not None:
            self._check_chunks(self.chunks)
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"--limit: must be at least 1, not {self.limit}")
        if not 0 <= self.coverage <= 1:
            raise UsageError(f"--coverage: must be between 0 and 1, not {self.coverage:g}")
        if not self.is_built_in and (self.models.uses_servers or self.models.embeddings != EMBEDDED):
            raise UsageError(f"--model, --embeddings: only apply to built-in systems, not to {self.system.kind}")
        self.models.check()

    def _check_chunks(self, chunks: Path) -> None:
        if not chunks.is_file():
            raise InputError(f"--chunks: {chunks} is not a file; give a JSONL file of chunks")
        if self.system.kind in ("no_retrieval", "ground_truth_context"):
            raise UsageError(f"--chunks: {self.system.kind} does not search; leave them out")
        cutting = sorted({"chunker", "chunk_size", "overlap"} & self.system.options.model_fields_set)
        if cutting and self.is_built_in:
            raise UsageError(f"{cutting[0]}: cannot be combined with --chunks, which are searched as they are")

    def model_options(self) -> ModelOptions:
        """With the prompt that the system's options name in place of that of the task that answers."""
        options = self.system.options
        name = getattr(options, "prompt", None)
        if not isinstance(options, RagOptions | NoRetrievalOptions | GroundTruthOptions) or name is None:
            return self.models
        task = CLOSED_BOOK if isinstance(options, NoRetrievalOptions) else ANSWER
        text = read_answerer_prompt(self.system.file(name))
        return replace(self.models, prompts=self.models.prompts.with_prompt(task.name, text))

    def identity(self) -> dict[str, Any]:
        """What has to be the same for a run to go on; of a system outside, only how it is set up can be known."""
        found: dict[str, Any] = {"system": self.system.settings()}
        for name in _FILE_OPTIONS:
            value = getattr(self.system.options, name, None)
            if isinstance(value, str):
                found[f"content of {name}"] = _digest(self.system.file(value))
        if self.chunks is not None:
            found["content of chunks"] = _digest(self.chunks)
        if self.is_built_in:
            found["version"] = __version__
            models = self.models.asked()
            models.pop("prompts", None)
            found["models"] = models
            answering = {ANSWER.name, CLOSED_BOOK.name} & self.models.prompts.prompts.keys()
            found["prompts"] = {name: self.models.prompts.prompts[name] for name in sorted(answering)}
        return found

    def settings(self) -> dict[str, Any]:
        """What run.json says besides."""
        beside = shown_path(self.documents) if self.documents else None
        settings = {"dataset": shown_path(self.dataset), "documents": beside}
        if self.where:
            settings["only"] = ", ".join(f"{name}={value}" for name, value in self.where)
        if self.is_built_in and self.models.answers is None and self.models.model == EMBEDDED:
            models = {"model": EMBEDDED}
        else:
            models = self.models.settings() if self.is_built_in else {}
        return {"command": self.command, "settings": {**settings, **models}}


def read_answerer_prompt(path: Path) -> str:
    """The text of a file with the answerer's prompt. Raises InputError."""
    try:
        text = path.read_text("utf-8-sig").strip()
    except OSError as error:
        raise InputError(f"prompt: {path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"prompt: {path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    if not text:
        raise InputError(f"prompt: {path} is empty; write the prompt into it, or leave the option out")
    return text


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""
    except OSError:
        return ""
