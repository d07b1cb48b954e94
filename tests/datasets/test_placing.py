"""Chunks and references of others in their places: at each of them, whatever the order of rows and documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ragassay
from ragassay.datasets.foreign import example_of
from ragassay.datasets.format import Notes
from ragassay.datasets.placing import LOST, PARTLY, Placer
from ragassay.datasets.registry import read_dataset
from ragassay.datasets.selection import Selection
from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.errors import RecordError
from ragassay.metrics.retrieval.references import by_chunk, by_document, right_chunks
from ragassay.records import Document, Example, Place, Prediction, RankedChunk, Span, to_json
from ragassay.retrieval.chunk_table import ChunkTable

SHORT = "Pier seven closes at noon on Sundays."
LONG = f"{SHORT} The kiosk sells soup and bread."
OTHER = "A ferry crosses the harbour every twenty minutes in summer."


def row(gold: list[str], retrieved: list[str]) -> dict[str, Any]:
    return {"user_input": f"{gold} {retrieved}?", "reference": "x", "reference_contexts": gold,
            "retrieved_contexts": retrieved, "response": "x"}  # fmt: skip


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    ("rows", "recall"),
    [
        ([row([LONG], [LONG]), row([SHORT], [SHORT])], [1, 1]),
        ([row([LONG], [LONG]), row([SHORT], [LONG])], [1, 1]),  # another row's reference holds this one's
        ([row([SHORT], [LONG]), row([LONG], [SHORT])], [1, 1]),  # SHORT lies inside LONG
        ([row([LONG], [LONG.replace(". ", ".\r\n")]), row([LONG.replace(". ", ".\n")], [LONG])], [1, 1]),
        ([row([SHORT, OTHER], [f"{SHORT} {OTHER}"]), row([OTHER], [SHORT])], [1, 0]),  # one chunk holds two references
        ([row([SHORT, OTHER, OTHER, f"{OTHER}\n"], [SHORT])], [1 / 2]),  # a reference that is repeated counts once
    ],
)
def test_rows_of_texts(rows: list[dict[str, Any]], recall: list[float], *, backwards: bool) -> None:
    step = -1 if backwards else 1
    scored = ragassay.evaluate(rows[::step], metrics=["recall@5"])
    assert [sample.scores["recall@5"].value for sample in scored.samples] == recall[::step]


def test_the_built_in_system_finds_a_reference_in_those_of_other_rows() -> None:
    found = ragassay.evaluate(
        [row([LONG], []), row([SHORT], []), row([SHORT.replace(" at", "\nat")], [])],
        "rag:retriever=bm25,top_k=1,generate=false",
        ["recall@1", "document_recall@1"],
    )
    assert (found["recall@1"], found["document_recall@1"]) == (1, 1)


def documents(*texts: str) -> list[Document]:
    return [Document(id=f"d{n}", title=f"t{n}", source=f"d{n}.md", text=text) for n, text in enumerate(texts)]


def placed(path: Path, corpus: list[Document], notes: Notes | None = None) -> list[Example]:
    return [each for each in read_dataset(path, corpus=corpus, notes=notes) if isinstance(each, Example)]


def test_references_stand_in_all_documents_that_hold_them(tmp_path: Path) -> None:
    corpus = documents(f"Intro. {SHORT}", OTHER, f"{SHORT.replace(' noon', chr(10) + 'noon')} The end.")
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row(gold, [])) for gold in ([SHORT], ["It sank in the great storm."])))
    notes = Notes()
    first, second = placed(rows, corpus, notes)
    (span,) = first.references
    assert span == Span(document_id="d0", start=7, end=44, text=SHORT, elsewhere=(Place("d2", 0, 37),))
    assert first.context == span
    assert second.references == (Span(document_id="", start=0, end=0, text="It sank in the great storm."),)
    assert notes.counts == {LOST: 1}
    # chunks of either document are right, in the metrics of predictions and of whole collections alike
    table = ChunkTable(*np.array([(0, 0, 7), (0, 7, 44), (1, 0, len(OTHER)), (2, 0, 47)], np.int32).T)
    assert right_chunks([first, second], ["d0", "d1", "d2"], table) == [[{1, 3}], [set()]]
    chunk = RankedChunk(chunk_id="c", document_id="d2", start=0, end=47, score=1)
    assert by_chunk([chunk], [""], [span]).ground == [{"0"}]
    assert by_document([chunk], [span]).ground == [{"d0", "d2"}]
    assert placed(rows, corpus[::-1])[0].references[0].places == (Place("d2", 0, 37), Place("d0", 7, 44))


def test_a_quote_of_which_only_a_part_stands_is_counted(tmp_path: Path) -> None:
    rows, notes = tmp_path / "rows.jsonl", Notes()
    rows.write_text(json.dumps(row(["A core of the [machine](m.md) takes up to a gigabyte."], [])))
    placed(rows, documents("A core of the machine takes up to two gigabytes. It is warm."), notes)
    assert notes.counts == {PARTLY: 1}
    notes = Notes()
    placed(rows, documents("A core of the machine takes up to a gigabyte. It is warm."), notes)
    assert notes.counts == {}


def test_a_set_of_which_no_reference_stands_in_the_documents_is_an_error(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row([gold], [])) for gold in (SHORT, LONG)))
    with pytest.raises(RecordError, match=r"rows.jsonl: none of its 2 reference texts stands in the documents"):
        placed(rows, documents(OTHER))


FIELDS = ("room", "floor", "seats")
HERON, WREN = ("Heron", "1", "12"), ("Wren", "1", "4")
OTHERS = [(f"R{number}", "2", "7") for number in range(400)]


def keyed(row: tuple[str, ...]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in zip(FIELDS, row, strict=True))


@pytest.mark.parametrize(("others", "reference"), [(OTHERS[:2], "Wren | 1 | 4"), (OTHERS, keyed(WREN))])
@pytest.mark.parametrize(
    "form",
    [
        keyed,  # LangChain's CSVLoader
        lambda row: json.dumps(dict(zip(FIELDS, row, strict=True))),
        ",".join,
        lambda row: f"room,floor,seats\n{','.join(row)}",
        lambda row: f"| {' | '.join(row)} |",
    ],
)
def test_rows_of_a_table_in_the_forms_of_loaders(
    form: Callable[[tuple[str, ...]], str], others: list[tuple[str, ...]], reference: str, tmp_path: Path
) -> None:
    (tmp_path / "rooms.csv").write_text("\n".join(map(",".join, (FIELDS, HERON, *others, WREN))))
    (document,) = read_corpus([tmp_path], ReadOptions(), print, print)  # a long table is records
    start = document.text.index(reference)
    question = {"question": "How many seats has Wren?", "reference_contexts": [reference], "reference": "4"}
    texts = [form(HERON), form(others[0]), form(WREN)]
    scored = ragassay.evaluate([question | {"retrieved_contexts": texts}], metrics=["recall@2", "recall@3", "mrr@3"],
                               documents=tmp_path)  # fmt: skip
    assert (scored["recall@2"], scored["recall@3"], scored["mrr@3"]) == (0, 1, 1 / 3)
    with closing(Placer([document])) as placer:
        chunk = placer.placed_chunk(RankedChunk(chunk_id="c", document_id="", start=0, end=0, score=1, text=texts[2]))
    assert start <= chunk.start < chunk.end <= start + len(reference)


GUIDE = "The bridge opened in 1998.\nIt is 412 m long."
KNOWN = [
    Document(id="d1", title="Bridge", source="guides/bridge.md", text=GUIDE),
    Document(id="d2", title="Ship", source="ships/bluefin.md", text="A ship. It is 412 m long."),
    Document(id="d3", title="Notes", source="old/bridge.md", text="Nothing of use."),
]


def place_of(document_id: str, text: str, start: int = 0, end: int = 0, chunk_id: str = "c") -> tuple[str, int, int]:
    chunk = RankedChunk(chunk_id=chunk_id, document_id=document_id, start=start, end=end, score=1, text=text)
    placer = Placer(KNOWN)
    try:
        made = placer.placed(Prediction(example_id="q", system="s", chunks=(chunk,))).chunks[0]
    finally:
        placer.close()
    assert (made.text, made.score) == (text, 1)
    return made.document_id, made.start, made.end


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("d2", "It is 412 m long.", ("d2", 8, 25)),
        ("guides/bridge.md", "It is 412 m long.", ("d1", 27, 44)),
        ("/srv/kb/ships/bluefin.md", "It is 412 m long.", ("d2", 8, 25)),
        ("C:\\kb\\bluefin.md", "It is 412 m long.", ("d2", 8, 25)),
        ("bridge.md", "It is  412 m\nlong.", ("d1", 27, 44)),  # two have the name, one the text
        ("Ship", "A ship.", ("d2", 0, 7)),
        ("", "It is 412 m long.", ("d1", 27, 44)),  # the first document that holds it
        ("elsewhere.md", "A ship.", ("d2", 0, 7)),
        ("bluefin.md", "", ("d2", 0, 25)),  # names a document alone
        ("d2", "Not in it.", ("d2", 0, 0)),
        ("elsewhere.md", "Not in any.", ("elsewhere.md", 0, 0)),
    ],
)
def test_places(name: str, text: str, place: tuple[str, int, int]) -> None:
    assert place_of(name, text) == place


def test_a_place_that_is_told_stays() -> None:
    assert place_of("d1", "It is", 27, 32) == ("d1", 27, 32)
    assert place_of("bridge.md", "It is", 27, 32) == ("d1", 27, 32)
    assert place_of("d1", " It is", 26, 32) == ("d1", 26, 32)
    assert place_of("d1", "What it is about.", 27, 44) == ("d1", 27, 44)  # its own words for what stands there


def test_a_place_that_does_not_hold_the_text_is_looked_for() -> None:
    assert place_of("d1", "It is 412 m long.", 0, 17) == ("d1", 27, 44)
    assert place_of("d1", "It is 412 m long.", 1000, 1017) == ("d1", 27, 44)
    assert place_of("d1", "Not in it.", 1000, 1010) == ("d1", 0, 0)


def test_references_of_edited_documents_are_looked_for(tmp_path: Path) -> None:
    """With ids of the documents' own, an edit leaves other words at a place."""
    before = documents(SHORT, OTHER)
    rows = tmp_path / "rows.csv"
    rows.write_text(f"question,expected_answer,quote,label\nWhen?,Noon.,{SHORT},fact_single\nHow often?,,{OTHER},")
    made = placed(rows, before)
    assert [each.references[0].document_id for each in made] == ["d0", "d1"]
    (tmp_path / "examples.jsonl").write_text("\n".join(map(to_json, made)))
    after = documents(SHORT.replace("noon", "one"), f"New. {OTHER}")
    notes = Notes()
    first, second = placed(tmp_path / "examples.jsonl", after, notes)
    assert first.references == (Span(document_id="", start=0, end=0, text=SHORT),)
    assert second.references == (Span(document_id="d1", start=5, end=5 + len(OTHER), text=OTHER),)
    assert notes.counts[LOST] == 1


