"""Thresholds on critiques and labels, applied to a data set that has them: no model is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ragassay.corpus.sources import printable
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.output import refuse_taken
from ragassay.datasets.registry import format_for, read_dataset, write_dataset
from ragassay.errors import InputError, UsageError
from ragassay.pipeline.folders.at_work import check_free, write_run_file
from ragassay.pipeline.label.judging import work_folder
from ragassay.pipeline.label.verdicts import applies
from ragassay.records import LABELS, Document, Example, Label, Prediction, write_jsonl
from ragassay.synthesis.baselines import NEW_TO_MODEL
from ragassay.synthesis.metadata_filter import Condition, FieldCheck
from ragassay.tasks.critique import CRITIQUES

COMMAND = "filter"
DROPPED_FILE = "dropped.jsonl"
MOST_KINDS = 200
MOST = 5
_KNOWN = {name.replace("_", ""): name for name in CRITIQUES}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions:
    """least, most: name of a critique to the lowest and highest rating that passes.

    labels: those that pass, all if empty. verified_only: the verified label has to be the requested one, where one was
    requested, and there has to be one. conditions: that all documents of an example meet. only_new: a model has to have
    said that the example's document is new to it. data, out, from_format, to_format, documents, overwrite: as in a
    labelling.
    """

    data: Path
    out: Path
    least: Mapping[str, int] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    verified_only: bool = False
    conditions: tuple[Condition, ...] = ()
    only_new: bool = False
    from_format: str | None = None
    to_format: str | None = None
    documents: Path | None = None
    overwrite: bool = False

    def settings(self) -> dict[str, str]:
        """Option name to value, as pages show them."""
        bounds = {"min": self.least, "max": self.most}
        return {
            "data": printable(str(self.data)),
            "out": printable(str(self.out)),
            **{name: ", ".join(f"{each}={value}" for each, value in of.items()) for name, of in bounds.items() if of},
            **({"labels": ", ".join(self.labels)} if self.labels else {}),
            **({"verified only": "yes"} if self.verified_only else {}),
            **({"where": ", ".join(map(str, self.conditions))} if self.conditions else {}),
            **({"only new": "yes"} if self.only_new else {}),
        }

    def check(self) -> None:
        """Raises UsageError for what cannot be meant, before anything is read."""
        if not (self.least or self.most or self.labels or self.verified_only or self.conditions or self.only_new):
            raise UsageError(
                "no condition given; give one with --min, --max, --labels, --verified-only, --where or --only-new"
            )
        for option, bounds in (("--min", self.least), ("--max", self.most)):
            wrong = next((value for value in bounds.values() if not 1 <= value <= 5), None)
            if wrong is not None:
                raise UsageError(f"{option}: must be between 1 and 5, not {wrong}")
        format_for(self.out, self.to_format)
        refuse_taken(self.out, overwrite=self.overwrite)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """An example that did not pass, and every reason why; one line of ``dropped.jsonl``."""

    example_id: str
    label: str
    question: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    """What is left.

    examples, kept: label to count, before and after. reasons: why examples were dropped, to how many; one may have
    several. only: the same for those that have no other. dropped_file: every dropped example with its reasons.
    """

    out: Path
    examples: Mapping[str, int]
    kept: Mapping[str, int]
    reasons: Mapping[str, int]
    only: Mapping[str, int]
    notes: Mapping[str, int]
    dropped_file: Path


def parse_ratings(text: str, option: str) -> dict[str, int]:
    """'stand_alone=4, tautology=2' to names and ratings; 'standalone' and 'stand-alone' are meant too.

    Raises UsageError that says what is wrong.
    """
    ratings: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        plain = name.lower().replace("-", "_")
        name = _KNOWN.get(plain.replace("_", ""), plain)
        if not equals or not value.isascii() or not value.isdecimal():
            raise UsageError(f"{option}: must be CRITIQUE=RATING, such as stand_alone=4, not {part!r}")
        if name in ratings:
            raise UsageError(f"{option}: {name} is given twice")
        ratings[name] = int(value)
    return ratings


def parse_labels(text: str) -> tuple[Label, ...]:
    """'fact_single,summary' to labels. Raises UsageError for one that is none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = next((name for name in names if name not in LABELS), None)
    if unknown is not None:
        raise UsageError(f"--labels: unknown label {unknown!r}; choose one of {', '.join(LABELS)}")
    return tuple(label for label in LABELS if label in names)


