"""What the sets of finished runs are made of, by label and pattern, and how much of the reasoning needs two statements.

    .venv/bin/python benchmarks/patterns.py RUN [RUN ...]

A pair needs two statements if its pattern is none of ``ONE_STATEMENT`` in ``synthesis/balance.py`` and its references
hold two sentences, lines or cells at least.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from ragassay.pipeline.folders.run_folder import EXAMPLES_FILE
from ragassay.records import LABELS, Example, read_jsonl
from ragassay.synthesis.balance import ONE_STATEMENT
from ragassay.text import sentences


def needs_two(example: Example) -> bool:
    """Whether the answer takes two statements."""
    told = sum(len(sentences(span.text)) for span in example.references)
    return example.provenance.pattern not in ONE_STATEMENT and told >= 2


def main() -> None:
    for run in map(Path, sys.argv[1:]):
        examples = list(read_jsonl(run / EXAMPLES_FILE, Example))
        print(f"{run}: {len(examples)} examples")
        for label in LABELS:
            of_label = [example for example in examples if example.requested_label == label]
            patterns = Counter(example.provenance.pattern for example in of_label)
            listed = ", ".join(f"{name} {count}" for name, count in patterns.most_common())
            print(f"  {label} {len(of_label)}: {listed}")
        reasoning = [example for example in examples if example.requested_label == "reasoning"]
        two = sum(map(needs_two, reasoning))
        print(f"  reasoning that needs two statements: {two} of {len(reasoning)}")


if __name__ == "__main__":
    main()
