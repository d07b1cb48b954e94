"""Results kept as files: what commands gave when these were written, they give now, figure by figure.

A result that changes on purpose is written anew by ``RAGASSAY_GOLDEN=write pytest tests/golden``; the commit says why.
A command, option or metric that gets another name is one edit in the tables below.
"""

from __future__ import annotations

import io
import json
import math
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import plausible_server
import pytest
from pyarrow import parquet

from ragassay.cli import main

INPUTS, KEPT = (Path(__file__).with_name(name) for name in ("inputs", "kept"))
IS_WRITTEN = os.environ.get("RAGASSAY_GOLDEN") == "write"

DETERMINISTIC = """map@5 hit_rate@5 mrr@5 ndcg@5 precision@5 r_precision@5 recall@5 document_map@5 document_hit_rate@5
document_mrr@5 document_ndcg@5 document_precision@5 document_r_precision@5 document_recall@5 sentence_map@5
sentence_hit_rate@5 sentence_mrr@5 sentence_ndcg@5 sentence_r_precision@5 sentence_recall@5
sentence_precision@5 reference_recall@5 all_references_recall@5 eir@5
abstention_precision abstention_recall abstention_accuracy embedding_similarity exact_match squad_exact_match
rouge_1 rouge_2 rouge_l standalone_f1 standalone_similarity string_presence token_f1 squad_f1 tool_call_accuracy
tool_call_f1 reference_recall_released@5 eir_released@5 all_references_recall_released@5
rouge_l_released recall@1 recall@3 ndcg@3"""
JUDGED = """completeness hallucination irrelevancy faithfulness faithfulness_inferred answer_relevance context_relevance
context_precision context_recall correctness factual_precision factual_recall factual_correctness
truthfulness relevance truthfulness_and_relevance
gpt_score_faithfulness gpt_score_answer_relevance gpt_score_context_relevance"""
_BY_ENCODER = {"embedding_similarity", "standalone_similarity"}  # processors differ: vectors of eight-bit weights

_SCORE = "evaluate {inputs}/examples.jsonl {inputs}/predictions.jsonl --documents {inputs}/documents.jsonl --out {out}"
COMMANDS = {
    "scenario-en": "scenario generate --schema finance --documents 3 --n 14 --out {out}",
    "scenario-zh": "scenario generate --schema law --language zh --documents 3 --n 14 --out {out}",
    "scenario-en-model": "scenario generate --schema medicine --documents 2 --n 10 --model {model} --out {out}",
    "scenario-zh-model": "scenario generate --schema medicine --language zh --documents 2 --n 10 --model {model} "
    "--out {out}",
    "statements": "synthesize {inputs}/documents.jsonl -s statements --n 14 --model {model} --out {out}",
    "rules": "synthesize {inputs}/pages --n 12 --out {out}",
    "run": "run {inputs}/documents.jsonl --n 12 --chunk-sizes 128,256 --model {model} --out {out}",
    "first": f"{_SCORE} --system-name first --by domain",
    "second": f"{_SCORE} --system-name second --model lexical",
    "deterministic": f"{_SCORE} --system-name second --metrics {','.join(DETERMINISTIC.split())}",
    "judged": f"{_SCORE} --system-name first --model {{model}} --metrics {','.join(JUDGED.split())}",
    "compare": "compare {first} {second}",
    "gate": "gate {second} --baseline {first} --coverage .8 --max-drop recall@5=.1 --max-drop token_f1=.9 "
    "--fail-under eir@5=.01 --fail-under recall@5=.9 --fail-under abstention_accuracy=.7@unanswerable",
    "sweep": "sweep {grid} --out {out}",
    "experiment": "experiment retrievers --system rag:retriever=bm25 --system rag:retriever=dense,chunk_size=40 "
    "--system rag:retriever=bm25,top_k=1 --system rag:retriever=bm25,chunk_size=60 --synthetic {odd} --human {even} "
    "--documents {inputs}/documents.jsonl --metrics recall@5,mrr@5,reference_recall@5 --out {out}",
    "agree": "agree {inputs}/labels.csv {inputs}/ratings.csv --against {first} --metric token_f1",
    "sets": "report {statements} {scenario-en-model} {inputs}/examples.jsonl",
}
"""Name of a result to the command that gives it; ``{NAME}`` is the folder of another result."""


