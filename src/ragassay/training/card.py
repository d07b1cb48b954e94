"""What stands beside an adapter when its training is finished: the model card (Mitchell et al. 2019)."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragassay.errors import RunFolderError
from ragassay.training.loop import Fitted, checkpoints_of
from ragassay.training.options import Job

_LIMITS = {
    "writer": "It writes one question and its answer for a context and a label. No gate has looked at them: it can "
    "name what the context does not, and answer wrongly.",
    "verifier": "It sees one passage of limited length at a time. Its probabilities are those of the training mix: "
    "calibrate them on claims that were not trained on.",
}


def prepare(job: Job) -> None:
    """Checks what can be checked before anything is read. Raises UsageError, RunFolderError."""
    if job.out.exists():
        raise RunFolderError(f"{job.out} already exists; delete it, or name another --out")
    try:
        job.out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFolderError(f"{job.out.parent} cannot be created: {error.strerror or error}") from error


def finish(
    job: Job,
    fitted: Fitted,
    figures: Mapping[str, str],
    rows: tuple[Sequence[Any], Sequence[Any]],
    facts: Mapping[str, str],
    write: Callable[[Path], None],
) -> Fitted:
    """Writes the card, then the adapter, whole or not at all, and drops the checkpoints.

    rows: trained on and held out; source and kind of each are counted. facts: of base and data, for the card.
    write: writes the adapter to a place.
    """
    shown = {"training loss (last steps)": f"{fitted.loss:.3f}"}
    if fitted.held_out is not None:
        shown["held-out loss"] = f"{fitted.held_out:.3f}"
    shown |= figures
    made = checkpoints_of(job.out) / job.out.name
    card = job.out.with_name(job.out.name + ".card.md")
    try:
        write(made)
        card.write_text(_card(job, fitted, shown, rows, facts), encoding="utf-8")
        made.replace(job.out)
    except OSError as error:
        raise RunFolderError(f"{job.out} cannot be written: {error.strerror or error}") from error
    shutil.rmtree(checkpoints_of(job.out), ignore_errors=True)
    return fitted._replace(figures=shown)


def _card(
    job: Job,
    fitted: Fitted,
    figures: Mapping[str, str],
    rows: tuple[Sequence[Any], Sequence[Any]],
    facts: Mapping[str, str],
) -> str:
    options = job.options
    recipe = {
        **facts,
        "Rank, alpha": f"{options.rank}, {options.alpha:g}",
        "Epochs, steps, rows of a step": f"{fitted.epochs:g}, {fitted.steps:,}, {options.batch}",
        "Learning rate": f"{options.lr:g} after {options.warm_up} steps, falling to 0",
        "Seed": str(options.seed),
    }
    left_out = [f"Left out altogether: {', '.join(options.leave_out)}.", ""] if options.leave_out else []
    return "\n".join(
        [
            f"# {job.out.name}",
            "",
            f"A LoRA adapter (task: {job.task}) for the model `{Path(job.base).name}`, written by:",
            "",
            f"    {job.command}",
            "",
            *_table(recipe),
            "",
            "## Data",
            "",
            *_counted("Trained on", rows[0]),
            *_counted("Held out", rows[1]),
            *left_out,
            "## Figures",
            "",
            *_table(figures),
            "",
            "## Limits",
            "",
            _LIMITS[job.task],
            "",
        ]
    )


def _table(rows: Mapping[str, str]) -> list[str]:
    return ["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows.items())]


def _counted(title: str, rows: Sequence[Any]) -> list[str]:
    parts = [
        ", ".join(f"{name} {count:,}" for name, count in Counter(names).most_common()) or "nothing"
        for names in ([row.source or "(no source)" for row in rows], [row.kind for row in rows])
    ]
    return [f"{title}: {len(rows):,} rows ({parts[0]}; {parts[1]}).", ""]
