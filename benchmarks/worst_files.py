"""Small files that take a reader the most time and memory: what each costs, and what becomes of it.

    python benchmarks/worst_files.py [NAME ...]

Makes the files in a temporary folder and reads each by itself, as ``ragassay run`` reads documents: seconds by the
clock, start of the process that reads included; its seconds of the processor and its peak memory, which are 0 where it
was ended. NAME: only files whose name begins with it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from ragassay.documents.read import ReadOptions, no_study, read_and_study
from ragassay.errors import InputError
from ragassay.process import peak_rss_mb
from ragassay.records import SkippedSource
from ragassay.workers import Workers

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def docx(body: str, numbering: str = "", styles: str = "") -> bytes:
    """A Word document with this body, and parts for numbering and styles where they are given."""
    parts = {"document.main": f"<w:document {_W}><w:body>{body}</w:body></w:document>"}
    if numbering:
        parts["numbering"] = f"<w:numbering {_W}>{numbering}</w:numbering>"
    if styles:
        parts["styles"] = f"<w:styles {_W}>{styles}</w:styles>"
    names = {kind: kind.split(".")[0] for kind in parts}
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORD}.{kind}+xml"/>' for kind, name in names.items()
    )
    links = "".join(
        f'<Relationship Id="r{name}" Type="{_RELATION}/{name}" Target="{name}.xml"/>'
        for kind, name in names.items()
        if kind != "document.main"
    )
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        )
        package.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
            f'Type="{_RELATION}/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        package.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
        )
        for kind, content in parts.items():
            package.writestr(f"word/{names[kind]}.xml", content)
    return file.getvalue()


def _paragraph(text: str, properties: str = "") -> str:
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def _wide_cell() -> bytes:
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>{_paragraph("wide")}</w:tc>'
    rows = f"<w:tr>{cell}</w:tr>" * 2
    return docx(f"<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>")


def _many_numberings(count: int) -> bytes:
    definitions = "".join(
        f'<w:abstractNum w:abstractNumId="{number}"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>'
        "</w:abstractNum>"
        for number in range(count)
    )
    uses = "".join(
        f'<w:num w:numId="{number + 1}"><w:abstractNumId w:val="{number}"/></w:num>' for number in range(count)
    )
    items = "".join(
        _paragraph("item", f'<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number + 1}"/></w:numPr></w:pPr>')
        for number in range(count)
    )
    return docx(items, numbering=definitions + uses)


def _substitutions(depth: int, width: int, uses: int) -> bytes:
    """Each definition but the first names the one before it ``width`` times."""
    lines = [f".. |s0| replace:: {'word ' * 10}".rstrip()]
    lines += [f".. |s{level}| replace:: {' '.join([f'|s{level - 1}|'] * width)}" for level in range(1, depth)]
    return "\n".join([*lines, "", "Text " + " ".join([f"|s{depth - 1}|"] * uses), ""]).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "few-styles.docx": lambda: docx(_paragraph("No style is the default one."), styles="<w:docDefaults/>"),
    "wide-cell.docx": _wide_cell,
    "empty-paragraphs-5m.docx": lambda: docx("<w:p/>" * 5_000_000 + _paragraph("end")),
    "empty-paragraphs-48m.docx": lambda: docx("<w:p/>" * 48_000_000 + _paragraph("end")),
    "numberings.docx": lambda: _many_numberings(20_000),
    "line-breaks.docx": lambda: docx(f"<w:p><w:r><w:t>a</w:t>{'<w:br/>' * 300_000}<w:t>b</w:t></w:r></w:p>"),
    "deep.html": lambda: b"<div>" * 300_000,
    "deep-unmatched.html": lambda: b"<div></b>" * 300_000,
    "deep-commented.html": lambda: b"<div><!--</div>-->" * 300_000,
    "deep-quoted.html": lambda: b"<div title='</div>'>" * 300_000,
    "deep-script.html": lambda: b"<div><script></div></script>" * 200_000,
    "deep-named.html": lambda: b"<a-b>" * 300_000,
    "deep-formatting.html": lambda: b"".join(b"<b a=%d><p>" % number for number in range(20_000)),
    "tables-in-tables.html": lambda: b"<table><tr><td>x" * 3_900,
    "attributes.html": lambda: b"<p " + b" ".join(b"a%d" % number for number in range(100_000)) + b">x</p>",
    "tags-without-end.html": lambda: b"<p>text</p>" + b"<a " * 60_000,
    "marks-before-a-word.html": lambda: b"<h1>" + b"#" * 100_000 + b"x</h1>",
    "wide-cells.html": lambda: b"<table>" + b"<tr>" + b"<td colspan=1000 rowspan=1000>x" * 30_000,
    "lines-after-han.html": lambda: "<p>中".encode() + b"\n" * 200_000 + b"a",
    "substitutions.rst": lambda: _substitutions(3, 13, 1_100),
    "sections.rst": lambda: b"".join(b"T%d\n====\n\ntext\n\n" % number for number in range(20_000)),
    "open-quotes.rst": lambda: b"a `b " * 60_000,
    "roles.rst": lambda: b":role" * 100_000 + b"\n\ntext",
    "role-of-spaces.rst": lambda: (b":x:`a" + b" " * 9_900 + b"b`\n\n") * 250,
    "indents.rst": lambda: b"".join(b" " * level + b"x\n\n" for level in range(600)),
    "quotes.md": lambda: b"> " * 100_000 + b"x",
    "brackets.md": lambda: b"[" * 200_000 + b"x",
    "links.md": lambda: b"[a](<b" * 60_000,
    "stars.md": lambda: b"**a *b " * 60_000,
    "backticks.md": lambda: b"".join(b"`" * (number % 300) + b"x" for number in range(20_000)),
    "nested-lists.md": lambda: b"".join(b"  " * level + b"- x\n" for level in range(1_500)),
    "references.md": lambda: b"".join(b"[r%d]: /u\n" % number for number in range(60_000)) + b"x",
    "items.txt": lambda: b"- item\n" * 110_000,
    "steps.txt": lambda: b"1. x\n***\nbar bar.\n" * 11_000,
    "lines.txt": lambda: b"bar bar.\n" * 200_000,
    "long-line.txt": lambda: b"word " * 2_000_000,
    "dots.txt": lambda: b". " * 2_000_000 + b"x",
    "spaces.txt": lambda: b"a" + b" " * 4_000_000 + b"b",
    "capitals.txt": lambda: b"FEW WORDS OF IT\n" * 100_000,
    "labels.txt": lambda: b"Past History:\nvalue\n" * 60_000,
    "pairs.txt": lambda: b"Key: value\n" * 150_000,
    "equals.txt": lambda: b"=" * 2_000_000 + b" x",
    "wrapped.txt": lambda: ("中文" * 30 + "\n").encode() * 40_000,
    "nested.jsonl": lambda: b'{"text": "a word", "x": ' + b"[" * 5_000_000 + b"}",
}


def measure(path: Path) -> tuple[float, float, float, str]:
    """Seconds by the clock and of the processor, peak MiB, and what became of the file."""
    skipped: list[SkippedSource] = []
    begun = time.perf_counter()
    with Workers(1) as workers:
        try:
            found = [
                f"{len(document.text):,} characters"
                for document, _ in read_and_study(
                    no_study, [path], ReadOptions(), skipped.append, lambda note: None, workers
                )
            ]
        except InputError:
            found = []
        seconds = time.perf_counter() - begun
        peak = workers.peak_rss_mb - peak_rss_mb()
    return seconds, workers.cpu_s, peak, ", ".join([*found, *(each.reason for each in skipped)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    names = tuple(parser.parse_args().names)
    print(f"{'file':<28}{'KB':>9}{'clock s':>9}{'cpu s':>8}{'MiB':>8}  became")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            if names and not name.startswith(names):
                continue
            path = Path(folder) / name
            path.write_bytes(content())
            seconds, cpu_s, peak, became = measure(path)
            size = path.stat().st_size / 1e3
            print(f"{name:<28}{size:>9,.1f}{seconds:>9.1f}{cpu_s:>8.1f}{peak:>8,.0f}  {became}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
