"""Files of the cache folder: verified each time they are used, made anew when they are damaged, never half there."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from ragassay.models.cache import HASHES_FILE, kept_files


class Maker:
    def __init__(self) -> None:
        self.n = 0

    def __call__(self, folder: Path) -> None:
        self.n += 1
        (folder / "a").write_bytes(b"some bytes")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


def flip(path: Path) -> None:
    """One bit in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("damage", [cut, flip, Path.unlink, replace_by_pipe])
@pytest.mark.parametrize("name", ["a", HASHES_FILE])
def test_what_was_damaged_is_made_anew(cache: Path, damage: Callable[[Path], None], name: str) -> None:
    make = Maker()
    first = kept_files("files", make)
    assert kept_files("files", make) == first
    assert make.n == 1
    damage(first.folder / name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert kept_files("files", make) == first
        assert kept_files("files", make) == first
    assert make.n == 2
    assert (first.folder / "a").read_bytes() == b"some bytes"
    assert [path.name for path in cache.iterdir()] == ["files"]
    assert sorted(path.name for path in first.folder.iterdir()) == ["a", HASHES_FILE]


def test_of_two_that_make_the_same_the_first_one_stays(cache: Path) -> None:
    other = Maker()

    def slow(folder: Path) -> None:
        kept_files("files", other)
        Maker()(folder)

    kept = kept_files("files", slow)
    assert (kept.folder, other.n) == (cache / "files", 1)
    assert [path.name for path in cache.iterdir()] == ["files"]
