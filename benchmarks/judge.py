"""Measures the embedded judge on items that people or GPT-4 judged: value, interval, controls, goal, met or missed.

    python benchmarks/judge.py --data ../shared/data [--markdown] [--write FILE]

Where the product has a metric, the metric is measured, as ``ragassay judge check`` does. The data are third-party and
not part of the project; without them there is nothing to measure, and the script says so. What the numbers mean, and
what was chosen after looking at them, is in docs/decisions/embedded-judge.md; ``judge_fit.py`` fits the weights of
truthfulness anew. With --write, the lines that are of metrics, and the shipped claims, go into a file: what pages
say of the embedded judge comes from there.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from judge_file import check_of_claims, kept_rows, write

from ragassay.cli import GC_THRESHOLD
from ragassay.evaluation.aggregate import estimate
from ragassay.evaluation.estimate import Estimate
from ragassay.metrics.answered import Judge
from ragassay.models.base import Encoder
from ragassay.models.embedded.judging import relevance, verdicts
from ragassay.models.embedded.judging.refusals import is_refusal
from ragassay.models.embedded.judging.whole_answers import on_block
from ragassay.models.embedded.model import EmbeddedModel
from ragassay.models.embedded.reading.parser import lemma
from ragassay.models.embedded.reading.units import sentences
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.small import roles
from ragassay.people.agreement.check_items import Compared, Items, Quality, read_judge_set
from ragassay.people.agreement.check_statistics import Row, checked
from ragassay.people.agreement.check_values import control_values, judged_values
from ragassay.people.agreement.correlation import auroc
from ragassay.people.agreement.measure import (
    Measure,
    MeasureEstimate,
    defined,
    groups_of,
    with_interval,
    with_intervals,
)
from ragassay.tasks.contexts import AnswerFromChunks
from ragassay.tasks.ratings import AnswerOnBlock
from ragassay.tasks.verdicts import AnswerToQuestion, KeypointsOnAnswer

USEFUL_QUESTIONS = 60
"""So many take half a minute: the verifier reads each of their chunks."""


class Retrieved(NamedTuple):
    """A question of DragonBall with GPT-4o's answer. holds: which of its chunks hold a reference: some, but not all."""

    question: str
    answer: str
    chunks: Sequence[str]
    holds: Sequence[bool]


