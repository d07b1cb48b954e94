"""What ``run`` and ``synthesize`` say before and after they made a set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

_ASKED_ABOUT = frozenset({"en", "und"})
"""Languages of documents that questions are made from without a language model; short texts are undetermined."""


def complain(
    folder: Path,
    *,
    documents: Sequence[Path],
    made: int,
    stopped_by: str,
    coverage: float | None,
    least_coverage: float,
    missing: Sequence[str],
    why: str,
    writes_on_server: bool,
) -> None:
    """Raises for what a script should hear of although there are results.

    documents: what the set was made from. made: examples. stopped_by: the limit that was reached, or empty.
    coverage: share of what servers were asked and answered. missing: ``3 summary``, none where that is no error.
    why: where the reasons for what is missing are.
    writes_on_server: whether a language model was to write.
    """
    from ragassay.corpus.sources import shown_path
    from ragassay.errors import CONTINUE, BudgetError, ShortfallError, check_coverage

    if stopped_by:
        raise BudgetError(f"{stopped_by}: results so far are in {folder}; {CONTINUE}")
    check_coverage(
        coverage,
        least_coverage,
        ("the models answered", "of the calls of a stage"),
        f"`ragassay report {folder} --calls --failed` lists the others",
    )
    if not made:
        said = f"no examples could be made from {', '.join(map(shown_path, documents)) or 'the schema'}"
        raise ShortfallError(f"{said}; see {why}{'' if writes_on_server else _with_a_model(folder)}")
    if missing:
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
