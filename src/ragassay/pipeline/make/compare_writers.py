"""Know Your RAG's experiment on one's own documents: three ways to write questions, side by side.

Statement extraction, the fine-tuned small model and a simple prompt each make a set of the same documents, for the
same judge. Source: Know Your RAG (COLING 2025), generation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragassay.errors import CONTINUE, BudgetError, RunFolderError, check_coverage, check_dry_run
from ragassay.models.llm.budget import Spent
from ragassay.models.small import roles
from ragassay.models.small.named import SHIPPED
from ragassay.pipeline.asking.costs import MAKE
from ragassay.pipeline.asking.model_options import ModelOptions, left
from ragassay.pipeline.folders.progress import Prefixed, Progress, Silent
from ragassay.pipeline.folders.run_folder import EXAMPLES_FILE, LOCK_FILE, RUN_FILE, lasting_folder
from ragassay.pipeline.make.dry_synthesis import DryRun, dry_synthesis
from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
from ragassay.pipeline.make.synthesize import Synthesized, synthesize_documents
from ragassay.plain_files import read_plain
from ragassay.records import LABELS, Example, read_jsonl
from ragassay.report.synthesis_summary import SynthesisSummary
from ragassay.report.writers_table import markdown
from ragassay.text import distinct

STATEMENTS, FINE_TUNED, SIMPLE = "statements", "fine-tuned", "simple"
WAYS = (STATEMENTS, FINE_TUNED, SIMPLE)
FIGURES_FILE, REPORT_FILE = "writers.json", "report.md"
DEFAULT_N = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """What is compared.

    models: if the writer is on a server, it extracts statements and is prompted simply; otherwise the embedded model
    does the former and the small model the latter. The judge judges all. adapter: the fine-tuned one, as ``--model``
    names it. n: examples of each way.
    """

    documents: tuple[Path, ...]
    out: Path
    adapter: str = SHIPPED
    n: int = DEFAULT_N
    seed: int = 0
    models: ModelOptions = field(default_factory=ModelOptions)
    overwrite: bool = False

    def of(self, way: str, models: ModelOptions) -> SynthesizeOptions:
        """One way as a synthesis. models: the options' own, with the limits that are left."""
        by_adapter = way == FINE_TUNED or (way == SIMPLE and "writer" not in models.on_servers)
        if by_adapter:
            judge = models.name_of("judge")
            models = replace(models, model=self.adapter, judge=judge)
            models = models if models.uses_servers else ModelOptions(model=self.adapter, judge=judge)
        return SynthesizeOptions(
            documents=self.documents,
            out=self.out / way,
            synthesizer="simple" if way == SIMPLE else "statements",
            n=self.n,
            seed=self.seed,
            models=models,
            overwrite=self.overwrite,
        )


def compare_writers(options: CompareOptions, progress: Progress | None = None) -> dict[str, Any]:
    """Makes the three sets, but for those that are there, and writes the figures of all and a report.

    Each set is a run folder below ``out``. Raises UsageError, InputError, ModelError, RunFolderError, BudgetError or
    CoverageError; the sets that are finished by then, and all calls, are kept.
    """
    for way in WAYS:
        options.of(way, options.models).check()
    with lasting_folder(options.out, lambda: _claim(options.out)):
        held = {} if options.overwrite else _held(options.out)
        spent = Spent()
        for number, way in enumerate(WAYS, 1):
            asked = options.of(way, left(options.models, spent))
            key = _key(asked)
            if held.get(way, {}).get("asked") == key and (asked.out / RUN_FILE).is_file():
                continue
            told = Prefixed(progress or Silent(), f"{way}, {number} of {len(WAYS)}")
            done = synthesize_documents(asked, told)
            spent = spent.plus(done.spent)
            _complain(way, done, options.models)
            held[way] = {"asked": key, **_figures(done)}
            _write(options.out / FIGURES_FILE, json.dumps(held, ensure_ascii=False, indent=1) + "\n")
        found = _compared(options, held)
        _write(options.out / REPORT_FILE, markdown(found))
    return found


def dry_comparison(options: CompareOptions, progress: Progress | None = None) -> DryRun:
    """What the three sets would ask of models on servers. Sends nothing."""
    asked = [options.of(way, options.models) for way in WAYS]
    check_dry_run(any(each.models.uses_servers for each in asked))
    found = [dry_synthesis(each, progress) for each in asked if each.models.uses_servers]
    return DryRun(
        rows=tuple(row for each in found for row in each.rows),
        examples=sum(each.examples for each in found),
        asked=sum(each.asked for each in found),
    )


