"""Are the questions worth asking? Sets made of documents that nobody looks at, drawn for a strict reader, and counted.

    python benchmarks/worth.py prepare --into COLLECTIONS
    python benchmarks/worth.py draw COLLECTIONS --out SHEETS --seed 7 --n 60
    python benchmarks/worth.py pile SHEETS --out PILE --seed 7
    python benchmarks/worth.py verdicts PILE VERDICTS.jsonl --keep benchmarks/worth_kept/DATE
    python benchmarks/worth.py table benchmarks/worth_kept/DATE --write FILE

prepare fetches the collections of worth_collections.toml (Debian packages; ../shared/data) into a folder for each kind,
and names those that cannot be had. draw runs ``ragassay synthesize`` with its defaults on each, and draws pairs of
every label with a seed; pile shuffles them into numbered pages. verdicts joins what readers wrote; table prints kept
verdicts again.
docs/decisions/embedded-questions.md says who may see what.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from worth_collections import (
    CACHE,
    SHARED,
    UnavailableError,
    chosen_kinds,
    prepare,
    read_collections,
)
from worth_sheets import (
    COUNTS_FILE,
    PAGES_FILE,
    PILE_FILE,
    READER_FILE,
    draw_kind,
    keep_counts,
    read_counts,
    read_lines,
    write_pile,
)
from worth_verdicts import FAULTS, Judged, fault_table, join, keep, kept, reading_table, shares, write_read


def prepare_all(arguments: argparse.Namespace) -> None:
    collections = read_collections()
    for kind in chosen_kinds(arguments.kinds, collections):
        done = prepare(collections[kind], arguments.into, cache=arguments.cache, shared=arguments.shared)
        print(f"{kind}: skipped, {done.missing}" if done.missing else f"{kind}: {done.files} files, {done.words} words")
        for note in done.notes:
            print(f"  {note}")


def draw_all(arguments: argparse.Namespace) -> None:
    collections = read_collections()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for kind in chosen_kinds(arguments.kinds, collections):
        folder = arguments.folder / kind
        if not folder.is_dir():
            print(f"{kind}: skipped, it is not in {arguments.folder}", flush=True)
            continue
        n = collections[kind].asks or arguments.n
        counts = draw_kind(kind, folder, arguments.out, n, arguments.per_label, arguments.seed)
        keep_counts(arguments.out, counts)
        delivered = counts.error or f"{sum(counts.delivered.values())} of {n} delivered"
        print(f"{kind}: {delivered}, {counts.seconds} s", flush=True)


def make_pile(arguments: argparse.Namespace) -> None:
    pages = write_pile(arguments.sheets, arguments.out, FAULTS, arguments.seed)
    print(f"{pages} pages; the reader gets {arguments.out / READER_FILE} and {arguments.out / PAGES_FILE} alone")


def show_verdicts(judged: Sequence[Judged], folder: Path) -> None:
    counts = read_counts(folder)
    print(f"{reading_table(judged, counts)}\n\n{fault_table(judged)}\n")
    print("\n".join(shares(judged, counts)))


def show_kept(arguments: argparse.Namespace) -> None:
    judged = kept(arguments.kept)
    if arguments.write:
        write_read(arguments.write, judged)
    show_verdicts(judged, arguments.kept)


def join_verdicts(arguments: argparse.Namespace) -> None:
    rows = read_lines(arguments.pile / PILE_FILE)
    judged = join(rows, (record for path in arguments.verdicts for record in read_lines(path)))
    if len(judged) < len(rows):
        print(f"{len(rows) - len(judged)} of {len(rows)} pairs have no verdict\n")
    if arguments.keep:
        keep(arguments.keep, judged, arguments.pile / COUNTS_FILE)
    show_verdicts(judged, arguments.pile)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = top.add_subparsers(required=True)

    command = commands.add_parser("prepare", help="fetch the collections")
    command.add_argument("--into", type=Path, required=True)
    command.add_argument("--kinds", default="", help="some of them, separated by commas")
    command.add_argument("--cache", type=Path, default=CACHE, help="where packages are kept; default: %(default)s")
    command.add_argument("--shared", type=Path, default=SHARED, help="the shared data; default: %(default)s")
    command.set_defaults(work=prepare_all)

    command = commands.add_parser("draw", help="make sets and draw pairs to be read")
    command.add_argument("folder", type=Path, help="what prepare wrote")
    command.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    command.add_argument("--seed", type=int, required=True, help="a new one for every reading")
    command.add_argument("--per-label", type=int, default=10)
    command.add_argument("--n", type=int, default=60, help="examples to ask for; the cases have numbers of their own")
    command.add_argument("--kinds", default="", help="some of them, separated by commas")
    command.set_defaults(work=draw_all)

    command = commands.add_parser("pile", help="shuffle sheets into numbered pages for a reader")
    command.add_argument("sheets", type=Path, nargs="+", help="what draw wrote")
    command.add_argument("--out", type=Path, required=True, help="folder for the pile")
    command.add_argument("--seed", type=int, required=True)
    command.set_defaults(work=make_pile)

    command = commands.add_parser("verdicts", help="join readers' verdicts and print the tables")
    command.add_argument("pile", type=Path)
    command.add_argument("verdicts", type=Path, nargs="+")
    command.add_argument("--keep", type=Path, help="folder for ids, labels, verdicts and counts, without texts")
    command.set_defaults(work=join_verdicts)

    command = commands.add_parser("table", help="print the tables of verdicts that were kept")
    command.add_argument("kept", type=Path)
    command.add_argument("--write", type=Path, metavar="FILE", help="also write the counts that reports show")
    command.set_defaults(work=show_kept)

    return top


def main() -> None:
    arguments = parser().parse_args()
    try:
        arguments.work(arguments)
    except (ValueError, UnavailableError, OSError) as error:
        sys.exit(f"worth.py: {error}")


if __name__ == "__main__":
    main()
