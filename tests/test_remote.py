"""URLs of storage: their places, what is fetched and when, and messages without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.errors import InputError, RagassayError, UsageError
from ragassay.remote import fetch, fetch_paths, is_url, masked, place_of, url_of, with_remote_paths

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def memory() -> Iterator[Any]:
    """fsspec's file system in memory, empty."""
    store = fsspec.filesystem("memory")
    store.store.clear()
    yield store
    store.store.clear()


def test_a_url_has_one_place_and_the_place_its_url(cache: Path) -> None:
    place = place_of(Path("s3://bucket/docs/"))  # as Path writes it, with one slash
    assert place == cache / "remote" / "s3" / "bucket" / "docs"
    assert url_of(place) == "s3://bucket/docs"
    assert url_of(Path("docs")) is None
    assert not is_url("docs/a.md")
    assert not is_url("C:/docs")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://host/docs", "unknown scheme in ftp://host/docs; choose one of s3://"),
        ("s3://KEY:hidden@bucket/docs", "s3://***@bucket/docs: credentials do not belong in a path"),
        ("s3://bucket/docs?X-Amz-Signature=hidden", "credentials do not belong in a path"),
        ("s3://bucket/../../etc", "not a path"),
        ("s3://", "not a path"),
    ],
)
def test_urls_that_cannot_be_used_are_said_without_secrets(url: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        place_of(url)
    assert message in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_secrets_in_a_text_are_masked() -> None:
    assert masked("of s3://a:b@c/d and az://e?sig=f g") == "of s3://***@c/d and az://e?*** g"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError("hidden"), "check the credentials"),
        (FileNotFoundError("hidden"), "does not exist"),
        (type("NoCredentialsError", (Exception,), {})("hidden"), "set the credentials"),
        (ValueError("hidden"), "ValueError"),
        (ImportError("hidden"), "pip install 'ragassay[cloud]'"),
    ],
)
def test_what_a_storage_says_is_never_shown(error: Exception, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(fsspec, "filesystem", fails)
    with pytest.raises(RagassayError) as caught:
        fetch("s3://bucket/docs")
    assert message in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_documents_of_a_url_are_those_of_a_local_folder(memory: Any, tmp_path: Path) -> None:
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    for name, text in {"a.md": "# Ferries\n\nThey leave at nine.", "deep/c.txt": "Trains leave at ten."}.items():
        memory.pipe_file(f"/b/docs/{name}", text.encode())
        (tmp_path / "docs" / name).write_text(text)
    there, here = (
        list(read_corpus([path], ReadOptions(), print, print)) for path in (fetch("memory://b/docs"), tmp_path / "docs")
    )
    assert there == here
    assert [document.source for document in here] == ["a.md", "deep/c.txt"]


def test_files_are_fetched_when_they_changed(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"run/run.json": "{}", "run/deep/scores.jsonl": "1\n", "set.jsonl": "{}\n"}.items():
        memory.pipe_file(f"/b/{name}", text.encode())
    got: list[str] = []
    get_file = type(memory).get_file
    monkeypatch.setattr(
        type(memory), "get_file", lambda store, name, *rest: (got.append(name), get_file(store, name, *rest))
    )
    for _ in range(2):
        arguments: dict[str, Any] = {"data": Path("memory://b/set.jsonl"), "run": Path("memory://b/run"), "out": None}
        fetch_paths(arguments)
        assert arguments["data"].read_text() == "{}\n"
        assert sorted(path.name for path in arguments["run"].rglob("*")) == ["deep", "run.json", "scores.jsonl"]
    assert sorted(got) == ["/b/run/deep/scores.jsonl", "/b/run/run.json", "/b/set.jsonl"]
    memory.pipe_file("/b/run/run.json", b'{"version": 1}')
    memory.rm_file("/b/run/deep/scores.jsonl")
    assert [path.name for path in fetch("memory://b/run").iterdir()] == ["run.json"]
    with pytest.raises(InputError, match="memory://b/none does not exist"):
        fetch("memory://b/none")


def test_a_url_is_not_written_to() -> None:
    with pytest.raises(UsageError, match=r"--export-set: s3://b/set\.jsonl cannot be written to"):
        fetch_paths({"export_set": Path("s3://b/set.jsonl")})


def test_a_name_that_leaves_its_folder_is_refused(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("../x", "a//x", "a\\x"):
        monkeypatch.setattr(
            type(memory), "find", lambda store, path, detail, name=name: {f"/b/run/{name}": {"size": 1}}
        )
        with pytest.raises(InputError, match="is not a file name"):
            fetch("memory://b/run")


def test_functions_take_urls(memory: Any) -> None:
    memory.pipe_file("/b/set.jsonl", b"{}\n")
    memory.pipe_file("/b/docs/a.md", b"Ferries.")

    @with_remote_paths("data", documents="documents")
    def function(data: str | Path, documents: object, n: int = 1) -> tuple[object, object]:
        return data, documents

    data, documents = function("memory://b/set.jsonl", ["memory://b/docs", "here"])
    assert Path(str(data)).read_text() == "{}\n"
    assert documents == [place_of("memory://b/docs"), "here"]
