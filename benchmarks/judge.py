"""Measures the embedded judge on human-labelled data: value, bootstrap interval, goal and reference of each dimension.

    python benchmarks/judge.py --data ../shared/data

The data are third-party and not part of the project; without them there is nothing to measure, and the script says so.
What the numbers mean, and what was chosen after looking at them, is in docs/decisions/embedded-judge.md.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from lemminflect import getLemma

from ragassay.models.base import Encoder
from ragassay.models.embedded import relevance, verdicts
from ragassay.models.embedded.context_relevance import QuestionOnContexts, chunk_scores, context_relevance
from ragassay.models.embedded.reference import Comparison, reference_agreement
from ragassay.models.embedded.support import Claim, support
from ragassay.models.embedded.truthfulness import AnswerOnContext, truthfulness
from ragassay.models.embedded.units import sentences
from ragassay.models.embeddings import SentenceEncoder
from ragassay.tasks.verdicts import AnswerToQuestion, KeypointsOnAnswer, Relevance

Floats = npt.NDArray[np.float64]
Rows = list[dict[str, Any]]

BOOTSTRAP_SAMPLES = 1000
RAGVAL_RUNS = ("random_agent_rag", "random_naive_rag", "random_no_rag", "recent_no_rag")
MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True)
class Line:
    """One row of the table. low, high: ends of the 95 % bootstrap interval over items."""

    name: str
    value: float
    low: float
    high: float
    n: int
    goal: str
    reference: str


def line(
    name: str, n: int, statistic: Callable[[npt.NDArray[np.int64]], float], goal: str, reference: str, seed: int = 0
) -> Line:
    """Computes a statistic on all items, and its percentile bootstrap interval (Efron 1979) over them."""
    generator = np.random.default_rng(seed)
    everything = np.arange(n)
    drawn = [statistic(generator.integers(0, n, n)) for _ in range(BOOTSTRAP_SAMPLES)]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Line(name, statistic(everything), float(low), float(high), n, goal, reference)


def auroc(scores: Floats, good: npt.NDArray[np.bool_]) -> float:
    """Chance that a good item has a higher score than a bad one, ties counted half."""
    positive, negative = np.sort(scores[good]), np.sort(scores[~good])
    if not len(positive) or not len(negative):
        return float("nan")
    below = np.searchsorted(negative, positive, "left").sum()
    tied = np.searchsorted(negative, positive, "right").sum() - below
    return float((below + 0.5 * tied) / (len(positive) * len(negative)))


def auroc_line(name: str, scores: Floats, good: npt.NDArray[np.bool_], goal: str, reference: str) -> Line:
    return line(name, len(scores), lambda drawn: auroc(scores[drawn], good[drawn]), goal, reference)


def mean_line(name: str, values: Sequence[float], goal: str, reference: str) -> Line:
    known = np.asarray(values, dtype=np.float64)
    return line(name, len(known), lambda drawn: float(known[drawn].mean()), goal, reference)


def wins(better: Sequence[float], worse: Sequence[float]) -> list[float]:
    """1 where the better one has the higher score, one half for a tie."""
    return [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in zip(better, worse, strict=True)]


class CachedForRun:
    """Keeps vectors for the length of the run: dimensions share their texts."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}
        self.name = encoder.name
        self.dimension = encoder.dimension

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """(n_texts, dimension) float32, in the order of the texts."""
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([self._vectors[text] for text in texts])


def read(path: Path) -> Rows:
    with path.open(encoding="utf-8") as file:
        return [json.loads(text) for text in file]


def faithfulness(data: Path, encoder: Encoder) -> Iterator[Line]:
    rows = read(data / "wikieval/faithfulness.jsonl")

    def score(side: str, using: Encoder | None) -> list[float]:
        claims = [Claim(row["question"], sentences(row[side]), row["context"]) for row in rows]
        return [float(np.mean([one.score for one in held])) if held else 0.0 for held in support(using, claims)]

    yield mean_line(
        "faithfulness, pairs", wins(score("better", encoder), score("worse", encoder)), ">= 0.98", "0.95 RAGAS"
    )
    yield mean_line(
        "faithfulness, pairs, lexical", wins(score("better", None), score("worse", None)), ">= 0.98", "0.95 RAGAS"
    )


