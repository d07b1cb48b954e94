"""What is not asked about, and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.corpus.markdown import read_markdown
from ragassay.corpus.passages import is_licence, is_trivial_heading, passages, sorted_out
from ragassay.corpus.plain import read_plain
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.records import Document

MIT = """Copyright (c) 2024 The authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
"""
LAWSUIT = """The harbour company sued the ferry line in March 2019. The court held that the ferry line had infringed the
copyright of the timetable, and ordered it to pay damages of 12 000 euros. The judge, Ada Moss, found no trademark in
the colour of the boats, since three other lines paint theirs the same. The ferry line appealed in May, and the second
court halved the sum because the timetable had been copied for two weeks only. Both companies share the pier again."""
POLICY = """Every passenger may return a ticket until one hour before the boat leaves. The fare is paid back to the card
that it was paid with, less two euros. The line is not liable for tickets that were bought elsewhere. A season ticket
can be returned in its first week; after that it is paid back for every full month that is left, without a fee."""


def plain(text: str) -> Document:
    parsed = read_plain(text)
    return Document(id="d", title="", source="a.txt", text=parsed.text, blocks=parsed.blocks, literals=parsed.literals)


def marked(text: str) -> Document:
    parsed = read_markdown(text)
    return Document(id="d", title="", source="a.md", text=parsed.text, blocks=parsed.blocks, literals=parsed.literals)


def test_a_licence_is_one_and_texts_about_the_law_are_not() -> None:
    assert is_licence(MIT)
    assert not is_licence(LAWSUIT)
    assert not is_licence(POLICY)
    assert not is_licence("")
    assert sorted_out(plain(MIT)) == ([], ["licence"])
    assert passages(plain(LAWSUIT))
    assert passages(plain(POLICY))


def test_a_legal_notice_within_a_manual_is_left_out_and_the_manual_stays() -> None:
    chapters = "\n\n".join(f"## Chapter {number}\n\n{POLICY}\n\n{POLICY}" for number in range(9))
    manual = marked(
        f"# Pump\n\n{chapters}\n\n## Lawsuit\n\n{LAWSUIT}\n\n## Terms\n\n{MIT}\n\n## Care\n\n{POLICY}\n\n{POLICY}\n"
    )
    found = sorted_out(manual, 1300)
    assert found.left_out == ["licence"]
    kept = "".join(manual.text[span.start : span.end] for span in found.kept)
    assert "MERCHANTABILITY" in manual.text
    assert "MERCHANTABILITY" not in kept
    assert "found no trademark" in kept
    assert kept.count("season ticket") == 20


@pytest.mark.parametrize(
    "heading", ["Table of Contents", "Licence", "LICENSE", "See also:", "Index", "目录", "Legal information"]
)
def test_headings_of_trivial_sections(heading: str) -> None:
    assert is_trivial_heading(heading)


@pytest.mark.shared_data
def test_published_documents_are_kept(shared_data: Path) -> None:
    """Articles, court judgments, reports: all but a list of names give contexts, a lawsuit about copyright too."""
    for path, without in (
        (shared_data / "ragval/knowledge_blocks.jsonl", 1),
        (shared_data / "dragonball/documents.jsonl", 0),
    ):
        empty = 0
        for document in read_corpus([path], ReadOptions(), lambda skipped: None, lambda note: None):
            assert not is_licence(document.text), document.title
            empty += not passages(document)
        assert empty == without
