"""What ``ragassay questions`` is asked to do."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Annotated, ClassVar

from ragassay.datasets.selection import RowsFrom, RowsMap, Selection
from ragassay.documents.read import ReadOptions
from ragassay.documents.sources import shown_path
from ragassay.errors import UsageError
from ragassay.jobs.asking.model_options import ModelOptions
from ragassay.jobs.folders.run_folder import fingerprint_of
from ragassay.jobs.make.run_options import Documents, Out, Overwrite, RunOptions
from ragassay.models import EMBEDDED
from ragassay.options import Count, Group, Option, Processes, settings

PASSAGE_CHARS = 512
"""Size of the passages that a question is compared with: what the verifier reads at once."""


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
    models: Annotated[ModelOptions, Group(frozenset({"panel"}))] = field(default_factory=ModelOptions)

    @property
    def corpus(self) -> RunOptions:
        """How documents are read and indexed, as a run would."""
        return RunOptions(
            documents=self.documents,
            out=self.out,
            models=self.models,
            chunk_sizes=(PASSAGE_CHARS,),
            read=self.read,
            overwrite=self.overwrite,
            processes=self.processes,
        )

    @property
    def uses_servers(self) -> bool:
        return self.models.uses_servers

    def check(self) -> None:
        """Raise UsageError for what cannot be meant, before anything is read or written."""
        self.corpus.check()
        self.models.check()
        if self.models.embeddings != EMBEDDED or self.models.answers:
            raise UsageError("--embeddings, --answers: do not apply to questions of a log; leave them out")

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
