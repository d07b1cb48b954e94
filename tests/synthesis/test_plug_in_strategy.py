"""Synthesizers of other packages: named like ours, judged like ours, and known with package and version."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragassay
from ragassay.corpus.store import DocumentStore
from ragassay.errors import UsageError
from ragassay.models.plug_ins import named_plug_ins
from ragassay.pipeline.make.synthesis_options import SynthesizeOptions
from ragassay.pipeline.make.synthesize import Synthesized

Install = Callable[..., None]
CODE = '''
from collections import Counter
from dataclasses import replace
from ragassay.records import Span
from ragassay.synthesis.candidates import Candidate

class KeyLines:
    """The value of every key."""

    def __init__(self, model, collection, options):
        self.dropped = Counter({"key without a value": 1})
        self.context_chars = options.context_chars

    def made(self, ordinal, document):
        values = {(block.group, block.row): block for block in document.blocks if block.kind == "value"}
        for key in (block for block in document.blocks if block.kind == "key"):
            value = values[key.group, key.row]
            name, answer = (document.text[each.start : each.end].strip(" :") for each in (key, value))
            yield Candidate(
                ordinal=ordinal, label="fact_single", question=f"What is the {name.lower()} of {document.title}?",
                answer=answer, pattern="key_line", statement=f"The {name.lower()} of {document.title} is {answer}.",
                keypoints=(), context=document.span(0, len(document.text)),
                references=(document.span(key.start, value.end),), language=document.language,
            )

    async def candidates(self, documents, wanted, *, all_allowed=False):
        return [each for ordinal, document in documents for each in self.made(ordinal, document)]

class Wrong(KeyLines):
    """Keeps no term: each candidate of a document breaks another one."""

    async def candidates(self, documents, wanted, *, all_allowed=False):
        if any(document.title == "MV Whitefin" for _, document in documents):
            raise KeyError("white")
        good = await super().candidates(documents, wanted)
        one, elsewhere = good[0], Span(document_id="elsewhere", start=0, end=1, text="x")
        return [
            *good, 3, replace(one, label="riddle"), replace(one, question=" "), replace(one, answer=None),
            replace(one, references=(replace(one.context, text="x"),)), replace(one, further=(elsewhere,)),
            replace(one, references=()), replace(one, unanswerable_in="town"),
        ]

md = statements = KeyLines
nothing = lambda model, collection, options: 3
'''
POINTS = "key-lines = keys:KeyLines\nwrong = keys:Wrong\nstatements = keys:statements\nnothing = keys:nothing"
SHIPS = {"Bluefin": "Built: 12 March 2004\nHome port: Oskay", "Redfin": "Built: 2 May 2009\nHome port: Elm"}


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Synthesized]:
    folder = tmp_path / "ships"
    folder.mkdir()
    for name, lines in SHIPS.items():
        (folder / f"{name}.md").write_text(f"# MV {name}\n\n{lines}\n\nMV {name} carries lorries to {name} Bay.\n")

    def synthesized(synthesizer: str, **more: Any) -> Synthesized:
        return ragassay.synthesize(folder, tmp_path / "out", synthesizer=synthesizer, n=2, overwrite=True, **more)

    return synthesized


def test_its_candidates_become_examples_that_name_it(install: Install, made: Callable[..., Synthesized]) -> None:
    install(CODE, POINTS, "synthesizer", "keys")
    found = made("Key-Lines")
    assert {each.answer for each in found.examples} <= {"12 March 2004", "Oskay", "2 May 2009", "Elm"}
    assert len(found.examples) == 2
    assert {each.provenance.synthesizer for each in found.examples} == {"key_lines (keys 1.2)"}
    assert found.summary.synthesizer == "key_lines (keys 1.2)"
    run = json.loads((found.folder / "run.json").read_text("utf-8"))
    assert run["settings"]["synthesizer"] == "key_lines (keys 1.2)"
    with DocumentStore.open(found.folder / "documents.jsonl") as store:
        for example in found.examples:
            for span in (example.context, *example.references):
                assert store.get(span.document_id).text[span.start : span.end] == span.text
    assert found.summary.dropped["before a label"]["key without a value"] == 1


def test_what_breaks_the_terms_is_dropped_and_counted(install: Install, made: Callable[..., Synthesized]) -> None:
    install(CODE, POINTS, "synthesizer", "keys")
    found = made("wrong")
    assert len(found.examples) == 2
    lost = found.summary.dropped["before a label"]
    times = lost["reference not verbatim in its context"] // 3
    assert times >= 1
    assert lost["the plug-in 'wrong' of keys 1.2 gave int that is not a candidate"] == times
    assert lost["the plug-in 'wrong' of keys 1.2 gave Candidate that is not a candidate"] == 4 * times


def test_a_fault_in_it_costs_the_documents_that_it_had(
    install: Install, made: Callable[..., Synthesized], tmp_path: Path
) -> None:
    install(CODE, POINTS, "synthesizer", "keys")
    (tmp_path / "ships" / "white.md").write_text("# MV Whitefin\n\nBuilt: 1 May 1999\nHome port: Vell\n")
    found = made("wrong")
    assert found.summary.dropped["before a label"]["the plug-in 'wrong' of keys 1.2 failed (KeyError: 'white')"] == 2
    assert len(found.examples) == 2  # of the document that was read apart from it


def test_a_name_of_ragassay_stays_its_own(install: Install, made: Callable[..., Synthesized]) -> None:
    install(CODE, POINTS, "synthesizer", "keys")
    SynthesizeOptions(documents=(Path(),), out=Path("out"), synthesizer="statements").settings()
    assert named_plug_ins.cache_info().currsize == 0
    with pytest.raises(UsageError) as raised:
        made("keylines")
    assert "--synthesizer: unknown synthesizer 'keylines'; choose one of statements, simple," in str(raised.value)
    assert ", key_lines, nothing, wrong\nkeys 1.2: its synthesizer 'statements' is not used; ragassay" in str(
        raised.value
    )
    assert "keys" not in sys.modules


@pytest.mark.parametrize(
    ("code", "name", "said"),
    [
        ("import not_there_at_all", "wrong", "cannot be loaded (ModuleNotFoundError"),
        ("def Wrong(model): ...", "wrong", "cannot be used (TypeError: Wrong() takes 1 positional argument but 3"),
        (CODE, "nothing", "cannot be used: int has no method candidates"),
    ],
)
def test_one_that_cannot_be_used_is_said_where_it_is_named(
    install: Install, made: Callable[..., Synthesized], code: str, name: str, said: str
) -> None:
    install(code, POINTS, "synthesizer", "keys")
    with pytest.raises(UsageError) as raised:
        made(name)
    assert str(raised.value).startswith(f"the plug-in {name!r} of keys 1.2 {said}")
