"""Whether the reference answers of a set say their own keypoints, as the embedded judge sees it.

    python benchmarks/keypoints.py sets/articles [MORE SETS ...]

A set whose own answers miss their keypoints would score every system too low. ``short`` is the answer without what it
was computed from, in brackets at its end. Keypoints are those that stand in the set.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import defaultdict
from pathlib import Path

from ragassay.datasets.registry import read_dataset
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.vector_cache import CachedEncoder
from ragassay.records import Example
from ragassay.tasks.verdicts import KEYPOINT_VERDICTS, KeypointsOnAnswer

BASIS = re.compile(r"\s*[(（][^()（）]*[)）][.。]?$")


def asked(example: Example, answer: str) -> KeypointsOnAnswer:
    return KeypointsOnAnswer(question=example.question, keypoints=example.keypoints, answer=answer)


async def verdicts(examples: list[Example]) -> dict[tuple[str, str], list[tuple[int, int, int]]]:
    """Language and label to the number of keypoints, and how many of them the answer and its short form cover."""
    encoder = CachedEncoder(SentenceEncoder())
    try:
        model = EmbeddedModel(encoder)
        whole = await model.ask_all(KEYPOINT_VERDICTS, [asked(each, each.answer) for each in examples])
        short = await model.ask_all(KEYPOINT_VERDICTS, [asked(each, BASIS.sub("", each.answer)) for each in examples])
    finally:
        encoder.close()
    found = defaultdict(list)
    for example, *replies in zip(examples, whole, short, strict=True):
        covered = [
            sum(each.verdict == "covered" for each in reply.value.items) if reply.value else 0 for reply in replies
        ]
        found[example.language, example.label].append((len(example.keypoints), covered[0], covered[1]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    records = [record for path in parser.parse_args().sets for record in read_dataset(path)]
    examples = [each for each in records if isinstance(each, Example) and each.answer and each.keypoints]
    print("| language | label | examples | keypoints each | covered by the answer | by its short form |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (language, label), counts in sorted(asyncio.run(verdicts(examples)).items()):
        total, whole, short = (sum(column) for column in zip(*counts, strict=True))
        each = f"{total / len(counts):.1f} | {whole / total:.3f} | {short / total:.3f}"
        print(f"| {language} | {label} | {len(counts)} | {each} |")


if __name__ == "__main__":
    main()
