"""Judgements of support by the verifier and by rules, on the same rows: AUROC, balanced accuracy, seconds.

    python benchmarks/judgements.py --data ../shared/data [--rows 60] [--only keypoints,chunks]

Which of the two decides a judgement was settled by this table (docs/decisions/embedded-judge.md); an adapter that is
new is measured the same way. Claims, pairs and questions are of the sources that the verifier is calibrated on, and
that neither it nor the rules learned from; the other data are third-party, and only of the half for development.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from calibrate_verifier import auroc, balanced

from ragassay.models.base import Encoder
from ragassay.models.embedded.judging import verdicts
from ragassay.models.embedded.judging.keypoints import concluded
from ragassay.models.embedded.judging.labelling import asks_for_computation
from ragassay.models.embedded.judging.places import answers, rank_places, read_question, read_text
from ragassay.models.embedded.judging.refusals import is_refusal
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.truthfulness import AnswerOnContext, on_block
from ragassay.models.embedded.judging.verdicts import SUPPORTED_ABOVE, statements_of
from ragassay.models.embeddings import SentenceEncoder
from ragassay.models.small.verifier import Check, Verifier
from ragassay.tasks.verdicts import KeypointsOnAnswer
from ragassay.text import sentences

TUNING = ("18F content guide", "public code standard")
RAGVAL_RUNS = ("random_agent_rag", "random_naive_rag", "random_no_rag", "recent_no_rag")


class Judged(NamedTuple):
    """scores: higher is likelier; said: the verdicts; seconds: that it took."""

    scores: Sequence[float]
    said: Sequence[bool]
    seconds: float


class Compared(NamedTuple):
    """right: what people say, or what is so by construction."""

    name: str
    right: Sequence[bool]
    rules: Judged
    verifier: Judged


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def timed(judge: Callable[[], tuple[Sequence[float], Sequence[bool]]]) -> Judged:
    started = time.perf_counter()
    scores, said = judge()
    return Judged(scores, said, time.perf_counter() - started)


def asked(verifier: Verifier, checks: Sequence[Check]) -> tuple[list[float], list[bool]]:
    """Of checks with one claim each."""
    found = [one.supported for (one,) in verifier.judge(checks)]
    least = verifier.threshold(questions=bool(checks) and checks[0].questions)
    return found, [each >= least for each in found]


def keypoints(data: Path, rows: int, encoder: Encoder, verifier: Verifier) -> Iterator[Compared]:
    """Keypoints "question: answer" against their answer, the question again, and another fact of the passage."""
    items: list[tuple[KeypointsOnAnswer, bool]] = []
    for pair in tuning_pairs(data):
        facts = pair.get("facts") or []
        for of in (*facts[:1], *([pair["reasoning"]] if pair.get("reasoning") else [])):
            keypoint = concluded(of["question"], of["answer"])
            others = [fact["statement"] for fact in facts if fact["question"] != of["question"]]
            told = f"{of['question'].rstrip('?')}: that is what was asked. {of['question']}"
            for said, is_right in ((of["answer"], True), (told, False), *((each, False) for each in others[-1:])):
                asked_of = KeypointsOnAnswer(question=of["question"], keypoints=(keypoint,), answer=said)
                items.append((asked_of, is_right))
    items = items[:rows]

    def by_rules() -> tuple[list[float], list[bool]]:
        replies = verdicts.HANDLERS["keypoint_verdicts"](encoder, [item for item, _ in items])
        found = [reply.value.items[0] for reply in replies if reply.value]
        return [each.support for each in found], [each.verdict == "covered" for each in found]

    checks = [Check(item.answer, item.keypoints, title=item.question) for item, _ in items]
    right = [is_right for _, is_right in items]
    yield Compared("keypoints, question: answer", right, timed(by_rules), timed(lambda: asked(verifier, checks)))


def answered(data: Path, rows: int, _: Encoder, verifier: Verifier) -> Iterator[Compared]:
    """Whether a context answers: questions on their own and on the next paragraph, and pairs with unanswerable ones."""
    xquad = read(data / "xquad/en.jsonl")
    paragraphs = list(dict.fromkeys(row["context"] for row in xquad))
    following = dict(zip(paragraphs, paragraphs[1:] + paragraphs[:1], strict=True))
    own = random.Random(5).sample(xquad, min(rows // 2, len(xquad)))
    next_ = [(following[row["context"]], row["question"], False) for row in own]
    yield _answered("answered, XQuAD", [*((row["context"], row["question"], True) for row in own), *next_], verifier)
    pairs = [
        (pair["text"], of["question"], kind != "unanswerable")
        for pair in tuning_pairs(data)
        for kind in ("fact", "summary", "reasoning", "unanswerable")
        for of in ((pair.get("facts") or [])[:1] if kind == "fact" else [pair.get(kind)])
        if of
    ]
    yield _answered("answered, pairs", random.Random(5).sample(pairs, min(rows, len(pairs))), verifier)


def _answered(name: str, items: Sequence[tuple[str, str, bool]], verifier: Verifier) -> Compared:
    def by_rules() -> tuple[list[float], list[bool]]:
        said = []
        for context, text, _ in items:
            question, index = read_question(text), read_text(context)
            places = rank_places(question, index)
            said.append(answers(question, places, wide=asks_for_computation(text)))
        return [float(each) for each in said], said

    checks = [Check(context, [question], questions=True) for context, question, _ in items]
    return Compared(name, [right for *_, right in items], timed(by_rules), timed(lambda: asked(verifier, checks)))


def grounded(data: Path, rows: int, encoder: Encoder, verifier: Verifier) -> Iterator[Compared]:
    """Answers of one claim: does the passage support it?"""
    claims = [
        (row["text"], claim)
        for row in read(data / "claims/claims.jsonl")
        if row["source"] in TUNING
        for claim in row["claims"]
    ]
    claims = random.Random(5).sample(claims, min(rows, len(claims)))

    def by_rules() -> tuple[list[float], list[bool]]:
        held = support(encoder, [Claim("", [claim["text"]], text) for text, claim in claims])
        found = [0.5 * one.score + 0.5 * one.known for (one,) in held]
        return found, [each >= 0.4 for each in found]  # what was rated 3 and more

    checks = [Check(text, [claim["text"]]) for text, claim in claims]
    right = [claim["supported"] for _, claim in claims]
    yield Compared("answer groundedness, claims", right, timed(by_rules), timed(lambda: asked(verifier, checks)))


def chunks(data: Path, rows: int, _: Encoder, verifier: Verifier) -> Iterator[Compared]:
    """Retrieved chunks that hold a reference against those that do not; rules: words of GPT-4o's answer."""
    items: list[tuple[str, str, str, bool]] = []
    answers = read(data / "dragonball/finance_en_gpt4o.jsonl")
    for row in random.Random(5).sample(answers, len(answers)):
        parts = [_squeezed(part) for text in row["ground_truth"]["references"] for part in (text, *sentences(text))]
        found = row["prediction"]["references"]
        holds = [any(len(part) > 30 and part in _squeezed(chunk) for part in parts) for chunk in found]
        question, answer = row["query"]["content"], row["prediction"]["content"]
        if any(holds) and not all(holds):
            items += [(question, answer, chunk, hold) for chunk, hold in zip(found, holds, strict=True)]
    items = items[:rows]

    def by_rules() -> tuple[list[float], list[bool]]:
        claims = [Claim(question, statements_of(question, answer), chunk) for question, answer, chunk, _ in items]
        found = [max((one.score for one in held), default=0.0) for held in support(None, claims)]
        return found, [each > SUPPORTED_ABOVE for each in found]

    checks = [Check(chunk, [question], questions=True) for question, _, chunk, _ in items]
    rules, verified = timed(by_rules), timed(lambda: asked(verifier, checks))
    right = [hold for *_, hold in items]
    yield Compared("chunks, question to the verifier", right, rules, verified)
    both = Judged(
        [one * other for one, other in zip(rules.scores, verified.scores, strict=True)],
        [one and other for one, other in zip(rules.said, verified.said, strict=True)],
        rules.seconds + verified.seconds,
    )
    yield Compared("chunks, both", right, rules, both)