def ragval(data: Path, encoder: Encoder) -> Iterator[Line]:
    blocks = {row["url"]: row["content"] for row in read(data / "ragval/knowledge_blocks.jsonl")}
    rows = [row for run in RAGVAL_RUNS for row in read(data / f"ragval/scored_{run}.jsonl")]
    items = [AnswerOnContext(row["question"], row["answer"], blocks[row["url"]]) for row in rows]
    truth = np.array([row["truthfulness"] for row in rows])
    clear = (truth >= 4) | (truth <= 2)
    for name, using in (("truthfulness, AUROC", encoder), ("truthfulness, AUROC, lexical", None)):
        scores = np.array(truthfulness(using, items))
        yield auroc_line(name, scores[clear], truth[clear] >= 4, ">= 0.93", "0.928 trained")
    judged = relevances(encoder, [(row["question"], row["answer"]) for row in rows])
    values = np.array([one.relevance for one in judged])
    committal = np.array([one.committal for one in judged])
    rated = np.array([row["relevance"] for row in rows])
    clear_relevance = (rated >= 4) | (rated <= 2)
    for name, chosen, goal, reference in (
        ("answer relevance, AUROC", clear_relevance, ">= 0.92", "0.925 trained"),
        ("answer relevance, committal", clear_relevance & committal, ">= 0.75", "0.77 trained"),
    ):
        yield auroc_line(name, values[chosen], rated[chosen] >= 4, goal, reference)
    told = clear & committal
    contradicted = contradictions(encoder, [item for item, use in zip(items, told, strict=True) if use])
    yield auroc_line("contradiction hint, AUROC", -contradicted, truth[told] >= 4, "hint < 0.75", "-")


def contradictions(encoder: Encoder, items: Sequence[AnswerOnContext]) -> Floats:
    """Share of each answer's sentences that the context contradicts, as the keypoint verdicts have it."""
    asked = [
        KeypointsOnAnswer(question=i.question, keypoints=tuple(sentences(i.answer)), answer=i.context) for i in items
    ]
    replies = verdicts.HANDLERS["keypoint_verdicts"](encoder, asked)
    return np.array(
        [
            float(np.mean([one.verdict == "contradicted" for one in reply.value.items] or [0.0]))
            for reply in replies
            if reply.value
        ]
    )


def relevances(encoder: Encoder, pairs: Iterable[tuple[str, str]]) -> list[Relevance]:
    inputs = [AnswerToQuestion(question=question, answer=answer) for question, answer in pairs]
    return [reply.value for reply in relevance.HANDLERS["answer_relevance"](encoder, inputs) if reply.value is not None]


def answer_relevance(data: Path, encoder: Encoder) -> Iterator[Line]:
    rows = read(data / "wikieval/answer_relevance.jsonl")

    def score(answers: Iterable[str]) -> list[float]:
        pairs = zip((row["question"] for row in rows), answers, strict=True)
        return [one.relevance for one in relevances(encoder, pairs)]

    better = score(row["better"] for row in rows)
    yield mean_line(
        "answer relevance, pairs", wins(better, score(row["worse"] for row in rows)), ">= 0.92", "0.78 RAGAS"
    )
    foreign = [row["better"] for row in rows[1:] + rows[:1]]
    yield mean_line("own answer before a foreign one", wins(better, score(foreign)), ">= 0.98", "-")


def contexts(data: Path, encoder: Encoder) -> Iterator[Line]:
    rows = read(data / "wikieval/context_relevance.jsonl")
    scored = context_relevance(encoder, [QuestionOnContexts(r["question"], (r["better"], r["worse"])) for r in rows])
    yield mean_line("context relevance, pairs", [w for a, b in scored for w in wins([a], [b])], ">= 0.80", "0.70 RAGAS")
    shorter = [-float(len(row["better"])) for row in rows], [-float(len(row["worse"])) for row in rows]
    yield mean_line("  control: the shorter wins", wins(*shorter), "(control)", "1.00")


