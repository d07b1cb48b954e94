"""Articles of RAGVAL, embedded: exactly the mix that was asked for, or all there is and the account of the rest.

Articles have few summaries to ask for: the first mix wants none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import pytest

from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
from ragassay.pipeline.make.synthesize import Synthesized, synthesize_documents
from ragassay.records import Label
from ragassay.synthesis.balance import SPREAD

pytestmark = pytest.mark.shared_data
N = 30
MIX = {"fact_single": 12, "summary": 6, "reasoning": 6, "unanswerable": 6}
WITHOUT_SUMMARIES: dict[Label, float] = {"fact_single": 0.6, "reasoning": 0.2, "unanswerable": 0.2}


def made(shared_data: Path, tmp_path: Path, articles: int, mix: Mapping[Label, float] | None = None) -> Synthesized:
    source = tmp_path / "articles.jsonl"
    with (shared_data / "ragval/knowledge_blocks.jsonl").open(encoding="utf-8") as file:
        source.write_text("".join(islice(file, articles)), encoding="utf-8")
    return synthesize_documents(SynthesizeOptions(documents=(source,), out=tmp_path / "set", n=N, mix=mix))


def test_exactly_the_mix_by_verified_label_and_no_document_with_more_than_three(
    shared_data: Path, tmp_path: Path
) -> None:
    done = made(shared_data, tmp_path, 75, WITHOUT_SUMMARIES)
    assert Counter(each.verified_label for each in done.examples) == {
        label: round(N * share) for label, share in WITHOUT_SUMMARIES.items()
    }
    assert all(each.verified_label == each.requested_label for each in done.examples)
    assert max(Counter(each.context.document_id for each in done.examples).values()) <= SPREAD
    assert done.summary.missing == ()


def test_of_the_usual_mix_only_summaries_are_missing(shared_data: Path, tmp_path: Path) -> None:
    done = made(shared_data, tmp_path, 75)
    delivered = Counter(each.verified_label for each in done.examples)
    assert delivered == {label: count for label, count in MIX.items() if label != "summary"}
    (short,) = done.summary.missing
    assert (short.name, short.missing) == ("summary", MIX["summary"])


def test_what_a_few_articles_cannot_give_is_accounted_for(shared_data: Path, tmp_path: Path) -> None:
    done = made(shared_data, tmp_path, 5)
    short = {each.name: each for each in done.summary.missing}
    delivered = Counter(each.verified_label for each in done.examples)
    assert N / 6 < len(done.examples) < N
    assert {label for label, count in MIX.items() if delivered[label] < count} == set(short)
    for label, shortage in short.items():
        # nothing good is held back, and every other candidate has its reason
        assert shortage.good == shortage.delivered == delivered[label]
        assert shortage.missing == MIX[label] - delivered[label]
        assert shortage.candidates - shortage.good == sum(shortage.dropped.values())
