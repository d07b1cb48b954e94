"""A setting means the same in every command: runs, sweeps and predictions find the same chunks with it."""

from __future__ import annotations

from pathlib import Path

from ragassay.jobs.answer.options import EvaluateOptions
from ragassay.jobs.answer.predict import predict
from ragassay.jobs.folders.progress import Silent
from ragassay.jobs.make.corpus import build_corpus
from ragassay.jobs.make.run_options import RunOptions
from ragassay.jobs.run.run import Run
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.jobs.sweep.results import PREDICTIONS_FOLDER
from ragassay.jobs.sweep.sweep import sweep
from ragassay.rag.space import Space
from ragassay.records import Prediction, read_jsonl
from ragassay.systems.options import RagOptions
from ragassay.systems.rag_index import cut_documents
from ragassay.systems.spec import parse_spec
from ragassay.workers import Workers

Found = dict[str, list[tuple[str, int, int]]]
"""Example id to the places of the first five chunks."""

GERMAN = """# Leihordnung

Ausgeliehene Bücher werden nach 28 Tagen zurückgegeben. Die Leihfrist kann zweimal verlängert werden, wenn niemand
das Buch vorbestellt hat. Für verspätete Rückgaben werden 20 Cent je Tag berechnet.

# Öffnungszeiten

Die Bücherei öffnet dienstags um 10 Uhr und schließt um 18 Uhr. Samstags ist bis 13 Uhr geöffnet. An Feiertagen bleiben
alle Häuser geschlossen.

# Räume

Gruppenräume werden für höchstens drei Stunden vergeben. Die Schlüssel liegen an der Auskunft bereit.
"""


def found(predictions: list[Prediction]) -> Found:
    return {
        each.example_id: [(chunk.document_id, chunk.start, chunk.end) for chunk in each.chunks[:5]]
        for each in predictions
    }


def of_run(folder: Path, name: str) -> Found:
    return found([each for each in read_jsonl(folder / "predictions.jsonl", Prediction) if each.system == name])


def of_sweep(folder: Path, out: Path, **parts: tuple[object, ...]) -> Found:
    space = Space(text_weight=(1.0,), generator=("embedded",), **parts)  # type: ignore[arg-type]
    sweep(SweepOptions(dataset=folder, out=out, space=space, metrics=("recall@5",)))
    (predictions,) = (out / PREDICTIONS_FOLDER).glob("*.jsonl")
    return found(list(read_jsonl(predictions, Prediction)))


def of_predict(folder: Path, out: Path, *settings: str) -> Found:
    spec = parse_spec("rag:retriever=lexical,generate=false", settings)
    return found(list(predict(EvaluateOptions(data=folder, system=spec, out=out)).predictions))


def test_three_commands_find_the_same(finished: Run, tmp_path: Path) -> None:
    systems = {each.system for each in read_jsonl(finished.folder / "predictions.jsonl", Prediction)}
    sizes = [size for size in (128, 512) if f"{size} lexical" in systems]  # a run keeps those of its best ones
    assert sizes
    for size in sizes:
        expected = of_run(finished.folder, f"{size} lexical")
        assert of_sweep(finished.folder, tmp_path / f"sweep {size}", chunk_size=(size,)) == expected
        assert of_predict(finished.folder, tmp_path / f"predict {size}", f"chunk_size={size}") == expected


def test_a_run_stems_in_the_language_of_the_documents(tmp_path: Path) -> None:
    path = tmp_path / "leihordnung.md"
    path.write_text(GERMAN, "utf-8")
    options = RunOptions(documents=(path,), out=tmp_path / "run", chunk_sizes=(160,))
    with Workers(1) as workers:
        corpus = build_corpus(tmp_path, options, workers, Silent())
    documents = cut_documents(corpus.store, RagOptions(chunk_size=160).setting("embedded"), lambda done: None)
    assert corpus.cut.language == documents.cut.language == "de"
    assert corpus.cut.tokens.vocabulary == documents.cut.tokens.vocabulary
    assert len(corpus.cut.tokens.terms_of("Gruppenraum")) == 1  # the text has "Gruppenräume"
    corpus.store.close()
