"""A scenario on disk, written, read, and gone over as a reader with the files alone would.

Documents, examples, the configurations that they come from, and the schema; offsets, values, support.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ragassay.errors import InputError, RecordError, RunFolderError
from ragassay.generate.scenario.examples import known_of, missing
from ragassay.generate.scenario.generate import Scenario, ScenarioOptions
from ragassay.generate.scenario.questions import TWO_DOCUMENTS
from ragassay.generate.scenario.schema import Schema
from ragassay.generate.scenario.writer import Written, says
from ragassay.records import QUESTION_TYPES, Document, Example, read_jsonl, write_jsonl

DOCUMENTS, EXAMPLES, CONFIGURATIONS = "documents.jsonl", "examples.jsonl", "configurations.jsonl"
SCHEMA, ABOUT = "schema.toml", "scenario.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationRecord:
    """The values of one document as it writes them; left_out: on purpose not said; lost: not said by mischance."""

    document_id: str
    values: Mapping[str, str]
    left_out: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def write_scenario(
    folder: Path, scenario: Scenario, schema: Schema, schema_toml: str, options: ScenarioOptions, version: str
) -> dict[str, Any]:
    """Writes all files, the same bytes for the same scenario; returns what ``scenario.json`` says.

    version: of Ragassay. Raises RunFolderError where the folder cannot be written.
    """
    about = {"ragassay": version, **_about(scenario, schema, options)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_jsonl(folder / DOCUMENTS, scenario.documents)
        write_jsonl(folder / EXAMPLES, scenario.examples)
        write_jsonl(folder / CONFIGURATIONS, map(record_of, scenario.written))
        (folder / SCHEMA).write_text(schema_toml, encoding="utf-8", newline="\n")
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise RunFolderError(f"--out: {error.filename or folder} cannot be written: {error.strerror}") from None
    return about


def record_of(written: Written) -> ConfigurationRecord:
    """What is kept of the configuration of a document."""
    return ConfigurationRecord(
        document_id=written.document.id,
        values=dict(written.configuration.texts),
        left_out=tuple(sorted(written.configuration.left_out)),
        lost=written.lost,
    )


def _about(scenario: Scenario, schema: Schema, options: ScenarioOptions) -> dict[str, Any]:
    types = Counter(example.question_type for example in scenario.examples)
    return {
        "schema": schema.name,
        "language": schema.language,
        "model": scenario.model,
        "seed": options.seed,
        "documents": len(scenario.written),
        "examples_wanted": options.examples,
        "examples": len(scenario.examples),
        "question_types": {kind: types[kind] for kind in options.types},
        "missing": [
            {"question_type": each.question_type, "wanted": each.wanted, "made": each.made, "reason": each.reason}
            for each in scenario.shortages
        ],
        "dropped": [
            {"question_type": kind, "reason": reason, "count": count}
            for (kind, reason), count in sorted(scenario.dropped.items())
        ],
        "values": sum(len(each.configuration.planned) for each in scenario.written),
        "values_left_out": sum(
            len(each.configuration.left_out - each.configuration.absent) for each in scenario.written
        ),
        "values_lost": sum(len(each.lost) for each in scenario.written),
        "sections_rewritten": sum(each.rewritten for each in scenario.written),
    }


def read_scenario(folder: Path) -> tuple[list[Document], list[Example], list[ConfigurationRecord]]:
    """Documents, examples and configurations of a folder. Raises InputError that names file and line."""
    found = []
    for name, record_type in ((DOCUMENTS, Document), (EXAMPLES, Example), (CONFIGURATIONS, ConfigurationRecord)):
        path = folder / name
        if not path.is_file():
            raise InputError(f"{path} does not exist; name a folder that `ragassay scenario generate --out` wrote")
        try:
            found.append(list(read_jsonl(path, record_type)))
        except RecordError as error:
            raise InputError(f"{folder}: {error}") from None
    return found[0], found[1], found[2]  # type: ignore[return-value]  # one list of each type, in this order


_SHORT = 0.25
"""A document shorter than this share of the median holds too little to be asked about."""


@dataclass(slots=True)
class TypeCounts:
    """Of one question type: how many there are, and how many hold."""

    examples: int = 0
    references: int = 0
    references_at_offset: int = 0
    keypoints: int = 0
    keypoints_supported: int = 0


@dataclass(slots=True)
class Inspection:
    """What was found. faults: one clear sentence each, none where all is well."""

    documents: int = 0
    values: int = 0
    values_found: int = 0
    types: dict[str, TypeCounts] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def inspect_scenario(
    documents: Sequence[Document],
    examples: Sequence[Example],
    configurations: Sequence[ConfigurationRecord],
) -> Inspection:
    """Check that documents say their values, references stand where they claim, and keypoints hold."""
    found = Inspection(documents=len(documents))
    by_id = {document.id: document for document in documents}
    values = {each.document_id: each for each in configurations}
    for configuration in configurations:
        _values(found, by_id.get(configuration.document_id), configuration)
    usual = median(len(document.text) for document in documents) if documents else 0
    for document in documents:
        if len(document.text) < _SHORT * usual:
            found.faults.append(
                f"document {document.id} has {len(document.text)} characters, where half of them have {usual:.0f}"
            )
    for example in examples:
        counts = found.types.setdefault(example.question_type or "none", TypeCounts())
        counts.examples += 1
        _references(found, counts, example, by_id)
        _keypoints(found, counts, example, by_id, values)
    questions = Counter(example.question for example in examples)
    found.faults += [f"the question {question!r} occurs {n} times" for question, n in questions.items() if n > 1]
    return found


def _values(found: Inspection, document: Document | None, configuration: ConfigurationRecord) -> None:
    if document is None:
        found.faults.append(f"the configuration of {configuration.document_id} has no document")
        return
    unsaid = {*configuration.left_out, *configuration.lost}
    for name, text in configuration.values.items():
        if name in unsaid:
            continue
        found.values += 1
        if says(document.text, text):
            found.values_found += 1
        else:
            found.faults.append(f"document {document.id} does not say its {name}, {text!r}")


def _references(found: Inspection, counts: TypeCounts, example: Example, by_id: Mapping[str, Document]) -> None:
    for span in (example.context, *example.references):
        document = by_id.get(span.document_id)
        holds = document is not None and bool(span.text) and document.text[span.start : span.end] == span.text
        if span is not example.context:
            counts.references += 1
            counts.references_at_offset += holds
        if not holds:
            found.faults.append(
                f"example {example.id}: {span.document_id} does not have {span.text[:40]!r} at {span.start}"
            )
    cited = {span.document_id for span in example.references}
    kind = example.question_type
    if kind not in QUESTION_TYPES:
        found.faults.append(f"example {example.id}: unknown question type {kind!r}")
    elif len(cited) != (0 if kind == "unanswerable" else 2 if kind in TWO_DOCUMENTS else 1):
        found.faults.append(f"example {example.id}: a question of the type {kind} cites {len(cited)} documents")
    if bool(example.answer) != bool(example.keypoints) or bool(example.answer) == (kind == "unanswerable"):
        found.faults.append(f"example {example.id}: answer, keypoints and the type {kind} do not go together")


def _keypoints(
    found: Inspection,
    counts: TypeCounts,
    example: Example,
    by_id: Mapping[str, Document],
    configurations: Mapping[str, ConfigurationRecord],
) -> None:
    cited = [span.document_id for span in example.references]
    known = known_of(example.question, (by_id[each].title for each in cited if each in by_id))
    values = [text for each in cited if each in configurations for text in configurations[each].values.values()]
    quoted = [span.text for span in example.references]
    for keypoint in example.keypoints:
        counts.keypoints += 1
        lacking = missing(keypoint, quoted, known, values)
        counts.keypoints_supported += not lacking
        if lacking:
            found.faults.append(
                f"example {example.id}: no reference says {', '.join(map(repr, lacking))} of the keypoint {keypoint!r}"
            )