def test_labels_of_tables_and_mapped_rows(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("query,kind,unanswerable\nWhen?,Fact single,\nWho?,unanswerable,yes\nWhy?,odd,\n")
    mapping = {"question": ("query",), "label": ("kind",)}
    by_map = [each for each in read_dataset(rows, selection=Selection(mapping=mapping)) if isinstance(each, Example)]
    assert [each.requested_label for each in by_map] == ["fact_single", "unanswerable", None]
    by_name = [each for each in read_dataset(rows) if isinstance(each, Example)]
    assert [each.requested_label for each in by_name] == [None, "unanswerable", None]


def test_an_edited_document_is_looked_through_before_others(tmp_path: Path) -> None:
    """Few words stand in any document; a place elsewhere counts while its words stand there."""
    made = [
        example_of(
            origin="x", question="How dear?", references=[Span(document_id="d0", start=13, end=20, text="9 euros")]
        ),
        example_of(
            origin="x",
            question="When?",
            references=[
                Span(document_id="d2", start=0, end=37, text=SHORT, elsewhere=(Place("d3", 0, 37), Place("d1", 5, 42)))
            ],
        ),
    ]
    (tmp_path / "examples.jsonl").write_text("\n".join(map(to_json, made)))

    def places(*texts: str) -> list[list[Place]]:
        return [[*each.references[0].places] for each in placed(tmp_path / "examples.jsonl", documents(*texts))]

    bike, when = places("Now. A bike costs 9 euros.", f"Oh,  {SHORT}", "Closed.", SHORT)
    assert bike == [Place("d0", 18, 25)]
    assert when == [Place("d3", 0, 37), Place("d1", 5, 42)]
    bike, _ = places("A bike costs 19 euros.", "Tea costs 9 euros.", SHORT, SHORT)
    assert bike == [Place("", 0, 0)]


def test_lists_of_quotes_and_rows_without_an_answer(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(f'question,context,unanswerable\nA?,"[""{SHORT}"", ""{OTHER}""]",0\nB?,[],no\nC?,{SHORT},1.0\n')
    notes = Notes()
    found = placed(rows, documents(SHORT, OTHER), notes)
    assert [len(each.references) for each in found] == [2, 0, 0]
    assert [each.requested_label for each in found] == [None, None, "unanswerable"]
    rows.write_text("question,unanswerable\nA?,perhaps\n")
    placed(rows, documents(SHORT), notes)
    assert notes.counts["values of unanswerable other than yes and no, taken for no"] == 1


def test_a_label_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        "\n".join(
            json.dumps({"user_input": f"{each}?", "reference": "x", "label": each}) for each in (True, [1], "summary")
        )
    )
    found = [each for each in read_dataset(rows) if isinstance(each, Example)]
    assert [each.requested_label for each in found] == [None, None, "summary"]


def test_short_texts_of_an_edited_document_that_are_nowhere_are_a_fault(tmp_path: Path) -> None:
    made = example_of(
        origin="x", question="Price?", references=[Span(document_id="d0", start=13, end=20, text="9 euros")]
    )
    (tmp_path / "examples.jsonl").write_text(to_json(made))
    with pytest.raises(RecordError, match="none of its 1 reference texts stands"):
        placed(tmp_path / "examples.jsonl", documents("It is 19 euros now.", "Tea costs 9 euros."))
    (found,) = placed(tmp_path / "examples.jsonl", documents("Not 19 euros: price 9\neuros.", OTHER))
    assert found.references[0].places == (Place("d0", 20, 27),)


def test_mapped_rows_with_odd_ids_are_read(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    values = ({"$oid": "a"}, None, 7)
    rows.write_text("\n".join(json.dumps({"q": f"Q{n}?", "id": each, "label": ["a"]}) for n, each in enumerate(values)))
    found = read_dataset(rows, selection=Selection(mapping={"question": ("q",)}))
    ids = [each.id for each in found if isinstance(each, Example)]
    assert ids[2] == "7"
    assert len(set(ids)) == 3
