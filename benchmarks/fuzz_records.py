"""Data sets in every format, and other files of records: what is read can be written, or a sentence says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import fuzz_mutations as mutations
import pyarrow.parquet  # noqa: F401 - loaded before memory is counted
import trace_samples

from ragassay.datasets import validation
from ragassay.datasets.foreign import read_documents
from ragassay.datasets.format import Notes, Record
from ragassay.datasets.registry import FORMATS, read_dataset, write_dataset
from ragassay.errors import RagassayError
from ragassay.people.agreement.check_items import SHIPPED, read_judge_set
from ragassay.people.agreement.claims import SHIPPED_CLAIMS, read_claim_set
from ragassay.people.annotation.files import read_annotations
from ragassay.records import Document, Example, Prediction, Provenance, RankedChunk, Span, to_json
from ragassay.systems.options import RecordedOptions
from ragassay.systems.recorded import RecordedSystem

_TEXT = "The Argo carries 40 cars and 200 people. 它载四十辆车。"
_SPAN = Span(document_id="d", start=0, end=24, text=_TEXT[:24])
_CHUNK = RankedChunk(chunk_id="c", document_id="d", start=4, end=40, score=0.5, text=_TEXT[4:40])
_RECORDED = [
    {"question": "How many cars?", "answer": "40", "contexts": ["a", "b"], "latency_s": 0.5},
    {"id": "q2", "query": "Who?", "response": {"content": "Ann"}, "docs": [{"page_content": "a", "metadata": {}}]},
    {"query": {"query_id": 3, "content": "Why?"}, "prediction": {"content": "So", "references": ["a"]}},
    {"qid": "q4", "input": "When?", "choices": [{"message": {"content": "now"}}], "usage": {"prompt_tokens": 3}},
]  # fmt: skip
_ANNOTATIONS = [
    {"id": "a1", "subject_id": "q1", "annotator": "ana", "task": "label", "value": "summary", "note": "why"},
    {"id": "a2", "subject_id": "q1", "annotator": "ben", "task": "label", "value": "reasoning", "note": ""},
]


def _records() -> list[Record]:
    def example(number: int, answer: str, references: tuple[Span, ...]) -> Example:
        return Example(
            id=f"q{number}",
            question=f"How many cars, case {number}?",
            answer=answer,
            context=_SPAN,
            references=references,
            keypoints=("It carries 40 cars.",) if answer else (),
            requested_label="fact_single" if answer else "unanswerable",
            verified_label=None,
            provenance=Provenance(synthesizer="s", model="m", unanswerable_in=None if answer else "context"),
            language="en",
        )

    document = Document(id="d", title="Argo", source="argo.md", text=_TEXT, language="en", metadata={"domain": "Ships"})
    prediction = Prediction(example_id="q1", system="bm25", chunks=(_CHUNK,), answer="40", latency_s=0.25)
    return [document, prediction, example(1, "40 cars", (_SPAN,)), example(2, "", ())]


@cache
def _sample(name: str, form: str) -> dict[str, bytes]:
    """The files of the set in a format, by their place in a folder; a single file's place is empty."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"set{form}"
        write_dataset(path, _records(), format_name=name)
        if path.is_file():
            return {"": path.read_bytes()}
        return {str(each.relative_to(path)): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}


def _data_set(name: str, rng: Random, folder: Path) -> None:
    form = rng.choice(FORMATS[name].writes)
    files = dict(_sample(name, form))
    changed = rng.choice(list(files))
    files[changed] = _damaged_file(rng, files[changed], is_lines=(changed or form).endswith(".jsonl"))
    path = folder / f"set{form}"
    for place, content in files.items():
        target = path / place if place else path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    documents = folder / "documents.jsonl"
    documents.write_text(to_json(_records()[0]) + "\n", "utf-8")
    notes = Notes(keep_going=rng.random() < 0.7)
    with suppress(RagassayError):
        read = read_dataset(path, format_name=rng.choice([name, name, None]), documents=documents, notes=notes)
        records = list(read)
        validation.examine(records, Notes(keep_going=True))
        write_dataset(folder / "again", records)
        again = list(read_dataset(folder / "again", format_name="jsonl"))
        assert sorted(map(to_json, again)) == sorted(map(to_json, records)), "what was written is not what was read"
        for target in ("all.csv", "all.json"):
            with suppress(RagassayError):
                write_dataset(folder / target, records)


def _damaged_file(rng: Random, content: bytes, *, is_lines: bool) -> bytes:
    """Damaged as bytes, or where it is JSON as what that holds."""
    if rng.random() < 0.3:
        return mutations.damaged(rng, content)
    if not is_lines:
        try:
            return mutations.damaged_json(rng, json.loads(content))
        except ValueError:
            return mutations.damaged(rng, content)
    lines = content.splitlines()
    place = rng.randrange(len(lines))
    lines[place] = mutations.damaged_json(rng, json.loads(lines[place]))
    return b"\n".join(lines) + b"\n"


def _lines(records: list[dict[str, object]], read: Callable[[Path], object], rng: Random, folder: Path) -> None:
    path = folder / "records.jsonl"
    content = "\n".join(map(json.dumps, records)).encode()
    path.write_bytes(_damaged_file(rng, content, is_lines=True))
    with suppress(RagassayError):
        read(path)


def _recorded(path: Path) -> None:
    system = RecordedSystem(RecordedOptions(file=str(path)), path)
    for prediction in [*system._by_text.values(), *(each for each, _ in system._by_id.values())]:
        to_json(prediction).encode()


def _shipped(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[:12]]


_TRACES = {
    "openinference": [trace_samples.OPENINFERENCE],
    "otel": trace_samples.GEN_AI,
    "phoenix": trace_samples.PHOENIX,
    "langfuse": [trace_samples.LANGFUSE],
}


def _traces(name: str, path: Path) -> None:
    records = list(read_dataset(path, format_name=name, notes=Notes(keep_going=True)))
    validation.examine(records, Notes(keep_going=True))


TARGETS: dict[str, Callable[[Random, Path], None]] = {
    **{f"set-{name}": partial(_data_set, name) for name, form in FORMATS.items() if form.writes},
    **{f"traces-{name}": partial(_lines, rows, partial(_traces, name)) for name, rows in _TRACES.items()},
    "documents-beside": partial(
        _lines,
        [json.loads(to_json(_records()[0])), {"_id": "e", "title": "", "text": _TEXT, "language": "zh"}],
        lambda path: list(read_documents(path, Notes())),
    ),
    "recorded": partial(_lines, _RECORDED, _recorded),
    "annotations": partial(_lines, _ANNOTATIONS, read_annotations),
    "judge-set": partial(_lines, _shipped(SHIPPED), read_judge_set),
    "claims": partial(_lines, _shipped(SHIPPED_CLAIMS), read_claim_set),
}