def retrieved(data: Path) -> Iterator[Retrieved]:
    """In the order of the file."""
    for line in (data / "dragonball/finance_en_gpt4o.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        parts = [_squeezed(part) for text in row["ground_truth"]["references"] for part in (text, *sentences(text))]
        chunks = row["prediction"]["references"]
        holds = [any(len(part) > 30 and part in _squeezed(chunk) for part in parts) for chunk in chunks]
        if any(holds) and not all(holds):
            yield Retrieved(row["query"]["content"], row["prediction"]["content"], chunks, holds)


def useful_chunks(data: Path, encoder: Encoder) -> tuple[MeasureEstimate, float]:
    """Balanced accuracy of what context precision takes for useful; beside it, that of half of the question's words."""
    given = list(retrieved(data))
    asked = random.Random(5).sample(given, min(USEFUL_QUESTIONS, len(given)))
    inputs = [AnswerFromChunks(question=each.question, answer=each.answer, chunks=tuple(each.chunks)) for each in asked]
    replies = relevance.HANDLERS["context_usefulness"](encoder, inputs)
    said = np.array([use.useful for reply in replies if reply.value for use in reply.value.items])
    holds = np.array([hold for each in asked for hold in each.holds])
    groups = groups_of([number for number, each in enumerate(asked) for _ in each.holds])

    def balanced(useful: npt.NDArray[np.bool_], drawn: npt.NDArray[np.int64]) -> Measure:
        right, held = useful[drawn] == holds[drawn], holds[drawn]
        return defined((right[held].mean() + right[~held].mean()) / 2, len(drawn))

    (found,) = with_intervals(len(said), lambda drawn: [balanced(said, drawn)], groups=groups)
    by_words = np.array([shared(each.question, chunk) >= 0.5 for each in asked for chunk in each.chunks])
    return found, balanced(by_words, np.arange(len(said))).value or 0.0


def _squeezed(text: str) -> str:
    return "".join(text.lower().split())


MONTHS = "January February March April May June July August September October November December".split()
KINDS = ("true", "number", "month", "negation", "entity")


def corrupted(rows: Sequence[dict[str, Any]]) -> dict[str, list[KeypointsOnAnswer]]:
    """Kind of change to keypoints, each against the references that it was made from; ``true`` are unchanged."""
    entities = sorted(
        {name for row in rows for text in row["ground_truth"]["keypoints"] for name in ENTITY.findall(text)}
    )
    chance = random.Random(0)
    kinds: dict[str, list[KeypointsOnAnswer]] = {name: [] for name in KINDS}
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
    return kinds


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
    base = lemma(match.group())
    return f"{text[: match.start()]}did not {base}{text[match.end() :]}"


def other_entity(text: str, entities: Sequence[str], chance: random.Random) -> str | None:
    match = ENTITY.search(text)
    if match is None:
        return None
    others = [name for name in entities if name.split()[0] != match.group().split()[0]]
    return text[: match.start()] + chance.choice(others) + text[match.end() :]


Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

RAGVAL_RUNS = ("random_agent_rag", "random_naive_rag", "random_no_rag", "recent_no_rag")


@dataclass(frozen=True)
class Line:
    """One row of the table. goal: at least, or at most where it begins with "<="; empty for a row without a goal.

    longer, overlap: the same statistic for the longer (of contexts: shorter), and for the share of words in common.
    """

    name: str
    found: Estimate
    goal: str = ""
    reference: str = "-"
    longer: float | None = None
    overlap: float | None = None

    @property
    def outcome(self) -> str:
        """Met, missed, or missed by less than the interval."""
        value, low, high = self.found.value, self.found.low, self.found.high
        if not self.goal or value is None:
            return ""
        at_most = self.goal.startswith("<=")
        goal = float(self.goal.split()[1])
        if (value <= goal) if at_most else (value >= goal):
            return "met"
        within = low is not None and high is not None and low <= goal <= high
        return "missed, within the interval" if within else "missed"


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


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(text) for text in file]


def mean_line(name: str, values: Sequence[float], goal: str, reference: str) -> Line:
    return Line(name, estimate(list(values)), goal, reference)


def auroc_line(
    name: str, scores: Floats, good: Bools, lengths: Floats, overlaps: Floats, goal: str = "", reference: str = "-"
) -> Line:
    return Line(
        name,
        with_interval(len(scores), lambda items: auroc(scores[items], good[items])),
        goal,
        reference,
        auroc(lengths, good).value,
        auroc(overlaps, good).value,
    )


def shared(text: str, other: str) -> float:
    """Share of the text's words that the other has, in [0, 1]."""
    words = set(re.findall(r"\w+", text.lower()))
    return len(words & set(re.findall(r"\w+", other.lower()))) / max(len(words), 1)


def judged(quality: Quality, items: Items, encoder: Encoder) -> list[Row]:
    """Rows of ``ragassay judge check`` for the embedded judge."""
    judge = Judge(model=EmbeddedModel(encoder), encoder=encoder)
    values = asyncio.run(judged_values(judge, quality, items, is_language_model=False))
    return list(checked(quality, items, [*values, *control_values(quality, items)]).rows)


def pair_lines(data: Path, encoder: Encoder) -> Iterator[Line]:
    """The product's metrics on pairs of WikiEval."""
    goals: tuple[tuple[Quality, str, str], ...] = (
        ("faithfulness", ">= 0.98", "0.95 RAGAS"),
        ("answer_relevance", ">= 0.92", "0.78 RAGAS"),
        ("context_relevance", ">= 0.80", "0.70 RAGAS"),
    )
    for quality, goal, reference in goals:
        path = data / f"wikieval/{quality}.jsonl"
        items = read_judge_set(path, quality).items[quality]
        judge, longer, *_ = judged(quality, items, encoder)
        better, worse = _overlaps(quality, read(path)).T
        yield Line(
            f"{quality.replace('_', ' ')}, pairs",
            judge.measures["accuracy"],
            goal,
            reference,
            longer.measures["accuracy"].value,
            float(((better > worse) + (better == worse) / 2).mean()),
        )


