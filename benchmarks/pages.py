"""How fast the pages are in a browser: a report of many items, and a folder of many runs.

    python benchmarks/pages.py

Needs chromium, playwright and 1.5 GB of disk. Opened: from asking for the page until the table of items is filled.
Filtered: from a typed word until the rows have changed, the slowest of three. First item: from a click on a question
until its details are there, for which those of all items are unpacked. Of the server also the CPU time, which
says more where others compute on the machine. Goals: 10 000 items open and filter in under a second each, 1 000 items
take under 3 MB, 500 runs of 1 000 examples are listed in under a second of CPU, and in .1 s where nothing changed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ragassay.records import (
    LABELS,
    Critique,
    Example,
    Prediction,
    Provenance,
    RankedChunk,
    Score,
    Span,
    write_jsonl,
)
from ragassay.report.html import render_report
from ragassay.report.items import Items
from ragassay.report.summary import CompositionFigures, CorpusFigures, RunSummary

N_RUNS, N_EXAMPLES = 500, 1_000
SETTLED_AFTER_S = 3.0
"""Until then what was read of a file just written is read again; see ``pipeline/folders/file_state.py``."""
SYSTEMS = ("512 dense", "512 lexical", "512 raw_linear w=0.1")
METRICS = ("recall@5", "mrr@10", "reference_recall@5", "faithfulness", "answer_relevance", "completeness")
WORDS = "the ferry leaves harbour with cars and people after noon on weekdays unless wind is above force nine".split()
CRITIQUES = ("question_groundedness", "answer_groundedness", "feasibility", "stand_alone", "tautology")


def text(number: int, words: int) -> str:
    return " ".join(WORDS[(number * 7 + place * place) % len(WORDS)] for place in range(words))


def items_of(n: int) -> Items:
    """n examples as the main job makes them: 1 200 characters of context, five chunks of 500 for each system."""
    examples, predictions, scores = [], [], []
    chunks = [text(number, 90)[:500] for number in range(997)]
    for number in range(n):
        context = text(number, 220)[:1200]
        reference = Span(document_id=f"d{number % 500}", start=0, end=80, text=context[:80])
        examples.append(
            Example(
                id=f"q-{number:08}",
                question=f"When does ferry number {number} leave {text(number, 6)}?",
                answer=text(number, 12),
                context=Span(document_id=f"d{number % 500}", start=0, end=1200, text=context),
                references=(reference,),
                keypoints=(text(number, 12),),
                requested_label=LABELS[number % 4],
                verified_label=LABELS[number % 4],
                provenance=Provenance(synthesizer="statements", model="embedded"),
                critiques=tuple(Critique(name=name, value=5, reason=text(number, 8)) for name in CRITIQUES),
            )
        )
        for place, system in enumerate(SYSTEMS):
            ranked = tuple(
                RankedChunk(
                    chunk_id=f"c{each}",
                    document_id=f"d{each % 500}",
                    start=0,
                    end=500,
                    score=1 / (1 + rank),
                    text=chunks[each],
                )
                for rank, each in enumerate((number * 5 + place * 3 + step) % len(chunks) for step in range(5))
            )
            predictions.append(
                Prediction(example_id=examples[-1].id, system=system, chunks=ranked, answer=text(number + place, 15))
            )
            scores += [
                Score(
                    example_id=examples[-1].id,
                    system=system,
                    metric=metric,
                    value=(number * 31 + place) % 100 / 100,
                    evidence=(f"supported: {text(number, 10)}",) if metric == "faithfulness" else (),
                )
                for metric in METRICS
            ]
    return Items(examples, predictions, scores, sources={f"d{number}": f"d{number}.md" for number in range(500)})


def summary_of(n: int) -> RunSummary:
    return RunSummary(
        version="0",
        model="embedded",
        settings={},
        corpus=CorpusFigures(
            documents=500, characters=1, words=1, formats={}, languages={}, chunks={}, skipped=(), notes=()
        ),
        composition=CompositionFigures(
            requested={"summary": n},
            delivered={"summary": n},
            matrix={},
            dropped={},
            patterns={},
            missing=(),
            documents_used=500,
            most_per_document=1,
        ),
        results=(),
        best=(),
        worst=(),
        stages=(),
    )


def opened_s(page: Any, link: str, shown: Any, is_there: str) -> float:
    """Seconds from asking for a page until something is shown, as the page itself notes them: is_there, a condition.

    Waiting for it from outside asks twice a second at last, which would be in the figure.
    """
    noting = f"if (window.noted === undefined && ({is_there})) {{ window.noted = performance.now() / 1000; }}"
    page.add_init_script(
        f"new MutationObserver(() => {{ {noting} }}).observe(document, {{ subtree: true, childList: true }});"
    )
    page.goto(link)
    shown.wait_for()
    return float(page.evaluate("window.noted"))


def filtered_s(page: Any, table: str, words: str, shown: str) -> float:
    """Seconds from a typed word until the count has changed."""
    started = time.perf_counter()
    page.locator(f"{table} input[type=search]").fill(words)
    page.locator(f"{table} [role=status]", has_text=shown).wait_for()
    return time.perf_counter() - started


def report_row(browser: Any, n: int, folder: Path) -> tuple[str, ...]:
    items = items_of(n)
    started = time.perf_counter()
    page_text = render_report(summary_of(n), items.examples, items)
    made_s = time.perf_counter() - started
    file = folder / f"{n}.html"
    file.write_text(page_text, encoding="utf-8")
    page = browser.new_page()
    first = page.locator("#items-table tbody tr").first
    shown_s = opened_s(page, file.as_uri(), first, "document.querySelector('#items-table tbody tr')")
    found = [filtered_s(page, "#items-table", f"number {n - each} ", "1 of") for each in (1, 3, 7)]
    started = time.perf_counter()
    page.locator("#items-table tbody .open").first.click()
    page.locator("#items-table .opened dl").first.wait_for()
    item_s = time.perf_counter() - started
    page.close()
    size_mb = file.stat().st_size / 1e6
    times = (f"{each:.2f} s" for each in (made_s, shown_s, max(found), item_s))
    return f"report, {n} items", f"{size_mb:.2f} MB", *times


def write_runs(folder: Path, n: int, n_examples: int) -> None:
    """n runs, every other one on examples of its own. Answers and scores, which no list reads, stand there once."""
    items = items_of(n_examples)
    first = folder / "run-0"
    first.mkdir(parents=True)
    told = {"state": "finished", "command": "evaluate", "settings": {"model": "embedded", "data": "a set"}}
    (first / "run.json").write_text(json.dumps(told))
    (first / "metrics.json").write_text(json.dumps({"metrics": {name: {"value": 0.5} for name in METRICS}}))
    write_jsonl(first / "examples.jsonl", items.examples)
    write_jsonl(first / "predictions.jsonl", items.predictions)
    write_jsonl(first / "scores.jsonl", items.scores)
    examples = (first / "examples.jsonl").read_bytes()
    for number in range(1, n):
        run = folder / f"run-{number}"
        run.mkdir()
        for name in ("run.json", "metrics.json"):
            shutil.copy(first / name, run / name)
        for name in ("predictions.jsonl", "scores.jsonl"):
            os.link(first / name, run / name)
        own = examples.replace(b'{"id":"q-', f'{{"id":"q{number}-'.encode()) if number % 2 else examples
        (run / "examples.jsonl").write_bytes(own)


def opened_row(browser: Any, runs: Path, n: int) -> tuple[str, ...]:
    """In a browser, of a server just started; the first listing reads the runs, the second finds nothing changed."""
    ragassay = str(Path(sys.executable).with_name("ragassay"))
    server = subprocess.Popen(
        [ragassay, "view", str(runs), "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert server.stdout is not None
    times = []
    try:
        link = json.loads(server.stdout.readline())["link"]
        for _ in range(2):
            page = browser.new_page()
            is_there = f"(document.getElementById('count') || {{}}).textContent === '{n} of {n} runs'"
            times.append(opened_s(page, link, page.locator("#count", has_text=f"{n} of {n} runs"), is_there))
            page.close()
    finally:
        server.terminate()
        server.wait(10)
    return f"view, {n} runs", "", "", f"{times[0]:.2f} s", "", f"again {times[1]:.2f} s"


class PageTimes:
    """Asks the server of the pages without a browser, and notes what each reply took."""

    def __init__(self, folder: Path) -> None:
        from fastapi.testclient import TestClient

        from ragassay.web.run_index import RunIndex
        from ragassay.web.view import view_app

        self._client = TestClient(view_app(RunIndex(folder), []))
        self._client.__enter__()
        self._client.get("/")  # what is done once a process
        self.rows: list[tuple[str, str, str]] = []

    def ask(self, what: str, path: str) -> None:
        cpu_s, wall_s = time.process_time(), time.perf_counter()
        reply = self._client.get(path)
        cpu_s, wall_s = time.process_time() - cpu_s, time.perf_counter() - wall_s
        reply.raise_for_status()
        self.rows.append((what, f"{cpu_s:.3f} s", f"{wall_s:.3f} s"))


def many_runs_rows(runs: Path, n: int, n_examples: int) -> list[tuple[str, str, str]]:
    asked = PageTimes(runs)
    asked.ask(f"{n} runs of {n_examples} examples: first list", "/api/runs")
    asked.ask("  list again, nothing changed", "/api/runs")
    asked.ask("  what shares no example: first", "/api/comparable?run=run-1")
    asked.ask("  what shares no example: again", "/api/comparable?run=run-1")
    asked.ask("  what every other run shares", "/api/comparable?run=run-0")
    return asked.rows


def one_run_rows(folder: Path, n: int) -> list[tuple[str, str, str]]:
    """One large run that gets one more answer, and its report, which no command wrote."""
    items = items_of(n)
    run = folder / "large"
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"state": "finished"}))
    write_jsonl(run / "examples.jsonl", items.examples)
    answers = run / "predictions.part.jsonl"
    write_jsonl(answers, [each for each in items.predictions if each.system == SYSTEMS[0]][:-1])
    last = folder / "last.jsonl"
    write_jsonl(last, items.predictions[-len(SYSTEMS) :][:1])
    time.sleep(SETTLED_AFTER_S)
    asked = PageTimes(folder)
    asked.ask(f"one run of {n} items: its table first", "/api/items?run=large")
    with answers.open("ab") as file:
        file.write(last.read_bytes())
    asked.ask("  its table, one answer more", "/api/items?run=large")
    answers.rename(run / "predictions.jsonl")
    time.sleep(SETTLED_AFTER_S)
    asked.ask("  its report: made", "/report/framed?run=large")
    asked.ask("  its report: again", "/report/framed?run=large")
    return asked.rows


def main() -> None:
    executable = shutil.which("chromium")
    if executable is None:
        sys.exit("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        runs = Path(name) / "runs"
        write_runs(runs, N_RUNS, N_EXAMPLES)
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        browser.new_page().close()
        rows = [("page", "size", "made in", "opened in", "filtered in", "first item in")]
        rows += [report_row(browser, n, Path(name)) for n in (1_000, 10_000)]
        rows.append(opened_row(browser, runs, N_RUNS))
        browser.close()
        asked = [("the server of the pages", "CPU", "wall")]
        asked += [*many_runs_rows(runs, N_RUNS, N_EXAMPLES), *one_run_rows(Path(name) / "one", 10_000)]
    for row in rows:
        print("".join(cell.ljust(width) for cell, width in zip(row, (24, 10, 10, 11, 13, 14), strict=True)).rstrip())
    print()
    for row in asked:
        print("".join(cell.ljust(width) for cell, width in zip(row, (48, 11, 11), strict=True)).rstrip())


if __name__ == "__main__":
    main()