def _key(asked: SynthesizeOptions) -> list[Any]:
    """Equal where a set that was made need not be made again: as asked, of unchanged files, by the same small model."""
    paths = [each for path in asked.documents for each in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    files = sum(each.stat().st_size for each in paths if each.is_file())
    latest = max((each.stat().st_mtime for each in paths), default=0.0)
    return [asked.fingerprint(), len(paths), files, latest, roles.identity()]


def _figures(done: Synthesized) -> dict[str, Any]:
    """What the table shows of one way; rates are of candidates, not of the examples chosen among them."""
    summary = done.summary
    labels = {label: sum(row.get(label, 0) for row in summary.matrix.values()) for label in LABELS}
    return {
        "models": summary.models,
        "asked_for": summary.asked,
        "delivered": summary.examples,
        "delivered_labels": dict(summary.delivered),
        "labels": labels,
        "as_requested": sum(summary.matrix.get(label, {}).get(label, 0) for label in LABELS),
        "requested": sum(sum(summary.matrix.get(label, {}).values()) for label in LABELS),
        "rated": max((sum(counts.values()) for counts in summary.ratings.values()), default=0),
        "passed": summary.passed,
        "critiques": {name: _mean(counts) for name, counts in summary.ratings.items()},
        "effort": {role: _effort(summary, role) for role in ("writer", "judge")},
        "seconds": sum(stage.wall_s for stage in done.stages if stage.name == MAKE),
        "cpu_seconds": sum(stage.cpu_s for stage in done.stages if stage.name == MAKE),
    }


def _mean(counts: Mapping[str, int]) -> float | None:
    """Of ratings from 1 to 5; what was not rated does not count."""
    rated = {float(value): count for value, count in counts.items() if value != "none"}
    return sum(value * count for value, count in rated.items()) / sum(rated.values()) if rated else None


def _effort(summary: SynthesisSummary, role: str) -> dict[str, int | None]:
    """Calls and tokens; tokens are None where a model counts none."""
    rows = [each for each in summary.effort if each.role == role]
    counted = [each for each in rows if each.prompt_tokens is not None]
    tokens = sum((each.prompt_tokens or 0) + (each.completion_tokens or 0) for each in counted)
    return {"calls": sum(each.asked for each in rows), "tokens": tokens if counted else None}


def _compared(options: CompareOptions, held: Mapping[str, Any]) -> dict[str, Any]:
    """All figures, with the distinctness of equally many questions: it falls as a set grows."""
    questions = {way: [each.question for each in read_jsonl(_examples(options.out, way), Example)] for way in WAYS}
    counted = min(len(each) for each in questions.values())
    ways = {
        way: {name: value for name, value in held[way].items() if name != "asked"}
        | {f"distinct_{size}": distinct(questions[way][:counted], size) for size in (1, 2)}
        | {"sample": questions[way][:5], "folder": str(options.out / way)}
        for way in WAYS
    }
    return {"ways": ways, "questions_compared": counted, "report": str(options.out / REPORT_FILE)}


def _examples(out: Path, way: str) -> Path:
    return out / way / EXAMPLES_FILE


def _complain(way: str, done: Synthesized, models: ModelOptions) -> None:
    """Raises where a set is not what it would be: then it is made again the next time, from the log of calls."""
    if done.summary.stopped_by:
        raise BudgetError(f"{done.summary.stopped_by}, in {way}: {CONTINUE}")
    check_coverage(
        done.coverage,
        models.coverage,
        (f"in {way}, the models answered", "of the calls of a stage"),
        f"`ragassay calls {done.folder} --failed` lists the others",
    )


def _held(out: Path) -> dict[str, Any]:
    try:
        held = json.loads(read_plain(out / FIGURES_FILE).decode())
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _claim(out: Path) -> None:
    others = {path.name.removesuffix(".part") for path in out.iterdir()} - {*WAYS, FIGURES_FILE, REPORT_FILE, LOCK_FILE}
    if others:
        raise RunFolderError(f"--out: {out} holds other files; name an empty or new folder")


def _write(path: Path, content: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(content, encoding="utf-8")
    part.replace(path)
