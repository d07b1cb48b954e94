"""The store: what was written comes back, by id, by place and in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragassay.documents.store import DocumentStore, spread_order
from ragassay.errors import RecordError
from ragassay.records import Block, Document


def documents(count: int) -> Iterator[Document]:
    for number in range(count):
        yield Document(
            id=f"doc-{number}",
            title=f"Title {number}",
            source=f"{number}.md",
            text=f"Text ü 公 {number}\nline",
            metadata={"n": str(number)},
            blocks=(Block(kind="paragraph", start=0, end=4),),
            literals=((0, 4),),
        )


def test_round_trip(tmp_path):
    expected = list(documents(100))
    with DocumentStore.write(tmp_path / "corpus.jsonl", documents(100)) as store:
        assert len(store) == 100
        assert list(store) == expected
        assert store.get("doc-37") == expected[37]
        assert store[99] == expected[99]
        assert store.ordinal("doc-5") == 5
        assert "doc-5" in store
        assert "doc-100" not in store
    with DocumentStore.open(tmp_path / "corpus.jsonl") as again:
        assert again.ids == tuple(document.id for document in expected)
        assert [again[number] for number in reversed(range(100))] == expected[::-1]


def test_a_failure_leaves_the_old_file_and_no_rest(tmp_path):
    path = tmp_path / "corpus.jsonl"
    DocumentStore.write(path, documents(3)).close()

    def failing() -> Iterator[Document]:
        yield from documents(1)
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        DocumentStore.write(path, failing())
    assert [entry.name for entry in tmp_path.iterdir()] == ["corpus.jsonl"]
    assert len(DocumentStore.open(path)) == 3


@pytest.mark.parametrize("content", ['{"id":"doc-1","title":"cut', '{"question":"x"}\n', "\n"])
def test_other_files_are_refused_with_the_line(tmp_path, content):
    path = tmp_path / "corpus.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RecordError, match="line 1"):
        DocumentStore.open(path)


@given(st.lists(st.sampled_from("abc"), max_size=60), st.integers(0, 5))
def test_every_prefix_has_its_share_of_each_stratum(keys, seed):
    order = spread_order(keys, seed)
    assert sorted(order) == list(range(len(keys)))
    totals = Counter(keys)
    for size in range(1, len(order) + 1):
        seen = Counter(keys[index] for index in order[:size])
        for key, total in totals.items():
            assert abs(seen[key] - size * total / len(keys)) <= len(totals)
