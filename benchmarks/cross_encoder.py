"""What the extra sentence-transformers does with real weights: another encoder, and a cross-encoder to re-rank with.

    pip install -c requirements/torch.txt '.[sentence-transformers]'
    python benchmarks/cross_encoder.py [--shared ../shared/data] [--passes 2] [--limit 150]

No cross-encoder comes in a package, so one is trained here: all-MiniLM-L6-v2 (the wheel of the default encoder) with
a new head, on the questions of 160 of the 240 paragraphs of XQuAD in English, each with its own paragraph and two of
those that come nearest by vector. Measured on questions of the other 80 paragraphs through `ragassay evaluate`,
chunks of 512 characters, the first 10 re-ranked. Prints recall@1, recall@5 and mrr@5 with their intervals.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from chinese import Asked, read_xquad
from sentence_transformers import SentenceTransformer
from torch.nn.functional import cross_entropy
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from ragassay.models.encoder_graph import find_encoder_files
from ragassay.pipeline.answer.options import PredictOptions
from ragassay.pipeline.asking.model_options import ModelOptions
from ragassay.pipeline.score.evaluate import EvaluateOptions, evaluate
from ragassay.systems.spec import parse_spec

HELD_OUT = 80
"""Paragraphs, the first ones, that the cross-encoder is not trained on."""
BATCH, WRONG, NEAREST = 8, 2, 8
TOKENS, RATE = 112, 1e-4
METRICS = ("recall@1", "recall@5", "mrr@5")


def main() -> None:
    """Trains, then prints a row for each way to rank."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path("../shared/data"))
    parser.add_argument("--passes", type=int, default=2, help="over the training questions")
    parser.add_argument("--limit", type=int, default=150, help="questions to measure on")
    given = parser.parse_args()
    paragraphs, asked = read_xquad(given.shared / "xquad" / "en.jsonl")
    base = find_encoder_files().weights.parent
    with tempfile.TemporaryDirectory(prefix="ragassay-") as place:
        folder = Path(place)
        train(base, paragraphs, [each for each in asked if each.number >= HELD_OUT], folder / "trained", given.passes)
        write_squad(folder / "set.json", paragraphs[:HELD_OUT], asked)
        ways = {
            "built-in encoder": ("rag:", "embedded"),
            "the same weights by the extra": ("rag:", f"sentence-transformers:{base}"),
            "built-in encoder, cross-encoder": (
                f"rag:reranker=cross_encoder:{folder / 'trained'},candidates=10,",
                "embedded",
            ),
        }
        print(f"| {' | '.join(['dense, 512 characters', *METRICS])} |\n|{' --- |' * (1 + len(METRICS))}")
        for name, (system, embeddings) in ways.items():
            found = measured(folder / "set.json", f"{system}retriever=dense,generate=false", embeddings, given.limit)
            print(f"| {name} | {' | '.join(found)} |", flush=True)


def train(base: Path, paragraphs: Sequence[str], asked: Sequence[Asked], out: Path, passes: int) -> None:
    """Softmax over the right paragraph and two that are near to the question."""
    torch.manual_seed(0)
    chance = random.Random(0)
    own = sorted({each.number for each in asked})
    encoder = SentenceTransformer(str(base))
    vectors = encoder.encode([paragraphs[number] for number in own], normalize_embeddings=True)
    nearness = encoder.encode([each.question for each in asked], normalize_embeddings=True) @ vectors.T
    near = [[own[at] for at in np.argsort(-row)[: NEAREST + 1]] for row in nearness]
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    model.train()
    order = list(range(len(asked)))
    for number in range(passes):
        chance.shuffle(order)
        losses = []
        for begin in range(0, len(order), BATCH):
            pairs: list[tuple[str, str]] = []
            for at in order[begin : begin + BATCH]:
                right = asked[at].number
                wrong = chance.sample([each for each in near[at] if each != right][:NEAREST], WRONG)
                pairs += [(asked[at].question, paragraphs[each]) for each in (right, *wrong)]
            read = tokenizer(*map(list, zip(*pairs, strict=True)), truncation="only_second", max_length=TOKENS,
                             padding=True, return_tensors="pt")  # fmt: skip
            logits = model(**read).logits.view(-1, 1 + WRONG)
            loss = cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        print(f"pass {number + 1}: loss {np.mean(losses):.3f} (chance {np.log(1 + WRONG):.3f})", flush=True)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)


def write_squad(path: Path, paragraphs: Sequence[str], asked: Sequence[Asked]) -> None:
    def entry(number: int) -> dict[str, Any]:
        text = paragraphs[number]
        questions = [
            {
                "id": f"{number}-{at}",
                "question": each.question,
                "answers": [{"text": each.answer, "answer_start": text.index(each.answer)}],
            }
            for at, each in enumerate(asked)
            if each.number == number
        ]
        return {"title": f"paragraph {number}", "paragraphs": [{"context": text, "qas": questions}]}

    path.write_text(json.dumps({"data": [entry(number) for number in range(len(paragraphs))]}), encoding="utf-8")


def measured(dataset: Path, system: str, embeddings: str, limit: int) -> list[str]:
    spec = parse_spec(system)
    with tempfile.TemporaryDirectory(prefix="ragassay-") as out:
        done = evaluate(
            EvaluateOptions(
                predict=PredictOptions(
                    dataset=dataset,
                    system=spec,
                    out=Path(out) / "run",
                    from_format="squad",
                    limit=limit,
                    models=ModelOptions(embeddings=embeddings),
                ),
                metrics=METRICS,
                out=Path(out) / "run",
            )
        )
    values = [done.summary.metrics[name] for name in METRICS]
    return [f"{each.value:.3f} ({each.low:.2f}-{each.high:.2f})" for each in values]


if __name__ == "__main__":
    main()