def chunk_ranking(data: Path, encoder: Encoder) -> Iterator[Line]:
    """Within each question: does a chunk that holds a reference come before one that does not?"""
    items, labels = [], []
    for row in read(data / "dragonball/finance_en_gpt4o.jsonl"):
        parts = [_squeezed(part) for text in row["ground_truth"]["references"] for part in (text, *sentences(text))]
        chunks = row["prediction"]["references"]
        holds = [any(len(part) > 30 and part in _squeezed(chunk) for part in parts) for chunk in chunks]
        if any(holds) and not all(holds):
            items.append(QuestionOnContexts(row["query"]["content"], chunks))
            labels.append(holds)
    shares = []
    for scores, holds in zip(chunk_scores(encoder, items), labels, strict=True):
        good = [score for score, hold in zip(scores, holds, strict=True) if hold]
        bad = [score for score, hold in zip(scores, holds, strict=True) if not hold]
        shares.append(float(np.mean([wins([a], [b])[0] for a in good for b in bad])))
    yield mean_line("chunk ranking within a question", shares, ">= 0.90", "0.84 study")


def _squeezed(text: str) -> str:
    return "".join(text.lower().split())


def preferences(data: Path, encoder: Encoder) -> Iterator[Line]:
    rows = read(data / "ragchecker_human/preferences.jsonl")
    sides = [
        np.array(reference_agreement(encoder, [Comparison(r["query"], r[m]["response"], r["gt_answer"]) for r in rows]))
        for m in ("model1", "model2")
    ]
    gain = sides[1] - sides[0]
    goals = (
        ("correctness", ">= 55", "49.7 / 63.7"),
        ("completeness", ">= 66", "60.7 / 71.9"),
        ("overall", ">= 63", "61.9 / 70.1"),
    )
    for column, (name, goal, reference) in enumerate(goals):
        labels = np.array([row[f"{name}_label"] for row in rows], dtype=np.float64)

        def pearson(drawn: npt.NDArray[np.int64], column: int = column, labels: Floats = labels) -> float:
            return 100 * float(np.corrcoef(gain[drawn, column], labels[drawn])[0, 1])

        yield line(f"human preference, {name}", len(rows), pearson, goal, f"{reference} LLM / human")


def corrupted_keypoints(data: Path, encoder: Encoder) -> Iterator[Line]:
    """Keypoints with one thing changed, against their true references: each must be rejected; unchanged, passed."""
    rows = [r for r in read(data / "dragonball/finance_en_gpt4o.jsonl") if "Unsolvable" not in r["query"]["query_type"]]
    entities = sorted(
        {name for row in rows for text in row["ground_truth"]["keypoints"] for name in ENTITY.findall(text)}
    )
    chance = random.Random(0)
    kinds: dict[str, list[KeypointsOnAnswer]] = {name: [] for name in ("true", "number", "month", "negation", "entity")}
    for row in rows:
        answer = " ".join(row["ground_truth"]["references"])
        for text in row["ground_truth"]["keypoints"]:
            keypoint = re.sub(r"^\d+\.\s*", "", text)
            changed = {
                "true": keypoint,
                "number": other_number(keypoint),
                "month": other_month(keypoint),
                "negation": negated(keypoint),
                "entity": other_entity(keypoint, entities, chance),
            }
            for kind, changed_text in changed.items():
                if changed_text:
                    kinds[kind].append(
                        KeypointsOnAnswer(question=row["query"]["content"], keypoints=(changed_text,), answer=answer)
                    )
    for kind, inputs in kinds.items():
        replies = verdicts.HANDLERS["keypoint_verdicts"](encoder, inputs)
        rejected = [float(reply.value.items[0].verdict != "covered") for reply in replies if reply.value is not None]
        goal = "<= 0.05" if kind == "true" else ">= 0.80"
        study = {"number": "0.64", "month": "0.39", "negation": "0.22", "entity": "0.20"}.get(kind, "-")
        yield mean_line(f"keypoints rejected, {kind}", rejected, goal, f"{study} study")