def _squeezed(text: str) -> str:
    return "".join(text.lower().split())


def truth(data: Path, rows: int, encoder: Encoder, verifier: Verifier) -> Iterator[Compared]:
    """Committal answers that GPT-4 rated by the article, 4 and 5 against 1 and 2; the verifier's mean of statements."""
    blocks = {row["url"]: row["content"] for row in read(data / "ragval/knowledge_blocks.jsonl")}
    rated = [row for run in RAGVAL_RUNS for row in read(data / f"ragval/scored_{run}.jsonl")]
    clear = [row for row in rated if row["truthfulness"] != 3 and not is_refusal(row["answer"])]
    drawn = [
        row
        for good in (True, False)
        for row in random.Random(11).sample([row for row in clear if (row["truthfulness"] > 3) is good], rows // 2)
    ]

    def by_rules() -> tuple[list[float], list[bool]]:
        items = [AnswerOnContext(r["question"], r["answer"], blocks[r["url"]]) for r in drawn]
        found = [each.truthfulness for each in on_block(encoder, items, [0.0] * len(items))]
        return found, [each >= 0.5 for each in found]

    def by_verifier() -> tuple[list[float], list[bool]]:
        checks = [
            Check(blocks[r["url"]], statements_of(r["question"], r["answer"])[:3], title=r["title"], windows=1)
            for r in drawn
        ]
        found = [float(np.mean([one.supported for one in each] or [0.0])) for each in verifier.judge(checks)]
        return found, [each >= verifier.threshold() for each in found]

    yield Compared("truthfulness", [row["truthfulness"] > 3 for row in drawn], timed(by_rules), timed(by_verifier))


def tuning_pairs(data: Path) -> list[dict[str, Any]]:
    return [row for row in read(data / "pairs/pairs.jsonl") if row["source"] in TUNING]


MEASURES = {"keypoints": keypoints, "answered": answered, "grounded": grounded, "chunks": chunks, "truth": truth}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--only", default=",".join(MEASURES))
    arguments = parser.parse_args()
    encoder, verifier = SentenceEncoder(), Verifier.load()
    print("| judgement | rows | rules: AUROC, balanced, s | verifier: AUROC, balanced, s |\n| --- | --- | --- | --- |")
    for name in arguments.only.split(","):
        for each in MEASURES[name](arguments.data, arguments.rows, encoder, verifier):
            right = np.array(each.right)
            cells = [
                f"{auroc(np.array(by.scores), right):.3f}, {balanced(np.array(by.said), right):.3f}, {by.seconds:.1f}"
                for by in (each.rules, each.verifier)
            ]
            print(f"| {each.name} | {len(right)} | {cells[0]} | {cells[1]} |", flush=True)


if __name__ == "__main__":
    main()
