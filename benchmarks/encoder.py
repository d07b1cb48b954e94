"""Speed and exactness of the sentence encoder on this machine: prints two tables.

    python benchmarks/encoder.py [--texts FILE.jsonl --field context] [--seconds 5]

The texts are docstrings of the Python standard library, or a field of the JSON records of a file. Wall time depends on
what else the machine does; the processor time beside it less so.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import pkgutil
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.encoder_graph import Precision

PRECISIONS: tuple[Precision, ...] = ("fp32", "int8", "int7")
# A question, a chunk of 512 characters, and a chunk of 1024: the lengths that runs are made of.
TOKENS = (30, 113, 250)
SAMPLE = 500
SEED = 0


class Speed(NamedTuple):
    """Texts encoded, and the seconds that took: on the clock, and on all processors together."""

    n_texts: int
    wall_s: float
    processor_s: float


def main() -> None:
    arguments = parse()
    words = " ".join(read_texts(arguments.texts, arguments.field)).split()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RAGASSAY_CACHE"] = cache
        print_loading()
        encoders = {precision: SentenceEncoder(precision=precision) for precision in PRECISIONS}
        print_speed(encoders, words, arguments.seconds)
        print_exactness(encoders, sample(words))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, help="a file of JSON records, one a line; default: Python's docstrings")
    parser.add_argument("--field", default="text", help="the field of a record that holds the text")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each speed is measured")
    return parser.parse_args()


def read_texts(path: Path | None, field: str) -> list[str]:
    if path is None:
        return list(docstrings())
    if not path.is_file():
        sys.exit(f"{path} is not there; give another file, or leave --texts out to use Python's docstrings")
    with path.open(encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    if not all(field in record for record in records):
        sys.exit(f"not every record of {path} has the field {field!r}; name another with --field")
    return list(dict.fromkeys(str(record[field]) for record in records))


def docstrings() -> Iterator[str]:
    # Named one by one: importing whatever is installed has side effects.
    for name in ("argparse", "asyncio", "decimal", "email", "http", "json", "logging", "unittest", "urllib", "xml"):
        package = import_module(name)
        paths = getattr(package, "__path__", [])
        names = [name, *(f"{name}.{found.name}" for found in pkgutil.iter_modules(paths) if found.name != "__main__")]
        for module in (import_module(found) for found in names if "windows" not in found and "cElement" not in found):
            for _, member in sorted(inspect.getmembers(module, inspect.isclass), key=lambda item: item[0]):
                functions = [function for _, function in inspect.getmembers(member, inspect.isfunction)]
                yield from (text for one in (member, *functions) if (text := inspect.getdoc(one)))


def sample(words: list[str]) -> list[str]:
    """Texts of 5 to 250 words from anywhere, always the same."""
    random = np.random.default_rng(SEED)
    starts = random.integers(0, max(1, len(words) - 250), SAMPLE)
    return [
        " ".join(words[start : start + length])
        for start, length in zip(starts, random.integers(5, 250, SAMPLE), strict=True)
    ]


def of_length(words: list[str], tokens: int, encoder: SentenceEncoder) -> list[str]:
    """512 texts of about so many tokens."""
    shorts = [" ".join(words[start : start + 50]) for start in range(0, min(5000, len(words)), 50)]
    per_word = sum(encoder.count_tokens(shorts)) / min(5000, len(words))
    length = max(1, round((tokens - 2) / per_word))
    starts = np.random.default_rng(SEED).integers(0, max(1, len(words) - length), 512)
    return [" ".join(words[start : start + length]) for start in starts]


def print_loading() -> None:
    print("| precision | write the graph and load, s | load again, s |\n| --- | --- | --- |")
    for precision in PRECISIONS:
        first, again = (loading_s(precision) for _ in range(2))
        print(f"| {precision} | {first:.2f} | {again:.2f} |")
    print()


def loading_s(precision: Precision) -> float:
    start = time.perf_counter()
    SentenceEncoder(precision=precision).encode(["one text"])
    return time.perf_counter() - start


def print_speed(encoders: dict[Precision, SentenceEncoder], words: list[str], seconds: float) -> None:
    print("| tokens | precision | texts/s | tokens/s | processor µs/token |\n| --- | --- | --- | --- | --- |")
    for tokens in TOKENS:
        for precision, encoder in encoders.items():
            texts = of_length(words, tokens, encoder)
            n_tokens = sum(encoder.count_tokens(texts)) / len(texts)
            speed = measure(encoder, texts, seconds)
            per_s = speed.n_texts / speed.wall_s
            per_token_us = 1e6 * speed.processor_s / (speed.n_texts * n_tokens)
            print(f"| {n_tokens:.0f} | {precision} | {per_s:.0f} | {per_s * n_tokens:.0f} | {per_token_us:.0f} |")
    print()


def measure(encoder: SentenceEncoder, texts: list[str], seconds: float) -> Speed:
    encoder.encode(texts[:16])
    wall, processor, n_texts = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - wall < seconds:
        encoder.encode(texts)
        n_texts += len(texts)
    return Speed(n_texts, time.perf_counter() - wall, time.process_time() - processor)


def print_exactness(encoders: dict[Precision, SentenceEncoder], texts: list[str]) -> None:
    exact = encoders["fp32"].encode(texts)
    print(f"| precision | cosine to fp32: mean | least of {len(texts)} | alone or in a batch: largest difference |")
    print("| --- | --- | --- | --- |")
    for precision, encoder in encoders.items():
        found = encoder.encode(texts)
        cosines = (found * exact).sum(axis=1)
        alone = np.concatenate([encoder.encode([text]) for text in texts[:100]])
        difference = np.abs(found[:100] - alone).max()
        print(f"| {precision} | {cosines.mean():.5f} | {cosines.min():.4f} | {difference:.1e} |")


if __name__ == "__main__":
    main()
