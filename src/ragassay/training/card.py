"""The model card that stands beside an adapter (Mitchell et al. 2019): data, recipe, figures, limits."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ragassay.errors import RunFolderError
from ragassay.models.small.adapters import Task
from ragassay.training.hold_out import Split
from ragassay.training.items import TextItem
from ragassay.training.loop import Trained
from ragassay.training.options import TrainOptions

_LIMITS = {
    "writer": (
        "It writes one question and a short answer for a sentence that it is given; it does not choose the sentence.",
        "It can name what the passage does not: check names and numbers against title, heading and passage.",
        "It was trained on the kinds of documents listed above; on others it has to be measured.",
    ),
    "verifier": (
        "It sees one passage of limited length at a time; what stands elsewhere is not stated for it.",
        "Its probabilities are those of the training mix; calibrate them on claims that were not trained on.",
        "It was trained on the kinds of documents and errors listed above; on others it has to be measured.",
    ),
}


def card_path(out: Path) -> Path:
    """Where the card of an adapter stands."""
    return out.with_name(out.name + ".card.md")


def write_card(
    out: Path,
    task: Task,
    options: TrainOptions,
    parts: Split,
    trained: Trained,
    figures: Mapping[str, str],
    *,
    base: str,
    sha256: str,
    command: str,
) -> Path:
    """Writes the card. base: identity of the base; sha256: of the data. Raises RunFolderError."""
    text = "\n".join(
        [
            f"# {out.name}",
            "",
            f"A LoRA adapter (task: {task}) for the model `{Path(options.base).name}`, written by:",
            "",
            f"    {command}",
            "",
            *_table(
                {
                    "Base": f"`{base}`",
                    "Data (sha256)": f"`{sha256}`",
                    "Rank, alpha, layers": f"{options.rank}, {options.alpha:g}, {options.layers or 'upper half'}",
                    "Epochs, steps, tokens": f"{trained.epochs:g}, {trained.steps:,}, {trained.tokens:,}",
                    "Learning rate": f"{options.lr:g} after {options.warm_up} steps, falling to 0",
                    "Seed": str(options.seed),
                    "Begun from": options.init.name if options.init else "the base",
                    "Computing": f"{trained.seconds / 60:.0f} minutes",
                }
            ),
            "",
            "## Data",
            "",
            *_data("Trained on", parts.training),
            *_data("Held out", parts.held_out),
            *(["Left out altogether: " + ", ".join(options.leave_out) + ".", ""] if options.leave_out else []),
            "## Figures",
            "",
            *_table(figures),
            "",
            "## Limits",
            "",
            *(f"- {limit}" for limit in _LIMITS[task]),
            "",
        ]
    )
    path = card_path(out)
    part = path.with_name(path.name + ".new")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunFolderError(f"{path} cannot be written: {error.strerror or error}") from error
    return path


def _table(rows: Mapping[str, str]) -> list[str]:
    return ["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows.items())]


def _data(title: str, items: Sequence[TextItem]) -> list[str]:
    sources = Counter(each.source or "(no source)" for each in items)
    kinds = Counter(branch.kind for each in items for branch in each.branches)
    said = ", ".join(f"{name} {count:,}" for name, count in sources.most_common())
    return [
        f"{title}: {len(items):,} passages ({said}) with "
        + (", ".join(f"{count:,} {name}" for name, count in kinds.most_common()) or "nothing")
        + ".",
        "",
    ]
