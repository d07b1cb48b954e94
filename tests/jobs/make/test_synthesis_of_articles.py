"""Articles of RAGVAL without a language model: what was asked for, or all there is and the account of the rest."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from ragassay.jobs.make.synthesis_options import SynthesizeOptions
from ragassay.jobs.make.synthesize import Synthesized, synthesize_documents

pytestmark = [pytest.mark.shared_data, pytest.mark.usefixtures("small_model_on")]
N = 30
MIX = {"fact_single": 12, "summary": 6, "reasoning": 6, "unanswerable": 6}


def made(shared_data: Path, tmp_path: Path, articles: int) -> Synthesized:
    source = tmp_path / "articles.jsonl"
    with (shared_data / "ragval/knowledge_blocks.jsonl").open(encoding="utf-8") as file:
        source.write_text("".join(islice(file, articles)), encoding="utf-8")
    return synthesize_documents(SynthesizeOptions(documents=(source,), out=tmp_path / "set", n=N))


def test_labels_are_as_asked_for_and_documents_share_the_set(shared_data: Path, tmp_path: Path) -> None:
    done = made(shared_data, tmp_path, 75)
    delivered = Counter(each.requested_label for each in done.examples)
    assert delivered["fact_single"] == MIX["fact_single"]
    assert all(delivered[label] <= count for label, count in MIX.items())
    assert all(each.verified_label is None for each in done.examples)
    assert max(Counter(each.context.document_id for each in done.examples).values()) <= 3


def test_what_a_few_articles_cannot_give_is_accounted_for(shared_data: Path, tmp_path: Path) -> None:
    done = made(shared_data, tmp_path, 5)
    short = {each.name: each for each in done.summary.missing}
    delivered = Counter(each.requested_label for each in done.examples)
    assert 2 < len(done.examples) < N
    assert {label for label, count in MIX.items() if delivered[label] < count} == set(short)
    for label, shortage in short.items():
        # nothing good is held back, and every other candidate has its reason
        assert shortage.good == shortage.delivered == delivered[label]
        assert shortage.missing == MIX[label] - delivered[label]
        assert shortage.candidates - shortage.good == sum(shortage.dropped.values())
