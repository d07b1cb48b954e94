"""The built-in system on published sets, against the figures of their papers and against itself."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest

from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.score.evaluate import evaluate
from ragassay.systems.spec import parse_spec

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def finance(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """DragonBall's finance questions in English beside their 40 documents."""
    folder, source = tmp_path_factory.mktemp("dragonball"), shared_data / "dragonball"
    lines = (source / "documents.jsonl").read_text("utf-8").splitlines(keepends=True)
    wanted = [each for each in lines if '"en"' in each and json.loads(each)["domain"] == "Finance"]
    assert len(wanted) == 40
    (folder / "documents.jsonl").write_text("".join(wanted), "utf-8")
    return Path(shutil.copy(source / "finance_en_gpt4o.jsonl", folder / "questions.jsonl"))


@cache
def value(data: Path, system: str, metric: str) -> float:
    options = EvaluateOptions(data=data, system=parse_spec(system), metrics=(metric,))
    found = evaluate(options).summary.metrics[metric]
    assert found.value is not None
    assert found.n == found.total
    return found.value


def test_bm25_on_dragonball_is_near_the_published_figure(finance: Path) -> None:
    """RAGEval, Table 2: 60.58; chunks of 512 characters, top 5, with a prefix."""
    found = value(finance, "rag:retriever=bm25,overlap=0,prefix=title", "reference_recall_released@5")
    assert found == pytest.approx(0.6058, abs=0.03)


def test_recall_on_dragonball_rises_with_the_chunks(finance: Path) -> None:
    """RAGEval, Table 3: 51.65, 62.98 and 67.68 for 2, 4 and 6 chunks."""
    found = [
        value(finance, f"rag:retriever=bm25,overlap=0,prefix=title,top_k={k}", f"reference_recall_released@{k}")
        for k in (2, 4, 6)
    ]
    assert found == sorted(found)
    assert found == pytest.approx([0.5165, 0.6298, 0.6768], abs=0.03)


def test_hybrid_is_above_both_ends(finance: Path, ragassay_cache: Path) -> None:
    dense, lexical, hybrid = (
        value(finance, f"rag:{how},overlap=0,prefix=title", "reference_recall_released@5")
        for how in ("retriever=dense", "retriever=bm25", "text_weight=0.05")
    )
    assert hybrid > max(dense, lexical) + 0.03
