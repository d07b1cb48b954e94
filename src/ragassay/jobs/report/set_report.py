"""A page about any run folder: what ``ragassay report`` does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any

from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.evaluation.paired import RunComparison
from ragassay.jobs.folders.page_file import check_place, write_page
from ragassay.jobs.folders.progress import PROGRESS_FILE
from ragassay.jobs.folders.read_run import read_items
from ragassay.jobs.folders.run_folder import (
    EXAMPLES_FILE,
    PART_FOLDER,
    REPORT_FILE,
    RUN_FILE,
    SCORES_FILE,
    SWEEP_FILE,
    VERDICTS_FILE,
)
from ragassay.jobs.folders.versions import recorded_versions
from ragassay.jobs.report.comparing import compare_runs
from ragassay.options import Group, Many, Option, settings, typed_as
from ragassay.plain_files import read_object, read_plain
from ragassay.records import Example, Score, from_json, read_jsonl
from ragassay.report.set import SetPage, Sums, render_set, sums_of
from ragassay.report.summary import METRICS_FILE, SUMMARY_FILE, read_metrics, read_stages
from ragassay.report.synthesis import SYNTHESIS_FILE, SynthesisSummary
from ragassay.report.trust import JudgeTrust
from ragassay.version import __version__

_BESIDE, _CALLS = "Beside the run", "Calls to models"


def _baselines(given: Any) -> Any:
    if isinstance(given, Mapping):
        return dict(given)
    found = {}
    for each in given or ():
        name, equals, folder = str(each).partition("=")
        if not (name and equals and folder):
            raise UsageError(f"--baseline: must be NAME=RUN, such as none=runs/none, not {each!r}")
        found[name] = folder
    return found


@settings
class Beside:
    """What is set beside a run on its page."""

    against: Annotated[
        Path | None, Option("Run to hold RUN against: it is A, RUN is B.", metavar="BASELINE", panel=_BESIDE)
    ] = None
    system: Annotated[str | None, Option("System of RUN to compare.", metavar="NAME", panel=_BESIDE, is_rare=True)] = (
        None
    )
    against_system: Annotated[
        str | None, Option("System of the run of --against to compare.", metavar="NAME", panel=_BESIDE, is_rare=True)
    ] = None
    baselines: Annotated[
        Mapping[str, Path],
        typed_as(_baselines),
        Option(
            "Run whose ratings are shown for comparison; repeatable.",
            flags=("--baseline",),
            metavar="NAME=RUN",
            panel=_BESIDE,
        ),
    ] = field(default_factory=dict)


NOTHING = Beside()


@settings
class ReportOptions:
    """Which runs are shown, on a page or as text, and what beside them."""

    runs: Annotated[
        tuple[Path, ...],
        Many,
        Option("Folder of a run, or several folders or sets to compare.", metavar="RUN", is_argument=True),
    ]
    out: Annotated[
        Path | None,
        Option(
            "File to write; default: report.html in RUN, if it is a single one. Only replaces a page of Ragassay.",
            metavar="FILE",
            panel="Output",
        ),
    ] = None
    text: Annotated[bool, Option("Print the summary of a finished run; write and compute nothing.")] = False
    calls: Annotated[bool, Option("Count the calls to models: tokens, cost, time, failures.", panel=_CALLS)] = False
    task: Annotated[str | None, Option("Only the calls of this task.", metavar="NAME", panel=_CALLS)] = None
    failed: Annotated[bool, Option("List the calls without a usable answer.", panel=_CALLS)] = False
    example: Annotated[
        str | None, Option("List the calls about the example with this id.", metavar="ID", panel=_CALLS, is_rare=True)
    ] = None
    call: Annotated[int | None, Option("Print this call in full.", metavar="ID", panel=_CALLS)] = None
    prices: Annotated[
        Path | None, Option("TOML file with prices of models.", metavar="FILE", panel=_CALLS, is_rare=True)
    ] = None
    beside: Annotated[Beside, Group()] = NOTHING

    def check(self) -> None:
        """Raise UsageError for what does not go together."""
        of_calls = [f"--{name}" for name in ("failed", "example", "call") if getattr(self, name) not in (None, False)]
        if len(of_calls) > 1:
            raise UsageError(f"{' and '.join(of_calls)} cannot be combined; give one of them")
        if not self.calls and (of_calls or self.task or self.prices):
            raise UsageError(f"{(of_calls or ['--task' if self.task else '--prices'])[0]}: needs --calls")
        if self.text and self.calls:
            raise UsageError("--text and --calls cannot be combined; give one of them")
        if (self.text or self.calls) and (self.beside != NOTHING or self.out):
            raise UsageError(f"--{'text' if self.text else 'calls'}: only prints; leave out --out and what is beside")
        if len(self.runs) > 1 and (self.text or self.calls or self.beside != NOTHING):
            raise UsageError("RUN: several sets can only be combined with --out and --json; leave out other options")


def write_report(folder: Path, out: Path | None = None, beside: Beside = NOTHING) -> Path:
    """Write the page and say where. out: the file; report.html in the folder if None.

    Raises InputError for a folder without examples or scores, RunFolderError as ``write_page``, and what
    ``compare_runs`` raises.
    """
    target = out or folder / REPORT_FILE
    if out is not None or folder.is_dir():  # else it is the folder that is missing
        check_place(target)
    return write_page(target, rendered(folder, beside))


def report_run(run: Path, out: Path | None = None, beside: Beside = NOTHING) -> Path:
    """Write the page and say where, as ``write_report``; of a sweep, the page that it wrote.

    Raises what ``write_report`` raises, UsageError for what does not go together, and RunFolderError for a run that has
    a page of its own and no ``out``.
    """
    page = _page_of_sweep(run)
    if page is not None:
        if beside != NOTHING:
            raise UsageError(f"{run} is a sweep; only --out and --json apply to it")
        return run / REPORT_FILE if out is None else write_page(out, page)
    if out is None and (run / SUMMARY_FILE).exists() and not (run / VERDICTS_FILE).exists():
        raise RunFolderError(f"{run} already has a report; name another file with --out")
    return write_report(run, out, beside)


def _page_of_sweep(folder: Path) -> str | None:
    """The page that a sweep wrote; None for a folder of anything else.

    Raises InputError for a sweep that did not come to its page.
    """
    if not (folder / SWEEP_FILE).is_file():
        return None
    try:
        return read_plain(folder / REPORT_FILE).decode()
    except OSError as error:
        raise InputError(
            f"{folder} holds a sweep without a page ({error.strerror}); run `ragassay sweep` on its file "
            "again to write it"
        ) from None


def rendered(folder: Path, beside: Beside = NOTHING) -> str:
    """Return the page that ``write_report`` writes, which raises the same."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; name one that a command of ragassay wrote")
    items = read_items(folder)
    if not items.examples and any((place / PROGRESS_FILE).exists() for place in (folder, folder / PART_FOLDER)):
        raise InputError(f"{folder} holds no examples so far; run its command again if it was stopped")
    if not items.examples:
        raise InputError(f"{folder} holds no examples; name a folder that a command of ragassay wrote")
    against = beside.against
    scored = read_metrics(folder) if (folder / METRICS_FILE).exists() else None
    synthesized = _synthesized(folder)
    return render_set(
        SetPage(
            name=_name_of(folder),
            comparison=_comparison(against, folder, beside.against_system, beside.system) if against else None,
            items=items,
            version=__version__,
            settings=_settings(read_object(folder / RUN_FILE)),
            versions=recorded_versions(folder / RUN_FILE),
            stages=read_stages(folder),
            baselines={name: _scores(path) for name, path in beside.baselines.items()},
            baseline_sums=_made_along(synthesized),
            synthesis=synthesized,
            beside=[(_name_of(against), list(read_jsonl(against / EXAMPLES_FILE, Example)))] if against else [],
            trust=scored.trust if scored is not None else _trust_of_run(folder),
            doubts=scored.doubts if scored is not None else (),
            stopped_by=scored.stopped_by if scored is not None else "",
            panel=scored.panel if scored is not None else None,
            scales=scored.scales if scored is not None else {},
            corrected=scored.corrected if scored is not None else {},
        )
    )


