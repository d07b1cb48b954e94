"""How many lines of Python each package has, at two commits.

    python benchmarks/lines.py [--before COMMIT] [--after COMMIT]

Counted are all lines of the files that git knows, and those with code: neither blank, nor comment, nor docstring.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from functools import reduce
from pathlib import PurePath
from typing import NamedTuple


class Lines(NamedTuple):
    files: int = 0
    all: int = 0
    code: int = 0

    def plus(self, other: Lines) -> Lines:
        return Lines(*map(sum, zip(self, other, strict=True)))


def lines_of(source: str) -> Lines:
    """Of one file. Raises SyntaxError for what is no Python."""
    text = source.splitlines()
    silent = {number for number, line in enumerate(text, 1) if not line.strip() or line.lstrip().startswith("#")}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            silent.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return Lines(1, len(text), len(text) - len(silent))


def package_of(path: PurePath) -> str:
    """Of the source its packages, of the rest the topmost folder."""
    if path.parts[:2] != ("src", "ragassay"):
        return path.parts[0]
    return path.parts[2] if len(path.parts) > 3 else "its own modules"


def packages(commit: str) -> dict[str, Lines]:
    archive = subprocess.run(
        ["git", "archive", commit, "src", "tests", "benchmarks"], check=True, capture_output=True
    ).stdout
    found: dict[str, Lines] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            path = PurePath(member.name)
            if member.isfile() and path.suffix == ".py":
                content = files.extractfile(member)
                assert content is not None
                name = package_of(path)
                found[name] = found.get(name, Lines()).plus(lines_of(content.read().decode("utf-8")))
    return found


def table(before: dict[str, Lines], after: dict[str, Lines]) -> list[str]:
    """Rows in Markdown: the source by package with its sum, then the rest."""
    rest = ("tests", "benchmarks")
    names = sorted((before.keys() | after.keys()) - set(rest), key=lambda name: -after.get(name, Lines()).all)
    total = [reduce(Lines.plus, (each[name] for name in names if name in each), Lines()) for each in (before, after)]
    rows = [(f"`{name}`", before.get(name, Lines()), after.get(name, Lines())) for name in names]
    rows += [
        ("source", *total),
        *((f"`{name}/`", before.get(name, Lines()), after.get(name, Lines())) for name in rest),
    ]
    return [
        "| Package | Files before | after | Lines before | after | With code before | after |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| {name} | " + " | ".join(f"{old:,} | {new:,}" for old, new in zip(was, now, strict=True)) + " |"
            for name, was, now in rows
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="HEAD~1")
    parser.add_argument("--after", default="HEAD")
    arguments = parser.parse_args()
    print("\n".join(table(packages(arguments.before), packages(arguments.after))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
