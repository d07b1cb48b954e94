"""Records of JSONL and JSON files: which field is the text, which the title; the rest is metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ragassay.documents.markdown import looks_like_markdown
from ragassay.documents.parsed import ParsedText, UnreadableError, clean_characters
from ragassay.documents.sources import Format

TEXT_FIELDS = ("text", "content", "body", "passage", "contents")
TITLE_FIELDS = ("title", "name")
ID_FIELDS = ("id", "_id", "doc_id", "document_id")
_LONGEST_METADATA = 2_000
_HTML = re.compile(r"<(?:!doctype html|html|body|head|div|p|table|ul|ol|h[1-6]|article|section)\b[^>]*>", re.IGNORECASE)


class RecordFields(NamedTuple):
    """Names of the fields to read; None for the usual ones.

    are_documents: the records are documents as we write them, whose ids and sources count; a title that is one of these
    is none, and a heading goes before it.
    """

    text: str | None
    title: str | None
    are_documents: bool = False


class JsonLine(NamedTuple):
    """A line of a file as it stands there, or an item of a list; 0: all of a file. content: None if it is too long."""

    number: int
    content: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRecord:
    """What a line holds. id, source: empty where they are not its own."""

    text: str
    title: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    source: str = ""


def read_lines(path: Path, most_bytes: int) -> Iterator[JsonLine]:
    """Yield the lines of a file that are not empty; of one that is too long nothing is kept."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(most_bytes + 2):
            number += 1
            if len(line.rstrip(b"\r\n")) > most_bytes:
                while line and not line.endswith(b"\n"):
                    line = file.readline(most_bytes)
                yield JsonLine(number, None)
            elif line.strip(b" \t\r\n\xef\xbb\xbf"):
                yield JsonLine(number, line)


def read_items(text: str) -> Iterator[JsonLine]:
    """Yield the items of a JSON file: of a list, or its lines where each is one; one alone as number 0.

    A list may stand in an object that holds nothing else; an object that holds objects alone names its items.

    Raises UnreadableError where it is not valid JSON or holds no record.
    """
    items: Iterable[tuple[int, str]]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if getattr(error, "msg", "") != "Extra data":
            raise UnreadableError(f"it is not valid JSON ({_cause(error)})") from None
        items = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    else:
        if isinstance(value, dict):
            value = _records_in(value)
        if not value:
            raise UnreadableError("it holds no record")
        items = enumerate(map(json.dumps, value), 1) if isinstance(value, list) else [(0, text)]
    for number, item in items:
        yield JsonLine(number, item.encode("utf-8", "surrogatepass"))


def _records_in(value: dict[str, Any]) -> Any:
    """Return the records that an object holds: its one list of objects, or objects by their names; else itself."""
    inner = list(value.values())
    lists = [each for each in inner if isinstance(each, list) and each and all(isinstance(one, dict) for one in each)]
    if len(inner) == 1 and inner[0] == []:
        return inner[0]
    if len(lists) == 1 and not any(isinstance(each, str) and len(each) >= _LONGEST_BESIDE for each in inner):
        return value if _first_text(value, TEXT_FIELDS) else lists[0]
    if not all(isinstance(each, dict) for each in inner):
        return value
    titled = frozenset(TITLE_FIELDS)
    return [each if each.keys() & titled else {TITLE_FIELDS[0]: name, **each} for name, each in value.items()]


_LONGEST_BESIDE = 200
"""Characters of what may stand beside a list of records: longer ones are the text of one record."""


def own_id(record: Mapping[str, Any]) -> tuple[str, str]:
    """Return the field that has the id of a record, and the id; both empty where there is none."""
    for name in ID_FIELDS:
        said = record.get(name)
        if isinstance(said, str | int) and not isinstance(said, bool) and str(said).strip():
            return name, clean_characters(str(said)).strip()
    return "", ""


def _cause(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep or out of range"


def count_lines(path: Path) -> int:
    """Count the lines of a file, empty ones included; none where it cannot be read, which those who read it say."""
    count, block = 0, b"\n"
    try:
        with path.open("rb") as file:
            while more := file.read(1 << 20):
                count, block = count + more.count(b"\n"), more
    except OSError:
        return 0
    return count + (not block.endswith(b"\n"))


def read_record(line: str, fields: RecordFields) -> JsonRecord:
    """Return the record that a line holds. Raises UnreadableError where it cannot be used."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"it is not valid JSON ({_cause(error)})") from None
    if not isinstance(record, dict):
        raise UnreadableError("it is not a JSON object")
    text_field = _first_text(record, (fields.text,) if fields.text else TEXT_FIELDS)
    if text_field is None:
        wanted = fields.text or ", ".join(TEXT_FIELDS)
        raise UnreadableError(f"the record has no text in a field named {wanted}; --text-field names another")
    title_field = _first_text(record, (fields.title,) if fields.title else TITLE_FIELDS)
    title = "" if title_field is None else " ".join(clean_characters(record[title_field]).split())
    text = clean_characters(record[text_field])
    if fields.are_documents:
        own = {"id": record["id"], "source": record["source"]}
        title = "" if title_field is not None and record[title_field] in own.values() else title
        return JsonRecord(text=text, title=title, metadata=record["metadata"], **own)
    id_field, name = own_id(record)
    used = (text_field, title_field, id_field)
    metadata = {  # the scalar fields as text, long ones cut
        clean_characters(name): clean_characters(value if isinstance(value, str) else json.dumps(value))[
            :_LONGEST_METADATA
        ]
        for name, value in record.items()
        if name not in used and value is not None and not isinstance(value, dict | list)
    }
    return JsonRecord(text=text, title=title, metadata=metadata, id=name)


def _first_text(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if isinstance(record.get(name), str) and record[name].strip()), None)


def format_of(text: str) -> Format:
    """Return what the text of a record is written in: HTML or Markdown when it clearly is, else plain."""
    if len(_HTML.findall(text[:20_000])) >= 2:
        return "html"
    return "markdown" if looks_like_markdown(text) else "plain"


def with_record_fields(parsed: ParsedText, record: JsonRecord) -> ParsedText:
    """Give a parsed text the record's own title and fields, which count more than what its text says."""
    return replace(parsed, title=record.title or parsed.title, metadata={**parsed.metadata, **record.metadata})
