"""Which rows of a data set are taken: all, a sample, each question once; and where their fields stand."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from ragassay.datasets.format import Notes, Record
from ragassay.datasets.mapping import as_option
from ragassay.datasets.only import Only
from ragassay.datasets.replies.places import Place
from ragassay.errors import UsageError, check_seed
from ragassay.records import Document, Example, Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """mapping: field to its place in a row, as ``mapping.parse_mapping`` gives it.

    sample: so many examples, drawn by seed; None for all. unique: questions in the same words count once, the first.
    only: fields and their values, as ``only.kept`` takes them.
    """

    mapping: Mapping[str, Place] = field(default_factory=dict)
    only: Only = ()
    sample: int | None = None
    seed: int = 0
    unique: bool = False

    def __post_init__(self) -> None:
        if self.sample is not None and self.sample < 1:
            raise UsageError(f"--sample: must be 1 or more, not {self.sample}")
        check_seed(self.seed)

    def settings(self) -> dict[str, str]:
        """Option name to value as text; nothing for what is not chosen."""
        found = {
            "map": ", ".join(as_option(name, place).removeprefix("--map ") for name, place in self.mapping.items())
        }
        found["only"] = ", ".join(f"{name}={value}" for name, value in self.only)
        if self.sample is not None:
            found["sample"] = f"{self.sample}, seed {self.seed}"
        if self.unique:
            found["unique questions"] = "yes"
        return {name: value for name, value in found.items() if value}


EVERYTHING = Selection()


def select(records: Iterable[Record], selection: Selection, notes: Notes) -> Iterator[Record]:
    """Return the records that are taken, in their order; all documents are. Memory holds the sample.

    Whether an example is drawn depends on its id, the seed and the other examples, not on its place.
    """
    waiting: dict[str, list[Prediction]] = defaultdict(list)
    asked: set[bytes] = set()
    drawn: list[tuple[int, int, tuple[Record, ...]]] = []  # by negative keys: the smallest stay
    number = 0
    for record in records:
        if isinstance(record, Document):
            yield record
        elif isinstance(record, Prediction):
            waiting[record.example_id].append(record)
        elif selection.unique and _is_repeat(record, asked):
            notes.add("not taken: questions that were asked before in the same words")
        else:
            group = (*waiting.pop(record.id, ()), record)
            number += 1
            if selection.sample is None:
                yield from group
                continue
            heapq.heappush(drawn, (-_draw(record.id, selection.seed), -number, group))
            if len(drawn) > selection.sample:
                heapq.heappop(drawn)
    notes.add("not taken: examples outside of the sample", number - len(drawn) if selection.sample is not None else 0)
    for _, _, group in sorted(drawn, key=lambda each: -each[1]):
        yield from group


def _is_repeat(example: Example, asked: set[bytes]) -> bool:
    folded = " ".join(example.asked.casefold().split()).rstrip("?!. ")
    key = blake2b(folded.encode(), digest_size=16).digest()
    known = key in asked
    asked.add(key)
    return known


def _draw(example_id: str, seed: int) -> int:
    digest = blake2b(f"{seed}\x00{example_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")
