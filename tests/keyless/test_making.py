"""Sets made of drafts: as many as were asked for, spread over documents, read on where drafts fail, always the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragassay.documents.markdown import read_markdown
from ragassay.documents.store import DocumentStore
from ragassay.generate.collection import CollectionSurvey
from ragassay.generate.options import SetPlan
from ragassay.generate.synthesizer import SynthesisResult, strata_of
from ragassay.keyless import making
from ragassay.keyless.drafting import NOT_SUPPORTED, UNVERIFIED, Checked
from ragassay.keyless.making import draft_set
from ragassay.records import Document

NAMES = "Alder Birch Cedar Damson Elder Fir Gorse Hazel Ivy Juniper".split()


def ship(name: str, number: int) -> Document:
    parsed = read_markdown(
        f"# MV {name}\n\n- Built: {number + 1} March 19{60 + number}\n- Master: Ada {name}\n- Length: {80 + number} m\n"
    )
    return Document(
        id=f"doc-{number}", title=parsed.title or "", source=f"{name}.md", text=parsed.text, language="en",
        blocks=parsed.blocks,
    )  # fmt: skip


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Any]:
    opened: list[DocumentStore] = []

    def made(documents: Sequence[Document], left_out: Any = lambda document: "", **plan: Any) -> SynthesisResult:
        opened.append(DocumentStore.write(tmp_path / f"{len(opened)}.jsonl", documents))
        survey = CollectionSurvey()
        for document in documents:
            survey.add(document)
        strata = [strata_of(document) for document in documents]
        options = SetPlan(**({"n": 6, "mix": {"fact_single": 1.0}} | plan))
        return draft_set(opened[-1], strata, None, survey.result(), options, None, "rules", left_out)

    yield made
    for store in opened:
        store.close()


SHIPS = [ship(name, number) for number, name in enumerate(NAMES)]


def test_as_many_as_were_asked_for_from_as_many_documents_always_the_same(stores: Any) -> None:
    first, again = stores(SHIPS), stores(SHIPS)
    assert len(first.examples) == 6
    assert len({example.context.document_id for example in first.examples}) == 6
    assert first.examples == again.examples
    assert stores(SHIPS, seed=5).examples != first.examples
    assert first.shortages == ()


def test_no_document_gives_more_than_it_may(stores: Any) -> None:
    done = stores(SHIPS[:3], n=9, most_per_document=2)
    assert max(Counter(example.context.document_id for example in done.examples).values()) <= 2
    (short,) = done.shortages
    assert (short.asked, short.delivered) == (9, len(done.examples))


def test_what_is_refused_does_not_count_as_given(stores: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(items: Sequence[Checked], *_: Any) -> list[str | None]:
        return [NOT_SUPPORTED if place == 0 else None for place, _ in enumerate(items)]

    monkeypatch.setattr(making, "faults", refused)
    done = stores(SHIPS[:1], n=2, most_per_document=1)
    assert len(done.examples) == 1


def test_what_a_table_is_written_in_is_what_the_others_are_in(stores: Any) -> None:
    told = "The ferries of the line sail every day of the year, and the crew of each is told of it. " * 3
    parsed = read_markdown(f"# The line\n\n{told}\n")
    prose = Document(id="p", title="", source="p.md", text=parsed.text, language="en", blocks=parsed.blocks)
    guessed = [replace(each, language="nn") for each in SHIPS]
    done = stores([prose, *guessed])
    assert [example.language for example in done.examples] == ["en"] * 6
    assert stores(guessed).examples == ()


def test_references_answer_verbatim(stores: Any) -> None:
    texts = {document.id: document.text for document in SHIPS}
    for example in stores(SHIPS, n=20).examples:
        assert example.answer
        assert example.keypoints
        for span in (example.context, *example.references):
            assert texts[span.document_id][span.start : span.end] == span.text


def test_where_drafts_fail_further_documents_are_read(stores: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(items: Sequence[Checked], *_: Any) -> list[str | None]:
        return [None if "Ivy" in item.text or "Juniper" in item.text else NOT_SUPPORTED for item in items]

    monkeypatch.setattr(making, "faults", refused)
    done = stores(SHIPS, lambda document: "left out" if document.id < "doc-6" else "", n=2)
    assert len(done.examples) == 2
    assert done.dropped["fact_single"][NOT_SUPPORTED] > 0
    assert done.dropped["before a label"]["left out"] > 0


def elms(*lengths: str) -> list[Document]:
    """Records of one ship."""
    records = [
        f"# Record {at}\n\n- Name: MV Elm\n- Length: {each}\n- Master: Ada Elm\n" for at, each in enumerate(lengths)
    ]
    parsed = [read_markdown(record) for record in records]
    return [
        Document(
            id=f"e{at}", title=each.title or "", source=f"{at}.md", text=each.text, language="en", blocks=each.blocks
        )
        for at, each in enumerate(parsed)
    ]


def test_of_two_that_contradict_each_other_neither_is_delivered(stores: Any) -> None:
    done = stores(elms("80 m", "90 m"), n=4)
    assert [each.answer for each in done.examples] == ["Ada Elm"]
    assert done.dropped["fact_single"][making.CONTRADICTS] == 2
    assert len(stores(elms("80 m", "80 m"), n=4).examples) == 2


ROWS = "".join(f"| MV {name} Point | {80 + at} m | {at} March 1970 |\n" for at, name in enumerate(NAMES, 1))
FLEET = f"# Fleet list\n\n| Vessel | Length | Launched |\n|---|---|---|\n{ROWS}"


def fleet(text: str) -> Document:
    parsed = read_markdown(text)
    return Document(
        id="f", title="Fleet list", source="f.md", text=parsed.text, language="en", blocks=parsed.blocks
    )  # fmt: skip


@pytest.mark.parametrize(("text", "cells"), [(FLEET, 10), (f"{FLEET}\nThe vessels are new.\n", 3)])
def test_a_table_gives_a_question_of_each_of_a_few_rows_and_one_comparison(stores: Any, text: str, cells: int) -> None:
    done = stores([fleet(text)], n=40, mix={"fact_single": 0.5, "reasoning": 0.5})
    assert Counter(example.provenance.pattern == "table_cell" for example in done.examples) == {True: cells, False: 1}
    rows = [example.references[-1].text.split("Point")[0] for example in done.examples[:cells]]
    assert len(set(rows)) == cells
    # 10 rows of 2 columns; of 9 neighbours which is longer and by how much, of all the longest and the shortest
    assert done.dropped["fact_single"][making.ENOUGH_OF_TABLE] == 20 - cells
    assert done.dropped["reasoning"][making.ENOUGH_OF_TABLE] == 9 * 2 + 2 - 1
    assert all("a table gives 3 rows" in short.reason for short in done.shortages)


def test_the_reference_of_a_cell_is_its_row_and_its_heads_are_context(stores: Any) -> None:
    (example,) = stores([fleet(FLEET)], n=1).examples
    assert [span.text.split()[0] for span in example.references] == ["MV"]
    assert "Launched" in example.context.text


def test_a_refused_cell_gives_its_place_to_another_of_its_table(stores: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(items: Sequence[Checked], *_: Any) -> list[str | None]:
        return [NOT_SUPPORTED if "Alder" in item.draft.question else None for item in items]

    monkeypatch.setattr(making, "faults", refused)
    assert len(stores([fleet(f"{FLEET}\nThe vessels are new.\n")], n=9).examples) == 3


def test_without_a_verifier_only_what_is_certain_is_delivered(stores: Any) -> None:
    parsed = read_markdown("# Lease\n\nThe lease of the Alder Office runs for ten years.\n")
    prose = Document(id="p", title="Lease", source="p.md", text=parsed.text, language="en", blocks=parsed.blocks)
    done = stores([prose], n=1)
    assert done.examples == ()
    assert done.dropped["fact_single"] == {UNVERIFIED: 1}
