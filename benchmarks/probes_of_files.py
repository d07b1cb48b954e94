"""Probes with files: Word documents, small files that take much, links, names, the cache folder."""

from __future__ import annotations

import os
import shutil
import sqlite3
from functools import partial
from pathlib import Path

import worst_files
from probing import CannotTryError, Place, Probe

_STYLE = '<w:style w:type="{}" w:styleId="{}" {}><w:name w:val="{}"/></w:style>'
_NORMAL = _STYLE.format("paragraph", "Normal", 'w:default="1"', "normal")
_CHARACTER = _STYLE.format("character", "DefaultParagraphFont", 'w:default="1"', "Default Paragraph Font")
_HEADING = _STYLE.format("paragraph", "Heading1", "", "heading 1")
_WORD = {
    "as Google Docs: no style of characters": f"<w:docDefaults/>{_NORMAL}{_HEADING}",
    "as Pages: no default of any kind": _STYLE.format("paragraph", "Body", "", "Body"),
    "as pandoc: a default for each kind": _NORMAL + _CHARACTER + _HEADING,
    "no part for styles": "",
    "defaults alone": "<w:docDefaults/>",
    "a default without a name": '<w:style w:type="character" w:default="1" w:styleId="x"/>',
    "a character style where a paragraph's is meant": _STYLE.format("character", "Heading1", "", "Strong"),
}
_MEMORY = ("wide-cell.docx", "empty-paragraphs-48m.docx")


def _read(place: Place, *more: object) -> tuple[str, str]:
    """What is wrong with how the folder of documents was read, and what was said."""
    asks = ("--model", "http://127.0.0.1:9/v1#m", "--dry-run", "--n", 1)
    ended = place.ragassay("run", place.folder / "docs", "--out", place.folder / "out", *asks, *more)
    return ended.wrong(0), ended.out + ended.err


def _beside_a_good_one(name: str, place: Place) -> str:
    (place.documents() / name).write_bytes(worst_files.FILES[name]())
    return _read(place)[0]


def _word(styles: str, place: Place) -> str:
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    body = (
        f"<w:p>{style}<w:r><w:t>Opening</w:t></w:r></w:p><w:p><w:r><w:t>The archive opens at nine.</w:t></w:r>"
        '<w:r><w:rPr><w:rStyle w:val="Verbatim"/></w:rPr><w:t> --now</w:t></w:r></w:p>'
    )
    (place.folder / "docs").mkdir()
    (place.folder / "docs" / "a.docx").write_bytes(worst_files.docx(body, styles=styles))
    wrong, said = _read(place)
    return wrong or ("it was skipped" if "skipped" in said and "a.docx" in said else "")


def _link(kind: str, place: Place) -> str:
    secret = place.folder / "elsewhere"
    secret.mkdir()
    (secret / "secret.md").write_text(
        "# Plans\n\nThe secret word is marzipan. It is kept at the desk of the archive.\n"
    )
    docs = place.documents()
    if kind == "file":
        (docs / "link.md").symlink_to(secret / "secret.md")
    elif kind == "folder":
        (docs / "link").symlink_to(secret, target_is_directory=True)
    else:
        (docs / "one").symlink_to(docs / "two")
        (docs / "two").symlink_to(secret)
    ended = place.ragassay("run", docs, "--out", place.folder / "out", "--n", 1)
    followed = "marzipan" in (place.folder / "out" / "documents.jsonl").read_text()
    return ended.wrong(0, 5) or ("its text was read" if followed else "")


def _name(name: str, place: Place) -> str:
    (place.documents() / name).write_bytes(b"\0\1binary")
    wrong, said = _read(place)
    return wrong or ("it reached the terminal" if {"\x1b", "\x07", "\x9b"} & {*said} else "")


def _steers(command: tuple[str, ...], place: Place) -> str:
    ended = place.ragassay(*(word.format(set=place.set_of_one()) for word in command))
    return ended.wrong(2, 3, 6) or ("it reached the terminal" if "\x1b" in ended.err else "")


