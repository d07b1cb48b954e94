"""Collections for measuring: what is taken from packages and data sets, and what is said where it cannot be had."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from worth_collections import (
    Collection,
    Part,
    paragraphs,
    prepare,
    read_collections,
)

needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="builds a Debian package")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A Debian package with three documents."""
    top = tmp_path / "package"
    docs = top / "usr/share/doc/ferry"
    (docs / "more").mkdir(parents=True)
    (docs / "timetable.html").write_text("<p>The ferry leaves at nine.</p>")
    (docs / "NEWS.gz").write_bytes(gzip.compress(b"Dogs travel free."))
    (docs / "more" / "fares.txt").write_text("Bicycles cost two pounds.")
    (top / "usr/share/other.txt").write_text("Not wanted.")
    (top / "DEBIAN").mkdir()
    (top / "DEBIAN/control").write_text(
        "Package: ferry\nVersion: 1:2.0\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: ferry\n"
    )
    built = tmp_path / "ferry_1%3a2.0_all.deb"
    subprocess.run(["dpkg-deb", "--build", str(top), str(built)], check=True, capture_output=True)
    return built


def ferry(*files: str, version: str = "1:2.0") -> Collection:
    part = Part(source="ferry", version=version, folder="usr/share/doc/ferry", licence="CC0", files=files)
    return Collection(kind="boats", what="ferries", asks=None, parts=(part,))


@needs_dpkg
def test_files_of_a_package(tmp_path: Path, package: Path) -> None:
    into = tmp_path / "into"
    (into / "boats").mkdir(parents=True)
    (into / "boats" / "old.txt").write_text("of an earlier list")
    done = prepare(ferry("timetable.html", "NEWS", "more/fares.txt"), into, fetch=lambda *_: package)
    found = {str(path.relative_to(into)): path.read_text() for path in into.rglob("*") if path.is_file()}
    assert found == {
        "boats/ferry/timetable.html": "<p>The ferry leaves at nine.</p>",
        "boats/ferry/NEWS.txt": "Dogs travel free.",  # unpacked, with a suffix that is read
        "boats/ferry/more/fares.txt": "Bicycles cost two pounds.",
    }
    assert (done.files, done.words, done.missing, done.notes) == (3, 5 + 3 + 4, "", ())


@needs_dpkg
def test_collection_that_lost_most_of_its_files_is_skipped(tmp_path: Path, package: Path) -> None:
    done = prepare(ferry("NEWS", "gone.txt", "lost.txt"), tmp_path / "into", fetch=lambda *_: package)
    assert done.missing == "2 of 3 files are not in ferry 1:2.0"
    assert not (tmp_path / "into" / "boats").exists()


def shared(part: Part) -> Collection:
    return Collection(kind="boats", what="ferries", asks=None, parts=(part,))


def test_shared_data_are_drawn_and_leave_out_what_was_trained_on(tmp_path: Path) -> None:
    blocks = [{"title": f"Ferry {at}", "content": f"Ferry {at} leaves at {at}."} for at in range(9)]
    (tmp_path / "blocks.jsonl").write_text("\n".join(map(json.dumps, blocks)))
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"title": "ferry 3"}))
    part = Part(source="blocks.jsonl", licence="CC0", reader="articles", unlike="pairs.jsonl")
    assert prepare(shared(part), tmp_path / "all", shared=tmp_path).files == 8
    assert not (tmp_path / "all/boats/0003.jsonl").exists()
    few = Part(source="blocks.jsonl", licence="CC0", reader="articles", drawn=3, seed=5)
    for into in ("one", "two"):
        assert prepare(shared(few), tmp_path / into, shared=tmp_path).files == 3
    names = [sorted(path.name for path in (tmp_path / into / "boats").iterdir()) for into in ("one", "two")]
    assert names[0] == names[1]
    text = json.loads((tmp_path / "one/boats" / names[0][0]).read_text())
    assert set(text) == {"title", "text"}


def test_paragraphs_are_joined_by_fives() -> None:
    lines = "\n".join(json.dumps({"context": f"paragraph {at // 2}"}) for at in range(12))  # two questions each
    texts = paragraphs(lines.encode(), "")
    assert texts["000.txt"].decode().split("\n\n") == [f"paragraph {at}" for at in range(5)]
    assert texts["005.txt"] == b"paragraph 5"


def test_fixed_list() -> None:
    collections = read_collections()
    parts = [part for collection in collections.values() for part in collection.parts]
    assert len([kind for kind in collections if not kind.startswith("case-")]) >= 10
    assert {kind: each.asks for kind, each in collections.items() if each.asks} == {
        "case-sixteen-pages": 100,
        "case-six-pages": 40,
        "case-faq-page": 20,
    }
    assert sum(len(part.files) for part in collections["case-sixteen-pages"].parts) == 16
    assert sum(len(part.files) for part in collections["case-six-pages"].parts) == 6
    assert all(part.licence for part in parts)
    files = [(part.source, name) for part in parts if not part.is_shared for name in part.files]
    assert len(files) == len(set(files))  # no page is read in two kinds
