"""Files that are not what they should be: the error names file and line, and nothing half-written stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ragassay.datasets.format import Record
from ragassay.datasets.registry import format_for, format_named, read_dataset, recognised, write_dataset
from ragassay.errors import InputError, RunFolderError, UsageError
from ragassay.records import Document

Written = Callable[..., Path]
Reader = Callable[..., Any]
ROW = {"user_input": "a", "reference": "b"}
CORPUS = {"_id": "d", "title": "", "text": "x"}


@pytest.mark.parametrize(
    ("name", "content", "format_name", "said"),
    [
        ("a.jsonl", [ROW, "{oops\n"], None, "a.jsonl line 2: not valid JSON"),
        ("a.jsonl", [ROW, b'{"a":"\xff"}\n'], None, "a.jsonl line 2: not UTF-8"),
        ("a.jsonl", [ROW, "[" * 100_000 + "\n"], None, "a.jsonl line 2: not valid JSON"),
        ("a.jsonl", [ROW, {"reference": "b"}], None, "a.jsonl line 2: the field 'user_input'"),
        ("a.jsonl", [{**ROW, "reference_contexts": "c"}], None, "a.jsonl line 1: the field 'reference_contexts'"),
        ("a.jsonl", [{"query": {}, "ground_truth": {}}], None, "--documents"),
        (
            "a.csv",
            ["user_input,reference_contexts\na,__import__('os')\n"],
            None,
            "a.csv line 2: the field 'reference_c",
        ),
        ("a.csv", ["question,answer\na,b\nc,d,e\n"], None, "a.csv line 3"),
        ("a.csv", [b"question,answer\na,\xff\n"], None, "line 1: not UTF-8"),
        ("a.csv", ['question,answer\nWhere?,Lund\n"When?,1998\n'], "csv", "line 3: a quote is opened and never closed"),
        ("a.csv", ["one,two\n1,2\n"], "csv", "a.csv line 1"),
        ("a.csv", ["question,context_document,requested_label\na,d,fun\n"], None, "a.csv line 2: requested_label: "),
        ("a.json", ['{"data":\n[}'], None, "a.json line 2: not valid JSON"),
        ("a.json", ['{"data":[{"title":"t","paragraphs":3}]}'], None, "a.json item 1.paragraphs"),
        ("a.parquet", ["PAR1 not"], None, "a.parquet"),
        ("b/corpus.jsonl", [CORPUS], "beir", "b has no qrels/*.tsv"),
    ],
)
def test_the_error_names_file_and_line(
    written: Written, read: Reader, name: str, content: list[Any], format_name: str | None, said: str
) -> None:
    path = written(name, *content)
    with pytest.raises(InputError) as raised:
        read(path if "/" not in name else path.parent, format_name=format_name)
    assert said in str(raised.value)
    assert raised.value.exit_code == 3


def test_what_cannot_be_recognised(written: Written, tmp_path: Path) -> None:
    for name, content, said in (
        (
            "a.jsonl",
            {"one\x1b[31m": 1},
            r"is unclear: it holds the fields 'one\\x1b\[31m'; give it with --from jsonl, beir"
            ".* or name its fields with `ragassay convert --map`$",
        ),
        ("a.txt", "hello", "it holds no fields"),
        ("f/a.bin", "x", "it holds a.bin"),
    ):
        path = written(name, content)
        with pytest.raises(InputError, match=said):
            recognised(path if "/" not in name else path.parent)
    with pytest.raises(InputError, match="nowhere does not exist"):
        recognised(tmp_path / "nowhere")


def test_a_format_that_is_no_such_thing(written: Written, read: Reader) -> None:
    path = written("a.jsonl", ROW)
    for name in ("beir", "squad"):
        with pytest.raises(InputError):
            read(path, format_name=name)
    with pytest.raises(UsageError, match="--from: unknown format 'xml'; choose one of jsonl, beir"):
        read(path, format_name="xml")
    assert format_named("native", "--from") is format_named("jsonl", "--from")
    for target, name in (("x.txt", None), ("x.jsonl", "beir"), ("x", "csv"), ("x.json", "nope")):
        with pytest.raises(UsageError):
            format_for(Path(target), name)


@pytest.mark.parametrize("form", [".jsonl", ".csv", ""])
def test_nothing_half_written_stays(written: Written, tmp_path: Path, form: str) -> None:
    path = written("rows.jsonl", ROW, ROW, "{oops\n")
    out = tmp_path / "out"
    with pytest.raises(InputError, match="line 3"):
        write_dataset(out / f"set{form}", read_dataset(path))
    assert list(out.iterdir()) == []

    def dried_up() -> Iterator[Record]:
        yield Document(id="d", title="", source="", text="x")
        raise RuntimeError("the source dried up")

    with pytest.raises(RuntimeError):
        write_dataset(out / f"set{form}", dried_up())
    assert list(out.iterdir()) == []


def test_what_is_there_is_not_replaced_unasked(written: Written, tmp_path: Path) -> None:
    path = written("rows.jsonl", ROW)
    kept = written("kept.csv", "mine")
    with pytest.raises(
        RunFolderError, match=r"kept\.csv already exists; name another file, or replace it with --overwrite"
    ):
        write_dataset(kept, read_dataset(path))
    assert kept.read_text() == "mine"
    write_dataset(kept, read_dataset(path), overwrite=True)
    assert kept.read_text().startswith("id,question,")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    for allowed in (False, True):
        with pytest.raises(RunFolderError, match="full already exists and is not empty; name a new folder"):
            write_dataset(tmp_path / "full", read_dataset(path), overwrite=allowed)
    (tmp_path / "empty").mkdir()
    write_dataset(tmp_path / "empty", read_dataset(path))
    assert (tmp_path / "empty" / "examples.jsonl").is_file()
