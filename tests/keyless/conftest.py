"""Pages made of small files, read by the real readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ragassay.documents.read import ReadOptions, read_corpus
from ragassay.generate.collection import CollectionSurvey
from ragassay.keyless.naming import page_of
from ragassay.keyless.page import Page

PagesOf = Callable[[dict[str, str]], list[Page]]


@pytest.fixture
def pages_of(tmp_path: Path) -> PagesOf:
    """The pages of a collection of files, in the order of their names."""

    def pages(files: dict[str, str]) -> list[Page]:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        documents = list(read_corpus([tmp_path], ReadOptions(), lambda _: None, lambda _: None))
        survey = CollectionSurvey()
        for document in documents:
            survey.add(document)
        collection = survey.result()
        return [page_of(document, collection) for document in documents]

    return pages