def filter_dataset(options: FilterOptions) -> Filtered:
    """Writes the examples that meet all conditions, and beside them what was dropped and why.

    A critique that does not apply to a pair, such as answer groundedness to an unanswerable one, drops it not; a
    rating that is missing drops it. Raises UsageError, InputError or RunFolderError; nothing is written then.
    """
    options.check()
    folder = work_folder(options.out, COMMAND)
    if folder.exists():
        check_free(folder, COMMAND)
    notes = Notes()
    sieve = _Sieve(options)
    passes = bytearray(sieve.decisions(_records(options, notes)))
    sieve.check()
    write_dataset(
        options.out,
        _kept(options, passes, sieve.dropped_ids),
        format_name=options.to_format,
        notes=notes,
        overwrite=options.overwrite,
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_jsonl(folder / DROPPED_FILE, sieve.dropped)
    said = {"kept": f"{sieve.kept.total()} of {sieve.examples.total()}"}
    said |= {f"dropped: {reason}": str(count) for reason, count in sieve.reasons.most_common()}
    write_run_file(folder, COMMAND, options.settings() | said)
    return Filtered(
        out=options.out,
        examples=dict(sieve.examples),
        kept=dict(sieve.kept),
        reasons=dict(sieve.reasons.most_common()),
        only=dict(sieve.only.most_common()),
        notes=dict(notes.counts),
        dropped_file=folder / DROPPED_FILE,
    )


class _Sieve:
    """Decides about examples and keeps account."""

    def __init__(self, options: FilterOptions) -> None:
        self._options = options
        self._rated: set[str] = set()
        self._unrated: dict[str, str] = {}
        self._names: Counter[str] = Counter()
        self.examples: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.only: Counter[str] = Counter()
        self.dropped: list[Dropped] = []
        self._fields = FieldCheck(options.conditions)
        self._failed: dict[str, Condition] = {}
        self._documents: set[str] = set()

    def decisions(self, records: Iterable[Record]) -> Iterator[bool]:
        """Of every example whether it passes, in their order; their documents come before them."""
        for record in records:
            if isinstance(record, Example):
                yield self._passes(record)
            elif isinstance(record, Document) and self._options.conditions:
                self._fields.add(record)
                self._documents.add(record.id)
                failed = next((each for each in self._options.conditions if not each.holds(record)), None)
                if failed is not None:
                    self._failed[record.id] = failed

    @property
    def dropped_ids(self) -> frozenset[str]:
        return frozenset(each.example_id for each in self.dropped)

    def _passes(self, example: Example) -> bool:
        self.examples[example.label] += 1
        names = {each.name for each in example.critiques}
        if names <= self._names.keys() or len(self._names) < MOST_KINDS:
            self._names.update(names)
            self._rated.update(each.name for each in example.critiques if each.value is not None)
            self._unrated |= {each.name: each.reason for each in example.critiques if each.value is None}
        reasons = tuple(self._faults(example))
        if not reasons:
            self.kept[example.label] += 1
            return True
        self.reasons.update(reasons)
        if len(reasons) == 1:
            self.only[reasons[0]] += 1
        self.dropped.append(
            Dropped(example_id=example.id, label=example.label, question=example.question, reasons=reasons)
        )
        return False

    def check(self) -> None:
        """Raises where a condition can never have been meant for this set, or nothing is left."""
        if not self.examples:
            raise InputError(f"{self._options.data} holds no examples")
        self._fields.check()
        if self._options.only_new and NEW_TO_MODEL not in self._names:
            raise UsageError(
                "--only-new: the set does not say which documents are new to a model; `ragassay knowledge` asks one"
            )
        known = ", ".join(sorted(self._names)) or "none"
        for option, bounds in (("--min", self._options.least), ("--max", self._options.most)):
            for name in bounds:
                if name not in self._names:
                    raise UsageError(
                        f"{option}: no ratings by {name[:60]!r}; the set has {known[:400]}, and `ragassay "
                        "critique` adds ratings"
                    )
                if name not in self._rated:
                    raise UsageError(f"{option}: no example is rated by {name}: {self._unrated[name][:400]}")
        if not self.kept:
            reasons = "; ".join(f"{count} {reason}" for reason, count in self.reasons.most_common(5))
            raise UsageError(f"no example meets all conditions; nothing was written ({reasons})")

    def _faults(self, example: Example) -> Iterator[str]:
        options = self._options
        if options.labels and example.label not in options.labels:
            yield f"the label is {example.label}"
        if options.verified_only and example.verified_label is None:
            yield "the label was not verified"
        elif options.verified_only and example.requested_label not in (None, example.verified_label):
            yield "the verified label is not the requested one"
        if options.conditions:
            yield from self._faults_of_documents(example)
        ratings = {each.name: each.value for each in example.critiques}
        if options.only_new and ratings.get(NEW_TO_MODEL) != MOST:
            is_known = ratings.get(NEW_TO_MODEL) is not None
            yield "the model knows the document" if is_known else "not known whether the document is new to the model"
        for name in dict.fromkeys((*options.least, *options.most)):
            if not applies(name, example.label):
                continue
            words, value = name.replace("_", " "), ratings.get(name)
            if value is None:
                yield f"no rating of {words}"
                continue
            if name in options.least and value < options.least[name]:
                yield f"rated below {options.least[name]} for {words}"
            if name in options.most and value > options.most[name]:
                yield f"{words} above {options.most[name]}"

    def _faults_of_documents(self, example: Example) -> Iterator[str]:
        spans = (example.context, *example.references)
        names = list(dict.fromkeys(span.document_id for span in spans if span.document_id))
        if not names or not self._documents.issuperset(names):
            yield "a document of it is not in the set" if names else "it names no document"
        yield from dict.fromkeys(f"not {self._failed[name]}" for name in names if name in self._failed)


def _records(options: FilterOptions, notes: Notes | None = None) -> Iterator[Record]:
    return read_dataset(options.data, format_name=options.from_format, documents=options.documents, notes=notes)


def _kept(options: FilterOptions, passes: bytearray, dropped_ids: frozenset[str]) -> Iterator[Record]:
    """The records without the examples that did not pass and what was predicted for them; documents all stay."""
    decisions = iter(passes)
    for record in _records(options):
        if isinstance(record, Document):
            yield record
        elif isinstance(record, Prediction):
            if record.example_id not in dropped_ids:
                yield record
        elif next(decisions, 0):
            yield record
