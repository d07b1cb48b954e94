"""Files that hold many documents, taken apart for ``worth_collections``: JSON Lines, news in XML, novels in R.

Every reader takes the file's bytes and a word (the source or domain wanted, or the file's name), and gives file names
with the text of each.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

Texts = dict[str, bytes]
"""File name to content."""

PARAGRAPHS_OF_AN_ARTICLE = 5
"""XQuAD takes five paragraphs of each of its 48 articles, one after the other (Artetxe et al. 2020, section 3)."""
_CHAPTER = re.compile(r"^chapter \w+\.?$", re.IGNORECASE)


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip())


def titles(data: bytes) -> frozenset[str]:
    """The titles of the records of a JSON Lines file, in lower case."""
    return frozenset(record["title"].lower() for record in _records(data))


def pairs_by_title(data: bytes, source: str) -> Texts:
    """pairs.jsonl: the passages of one source, a Markdown file a title, headings above their passages."""
    files: dict[str, list[str]] = {}
    heading: dict[str, str] = {}
    for record in _records(data):
        if record["source"] != source:
            continue
        title = record["title"]
        lines = files.setdefault(title, [f"# {title}"])
        if record["heading"] and heading.get(title) != record["heading"]:
            lines.append(f"## {record['heading']}")
            heading[title] = record["heading"]
        lines.append(record["text"])
    return {f"{at:03d}.md": "\n\n".join(lines).encode() for at, lines in enumerate(files.values())}


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


def documents(data: bytes, domain: str) -> Texts:
    """dragonball/documents.jsonl: the English documents of a domain."""
    return {
        f"{record['doc_id']:03d}.txt": record["content"].encode()
        for record in _records(data)
        if record["language"] == "en" and record["domain"] == domain
    }


def news(data: bytes, name: str) -> Texts:
    """A story in Reuters' XML: date, headline and hard-wrapped text."""
    if not name.endswith(".xml") or b"<REUTERS" not in data:
        return {}
    root = ElementTree.fromstring(data)
    fields: Mapping[str, str] = {
        tag: " ".join((root.findtext(f".//{tag}") or "").split()) for tag in ("TITLE", "DATELINE")
    }
    body = (root.findtext(".//BODY") or "").strip()
    if not body:
        return {}
    story = "\n\n".join(filter(None, (fields["TITLE"], f"{fields['DATELINE']} {body}".strip())))
    return {f"{name.removesuffix('.xml').replace('/', '-')}.txt": story.encode()}


def novels(data: bytes, name: str) -> Texts:
    """A database of R objects (``Rdata.rdb``) of which each is a novel, a string a line: a text for every chapter."""
    if not name.endswith(".rdb"):
        return {}
    texts: Texts = {}
    for lines in _string_vectors(data):
        title = next(line for line in lines if line.strip()).strip()
        starts = [at for at, line in enumerate(lines) if _CHAPTER.match(line.strip())]
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True), 1):
            chapter = "\n".join([title, "", lines[start].strip(), *lines[start + 1 : end]])
            slug = re.sub(r"\W+", "-", title.lower()).strip("-")
            texts[f"{slug}-{number:02d}.txt"] = f"{chapter.rstrip()}\n".encode()
    return texts


def _string_vectors(data: bytes) -> Iterator[list[str]]:
    """The character vectors of a lazy-load database: stretches of a big-endian length and a zlib stream.

    Source: R Internals, section 1.8, serialization format 3 in XDR.
    """
    at = 0
    while at < len(data):
        stream = zlib.decompressobj()
        yield _strings(stream.decompress(data[at + 4 :]))
        at = len(data) - len(stream.unused_data)


def _strings(raw: bytes) -> list[str]:
    native = struct.unpack_from(">i", raw, 14)[0]  # after "X\n" and three versions: the name of the encoding
    at = 18 + native
    kind, count = struct.unpack_from(">ii", raw, at)
    if kind & 0xFF != 16:
        raise ValueError(f"an R object of type {kind & 0xFF} where a character vector (16) should be")
    at += 8
    strings = []
    for _ in range(count):
        _flags, length = struct.unpack_from(">ii", raw, at)
        strings.append(raw[at + 8 : at + 8 + max(length, 0)].decode("utf-8", "replace"))
        at += 8 + max(length, 0)
    return strings


READERS: dict[str, Callable[[bytes, str], Texts]] = {
    "pairs": pairs_by_title,
    "paragraphs": paragraphs,
    "articles": articles,
    "documents": documents,
    "news": news,
    "novels": novels,
}
