"""Sets side by side: what ``ragassay report SET SET`` and ``ragassay.compare_sets`` do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ragassay.datasets.registry import read_dataset
from ragassay.errors import InputError, UsageError
from ragassay.pipeline.asking.costs import ANSWER, ANSWER_ALONE, COMPARE, EMBED, REPORT
from ragassay.pipeline.folders.page_file import check_place, write_page
from ragassay.pipeline.folders.run_folder import SWEEP_FILE
from ragassay.plain_files import read_plain
from ragassay.records import Example, from_json
from ragassay.report.sets import Counts, MakingCost, SetFigures, render_sets, set_figures_of
from ragassay.report.store import SUMMARY_FILE, read_stages, read_summary
from ragassay.report.synthesis import SYNTHESIS_FILE, SynthesisSummary

_AFTER_MAKING = frozenset({EMBED, COMPARE, ANSWER, REPORT, ANSWER_ALONE})
"""Stages that do something else with the set."""


def compare_sets(paths: Sequence[Path], out: Path | None = None) -> tuple[SetFigures, ...]:
    """Return the figures of each set, and a page about them where ``out`` names its file.

    paths: folders that a command wrote, or sets in any format; two or more.
    Raises UsageError for fewer than two, InputError for one that is no set or holds no example, RunFolderError as
    ``write_page``.
    """
    if len(paths) < 2:
        raise UsageError("sets: name at least two")
    if out is not None:
        check_place(out)
    found = tuple(_figures(path, name) for path, name in zip(paths, _names(paths), strict=True))
    if out is not None:
        write_page(out, render_sets(found))
    return found


def _names(paths: Sequence[Path]) -> list[str]:
    """The last part of each path; the whole path where that is another one's, too. Raises UsageError for one twice."""
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("sets: must not repeat; name each set once")
    last = [path.resolve().name for path in paths]
    return [name if last.count(name) == 1 else str(path) for name, path in zip(last, paths, strict=True)]


def _figures(path: Path, name: str) -> SetFigures:
    if not path.exists():
        raise InputError(f"{path} does not exist; name a set or the folder of a run")
    if (path / SWEEP_FILE).is_file():
        raise InputError(f"{path} holds a sweep, not a set; name its data set instead")
    examples = [record for record in read_dataset(path) if isinstance(record, Example)]
    if not examples:
        raise InputError(f"{path} holds no examples; name a set, or a folder that a command of ragassay wrote")
    candidates, rejected = _account(path)
    return set_figures_of(name, examples, candidates=candidates, rejected=rejected, cost=_cost(path))


def _account(folder: Path) -> tuple[Mapping[str, Counts] | None, Counts | None]:
    """Candidates by label asked for and given, and why some were rejected, where the folder says so."""
    made: Mapping[str, Counts]
    dropped: Mapping[str, Counts]
    if (folder / SYNTHESIS_FILE).is_file():
        synthesis = from_json(SynthesisSummary, read_plain(folder / SYNTHESIS_FILE), where=SYNTHESIS_FILE)
        made, dropped = synthesis.matrix, synthesis.dropped
    elif (folder / SUMMARY_FILE).is_file():
        composition = read_summary(folder).composition
        made, dropped = composition.matrix, composition.dropped
    else:
        return None, None
    rejected: Counter[str] = Counter()
    for reasons in dropped.values():
        rejected.update(reasons)
    return made if any(any(row.values()) for row in made.values()) else None, rejected


def _cost(folder: Path) -> MakingCost | None:
    stages = [stage for stage in read_stages(folder) if stage.name not in _AFTER_MAKING] if folder.is_dir() else []
    if not stages:
        return None
    return MakingCost(
        wall_s=sum(stage.wall_s for stage in stages),
        cpu_s=sum(stage.cpu_s for stage in stages),
        calls=sum(stage.model_calls for stage in stages),
        prompt_tokens=sum(stage.prompt_tokens for stage in stages),
        completion_tokens=sum(stage.completion_tokens for stage in stages),
        cost_usd=None if any(stage.unpriced for stage in stages) else sum(stage.cost_usd for stage in stages),
    )
