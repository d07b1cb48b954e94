"""URLs of storage: places, documents one by one, files and folders that are fetched when they changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.errors import InputError, UsageError
from ragassay.records import SkippedSource
from ragassay.remote import storage
from ragassay.remote.arguments import fetch_paths
from ragassay.remote.places import is_url, masked, place_of, url_of


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def memory() -> Iterator[Any]:
    """fsspec's file system in memory, empty."""
    fsspec = pytest.importorskip("fsspec")
    found = fsspec.filesystem("memory")
    found.store.clear()
    yield found
    found.store.clear()


def put(memory: Any, **files: str) -> None:
    for name, text in files.items():
        memory.pipe_file(f"/b/{name.replace('__', '/').replace('_', '.')}", text.encode())


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
        (PermissionError("hidden"), "no rights to it; check the credentials"),
        (FileNotFoundError("hidden"), "no such bucket or object"),
        (type("NoCredentialsError", (Exception,), {})("hidden"), "no credentials; set them"),
        (type("EndpointConnectionError", (Exception,), {})("hidden"), "cannot be reached"),
        (ValueError("hidden"), r"the storage failed \(ValueError\)"),
    ],
)
def test_what_a_storage_says_is_never_shown(error: Exception, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(url: str) -> tuple[Any, str]:
        raise error

    monkeypatch.setattr(storage, "_opened", fails)
    with pytest.raises(InputError, match=message) as caught:
        storage.listed("s3://bucket/docs")
    assert "hidden" not in str(caught.value)


def test_a_missing_package_is_said_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(url: str) -> tuple[Any, str]:
        raise ImportError

    monkeypatch.setattr(storage, "_opened", missing)
    with pytest.raises(UsageError, match=r"s3:// needs s3fs; install it with: pip install 'ragassay\[cloud\]'"):
        storage.listed("s3://bucket/docs")


def read(url: str, **options: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Source to text, and source to why it was skipped."""
    skipped: list[SkippedSource] = []
    found = read_corpus([place_of(url)], ReadOptions(**options), skipped.append, lambda note: None)
    return {each.source: each.text.strip() for each in found}, {each.source: each.reason for each in skipped}


def test_documents_are_read_one_by_one_and_a_bad_one_stops_no_other(memory: Any) -> None:
    put(
        memory,
        docs__a_md="Ferries leave at nine.",
        docs__deep__c_txt="Trains leave at ten.",
        docs__large_txt="x " * 9000,
    )
    put(memory, docs__rows_jsonl='{"text": "Buses leave at noon."}\n', docs__empty_md="", docs__picture_png="x")
    texts, skipped = read("memory://b/docs", max_document_mb=0.01)
    assert texts == {
        "a.md": "Ferries leave at nine.",
        "deep/c.txt": "Trains leave at ten.",
        "rows.jsonl#1": "Buses leave at noon.",
    }
    assert skipped["empty.md"] == "Not read: it is empty."
    assert "more than the limit of 0.01 MB" in skipped["large.txt"]
    with pytest.raises(InputError, match="memory://b/none does not exist"):
        read("memory://b/none")


def test_ids_of_documents_are_those_of_local_ones(memory: Any, tmp_path: Path) -> None:
    put(memory, docs__a_md="# Ferries\n\nThey leave at nine.")
    (tmp_path / "a.md").write_text("# Ferries\n\nThey leave at nine.")
    there, here = (
        list(read_corpus([path], ReadOptions(), print, print)) for path in (place_of("memory://b/docs"), tmp_path)
    )
    assert there == [each for each in here if each.source == "a.md"]


def test_an_object_that_changes_while_it_is_read_is_said(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(memory, docs__a_md="Ferries leave at nine.", docs__b_md="Trains leave at ten.")
    info, states = memory.info, iter(["one", "two", "one", "one"])
    monkeypatch.setattr(type(memory), "info", lambda _, path, **kw: {**info(path), "ETag": next(states)})
    texts, skipped = read("memory://b/docs")
    assert texts == {"b.md": "Trains leave at ten."}
    assert skipped["a.md"].startswith("Not read: memory://b/docs/a.md changed while it was read")


def test_files_are_fetched_when_they_changed(memory: Any, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(memory, run__run_json="{}", run__deep__scores_jsonl="1\n", set_jsonl="{}\n")
    fetched: list[str] = []
    download = storage.download
    monkeypatch.setattr(storage, "download", lambda url, *rest: (fetched.append(url), download(url, *rest))[1])
    for _ in range(2):
        arguments: dict[str, Any] = {"data": Path("memory://b/set.jsonl"), "run": Path("memory://b/run"), "out": None}
        fetch_paths(arguments)
        assert arguments["data"].read_text() == "{}\n"
        assert sorted(path.name for path in arguments["run"].rglob("*")) == ["deep", "run.json", "scores.jsonl"]
    assert sorted(fetched) == ["memory://b/run/deep/scores.jsonl", "memory://b/run/run.json", "memory://b/set.jsonl"]
    put(memory, run__run_json='{"version": 1}')
    memory.rm_file("/b/run/deep/scores.jsonl")
    assert [path.name for path in storage.fetch("memory://b/run").iterdir()] == ["run.json"]
    with pytest.raises(InputError, match="memory://b/none does not exist"):
        storage.fetch("memory://b/none")


def test_a_url_is_not_written_to(memory: Any) -> None:
    with pytest.raises(UsageError, match=r"--export-set: s3://b/set\.jsonl cannot be written to"):
        fetch_paths({"export_set": Path("s3://b/set.jsonl")})


def test_a_name_that_leaves_its_folder_is_refused(memory: Any, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("../x", "a//x", "a\\x"):
        monkeypatch.setattr(storage, "listed", lambda url, name=name: [storage.Entry(name, 1, "")])
        with pytest.raises(InputError, match="is not a file name"):
            storage.fetch("memory://b/run")
