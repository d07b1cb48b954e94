"""A page is written where it was asked for, or one sentence says why not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragassay.errors import RunFolderError
from ragassay.jobs.folders.page_file import check_place, write_page

PAGE = '<!doctype html><meta name="generator" content="ragassay 0.1.0">\n<title>Run &amp; set</title>'


def test_a_page_is_put_in_place_whole(tmp_path: Path) -> None:
    for old in (None, "", PAGE):
        if old is not None:
            (tmp_path / "page.html").write_text(old)
        assert write_page(tmp_path / "page.html", "<p>é") == tmp_path / "page.html"
        assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {"page.html": "<p>é"}


@pytest.mark.parametrize("mine", [b"<!doctype html><title>My page</title>", b"a,b\n", b"\x89PNG\xff", b" "])
def test_a_file_that_is_no_page_of_ragassay_is_left_alone(tmp_path: Path, mine: bytes) -> None:
    target = tmp_path / "page.html"
    target.write_bytes(mine)
    with pytest.raises(RunFolderError) as raised:
        write_page(target, "<p>")
    assert str(raised.value) == (
        f"--out: {target} already exists and is not a page of Ragassay; name another file, or remove this one"
    )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"page.html": mine}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a.csv/x.html", "cannot be written (Not a directory)"),
        ("nowhere/x.html", "cannot be written (No such file or directory)"),
        (f"{'x' * 300}.html", "cannot be written (File name too long)"),
        ("folder", "is a folder; name a regular file"),
    ],
)
def test_a_page_that_has_no_place_is_an_error_that_says_so(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "a.csv").write_text("mine")
    (tmp_path / "folder").mkdir()
    for call in (check_place, lambda target: write_page(target, "<p>")):
        with pytest.raises(RunFolderError) as raised:
            call(tmp_path / name)
        assert str(raised.value) == f"--out: {tmp_path / name} {why}"
        assert raised.value.exit_code == 4
    assert {path.name for path in tmp_path.rglob("*")} == {"a.csv", "folder"}
    assert (tmp_path / "a.csv").read_text() == "mine"


def test_a_page_that_is_stopped_half_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(path: Path, text: str, **_: object) -> None:
        path.write_bytes(text.encode()[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", stop)
    with pytest.raises(KeyboardInterrupt):
        write_page(tmp_path / "page.html", "<p>é")
    assert not list(tmp_path.iterdir())


def test_links_and_devices_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("")
    (tmp_path / "link.html").symlink_to(tmp_path / "mine.txt")
    os.mkfifo(tmp_path / "fifo.html")
    for name in ("link.html", "fifo.html"):
        with pytest.raises(RunFolderError, match=f"{name} is a link or a device; name a regular file"):
            write_page(tmp_path / name, "<p>")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "fifo.html").is_fifo()
