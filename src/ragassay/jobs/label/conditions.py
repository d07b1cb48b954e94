"""Conditions on ratings, labels and documents: which examples pass, and why the others do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ragassay.errors import InputError, UsageError
from ragassay.generate.baselines import NEW, NEW_TO_MODEL
from ragassay.generate.metadata_filter import Condition, FieldCheck, failed_condition
from ragassay.jobs.label.options import LabelOptions
from ragassay.jobs.label.verdicts import applies
from ragassay.records import Document, Example
from ragassay.report.labels import Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """An example that did not pass, and every reason why; one line of ``dropped.jsonl``."""

    example_id: str
    label: str
    question: str
    reasons: tuple[str, ...]


class Conditions:
    """Decides about examples and keeps account. ``look`` at all records first, then ``decide`` about each example."""

    def __init__(self, options: LabelOptions, names: tuple[str, ...] = ()) -> None:
        """names: of ratings that examples get now."""
        self._options = options
        self._names = set(names)
        self._fields = FieldCheck(options.where)
        self._failed: dict[str, Condition] = {}
        self._documents: set[str] = set()
        self._before: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._only: Counter[str] = Counter()

    def look(self, record: Document | Example) -> None:
        """Note whether a document meets ``--where``, or which ratings there are."""
        if isinstance(record, Example):
            self._names.update(critique.name for critique in record.critiques)
        elif self._options.where:
            self._fields.add(record)
            self._documents.add(record.id)
            failed = failed_condition(self._options.where, record)
            if failed is not None:
                self._failed[record.id] = failed

    def check(self) -> None:
        """Raise UsageError or InputError for a field or a rating that nothing has, before anything is asked."""
        self._fields.check()
        if self._options.only_new and NEW_TO_MODEL not in self._names:
            raise UsageError(
                "--only-new: the set does not say which documents are new to a model; add --what knowledge"
            )
        for option, bounds in (("--min", self._options.least), ("--max", self._options.most)):
            unknown = next((name for name in bounds if name not in self._names), None)
            if unknown is not None:
                known = ", ".join(sorted(self._names))[:400] or "none"
                raise UsageError(
                    f"{option}: no ratings by {unknown[:60]!r}; the set has {known}, and --what critiques adds ratings"
                )

    def decide(self, example: Example) -> Dropped | None:
        """Decide about an example with all that was said of it. Return None where it passes."""
        self._before[example.label] += 1
        reasons = tuple(self._faults(example))
        if not reasons:
            self._kept[example.label] += 1
            return None
        self._reasons.update(reasons)
        if len(reasons) == 1:
            self._only[reasons[0]] += 1
        return Dropped(example_id=example.id, label=example.label, question=example.question, reasons=reasons)

    def kept(self) -> Kept:
        """Count what passed. Raises InputError where nothing did."""
        if not self._kept:
            reasons = "; ".join(f"{count} {reason}" for reason, count in self._reasons.most_common(5))
            raise InputError(f"no example meets all conditions; nothing was written ({reasons})")
        return Kept(
            before=dict(self._before),
            kept=dict(self._kept),
            reasons=dict(self._reasons.most_common()),
            only_reason=dict(self._only.most_common()),
        )

    def documents_meet(self, example: Example) -> bool:
        """Return whether all documents of an example meet ``--where``."""
        return not self._options.where or not any(self._faults_of_documents(example))

    def _faults(self, example: Example) -> Iterator[str]:
        options = self._options
        if options.labels and example.label not in options.labels:
            yield f"the label is {example.label}"
        if options.verified_only and example.verified_label is None:
            yield "the label was not verified"
        elif options.verified_only and example.requested_label not in (None, example.verified_label):
            yield "the verified label is not the requested one"
        if options.where:
            yield from self._faults_of_documents(example)
        ratings = {critique.name: critique.value for critique in example.critiques}
        if options.only_new and ratings.get(NEW_TO_MODEL) != NEW:
            is_known = ratings.get(NEW_TO_MODEL) is not None
            yield "the model knows the document" if is_known else "not known whether the document is new to the model"
        for name in dict.fromkeys((*options.least, *options.most)):
            if not applies(name, example.label):
                continue
            words, value = name.replace("_", " "), ratings.get(name)
            if value is None:
                yield f"no rating of {words}"
                continue
            if value < options.least.get(name, value):
                yield f"rated below {options.least[name]} for {words}"
            if value > options.most.get(name, value):
                yield f"{words} above {options.most[name]}"

    def _faults_of_documents(self, example: Example) -> Iterator[str]:
        names = documents_of(example)
        if not names or not self._documents.issuperset(names):
            yield "a document of it is not in the set" if names else "it names no document"
        yield from dict.fromkeys(f"not {self._failed[name]}" for name in names if name in self._failed)


def documents_of(example: Example) -> list[str]:
    """Ids of the documents that an example names."""
    spans = (example.context, *example.references)
    return list(dict.fromkeys(span.document_id for span in spans if span.document_id))
