"""Nothing that names somebody or something in a seed is in the documents that its schema makes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragassay.corpus.read import ReadOptions, read_corpus
from ragassay.synthesis.scenario.folder import ConfigurationRecord
from ragassay.synthesis.scenario.generate import ScenarioOptions, generate
from ragassay.synthesis.scenario.infer import infer
from ragassay.synthesis.scenario.inspection import inspect_scenario
from ragassay.synthesis.scenario.schema_file import parse_schema, schema_text
from ragassay.synthesis.scenario.writer import says

DOCUMENTS = Path("../shared/data/dragonball/documents.jsonl")
KINDS = [(domain, language) for domain in ("Finance", "Law", "Medical") for language in ("en", "zh")]
PERSON_LABEL = (
    r"(?:Name|Defendant(?: Name)?|(?:Chief |Presiding )?Judge|"
    r"(?:Court )?Clerk|Defense Lawyer|Prosecutor|Physician's Signature)"
)
NAMES = (
    re.compile(rf"{PERSON_LABEL}[* ]*:[* ]*((?:[A-Z]\. ?|Dr\. )*[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)?)"),
    re.compile(r"\b((?:[A-Z]\. ){1,2}(?!Symptoms)[A-Z][a-z]{2,})(?![\w ]*:)"),
    re.compile(r"(\d{1,4},? [A-Z][a-z]+(?: [A-Z][a-z]+)? (?:[Ss]treet|[Rr]oad|[Aa]venue|[Ll]ane|[Dd]rive))"),
    re.compile(
        r"([A-Z]\w+(?:,? [A-Z]\w+)*,? (?:Court|Hospital|Procuratorate|Solutions|Associates|Corporation|Inc|Ltd)\b)"
    ),
    re.compile(r"[‘“]([A-Z][\w ]+)[’”]"),
    re.compile(r"([\u4e00-\u9fff]某{1,2})"),
    re.compile(r"([\u4e00-\u9fff]氏)(?:[\u4e00-\u9fff]{0,4})(?:公司|集团)"),
    re.compile(r"([\u4e00-\u9fff]{2,3}[街路]\d+号)"),
    re.compile(r"([\u4e00-\u9fff]{2}[市县][\u4e00-\u9fff]{2}区)"),
    re.compile(r"([（(]20\d\d[)）][\u4e00-\u9fff]{2,8}第?\d+号)"),
    re.compile(r"(?:被告人|辩护人|审判长|审判员|书记员|姓名|签名)[:：] ?([\u4e00-\u9fff]{2,3})(?=[，,。\s])"),
    re.compile(r"\b(\d{6,})\b"),
)
"""What a reader would call a name, an address or a number of a file, in the seeds as they are written."""


def _rows(domain: str, language: str) -> list[dict[str, str]]:
    rows = (json.loads(line) for line in DOCUMENTS.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if (row["domain"], row["language"]) == (domain, language)]


def _names(row: dict[str, str]) -> Iterator[str]:
    for key in ("company_name", "court_name", "hospital_patient_name"):
        if key in row:
            yield from re.split(r"[_\n]", row[key])
    for pattern in NAMES:
        yield from pattern.findall(row["content"])


@pytest.mark.shared_data
@pytest.mark.parametrize(("domain", "language"), KINDS)
def test_no_name_of_a_seed_is_in_a_document(domain: str, language: str, tmp_path: Path) -> None:
    rows = _rows(domain, language)
    suffix = "md" if domain == "Law" else "txt"
    for at, row in enumerate(rows):
        (tmp_path / f"{at:02d}.{suffix}").write_text(row["content"], encoding="utf-8")
    seeds = list(read_corpus([tmp_path], ReadOptions(), lambda _: None, lambda _: None))
    assert len(seeds) == len(rows)
    common = set(re.findall(r"(?<!\w)[a-z]{2,}", "\n".join(row["content"] for row in rows)))
    names = {name for row in rows for name in _names(row) if len(name) > 1} - _WORDS
    names = {name for name in names if not common.issuperset(name.lower().split())}  # "Name: Varicose Veins"
    survivors = {}
    groups = [seeds[first : first + size] for size in (4, 10) for first in range(0, len(seeds), size)]
    for group in groups:
        inferred = infer(group, domain.lower())
        schema = parse_schema(schema_text(inferred.schema), "inferred")
        made = generate(schema, ScenarioOptions(documents=2 * len(group), n=4 * len(group)))
        records = [
            ConfigurationRecord(
                document_id=each.document.id,
                values=each.configuration.texts,
                left_out=tuple(each.configuration.left_out),
                lost=each.lost,
            )
            for each in made.written
        ]
        assert inspect_scenario(made.documents, made.examples, records, schema).faults == []
        text = "\n".join(document.text for document in made.documents)
        told = text + "\n".join(f"{example.question} {example.answer}" for example in made.examples)
        survivors |= {name: told[max(0, told.find(name) - 30) :][:80] for name in names if says(told, name)}
    assert not survivors


_WORDS = frozenset(
    {
        "Parkinson’s Disease",
        "The",
        "A. Diagnostic",
        "Crime",
        "Statute",
        "This Court",
        "State Court",
        "St",
        "Asthma",
        "Depression",
        "Malaria",
        "Pneumonia",
        "Pregnancy Complicated",
        "Schizophrenia",
        "Congenital Heart",
    }
)
"""What the patterns above take for names, and is none."""
