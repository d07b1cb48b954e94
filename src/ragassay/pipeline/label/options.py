"""What is asked of a labelling or a critique of a data set."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ragassay.datasets.registry import format_for
from ragassay.errors import UsageError
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.label.pair_contexts import MOST_CONTEXT_CHARS
from ragassay.tasks.critique import CRITIQUES


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOptions:
    """data: file or folder with a data set. out: the file or folder that it is written to, with what was said of it.

    from_format, to_format: names of formats where they cannot be told. documents: a file of documents beside the set.
    critiques: those asked for, by name; a labelling asks for none. models: its judge is asked.
    max_context_chars: pairs with a longer context are left out and counted. overwrite: replace a file ``out``.
    processes: that share the work of the embedded model, None for one a core; no result depends on it.
    """

    data: Path
    out: Path
    critiques: tuple[str, ...] = tuple(CRITIQUES)
    from_format: str | None = None
    to_format: str | None = None
    documents: Path | None = None
    models: ModelOptions = field(default_factory=ModelOptions)
    max_context_chars: int = MOST_CONTEXT_CHARS
    overwrite: bool = False
    processes: int | None = None

    def settings(self) -> dict[str, str]:
        """Option name to value, as pages show them."""
        return {**self.models.settings(), "longest context": f"{self.max_context_chars} characters"}

    def check(self, part: str) -> None:
        """Raises UsageError for what cannot be meant, before anything is read.

        part: what ``out`` has to hold, as its format calls it.
        """
        self.models.check()
        chosen = format_for(self.out, self.to_format)
        if part not in chosen.holds:
            raise UsageError(f"--out: the format {chosen.name} cannot hold {part}; name a file such as judged.jsonl")
        if self.max_context_chars < 1:
            raise UsageError(f"--max-context-chars: must be at least 1, not {self.max_context_chars}")
        if self.processes is not None and self.processes < 1:
            raise UsageError(f"--processes: must be at least 1, not {self.processes}")
        unknown = next((name for name in self.critiques if name not in CRITIQUES), None)
        if unknown is not None:
            raise UsageError(f"--critiques: unknown critique {unknown!r}; choose from {', '.join(CRITIQUES)}")
        if not self.critiques:
            raise UsageError(f"--critiques: must not be empty; choose from {', '.join(CRITIQUES)}")


def parse_critiques(text: str) -> tuple[str, ...]:
    """'stand_alone, tautology' to names, in the order of the table of critiques; 'all' to all of them.

    Raises UsageError for a name that is none.
    """
    names = {name.strip().replace("-", "_") for name in text.split(",") if name.strip()}
    if names == {"all"}:
        return tuple(CRITIQUES)
    unknown = next((name for name in sorted(names) if name not in CRITIQUES), None)
    if unknown is not None:
        raise UsageError(f"--critiques: unknown critique {unknown!r}; choose from {', '.join(CRITIQUES)}")
    return tuple(name for name in CRITIQUES if name in names)
