"""A scenario on disk: documents, examples, the configurations that they come from, and the schema."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragassay.errors import InputError, RecordError, RunFolderError
from ragassay.records import Document, Example, read_jsonl, write_jsonl
from ragassay.synthesis.scenario.generate import Scenario, ScenarioOptions
from ragassay.synthesis.scenario.schema import Schema
from ragassay.synthesis.scenario.writer import Written

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