def _pipe(place: Place) -> str:
    os.mkfifo(place.documents() / "pipe.md")
    return _read(place)[0]


def _run_with(place: Place, cache: Path, out: str) -> tuple[str, bytes]:
    vessels = Path(__file__).parents[1] / "demo" / "knowledge_base" / "vessels"
    arguments = ("run", min(vessels.glob("*.md")), "--out", place.folder / out, "--n", 3, "--processes", 1)
    own = Place(place.folder, cache, {**place.environment, "RAGASSAY_SMALL_MODEL": "on"})
    wrong = own.ragassay(*arguments, within_s=200).wrong(0, 5, most_cpu_s=100)  # both models may be made anew
    files = ("examples.jsonl", "predictions.jsonl", "scores.jsonl")
    return wrong, b"" if wrong else b"".join((place.folder / out / name).read_bytes() for name in files)


def _cache(kind: str, place: Place) -> str:
    """The files of the cache folder are damaged one way: a second run says what the first one said."""
    cache = place.folder / "own-cache"
    kept = place.cache.parent / "cache-of-a-run"  # made once
    if not kept.exists():
        wrong, _ = _run_with(place, kept, "made")
        if wrong:
            return wrong
    shutil.copytree(kept, cache)
    _, expected = _run_with(place, cache, "before")
    if not expected:
        raise CannotTryError("no run could be made")
    if kind.startswith("vectors"):
        with sqlite3.connect(cache / "vectors.sqlite") as database:
            for key, vector in database.execute("SELECT key, vector FROM vectors").fetchall():
                value = b"\0\0\0\0" if "zero" in kind else b"\0\0\xc0\x7f"
                database.execute("UPDATE vectors SET vector = ? WHERE key = ?", (value * (len(vector) // 4), key))
        database.close()
    else:
        model, damage = kind.rsplit(" ", 1)
        (cache / "vectors.sqlite").unlink()
        graphs = [path for path in cache.rglob("*.onnx") if ("LM2" in str(path)) == (model == "language model")]
        graphs += [path for path in cache.rglob("weights.bin") if model == "language model"]
        if not graphs:
            raise CannotTryError("no such file in the cache")
        for path in graphs:
            content = bytearray(path.read_bytes())
            for place_in in range(len(content) // 3, len(content), len(content) // 8):
                content[place_in] ^= 0x55
            path.write_bytes(content if damage == "flipped" else content[: len(content) // 2])
    for again in ("after", "again"):
        wrong, found = _run_with(place, cache, again)
        if wrong or found != expected:
            return wrong or "other files, exit code 0"
    return ""


CLASSES: dict[str, dict[str, Probe]] = {
    "valid Word files": {name: partial(_word, styles) for name, styles in _WORD.items()},
    "small files, much memory": {name: partial(_beside_a_good_one, name) for name in _MEMORY},
    "small files, much time": {
        name: partial(_beside_a_good_one, name)
        for name in worst_files.FILES
        if name not in (*_MEMORY, "few-styles.docx")
    },
    "cache damage": {
        kind: partial(_cache, kind)
        for kind in (
            "encoder truncated",
            "encoder flipped",
            "language model truncated",
            "language model flipped",
            "vectors of zero",
            "vectors that are no numbers",
        )
    },
    "terminal escapes": {
        "a file's name with a title": partial(_name, "\x1b]0;title\x07.md"),
        "a file's name that clears": partial(_name, "\x1b[2J.md"),
        "a file's name with C1": partial(_name, "\x9b2J.md"),
        "a system's name": partial(_steers, ("predict", "{set}", "--system", "\x1b[2Jx", "--out", "o")),
        "a folder's name": partial(_steers, ("inspect", "\x1b[2Jx")),
    },
    "links": {kind: partial(_link, kind) for kind in ("file", "folder", "chain")},
    "pipes among documents": {"pipe.md": _pipe},
}