class Result(NamedTuple):
    printed: dict[str, Any]
    folder: Path

    def rows(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]


Rows = Sequence[Mapping[str, Any]]
Part = Callable[[Result], Rows]


def _printed(*names: str) -> Part:
    """Return these parts of the JSON object that a command prints, without wording."""
    return lambda result: sorted(_figures({name: result.printed[name] for name in names}, ""), key=itemgetter("place"))


def _documents(result: Result) -> Rows:
    return [{name: row[name] for name in ("id", "title", "text", "language")} for row in result.rows("documents.jsonl")]


def _examples(result: Result) -> Rows:
    """Return the examples without the texts of spans, which are those of the documents."""
    rows = result.rows("examples.jsonl")
    for row in rows:
        del row["provenance"]["model"]
        row["context"] = [*row["context"].values()][:3]
        row["references"] = [[*span.values()][:3] for span in row["references"]]
    return rows


def _scores(result: Result) -> Rows:
    """Return a row a metric with the value of each example. What has no value has a reason."""
    metrics: dict[str, dict[str, float | None]] = {}
    for row in result.rows("scores.jsonl"):
        assert (row["value"] is None) == bool(row["reason"]), row
        metrics.setdefault(row["metric"], {})[row["example_id"]] = row["value"]
    return [{"place": metric, "values": values} for metric, values in sorted(metrics.items())]


def _settings(result: Result) -> Rows:
    """Return each metric of each setting of a sweep over the answerable questions."""
    rows = parquet.read_table(result.folder / "results.parquet").to_pylist()
    kept = ("n", "is_best", "value", "low", "high")
    whole = [row for row in rows if row["group"] == "answerable"]
    return [{"place": f"{row['setting']}, {row['metric']}", **{name: row[name] for name in kept}} for row in whole]


_FIGURES = ("metrics", "labels", "types")
KEPT_PARTS: dict[str, tuple[str, Part]] = {
    **{f"{name}.examples": (name, _examples) for name in COMMANDS if name.startswith(("scenario", "statements"))},
    **{f"{name}.documents": (name, _documents) for name in COMMANDS if name.startswith("scenario")},
    "statements.counts": ("statements", _printed("requested", "delivered", "matrix", "dropped", "missing")),
    **{f"{name}.scores": (name, _scores) for name in ("first", "second", "deterministic", "judged")},
    **{f"{name}.means": (name, _printed(*_FIGURES)) for name in ("second", "judged")},
    "first.means": ("first", _printed(*_FIGURES, "by")),
    "deterministic.means": ("deterministic", _printed("metrics")),
    "compare.tests": ("compare", _printed("examples", *_FIGURES)),
    "gate.rows": ("gate", _printed("passed", "verdict", "rows")),
    "sweep.settings": ("sweep", _settings),
    "sweep.best": ("sweep", _printed("settings", "best")),
    "experiment.orders": ("experiment", _printed("orders")),
    "agree.tasks": ("agree", _printed("tasks")),
    "run.summary": ("run", _printed("examples", "labels", "requested", "missing", "answered", "best")),
    "sets.report": ("sets", _printed("sets")),
}
"""Name of a kept file to the result it is of, and what of it is kept."""
_WORDS = {"reason", "method", "note", "notes", "effort", "cost", "models", "seconds"}  # wording, time or place


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Result]]:
    """Runs the command of a result once, and those of the results that it reads."""
    home = tmp_path_factory.mktemp("golden")
    done: dict[str, Result] = {}
    lines = (INPUTS / "examples.jsonl").read_text("utf-8").splitlines(keepends=True)
    grid = {"chunk_size": [40, 80], "prefix": ["", "title"], "fusion": ["raw_linear", "rrf"]}
    sweep = json.dumps({"dataset": str(INPUTS), "grid": grid | {"text_weight": [0, 0.2, 1]}})
    texts = {"odd.jsonl": "".join(lines[::2]), "even.jsonl": "".join(lines[1::2]), "grid.json": sweep}
    for name, text in texts.items():
        (home / name).write_text(text, "utf-8")
    places = {"inputs": str(INPUTS)} | {Path(name).stem: str(home / name) for name in texts}

    def result(name: str) -> Result:
        if name not in done:
            line = COMMANDS[name]
            needed = {other: str(result(other).folder) for other in COMMANDS if f"{{{other}}}" in line}
            words = shlex.split(line.format_map(places | needed | {"out": str(home / name)}))
            done[name] = Result(_run(words, 9 if name == "gate" else 0), home / name)
        return done[name]

    with plausible_server.running() as server:
        places["model"] = f"{server.url}#stub"
        yield result