def _overlaps(quality: Quality, rows: Sequence[dict[str, Any]]) -> Floats:
    """(n_pairs, 2) float64: of the better and of the worse item."""
    turn, by = -1 if quality == "answer_relevance" else 1, "context" if quality == "faithfulness" else "question"
    return np.array([[shared(*(row[side], row[by])[::turn]) for side in ("better", "worse")] for row in rows])


def relevances(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    inputs = [AnswerToQuestion(question=question, answer=answer) for question, answer in pairs]
    replies = relevance.HANDLERS["answer_relevance"](encoder, inputs)
    return [reply.value.relevance or 0.0 if reply.value else 0.0 for reply in replies]


def ragval_lines(data: Path, encoder: Encoder) -> Iterator[Line]:
    """Answers of four runs that GPT-4 rated by the article: 4 and 5 against 1 and 2."""
    rows, blocks = ragval(data)
    items = [AnswerOnBlock(question=row["question"], answer=row["answer"], block=blocks[row["url"]]) for row in rows]
    lengths = np.array([float(len(row["answer"])) for row in rows])
    in_block = np.array([shared(each.answer, each.block) for each in items])
    of_question = np.array([shared(each.question, each.answer) for each in items])
    committal = np.array([not is_refusal(row["answer"]) for row in rows])
    truth, rated = (np.array([float(row[name]) for row in rows]) for name in ("truthfulness", "relevance"))
    by_question = np.array(relevances(encoder, [(row["question"], row["answer"]) for row in rows]))
    found = on_block(encoder, items, by_question.tolist())

    def line(
        name: str, scores: Floats, ratings: Floats, goal: str = "", reference: str = "-", *, only: Bools | None = None
    ) -> Line:
        clear = (ratings >= 4) | (ratings <= 2)
        used = clear if only is None else clear & only
        overlaps = in_block if ratings is truth else of_question
        return auroc_line(name, scores[used], ratings[used] >= 4, lengths[used], overlaps[used], goal, reference)

    true = np.array([each.truthfulness for each in found])
    with_block = np.array([each.relevance for each in found])
    yield line("truthfulness", true, truth, ">= 0.93", "0.928 trained")
    yield line("truthfulness, committal answers", true, truth, only=committal)
    yield line("answer relevance by question alone", by_question, rated, ">= 0.92", "0.925 trained")
    yield line(
        "answer relevance by question alone, committal answers",
        by_question,
        rated,
        ">= 0.75",
        "0.77 trained",
        only=committal,
    )
    yield line("answer relevance by the block", with_block, rated, ">= 0.92", "0.925 trained")
    yield line(
        "answer relevance by the block, committal answers", with_block, rated, ">= 0.75", "0.77 trained", only=committal
    )


def ragval(data: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Rated answers of all runs, and articles by their url."""
    blocks = {row["url"]: row["content"] for row in read(data / "ragval/knowledge_blocks.jsonl")}
    return [row | {"run": run} for run in RAGVAL_RUNS for row in read(data / f"ragval/scored_{run}.jsonl")], blocks


def useful_lines(data: Path, encoder: Encoder) -> Iterator[Line]:
    """What context precision takes for useful."""
    found, overlap = useful_chunks(data, encoder)
    yield Line("useful chunks", found, overlap=overlap)


def preference_lines(data: Path, encoder: Encoder) -> Iterator[Line]:
    """Pearson with single labels; two people with each other beside."""
    items = read_judge_set(data / "ragchecker_human/preferences.jsonl").items["preference"]
    compared = tuple(each for each in items if isinstance(each, Compared))
    rows = judged("preference", compared, encoder)
    goals = {"correctness": (">= 0.55", "0.497"), "completeness": (">= 0.66", "0.607"), "overall": (">= 0.63", "0.619")}
    for aspect, (goal, reference) in goals.items():
        of_aspect = {row.scorer if row.role != "judge" else "judge": row for row in rows if row.aspect == aspect}
        labelled = [each for each in compared if aspect in each.labels]
        overlaps = [_common(aspect, each.second, each) - _common(aspect, each.first, each) for each in labelled]
        pearson = {name: row.measures["pearson"] for name, row in of_aspect.items()}
        yield Line(
            f"human preference, {aspect}",
            pearson["judge"],
            goal,
            f"{reference} LLM, {pearson['another person'].value:.3f} human",
            pearson["longer wins"].value,
            float(np.corrcoef(overlaps, [each.labels[aspect] for each in labelled])[0, 1]),
        )


def _common(aspect: str, answer: str, item: Compared) -> float:
    """Share of the answer's words in the reference (correctness), of the reference's in the answer, or their F1."""
    precision, recall = shared(answer, item.reference), shared(item.reference, answer)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {"correctness": precision, "completeness": recall, "overall": f1}[aspect]


def corruption_lines(data: Path, encoder: Encoder) -> Iterator[Line]:
    """Keypoints with one thing changed, against their true references: each must be rejected; unchanged, passed."""
    rows = [r for r in read(data / "dragonball/finance_en_gpt4o.jsonl") if "Unsolvable" not in r["query"]["query_type"]]
    studied = {"number": "0.64 study", "month": "0.39 study", "negation": "0.22 study", "entity": "0.20 study"}
    for kind, inputs in corrupted(rows).items():
        replies = verdicts.HANDLERS["keypoint_verdicts"](encoder, inputs)
        rejected = [float(reply.value.items[0].verdict != "covered") for reply in replies if reply.value is not None]
        goal = "<= 0.05" if kind == "true" else ">= 0.80"
        yield mean_line(f"keypoints rejected, {kind}", rejected, goal, studied.get(kind, "-"))


def show(lines: Sequence[Line], *, markdown: bool) -> None:
    heads = ("dimension", "value", "95 % interval", "n", "longer", "overlap", "goal", "", "reference")
    cells = [heads, *(_cells(line) for line in lines)]
    if markdown:
        print("\n".join(f"| {' | '.join(row)} |" for row in (cells[0], ["---"] * len(heads), *cells[1:])))
        return
    widths = [max(len(row[place]) for row in cells) for place in range(len(heads))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cells(line: Line) -> tuple[str, ...]:
    found = line.found
    interval = "-" if found.low is None or found.high is None else f"{found.low:.3f} .. {found.high:.3f}"
    controls = ("-" if each is None else f"{each:.2f}" for each in (line.longer, line.overlap))
    value = "-" if found.value is None else f"{found.value:.3f}"
    return (line.name, value, interval, str(found.n), *controls, line.goal, line.outcome, line.reference)


DIMENSIONS: tuple[Callable[[Path, Encoder], Iterator[Line]], ...] = (
    pair_lines,
    ragval_lines,
    useful_lines,
    preference_lines,
    corruption_lines,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder with the judged items")
    parser.add_argument("--markdown", action="store_true", help="print the table for the documentation")
    parser.add_argument("--write", type=Path, metavar="FILE", help="file of what pages say of this judge")
    arguments = parser.parse_args()
    if not (arguments.data / "wikieval").is_dir():
        print(f"no data at {arguments.data}: nothing was measured; give the folder with --data", file=sys.stderr)
        return 2
    if arguments.write is not None and not roles.is_on():
        print(f"--write: pages are about the judge with its verifier; unset {roles.SWITCH}", file=sys.stderr)
        return 2
    gc.set_threshold(GC_THRESHOLD)  # as the command line does
    encoder = CachedForRun(SentenceEncoder())
    lines = []
    for dimension in DIMENSIONS:
        for line in dimension(arguments.data, encoder):
            lines.append(line)
            print(line.name, file=sys.stderr, flush=True)
    show(lines, markdown=arguments.markdown)
    if arguments.write is not None:
        judge = EmbeddedModel(encoder)
        write(arguments.write, judge.name, kept_rows(lines, check_of_claims(judge)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
