"""Reading a corpus: everything readable is read, everything else is named, and one bad file stops no other."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import worst_files

from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.documents.sources import by_reason
from ragassay.errors import InputError
from ragassay.records import Document, SkippedSource

PROSE = "The ferry crosses the strait twice a day and carries two hundred passengers."


class Outcome(NamedTuple):
    documents: list[Document]
    skipped: dict[str, str]
    notes: dict[str, str]


def read(*paths: Path, options: ReadOptions | None = None, leave_out: Path | None = None) -> Outcome:
    skipped: list[SkippedSource] = []
    notes: list[SkippedSource] = []
    found = read_corpus(paths, options or ReadOptions(), skipped.append, notes.append, leave_out=leave_out)
    documents = list(found)
    return Outcome(documents, {one.source: one.reason for one in skipped}, {one.source: one.reason for one in notes})


def write_lines(path: Path, records: Sequence[object]) -> Path:
    path.write_text("\n".join(record if isinstance(record, str) else json.dumps(record) for record in records), "utf-8")
    return path


def test_formats_titles_sources_and_order(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "refund-policy_2024.txt").write_text(f"{PROSE} One.", encoding="utf-8")
    (tmp_path / "a.md").write_text(f"# Ferries\n\n{PROSE} Two.", encoding="utf-8")
    (tmp_path / "c.HTML").write_text(f"<title>Boats</title><p>{PROSE} Three.", encoding="utf-8")
    (tmp_path / "d.rst").write_text(f"Ships\n=====\n\n{PROSE} Four.", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "Makefile").write_text("all:", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").write_text(PROSE, encoding="utf-8")
    outcome = read(tmp_path)
    assert [(one.source, one.title, one.metadata["format"]) for one in outcome.documents] == [
        ("a.md", "Ferries", "markdown"),
        ("b/refund-policy_2024.txt", "", "plain"),
        ("c.HTML", "Boats", "html"),
        ("d.rst", "Ships", "rst"),
    ]
    assert {one.language for one in outcome.documents} == {"en"}
    assert outcome.skipped == {}
    assert outcome.notes["The folder given"].startswith(
        "files of other kinds were ignored: 1 .png (picture.png), 1 without extension (Makefile)."
    )
    assert [one.id for one in read(tmp_path).documents] == [one.id for one in outcome.documents]


def test_the_folder_to_leave_out_is_passed_over_without_a_word(tmp_path):
    for run in ("first", "other"):
        (tmp_path / "runs" / run).mkdir(parents=True)
        for name in ("run.json", "documents.jsonl", "notes.md"):
            (tmp_path / "runs" / run / name).write_text("{}", encoding="utf-8")
    (tmp_path / "a.txt").write_text(PROSE, encoding="utf-8")
    outcome = read(tmp_path, leave_out=tmp_path / "runs" / "first")
    assert [one.source for one in outcome.documents] == ["a.txt"]
    assert outcome.skipped == {"runs/other": "Not read: it is a run folder of ragassay."}
    assert outcome.notes == {}


def test_each_bad_file_is_named_and_stops_no_other(tmp_path):
    bad = {
        "binary.txt": b"\x00\x01\x02" * 100,
        "controls.txt": bytes(range(1, 9)) * 50 + b"abc",
        "empty.md": b"",
        "spaces.md": b"  \n\t",
        "markup.html": b"<html><body><script>x()</script></body></html>",
        "broken.pdf": b"%PDF-1.4\nnonsense",
        "text.pdf": b"not a pdf",
        "broken.docx": b"PK\x03\x04 nonsense",
        "old.docx": b"\xd0\xcf\x11\xe0" + b"\x00" * 100,
        "secret.xlsx": b"\xd0\xcf\x11\xe0" + b"\x00" * 100,
        "secret.pptx": b"\xd0\xcf\x11\xe0" + b"\x00" * 100,
        **{f"broken.{kind}": b"PK\x03\x04 nonsense" for kind in ("xlsx", "pptx", "odt", "ods", "epub")},
        "images.ipynb": json.dumps({"cells": [{"outputs": [{"data": {"image/png": "iVBO"}}]}]}).encode(),
        "broken.json": b'[{"text"',
        "broken.eml": b"\x89PNG",
        "gap.ipynb": b"[]",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "zzz.txt").write_text(PROSE, encoding="utf-8")
    outcome = read(tmp_path)
    assert [one.source for one in outcome.documents] == ["zzz.txt"]
    assert set(outcome.skipped) == set(bad)
    for reason in outcome.skipped.values():
        assert reason.startswith("Not read: ")
        assert reason.endswith(".")
        assert "\n" not in reason
    assert outcome.skipped["binary.txt"] == "Not read: it is a binary file, not text."
    assert outcome.skipped["empty.md"] == "Not read: it is empty."
    assert outcome.skipped["markup.html"] == "Not read: it contains no text."
    assert "encrypted" in outcome.skipped["old.docx"]
    assert "password" in outcome.skipped["secret.xlsx"]
    assert "images" in outcome.skipped["images.ipynb"]
    assert outcome.notes == {}
    others = [SkippedSource(source=name, reason=f"Not read: line {at} is bad.") for at, name in enumerate("abcd")]
    assert by_reason(others) == ["a, b, c and 1 more: Not read: line 0 is bad."]


def test_jsonl_fields(tmp_path):
    path = write_lines(
        tmp_path / "news-items.jsonl",
        [
            {
                "title": "One",
                "content": f"{PROSE} 1",
                "id": 7,
                "url": "http://x",
                "new": True,
                "tags": ["a"],
                "none": None,
            },
            {"body": f"# Heading\n\n**bold** and **more** {PROSE} 2", "name": "Two"},
            {"text": f"<p>{PROSE}</p><p>3</p>"},
            {"summary": "other", "text": " "},
        ],
    )
    outcome = read(path)
    one, two, three = outcome.documents
    assert (one.title, one.source, one.text) == ("One", "news-items.jsonl#1", f"{PROSE} 1")
    assert one.metadata == {"format": "jsonl", "url": "http://x", "new": "true"}
    assert one.id == "7"
    assert (two.title, two.text) == ("Two", f"Heading\n\nbold and more {PROSE} 2")
    assert (three.title, three.text) == ("", f"{PROSE}\n\n3")
    assert list(outcome.skipped) == ["news-items.jsonl#4"]
    chosen = read(path, options=ReadOptions(text_field="summary", title_field="id"))
    assert [document.text for document in chosen.documents] == ["other"]
    assert len(chosen.skipped) == 3


def test_broken_lines_are_named_with_their_number(tmp_path):
    path = write_lines(
        tmp_path / "a.jsonl",
        [
            {"text": PROSE},
            '{"text": "cut',
            "[1, 2]",
            "",
            '{"text": 5}',
            '{"text": "\\ud800 lone"}',
            "[" * 100_000,
            "NaN",
        ],
    )
    outcome = read(path)
    assert [one.source for one in outcome.documents] == ["a.jsonl#1", "a.jsonl#6"]
    assert list(outcome.skipped) == ["a.jsonl#2", "a.jsonl#3", "a.jsonl#5", "a.jsonl#7", "a.jsonl#8"]
    assert "not valid JSON" in outcome.skipped["a.jsonl#2"]


def test_links_out_of_the_folder_are_followed_only_where_that_is_asked_for(tmp_path):
    folder, other = tmp_path / "docs", tmp_path / "other"
    (folder / "below").mkdir(parents=True)
    other.mkdir()
    (folder / "a.txt").write_text(PROSE, encoding="utf-8")
    (other / "secret.txt").write_text(f"{PROSE} Secret.", encoding="utf-8")
    (folder / "file.txt").symlink_to(other / "secret.txt")
    (folder / "below" / "folder").symlink_to("../../other", target_is_directory=True)
    (folder / "below" / "inside.txt").symlink_to("../a.txt")
    (folder / "given.txt").symlink_to(folder / "a.txt")
    outcome = read(folder)
    assert [one.source for one in outcome.documents] == ["a.txt"]
    assert set(outcome.skipped) == {"file.txt", "below/folder"}
    assert outcome.skipped["file.txt"] == (
        "Not read: it is a link out of the folders given; name that place too, or use --follow-links."
    )
    followed = read(folder, options=ReadOptions(follow_links=True))
    assert {one.source for one in followed.documents} == {"a.txt", "below/folder/secret.txt"}
    assert followed.skipped == {}
    # what is given by its own name, or below another folder that is given, is meant
    assert [one.source for one in read(folder / "file.txt").documents] == ["file.txt"]
    assert read(other, folder).skipped == {}


def test_pipes_and_sockets_that_are_named_like_documents_are_not_opened(tmp_path):
    (tmp_path / "a.txt").write_text(PROSE, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "rows.jsonl")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket.txt"))
        outcome = read(tmp_path)
    assert [one.source for one in outcome.documents] == ["a.txt"]
    assert set(outcome.skipped) == {"pipe.md", "rows.jsonl", "socket.txt"}
    assert outcome.skipped["pipe.md"] == "Not read: it is a pipe, a socket or a device."


@pytest.mark.parametrize(
    ("names", "message"),
    [(None, "does not exist"), ([], "empty folder"), (["a.png"], "no readable document"), (["a.txt"], "a.txt")],
)
def test_nothing_to_read_is_an_error_that_says_what_to_do(tmp_path, names, message):
    folder = tmp_path / "docs"
    if names is not None:
        folder.mkdir()
        for name in names:
            (folder / name).write_bytes(b"")
    with pytest.raises(InputError, match=message) as caught:
        read(folder)
    assert str(folder) in str(caught.value)
    assert "give" in str(caught.value) or "extensions" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "count", "languages"),
    [("ragval/knowledge_blocks.jsonl", 1101, {"en"}), ("dragonball/documents.jsonl", 216, {"en", "zh"})],
)
def test_published_data_are_read_whole(shared_data, checked, name, count, languages):
    outcome = read(shared_data / name)
    assert (len(outcome.documents), outcome.skipped) == (count, {})
    assert languages <= {document.language for document in outcome.documents}
    for document in outcome.documents:
        checked(document)


def test_a_document_that_takes_too_long_or_holds_too_much_text_is_skipped_alone(tmp_path):
    (tmp_path / "a.txt").write_text(PROSE, encoding="utf-8")
    (tmp_path / "long.rst").write_text("".join(f"T{n}\n====\n\ntext\n\n" for n in range(60_000)), "utf-8")
    definitions = ".. |a| replace:: " + "word " * 1_000
    (tmp_path / "much.rst").write_text(f"{definitions}\n\n" + "|a| |a| |a| |a|\n\n" * 20, "utf-8")
    (tmp_path / "z.txt").write_text(f"{PROSE} Z.", encoding="utf-8")
    outcome = read(tmp_path, options=ReadOptions(max_document_seconds=2))
    assert outcome.skipped["long.rst"] == "Not read: it took more than 2 s to read (--max-document-seconds)."
    assert [one.source for one in outcome.documents] == ["a.txt", "much.rst", "z.txt"]
    outcome = read(tmp_path / "a.txt", tmp_path / "much.rst", options=ReadOptions(max_document_mb=0.1))
    assert outcome.skipped == {"much.rst": "Not read: it has 0.4 MB of text, more than the limit of 0.1 MB."}


OUTCOMES = {
    "few-styles.docx": "28 characters",
    "wide-cell.docx": "9 characters",  # two cells of "wide" and a line break
    "empty-paragraphs-48m.docx": "it has more than 5,000,000 XML tags, the limit",
    "numberings.docx": "119,998 characters",  # 20,000 items of four letters, two line breaks between
    "line-breaks.docx": "3 characters",
    "tags-without-end.html": "4 characters",
    "marks-before-a-word.html": "100,001 characters",
    "wide-cells.html": "characters",
    "lines-after-han.html": "3 characters",  # a line break that Chinese text has for its width, none in "中 a"
    "roles.rst": "a line has 500,000 characters, more than the limit of 10,000",
    "role-of-spaces.rst": "1,248 characters",  # 250 times "a b", two line breaks between
    "items.txt": "549,999 characters",  # 110,000 items of four letters, a line break between
    "steps.txt": "153,999 characters",
    "wrapped.txt": "2,400,000 characters",
}


@pytest.mark.parametrize(("name", "became"), OUTCOMES.items(), ids=OUTCOMES)
def test_a_file_that_took_minutes_or_all_memory(tmp_path: Path, name: str, became: str) -> None:
    path = tmp_path / name
    path.write_bytes(worst_files.FILES[name]())
    assert became in worst_files.measure(path)[-1]


@pytest.mark.parametrize(
    ("form", "sources"),
    [
        (lambda records: records, ["faq.json#1", "faq.json#2"]),
        (lambda records: {"articles": records}, ["faq.json#1", "faq.json#2"]),
        (lambda records: {"version": 3, "articles": records}, ["faq.json#1", "faq.json#2"]),
        (lambda records: {each.pop("title"): each for each in records}, ["faq.json#1", "faq.json#2"]),
        (lambda records: {**records[0], "tags": ["a"]}, ["faq.json"]),
    ],
)
def test_records_of_json_files(tmp_path, form, sources):
    records = [{"title": name, "text": f"{PROSE} {name}"} for name in ("One", "Two")]
    (tmp_path / "faq.json").write_text(json.dumps(form(records)))
    documents = read(tmp_path).documents
    assert [each.source for each in documents] == sources
    assert [each.title for each in documents] == ["One", "Two"][: len(sources)]


def test_of_two_documents_with_one_id_the_second_gets_another(tmp_path):
    records = [{"id": 1, "text": f"{PROSE} {number}"} for number in (1, 2)]
    outcome = read(write_lines(tmp_path / "a.jsonl", records))
    first, second = outcome.documents
    assert (first.id, second.id[:4]) == ("1", "doc-")
    assert outcome.notes == {"a.jsonl#2": "Its id is another document's; it has one made of its name and text."}


@pytest.mark.parametrize("beside", [{"tags": []}, {"authors": [{"name": "Ana"}]}])
def test_one_record_with_a_list_is_one_document(tmp_path, beside):
    (tmp_path / "one.json").write_text(json.dumps({"title": "Hours", "text": PROSE, **beside}))
    (one,) = read(tmp_path).documents
    assert (one.title, one.text) == ("Hours", PROSE)
