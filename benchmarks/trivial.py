"""What is recognised as trivial text: how many documents give no passage to ask about, and why.

    python benchmarks/trivial.py documents DOCS [DOCS ...] [--list]
    python benchmarks/trivial.py licences /usr /opt [--list]

``licences`` looks for licences, copyright files and notices below the folders, each text once, and says how many are
taken for what they are, as all should be. ``documents`` reads what ``ragassay run`` would read; hardly any should be.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ragassay.corpus.decoding import decode
from ragassay.corpus.passages import sorted_out
from ragassay.corpus.plain import read_plain
from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.corpus.trivial import is_licence
from ragassay.errors import RagassayError
from ragassay.records import Document

NAMES = re.compile(r"(?i)(?:licen[sc]e|copying|notice|copyright)s?(?:[-._].*)?")
NO_TEXT = re.compile(r"(?i)\.(?:py[a-z]?|html?|js|c|h|json|svg|png|gz|xz|toml|yaml|yml)$")
FEWEST_BYTES = 300


def licences(roots: list[Path]) -> Iterator[Document]:
    """Each licence below the folders once, lines that name who holds a copyright apart."""
    seen: set[bytes] = set()
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                if not NAMES.fullmatch(name) or NO_TEXT.search(name) or not path.is_file():
                    continue
                try:
                    data = path.read_bytes()
                    text = decode(data).text
                except (OSError, RagassayError, ValueError):
                    continue
                digest = hashlib.sha256(re.sub(rb"\s+|(?i:copyright[^\n]*)", b"", data)).digest()
                if len(data) >= FEWEST_BYTES and digest not in seen:
                    seen.add(digest)
                    parsed = read_plain(text)
                    yield Document(id=str(path), title="", source=str(path), text=parsed.text, blocks=parsed.blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["documents", "licences"])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="name those that were taken for the other kind")
    arguments = parser.parse_args()
    is_of_licences = arguments.kind == "licences"
    found = (
        licences(arguments.paths)
        if is_of_licences
        else read_corpus(arguments.paths, ReadOptions(), lambda skipped: None, lambda note: None)
    )
    counts, reasons = Counter[str](), Counter[str]()
    for document in found:
        kept, left_out = sorted_out(document)
        legal = is_licence(document.text)
        counts.update({"documents": 1, "licences": legal, "without a passage": not kept, "passages": len(kept)})
        reasons.update(left_out)
        if arguments.list and (bool(kept) if is_of_licences else not kept or legal):
            print(f"{len(document.text):>9} {document.source}")
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    print("passages left out:", ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()) or "none")


if __name__ == "__main__":
    main()