def _run(words: list[str], code: int) -> dict[str, Any]:
    """Return the object that the command prints."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["ragassay", *words, "--json"])
        try:
            found = main() or 0
        except SystemExit as stop:
            found = stop.code or 0
    assert found == code, f"ragassay {shlex.join(words)}: exit code {found}\n{err.getvalue()}"
    return json.loads(out.getvalue())


@pytest.mark.parametrize("name", KEPT_PARTS)
def test_a_result_is_what_was_kept(results: Callable[[str], Result], name: str) -> None:
    of, part = KEPT_PARTS[name]
    now = json.loads(json.dumps([*part(results(of))]))
    file = KEPT / f"{name}.jsonl"
    if IS_WRITTEN:
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in now), "utf-8")
    assert file.is_file(), f"{file} is missing; RAGASSAY_GOLDEN=write writes it"
    before, after = _by_place(map(json.loads, file.read_text("utf-8").splitlines())), _by_place(now)
    assert [*_differences(before, after, "")] == []
    assert [*before] == [*after], "the order"


def test_every_kept_file_is_of_a_result() -> None:
    assert {file.stem for file in KEPT.iterdir()} == set(KEPT_PARTS)


def _by_place(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    found = [(row.get("place") or row.get("id", ""), row) for row in rows]
    assert len(dict(found)) == len(found) > 0
    return dict(found)


def _figures(value: Any, place: str) -> Iterator[dict[str, Any]]:
    """Return a row for each object in a printed one, with its place and what it holds but further objects."""
    if isinstance(value, dict):
        parts = {name: part for name, part in value.items() if name not in _WORDS}
        plain = {name: part for name, part in parts.items() if not _holds_objects(part)}
        if plain:
            yield {"place": place, **plain}
        value = {name: part for name, part in parts.items() if name not in plain}
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _figures(part, f"{place}.{name}" if place else str(name))


def _holds_objects(part: Any) -> bool:
    return isinstance(part, dict) or (isinstance(part, list) and any(map(_holds_objects, part)))


def _differences(kept: Any, now: Any, place: str) -> Iterator[str]:
    if isinstance(kept, list) and isinstance(now, list):
        kept, now = dict(enumerate(kept)), dict(enumerate(now))
    if isinstance(kept, dict) and isinstance(now, dict):
        for name in {**kept, **now}:
            yield from _differences(kept.get(name, "absent"), now.get(name, "absent"), f"{place}.{name}")
    elif isinstance(kept, float) and isinstance(now, (int, float)) and not isinstance(now, bool):
        near = 5e-3 if _BY_ENCODER & {*place.split(".")} else 1e-6  # sums of other processors
        if not math.isclose(kept, now, rel_tol=near, abs_tol=near):
            yield f"{place}: {kept!r} became {now!r}"
    elif kept != now:
        yield f"{place}: {str(kept)[:200]} became {str(now)[:200]}"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name.startswith(("scenario", "statements", "rules"))])
def test_what_a_set_cites_is_verbatim(results: Callable[[str], Result], name: str) -> None:
    texts = {row["id"]: row["text"] for row in results(name).rows("documents.jsonl")}
    spans = [span for row in results(name).rows("examples.jsonl") for span in (row["context"], *row["references"])]
    assert len(spans) > 5
    assert [span for span in spans if texts[span["document_id"]][span["start"] : span["end"]] != span["text"]] == []


def test_a_set_by_rules_has_the_labels_it_counts(results: Callable[[str], Result]) -> None:
    rows, printed = results("rules").rows("examples.jsonl"), results("rules").printed
    delivered = {label: n for label, n in printed["delivered"].items() if n}
    labels = [row["verified_label"] or row["requested_label"] for row in rows]
    assert printed["requested"] == {"fact_single": 5, "summary": 3, "reasoning": 2, "unanswerable": 2}
    assert Counter(labels) == delivered
    assert len(rows) == printed["examples"] >= 6
    assert [bool(row["references"]) for row in rows] == [label != "unanswerable" for label in labels]