def _settings(told: Mapping[str, Any]) -> dict[str, str]:
    """Option name to value, and the system that was asked with what was set of it; what is empty is left out."""
    given = told.get("settings")
    identity = told.get("identity")
    system = identity.get("system") if isinstance(identity, dict) else None
    asked = {"system": system, **given} if isinstance(given, dict) else {}
    return {name: _shown(value) for name, value in asked.items() if value not in (None, "", [], {})}


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')}: {_shown(each)}" for name, each in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _comparison(a: Path, b: Path, system_a: str | None, system_b: str | None) -> tuple[str, str, RunComparison]:
    of_a, of_b, found = compare_runs(a, b, system_a=system_a, system_b=system_b)
    return f"{_name_of(a)}, {of_a.system}", f"{_name_of(b)}, {of_b.system}", found


def _name_of(folder: Path) -> str:
    """Of a run that is being written the name that its folder will have."""
    resolved = folder.resolve()
    return resolved.parent.name if resolved.name == PART_FOLDER else resolved.name


def _scores(folder: Path) -> Sequence[Score]:
    try:
        return list(read_jsonl(folder / SCORES_FILE, Score))
    except OSError as error:
        raise InputError(f"--baseline: {folder} has no readable scores ({error.strerror})") from None


def _trust_of_run(folder: Path) -> JudgeTrust | None:
    """What ``ragassay run`` noted of its judge; None where it did not."""
    found = read_object(folder / SUMMARY_FILE).get("trust")
    return None if found is None else from_json(JudgeTrust, json.dumps(found), where=f"{SUMMARY_FILE}: trust")


def _synthesized(folder: Path) -> SynthesisSummary | None:
    """What ``ragassay synthesize`` wrote of the set; None where it did not make it."""
    try:
        return from_json(SynthesisSummary, read_plain(folder / SYNTHESIS_FILE), where=SYNTHESIS_FILE)
    except FileNotFoundError:
        return None


def _made_along(synthesized: SynthesisSummary | None) -> list[Sums]:
    """Ratings of the answers that ``ragassay synthesize --baselines`` let a model give to the questions of the set."""
    made = synthesized.baselines if synthesized is not None else None
    if made is None:
        return []
    named = (
        ("nothing retrieved", made.sums, made.truthfulness),
        ("with the block", made.sums_with_block, made.truthfulness_with_block),
    )
    return [
        sums_of(f"{name}, {made.answerer} (baseline)", counts, rated.total)
        for name, counts, rated in named
        if any(counts.values())
    ]
