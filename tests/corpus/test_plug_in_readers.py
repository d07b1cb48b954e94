"""Files that other packages read: as ours are, in the same limited process, and with the package in their metadata."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.records import Block, Document, SkippedSource

Install = Callable[..., None]
PROSE = "The ferry crosses the strait twice a day."
CODE = """
import os, time
from pathlib import Path
from ragassay.corpus.parsed import ParsedText, UnreadableError
from ragassay.records import Block

class Loud(str):
    pass

def read_note(path):
    print("what it prints is no reply")
    return Loud(path.read_text().replace("|", "\\x00\\n"))

def read_adoc(path):
    title, text = path.read_text().split("\\n", 1)
    block = Block(kind="paragraph", start=0, end=len(text), level=True)
    return ParsedText(title=Loud(title), text=Loud(text), blocks=[block], literals=[[4, 9]],
                      metadata={"process": Loud(os.getpid()), "reader": "somebody else"})

def odd(path):
    match path.stem:
        case "time":
            time.sleep(0.1)
            while True: pass
        case "memory": return "x" * 10**11
        case "crash": os._exit(3)
        case "exit": raise SystemExit(3)
        case "raises": raise ValueError("line 3\\nis \\x1b[31mred")
        case "unreadable": raise UnreadableError("it is encrypted")
        case "number": return 3
        case "nothing": return "  "
        case "kind": return ParsedText(title="", text="word", blocks=(Block(kind="riddle", start=0, end=4),))
        case "beyond": return ParsedText(title="", text="word", blocks=(Block(kind="paragraph", start=0, end=5),))
        case "before": return ParsedText(title="", text="a word", literals=((2, 4), (0, 1)))
        case "dirty": return ParsedText(title="", text="a\\r\\nb", blocks=(Block(kind="paragraph", start=0, end=3),))
        case "clean": return ParsedText(title="", text="The end.\\r\\n\\x07\\ud800")
        case "metadata": return ParsedText(title="", text="word", metadata={"size": 3})
        case "title": return ParsedText(title=None, text="word")

md = read_note
"""
POINTS = "note = scribe:read_note\n.ADOC = scribe:read_adoc\nodd = scribe:odd\nmd = scribe:md"


class Outcome:
    def __init__(self, path: Path, options: ReadOptions | None = None) -> None:
        skipped: list[SkippedSource] = []
        notes: list[SkippedSource] = []
        self.documents = self._read(path, options or ReadOptions(), skipped, notes)
        self.skipped = {each.source: each.reason for each in skipped}
        self.notes = [each.reason for each in notes]

    def _read(
        self, path: Path, options: ReadOptions, skipped: list[SkippedSource], notes: list[SkippedSource]
    ) -> dict[str, Document]:
        return {each.source: each for each in read_corpus([path], options, skipped.append, notes.append)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    (made / "a.md").write_text(f"# Ferries\n\n{PROSE}")
    return made


def test_texts_and_parsed_texts_are_documents(install: Install, folder: Path) -> None:
    install(CODE, POINTS, "reader", "scribe")
    (folder / "my-note.note").write_text(f"Second deck|{PROSE}")
    (folder / "b.AdoC").write_text(f"The strait\n{PROSE} Daily.")
    (folder / "c.odp").write_text("x")
    outcome = Outcome(folder)
    assert outcome.skipped == {}
    assert outcome.notes == [
        "Read by scribe 1.2: 1 .adoc, 1 .note.",
        "Files of other kinds were ignored: 1 .odp. Read are .md .markdown .txt .rst .html .htm .pdf .docx .jsonl .csv "
        ".tsv .adoc .note .odd.",
    ]
    note, parsed = outcome.documents["my-note.note"], outcome.documents["b.AdoC"]
    assert (note.text, note.metadata) == (f"Second deck\n{PROSE}", {"format": "note", "reader": "scribe 1.2"})
    assert note.blocks
    assert (parsed.title, parsed.text) == ("The strait", f"{PROSE} Daily.")
    assert parsed.blocks == (Block(kind="paragraph", start=0, end=len(parsed.text), level=1),)
    assert parsed.literals == ((4, 9),)
    assert (parsed.metadata["format"], parsed.metadata["reader"]) == ("adoc", "scribe 1.2")
    assert parsed.metadata["process"] != str(os.getpid())
    assert {type(each) for each in (note.text, parsed.title, *parsed.metadata.values())} == {str}
    assert "scribe" not in sys.modules  # what it made is read here, its code is not
    assert outcome.documents["a.md"].metadata == {"format": "markdown"}  # its own reader for .md is not used


FAILED = "the plug-in 'odd' of scribe 1.2 failed on it"


def test_one_bad_file_stops_no_other(install: Install, folder: Path) -> None:
    install(CODE, POINTS, "reader", "scribe")
    said = {
        "raises": f"{FAILED} (ValueError: line 3 is \ufffd[31mred)",
        "exit": f"{FAILED} (RuntimeError: the function ended the process)",
        "unreadable": "it is encrypted",
        "number": f"{FAILED} (TypeError: it gave int, not a text or a ParsedText)",
        "nothing": "it contains no text",
        "kind": f"{FAILED} (ValueError: unknown kind of block 'riddle')",
        "beyond": f"{FAILED} (ValueError: offsets 0 to 5 are not in order, or not in the text)",
        "before": f"{FAILED} (ValueError: offsets 0 to 1 are not in order, or not in the text)",
        "dirty": f"{FAILED} (ValueError: its text has characters that clean_characters changes, so that its offsets "
        "are wrong)",
        "metadata": f"{FAILED} (TypeError: a text is needed, not int)",
        "title": f"{FAILED} (TypeError: a text is needed, not NoneType)",
        "memory": "reading it takes more than 2000 MB of memory",
        "crash": "its reader crashed on it, twice",
        "time": "it took more than 0.5 s to read (--max-document-seconds)",
    }
    if sys.platform != "linux":
        del said["memory"]
    for name in (*said, "clean"):
        (folder / f"{name}.odd").write_text("x")
    outcome = Outcome(folder, ReadOptions(max_document_seconds=0.5))
    assert outcome.skipped == {f"{name}.odd": f"Not read: {reason}." for name, reason in said.items()}
    assert outcome.documents["clean.odd"].text == "The end.\n\ufffd"
    assert set(outcome.documents) == {"a.md", "clean.odd"}
