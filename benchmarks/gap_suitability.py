"""Counts which questions people ask with which verbs and nouns, and writes the table that open questions are chosen by.

    python benchmarks/gap_suitability.py PAIRS QUESTIONS OUT

PAIRS: pairs.jsonl, of which the questions that a passage leaves open give how frequent each kind is for whom; held-out
sources are left out. QUESTIONS: JSON lines with people's questions ("question"), whose verbs and nouns are counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from ragassay.models.embedded.prose.gaps.suitability import (
    adjuncts_of,
    asked_noun,
    asked_verb,
    class_of_question,
    kind_of_question,
)
from ragassay.models.embedded.prose.parser import parse

HELD_OUT = frozenset(
    {"clef handbook", "pubmed abstracts", "privacy policies", "18F content guide", "public code standard"}
)
FEWEST_TOLD = 8
"""Occurrences of a verb in running text, below which its circumstances say nothing."""
FEWEST = 4
"""Questions with a word, below which the word says nothing."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.pairs.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["source"] not in HELD_OUT]
    left_open = [row["unanswerable"]["question"] for row in rows if row.get("unanswerable")]
    asked = [fact["question"] for row in rows for fact in row.get("facts") or ()]
    asked += [json.loads(line)["question"] for line in options.questions.read_text(encoding="utf-8").splitlines()]
    verbs, nouns = _counts([*left_open, *asked])
    classes: dict[str, Counter[str]] = defaultdict(Counter)
    for doc in parse(left_open):
        classes[class_of_question(doc)][kind_of_question(doc)] += 1
    told = [row["text"].replace("\n", " ") for row in rows]
    told += sorted(
        {json.loads(line)["sentence"] for line in options.questions.read_text(encoding="utf-8").splitlines()}
    )
    table = {
        "command": "python benchmarks/gap_suitability.py pairs.jsonl squad_sentences.jsonl OUT",
        "n_open": len(left_open),
        "n_asked": len(asked),
        "pairs_sha256": hashlib.sha256(options.pairs.read_bytes()).hexdigest(),
        "classes": {name: dict(sorted(counts.items())) for name, counts in sorted(classes.items())},
        "verbs": verbs,
        "nouns": nouns,
        "adjuncts": _adjuncts(told),
    }
    options.out.write_text(json.dumps(table, indent=None, separators=(",", ":")) + "\n", encoding="utf-8")


def _counts(questions: Iterable[str]) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    verbs: dict[str, Counter[str]] = defaultdict(Counter)
    nouns: dict[str, Counter[str]] = defaultdict(Counter)
    for doc in parse(list(questions)):
        kind = kind_of_question(doc)
        verb, noun = asked_verb(doc), asked_noun(doc)
        if verb:
            verbs[verb][kind] += 1
        if noun:
            nouns[noun][kind] += 1
    return _frequent(verbs), _frequent(nouns)


def _adjuncts(texts: Iterable[str]) -> dict[str, dict[str, int]]:
    """For each verb, how often it stands ("n"), and how often with each kind of circumstance."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for doc in parse(list(texts)):
        for token in doc:
            if token.pos_ == "VERB":
                counts[token.lemma_.lower()].update(["n", *adjuncts_of(token)])
    return {verb: dict(sorted(kinds.items())) for verb, kinds in sorted(counts.items()) if kinds["n"] >= FEWEST_TOLD}


def _frequent(counts: dict[str, Counter[str]]) -> dict[str, dict[str, int]]:
    return {
        word: dict(sorted(kinds.items())) for word, kinds in sorted(counts.items()) if sum(kinds.values()) >= FEWEST
    }


if __name__ == "__main__":
    main()
