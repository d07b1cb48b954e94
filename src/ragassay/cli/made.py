"""What ``run`` and ``synthesize`` say before and after they made a set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragassay.pipeline.make.run_options import RunOptions
    from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
    from ragassay.pipeline.make.synthesize import Synthesized
    from ragassay.pipeline.run.run import Run

_ASKED_ABOUT = frozenset({"en", "und"})
"""Languages of documents that questions are made from without a language model; short texts are undetermined."""


def complain(
    done: Run | Synthesized,
    options: RunOptions | SynthesizeOptions,
    *,
    stopped_by: str,
    missing: Sequence[str],
    why: str,
) -> None:
    """Raise for what a script should hear of although there are results.

    stopped_by: the limit that was reached, or empty. missing: such as ``3 summary``. why: where the reasons are.
    """
    from ragassay.corpus.sources import shown_path
    from ragassay.errors import CONTINUE, BudgetError, ShortfallError, check_coverage

    if stopped_by:
        raise BudgetError(f"{stopped_by}: results so far are in {done.folder}; {CONTINUE}")
    check_coverage(
        done.coverage,
        options.models.coverage,
        ("the models answered", "of the calls of a stage"),
        f"`ragassay report {done.folder} --calls --failed` lists the others",
    )
    if not done.examples:
        said = f"no examples could be made from {', '.join(map(shown_path, options.documents))}"
        raise ShortfallError(
            f"{said}; see {why}{'' if 'writer' in options.models.on_servers else _with_a_model(done.folder)}"
        )
    if missing and options.strict:
        raise ShortfallError(f"--strict: missing {', '.join(missing)}; see {why}")


def _with_a_model(folder: Path) -> str:
    """What a language model could do with documents that gave nothing without one, and why it was nothing."""
    from ragassay.pipeline.folders.run_folder import DOCUMENTS_FILE
    from ragassay.records import Document, read_jsonl
    from ragassay.tasks.languages import language_name

    path = folder / DOCUMENTS_FILE
    found = {each.language for each in read_jsonl(path, Document)} if path.is_file() else set()
    if not found or found & _ASKED_ABOUT:
        return ". A language model (--model) finds questions in more kinds of text"
    names = ", ".join(sorted(language_name(code) or code for code in found))
    return (
        f". The documents are in {names}: without a language model (--model) questions are made from English alone, "
        "and answers judged in English and Chinese"
    )
