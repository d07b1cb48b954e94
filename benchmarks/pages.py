"""How fast the pages are in a browser: a report of many items, and a folder of many runs.

    python benchmarks/pages.py

Needs chromium and playwright. Opened: from asking for the page until the table of items is filled. Filtered: from a
typed word until the rows have changed, the slowest of three. Goals: 10 000 items open and filter in under a second
each, 1 000 items take under 3 MB, 500 runs are listed in under a second.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
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
    started = time.perf_counter()
    page.goto(file.as_uri())
    page.locator("#items-table tbody tr").first.wait_for()
    opened_s = time.perf_counter() - started
    found = [filtered_s(page, "#items-table", f"number {n - each} ", "1 of") for each in (1, 3, 7)]
    page.close()
    size_mb = file.stat().st_size / 1e6
    return f"report, {n} items", f"{size_mb:.2f} MB", f"{made_s:.2f} s", f"{opened_s:.2f} s", f"{max(found):.2f} s"


def view_row(browser: Any, n: int, folder: Path) -> tuple[str, ...]:
    """n runs of 200 examples; the first listing reads them all, the second finds nothing changed."""
    import uvicorn

    from ragassay.web.run_index import RunIndex
    from ragassay.web.serving import address_of, listening, names_of
    from ragassay.web.view import view_app

    items = items_of(200)
    first = folder / "runs" / "run-0"
    first.mkdir(parents=True)
    (first / "run.json").write_text(json.dumps({"state": "finished", "settings": {"model": "embedded"}}))
    write_jsonl(first / "examples.jsonl", items.examples)
    write_jsonl(first / "predictions.jsonl", items.predictions)
    write_jsonl(first / "scores.jsonl", items.scores)
    for number in range(1, n):
        shutil.copytree(first, folder / "runs" / f"run-{number}")
    bound = listening("127.0.0.1", 0)
    app = view_app(RunIndex(folder / "runs"), names_of("127.0.0.1"))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    times = []
    for _ in range(2):
        page = browser.new_page()
        started = time.perf_counter()
        page.goto(address_of(bound, "127.0.0.1"))
        page.locator("#count", has_text=f"{n} of {n}").wait_for()
        times.append(time.perf_counter() - started)
        page.close()
    server.should_exit = True
    thread.join(10)
    return f"view, {n} runs", "", "", f"{times[0]:.2f} s", f"again {times[1]:.2f} s"


def main() -> None:
    executable = shutil.which("chromium")
    if executable is None:
        sys.exit("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        browser.new_page().close()
        rows = [("page", "size", "made in", "opened in", "filtered in")]
        rows += [report_row(browser, n, Path(name)) for n in (1_000, 10_000)]
        rows.append(view_row(browser, 500, Path(name)))
        browser.close()
    for row in rows:
        print("".join(cell.ljust(width) for cell, width in zip(row, (24, 10, 10, 11, 14), strict=True)).rstrip())


if __name__ == "__main__":
    main()
