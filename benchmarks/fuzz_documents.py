"""Documents of every format: each reader gives a text with blocks at exact offsets, or says why it cannot."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TypeVar

import fuzz_mutations as mutations
import worst_files

from ragassay.documents.decoding import decode
from ragassay.documents.docx import read_docx
from ragassay.documents.html import read_html
from ragassay.documents.jsonl import JsonRecord, RecordFields, format_of, read_lines, read_record, with_record_fields
from ragassay.documents.markdown import read_markdown
from ragassay.documents.parsed import ParsedText, UnreadableError
from ragassay.documents.pdf import read_pdf
from ragassay.documents.plain import read_plain
from ragassay.documents.rst import read_rst
from ragassay.language import detect_language

_READERS: dict[str, Callable[[str], ParsedText]] = {
    "html": read_html,
    "markdown": read_markdown,
    "rst": read_rst,
    "plain": read_plain,
}
_SUFFIXES = {"html": "html", "markdown": "md", "rst": "rst", "plain": "txt"}
_SAMPLES = Path(__file__).parent / "fuzz_samples"
_RECORDS = [
    {"id": "a1", "title": "Fares", "text": "# Fares\n\nPay **now**.", "tags": ["x", 1], "meta": {"a": None}},
    {"content": "<p>Pay <b>now</b>.</p>", "source": "a/b.html", "n": 1.5, "url": "http://a.b"},
    {"page_content": "Pay now.\nOwner: Ann", "metadata": {"source": "s", "page": 3}},
]
T = TypeVar("T")
_STREAM = re.compile(rb"(?s)<< /Length \d+ (.*?)>>\nstream\n(.*?)\nendstream")


@cache
def _sample(name: str) -> bytes:
    return (_SAMPLES / name).read_bytes()


def _text(kind: str, rng: Random, folder: Path) -> None:
    _checked(lambda data: _READERS[kind](decode(data)[0]), mutations.damaged(rng, _sample(f"sample.{_SUFFIXES[kind]}")))


def _jsonl(rng: Random, folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_bytes(b"\n".join(mutations.damaged_json(rng, each) for each in _RECORDS))
    for line in read_lines(path, 1_000_000):
        with suppress(UnreadableError):
            record = read_record(line.content or b"", RecordFields(None, None))
            read = _READERS[format_of(record.text)]
            _checked(partial(_record, read), record)


def _record(read: Callable[[str], ParsedText], record: JsonRecord) -> ParsedText:
    return with_record_fields(read(record.text), record)


def _docx(rng: Random, folder: Path) -> None:
    parts = dict(_parts())
    for name in rng.sample(list(parts), rng.choice([1, 1, 2])):
        parts[name] = mutations.damaged(rng, parts[name])
    if rng.random() < 0.05:
        del parts[rng.choice(list(parts))]
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name), content)
    packed = file.getvalue()
    packed = mutations.damaged(rng, packed) if rng.random() < 0.15 else packed
    _checked(read_docx, packed, Exception)  # which becomes a reason in corpus/read.py


@cache
def _parts() -> dict[str, bytes]:
    body, numbering, styles = (_sample(f"{name}.xml").decode() for name in ("body", "numbering", "styles"))
    with zipfile.ZipFile(BytesIO(worst_files.docx(body, numbering, styles))) as package:
        return {name: package.read(name) for name in package.namelist()}


def _pdf(rng: Random, folder: Path) -> None:
    """Streams are damaged before they are packed, and everything after; the table of places is right for neither."""
    data = _STREAM.sub(partial(_packed, rng), _plain_pdf())
    _checked(read_pdf, mutations.damaged(rng, data) if rng.random() < 0.7 else data, Exception)


def _packed(rng: Random, stream: re.Match[bytes]) -> bytes:
    fields, content = stream.groups()
    content = mutations.damaged(rng, content) if rng.random() < 0.4 else content
    if rng.random() < 0.5:
        fields, content = fields + b"/Filter /FlateDecode ", zlib.compress(content)
    return b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(content), fields, content)


def _plain_pdf() -> bytes:
    font = b"<< /Type /Font /Subtype /%s /BaseFont /%s /Encoding %s /FirstChar 32 /Widths [500 600] /ToUnicode 8 0 R >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 600 800] >>",
        b"<< /Title (Fares) /Author <FEFF00e9> >>",
        b"<< /Type /Page /Parent 2 0 R /Rotate 0 /Contents [5 0 R] "
        b"/Resources << /Font << /F1 6 0 R /F2 7 0 R >> /XObject << /X1 9 0 R >> >> >>",
        b"<< /Length 0 >>\nstream\n%s\nendstream" % _sample("page.pdf.txt"),
        font % (b"Type1", b"Helvetica", b"/WinAnsiEncoding"),
        font % (b"TrueType", b"Courier-Bold", b"<< /BaseEncoding /MacRomanEncoding /Differences [65 /A /eacute] >>"),
        b"<< /Length 0 >>\nstream\n%s\nendstream" % _sample("characters.pdf.txt"),
        b"<< /Length 0 /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 6 0 R >> >> >>\n"
        b"stream\nBT /F1 9 Tf 9 9 Td (form) Tj ET\nendstream",
    ]
    body = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, start=1))
    return body + b"trailer\n<< /Size 10 /Root 1 0 R /Info 3 0 R >>\nstartxref\n0\n%%EOF"


def _checked(read: Callable[[T], ParsedText], source: T, refused: type[Exception] = UnreadableError) -> None:
    """Reads it, and checks the laws of a text with blocks. refused: what a reader may raise."""
    try:
        parsed = read(source)
    except refused:
        return
    parsed.text.encode("utf-8")
    json.dumps(dict(parsed.metadata)).encode()
    parsed.title.encode("utf-8")
    place = 0
    for block in parsed.blocks:
        text = parsed.text[block.start : block.end]
        assert place <= block.start < block.end <= len(parsed.text), block
        assert block.kind == "code" or text == text.strip(), block
        place = block.end
    place = 0
    for start, end in parsed.literals:
        assert place <= start < end <= len(parsed.text), (start, end)
        place = end
    detect_language(parsed.text)


TARGETS: dict[str, Callable[[Random, Path], None]] = {
    **{kind: partial(_text, kind) for kind in _READERS},
    "documents-jsonl": _jsonl,
    "docx": _docx,
    "pdf": _pdf,
}