ENTITY = re.compile(
    r"\b(?:[A-Z][A-Za-z]+ )+(?:Ltd\.|Inc\.|Corporation|Corp|Group|Solutions|Services|Co\.|Innovations|Emporium|Company)"
)


def other_number(text: str) -> str | None:
    """The first number that is neither a year nor a day of a month, made half as large again and one more."""
    for match in re.finditer(r"(?<![\w.,-])(\d+(?:,\d{3})*(?:\.\d+)?)(?!\w)", text):
        if re.fullmatch(r"(?:19|20)\d\d", match[1]) or re.search(rf"(?:{'|'.join(MONTHS)}) $", text[: match.start()]):
            continue
        value = float(match[1].replace(",", "")) * 1.5 + 1
        written = f"{value:.1f}" if "." in match[1] else str(int(value))
        return text[: match.start()] + written + text[match.end() :]
    return None


def other_month(text: str) -> str | None:
    match = re.search(rf"\b(?:{'|'.join(MONTHS)})\b", text)
    if match is None:
        return None
    return text[: match.start()] + MONTHS[(MONTHS.index(match.group()) + 5) % 12] + text[match.end() :]


def negated(text: str) -> str | None:
    """ "was" becomes "was not", "acquired" becomes "did not acquire"."""
    if " not " in text:
        return None
    match = re.search(r"\b(?:is|are|was|were|has|have|had|will|can|could|would|should)\b", text)
    if match is not None:
        return text[: match.end()] + " not" + text[match.end() :]
    match = re.search(r"(?<=\w )[a-z]{3,}ed\b", text)
    if match is None:
        return None
    base = (getLemma(match.group(), upos="VERB") or (match.group(),))[0]
    return f"{text[: match.start()]}did not {base}{text[match.end() :]}"


def other_entity(text: str, entities: Sequence[str], chance: random.Random) -> str | None:
    match = ENTITY.search(text)
    if match is None:
        return None
    others = [name for name in entities if name.split()[0] != match.group().split()[0]]
    return text[: match.start()] + chance.choice(others) + text[match.end() :]


def speed(data: Path) -> Iterator[str]:
    """Samples a second of CPU time: an answer judged sentence by sentence against its article."""
    blocks = {row["url"]: row["content"] for row in read(data / "ragval/knowledge_blocks.jsonl")}
    rows = read(data / "ragval/scored_random_naive_rag.jsonl")
    claims = [Claim(row["question"], sentences(row["answer"]), blocks[row["url"]]) for row in rows]
    for name, using, chosen in (("lexical", None, claims), ("uncached vectors", SentenceEncoder(), claims[:60])):
        support(using, chosen[:1])  # tables and weights are loaded once
        started, cpu = time.perf_counter(), time.process_time()
        support(using, chosen)
        wall, used = time.perf_counter() - started, time.process_time() - cpu
        yield f"speed, {name}: {len(chosen) / wall:.0f} samples/s, {len(chosen) / used:.0f} per second of CPU time"


DIMENSIONS = (faithfulness, ragval, answer_relevance, contexts, chunk_ranking, preferences, corrupted_keypoints)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder with the human-labelled data")
    arguments = parser.parse_args()
    if not (arguments.data / "wikieval").is_dir():
        print(f"no data at {arguments.data}: nothing was measured; give the folder with --data", file=sys.stderr)
        return 2
    encoder = CachedForRun(SentenceEncoder())
    print(f"{'dimension':34} {'value':>7} {'95 % interval':>16} {'n':>5}  {'goal':12} reference")
    for dimension in DIMENSIONS:
        for row in dimension(arguments.data, encoder):
            interval = f"{row.low:.3f} .. {row.high:.3f}"
            print(f"{row.name:34} {row.value:7.3f} {interval:>16} {row.n:5}  {row.goal:12} {row.reference}", flush=True)
    for text in speed(arguments.data):
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
