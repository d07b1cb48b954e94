"""Files that are no documents as they stand, made into texts for ``worth_collections``: JSON Lines and tables.

Every reader takes the file's bytes and its name, and gives file names with the text of each.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

Texts = dict[str, bytes]
"""File name to content."""

PARAGRAPHS_OF_AN_ARTICLE = 5
"""XQuAD takes five paragraphs of each of its 48 articles, one after the other (Artetxe et al. 2020, section 3)."""


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip())


def titles(data: bytes) -> frozenset[str]:
    """The titles of the records of a JSON Lines file, in lower case."""
    return frozenset(record["title"].lower() for record in _records(data))


def paragraphs(data: bytes, _: str) -> Texts:
    """xquad/en.jsonl: the paragraphs of each article, a plain text without a title."""
    contexts = list(dict.fromkeys(record["context"] for record in _records(data)))
    starts = range(0, len(contexts), PARAGRAPHS_OF_AN_ARTICLE)
    return {f"{at:03d}.txt": "\n\n".join(contexts[at : at + PARAGRAPHS_OF_AN_ARTICLE]).encode() for at in starts}


def articles(data: bytes, _: str) -> Texts:
    """ragval/knowledge_blocks.jsonl: an article a file of JSON Lines, with its title, as the data set has it."""
    return {
        f"{at:04d}.jsonl": json.dumps({"title": record["title"], "text": record["content"]}).encode()
        for at, record in enumerate(_records(data))
    }


def tables(data: bytes, name: str) -> Texts:
    """A table in CSV, as a page of Markdown that has the file's name as its title."""
    if not name.endswith(".csv"):
        return {}
    stem = name.removesuffix(".csv")
    rows = [" | ".join(cell.strip() for cell in row) for row in csv.reader(io.StringIO(data.decode("utf-8"))) if row]
    lines = [rows[0], " | ".join("---" for _ in rows[0].split(" | ")), *rows[1:]]
    title = stem.rsplit("/", 1)[-1].replace("-", " ")
    return {f"{stem}.md": "\n".join([f"# {title}", "", *(f"| {line} |" for line in lines), ""]).encode()}


READERS: dict[str, Callable[[bytes, str], Texts]] = {"articles": articles, "paragraphs": paragraphs, "tables": tables}
