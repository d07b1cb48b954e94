"""Fits the model that says which sentences are worth a question, on those that experts asked of and left.

    python benchmarks/fit_choice.py ../shared/data/pairs/pairs.jsonl

Positive: a sentence that a fact's quote touches. Negative: the other sentences of the same passages. Sources that are
held out are never read, those for tuning only scored. Writes worth.json into the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from logistic import auroc, fit, mean_by_group, write_weights

from ragassay.models.embedded.prose.choice import Weights
from ragassay.models.embedded.prose.facts import parsed_titles
from ragassay.models.embedded.prose.features import sentence_features
from ragassay.models.embedded.prose.markup import for_parsing
from ragassay.models.embedded.prose.references import resolve
from ragassay.models.embedded.prose.setting import Setting
from ragassay.models.embedded.prose.whole_sentences import whole_sentences
from ragassay.models.embedded.reading.parser import parse
from ragassay.tasks.statements import Passage

HELD_OUT = frozenset({"clef handbook", "pubmed abstracts", "privacy policies"})
TUNING = frozenset({"18F content guide", "public code standard"})
OF_PASSAGE = frozenset({"n_sentences", "few"})
WEIGHTS = Path("src/ragassay/models/embedded/prose/worth.json")


def rows_of(record: dict[str, Any]) -> list[tuple[dict[str, float], int]]:
    """Features and label of each sentence of a passage."""
    passage = Passage(
        title=record["title"],
        section=tuple(part for part in record["heading"].split(" > ") if part),
        text=record["text"],
    )
    sentences = whole_sentences(passage)
    plain = [for_parsing(sentence.clean) for sentence in sentences]
    docs = list(parse([each.text for each in plain]))
    setting = Setting(passage, "", docs, parsed_titles([passage], [""]))
    resolved = resolve(setting, docs, [s.paragraph for s in sentences], [each.literals for each in plain])
    quoted = []
    for fact in record["facts"]:
        at = record["text"].find(fact["quote"])
        if at >= 0:
            quoted.append((at, at + len(fact["quote"])))
    rows = []
    for index, (sentence, doc, references) in enumerate(zip(sentences, docs, resolved, strict=True)):
        overlap = max((min(end, sentence.end) - max(start, sentence.start) for start, end in quoted), default=0)
        features = sentence_features(sentence, doc, references, setting, len(sentences), index)
        rows.append((features, int(overlap > 0.4 * (sentence.end - sentence.start))))
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--penalty", type=float, default=20.0, help="of the squared weights")
    options = parser.parse_args(arguments)
    records = [json.loads(line) for line in options.pairs.open(encoding="utf-8")]
    records = [record for record in records if record["source"] not in HELD_OUT and record.get("facts")]
    train, tune, groups = [], [], []
    for record in records:
        rows = rows_of(record)
        if record["source"] in TUNING:
            tune += rows
            groups += [record["title"]] * len(rows)
        else:
            train += rows
    model = fit([features for features, _ in train], [label for _, label in train], options.penalty)
    # An expert asks of so many a passage: how many sentences it has says nothing of one of them.
    model = Weights(model.bias, {name: value for name, value in model.weights.items() if name not in OF_PASSAGE})
    scores = [model.probability(features) for features, _ in tune]
    labels = [label for _, label in tune]
    print(f"{len(train)} sentences for training, {sum(label for _, label in train)} of them asked of")
    print(f"AUROC in training {auroc([model.probability(f) for f, _ in train], [y for _, y in train]):.3f}")
    print(f"AUROC on tuning sources {auroc(scores, labels):.3f} ({len(labels)} sentences, {sum(labels)} asked of)")
    print(f"AUROC by document, mean {mean_by_group(auroc, scores, labels, groups):.3f}")
    write_weights(
        WEIGHTS,
        model,
        command=f"python benchmarks/fit_choice.py PAIRS --penalty {options.penalty}",
        data_sha256=hashlib.sha256(options.pairs.read_bytes()).hexdigest(),
        n_train=len(train),
    )


if __name__ == "__main__":
    main()
