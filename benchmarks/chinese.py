"""What the embedded model's Chinese rules are worth: on published questions of people, and on statements made false.

    python benchmarks/chinese.py --shared ../shared/data [--dense]

On XQuAD in Chinese: the labeller on each question with its own paragraph and with another one of the same article;
the answerer on the paragraph, on the five of the article, and on the four that do not answer. --dense: recall of the
built-in encoder as well, in English beside it. On a scenario that is generated here: keypoints on their references,
as they are and with a number, a month, a negation or a name changed. Articles with even numbers are those that
thresholds were chosen on; figures of the odd ones count.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ragassay.models.embedded.chinese.amounts import amounts
from ragassay.models.embedded.chinese.answering import HANDLERS as ANSWERS
from ragassay.models.embedded.chinese.dates import dates
from ragassay.models.embedded.chinese.labelling import HANDLERS as LABELS
from ragassay.models.embedded.chinese.verdicts import HANDLERS as VERDICTS
from ragassay.synthesis.scenario.generate import ScenarioOptions, generate
from ragassay.synthesis.scenario.schema_file import load_schema
from ragassay.tasks.answering import QuestionWithChunks
from ragassay.tasks.labelling import Pair
from ragassay.tasks.verdicts import KeypointsOnAnswer, StatementsOnContext

NO_ENCODER: Any = None
"""The Chinese rules ask for no vectors."""
PARAGRAPHS_OF_ARTICLE = 5


class Asked(NamedTuple):
    """A question of XQuAD; number: of its paragraph."""

    question: str
    answer: str
    number: int

    @property
    def article(self) -> int:
        return self.number // PARAGRAPHS_OF_ARTICLE


def read_xquad(path: Path) -> tuple[list[str], list[Asked]]:
    """The paragraphs, and the questions on them."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(row["context"] for row in rows))}
    return list(numbers), [Asked(row["question"], row["answer"], numbers[row["context"]]) for row in rows]


def article_of(paragraphs: Sequence[str], asked: Asked) -> list[str]:
    start = asked.article * PARAGRAPHS_OF_ARTICLE
    return list(paragraphs[start : start + PARAGRAPHS_OF_ARTICLE])


def labels(paragraphs: Sequence[str], questions: Sequence[Asked]) -> None:
    """The share of questions that are called answerable on their own paragraph and on the next one of its article."""
    for name, part in halves(questions):
        shares = []
        for shift in (0, 1):
            pairs = [
                Pair(
                    context=article_of(paragraphs, asked)[(asked.number + shift) % PARAGRAPHS_OF_ARTICLE],
                    question=asked.question,
                )
                for asked in part
            ]
            given = Counter(reply.value.label for reply in LABELS["label"](NO_ENCODER, pairs) if reply.value)
            shares.append(1 - given["unanswerable"] / len(pairs))
        print(f"labels, {name} ({len(part)}): answerable on own paragraph {shares[0]:.3f}, on another {shares[1]:.3f}")


def answers(paragraphs: Sequence[str], questions: Sequence[Asked]) -> None:
    """The share of answers that hold the given one, and of abstentions."""
    for name, part in halves(questions):
        for what, chunks in (
            ("own paragraph", lambda asked: [paragraphs[asked.number]]),
            ("the five of the article", lambda asked: article_of(paragraphs, asked)),
            (
                "the four others",
                lambda asked: [t for t in article_of(paragraphs, asked) if t != paragraphs[asked.number]],
            ),
        ):
            found = [
                reply.value
                for reply in ANSWERS["answer"](
                    NO_ENCODER,
                    [QuestionWithChunks(question=each.question, chunks=tuple(chunks(each))) for each in part],
                )
            ]
            held = sum(
                bare(each.answer) in bare(answer.text) for each, answer in zip(part, found, strict=True) if answer
            )
            abstained = sum(answer.abstained for answer in found if answer)
            print(
                f"answers, {name}, {what}: hold the given one {held / len(part):.3f}, "
                f"abstain {abstained / len(part):.3f}"
            )


def halves(questions: Sequence[Asked]) -> list[tuple[str, list[Asked]]]:
    return [
        (name, [asked for asked in questions if asked.article % 2 == odd])
        for name, odd in (("chosen on", 0), ("held out", 1))
    ]


def bare(text: str) -> str:
    return "".join(text.split())


def dense(shared: Path) -> None:
    """Recall of the paragraph by cosine, in the language that the encoder knows and in Chinese."""
    from ragassay.models.embeddings import SentenceEncoder

    encoder = SentenceEncoder(threads=1)
    for language in ("en", "zh"):
        paragraphs, questions = read_xquad(shared / "xquad" / f"{language}.jsonl")
        cosines = encoder.encode([asked.question for asked in questions]) @ encoder.encode(paragraphs).T
        ranked = np.argsort(-cosines, axis=1, kind="stable")
        gold = np.array([[asked.number] for asked in questions])
        recall = [float((ranked[:, :k] == gold).any(axis=1).mean()) for k in (1, 3, 5)]
        print(f"dense recall@1, @3, @5, {language}: " + ", ".join(f"{value:.3f}" for value in recall))


Change = Callable[[str, Random], str | None]


def other_number(text: str, random: Random) -> str | None:
    found = [amount for amount in amounts(text) if amount.text[0].isdigit()]
    if not found:
        return None
    amount = random.choice(found)
    written = re.match(r"[\d.,]+", amount.text)
    assert written is not None
    value = float(written[0].replace(",", ""))
    new = (
        f"{value * random.choice([0.7, 1.1, 1.3, 2]):.1f}"
        if "." in written[0]
        else str(int(value) + random.choice([1, 3, 7]))
    )
    return text[: amount.start] + new + amount.text[written.end() :] + text[amount.end :]


def other_month(text: str, random: Random) -> str | None:
    found = [date for date in dates(text) if date.month]
    if not found:
        return None
    date = random.choice(found)
    month = (date.month + random.choice([1, 3, 5]) - 1) % 12 + 1
    return text[: date.start] + date.text.replace(f"{date.month}月", f"{month}月", 1) + text[date.end :]


_DENIABLE = re.compile(r"收购|担任|募集|发行|召开|位于|成立|支付|承担|使用|出院|捐赠|投入|建成|提起|判处|退赔|指控")


def denied(text: str, _: Random) -> str | None:
    match = _DENIABLE.search(text)
    return f"{text[: match.start()]}没有{text[match.start() :]}" if match else None


_NAME = re.compile(r"[\u4e00-\u9fff]{2,6}(?:股份有限公司|有限公司|医院|法院)")


def verdicts() -> None:
    """The share of true keypoints that are taken for said, and of changed ones that are not."""
    keypoints: list[tuple[str, str, str]] = []
    for name in ("finance", "law", "medicine"):
        made = generate(load_schema(name, "zh")[0], ScenarioOptions(documents=12))
        for example in made.examples:
            if example.question_type in ("factual", "summarization"):
                context = "\n".join(span.text for span in example.references)
                keypoints += [(example.question, keypoint, context) for keypoint in example.keypoints]
    names = sorted({name for _, keypoint, _ in keypoints for name in _NAME.findall(keypoint)})

    def other_name(text: str, random: Random) -> str | None:
        match = _NAME.search(text)
        return text.replace(match[0], random.choice([name for name in names if name != match[0]])) if match else None

    changes: dict[str, Change] = {
        "number": other_number,
        "month": other_month,
        "negation": denied,
        "name": other_name,
    }
    said: dict[str, list[bool]] = defaultdict(list)
    random = Random(0)
    for question, keypoint, context in keypoints:
        said["as it is"].append(is_said(question, keypoint, context))
        for name, change in changes.items():
            changed = change(keypoint, random)
            if changed is not None:
                said[name].append(is_said(question, changed, context))
    for name, found in said.items():
        share = sum(found) / len(found)
        print(
            f"keypoints, {name} ({len(found)}): "
            + (f"said {share:.3f}" if name == "as it is" else f"rejected {1 - share:.3f}")
        )


def is_said(question: str, statement: str, context: str) -> bool:
    """Whether both verdicts, on statements and on keypoints, take a statement for said."""
    on_context = StatementsOnContext(question=question, statements=(statement,), context=context)
    on_answer = KeypointsOnAnswer(question=question, keypoints=(statement,), answer=context)
    one = VERDICTS["statement_verdicts"](NO_ENCODER, [on_context])[0].value
    other = VERDICTS["keypoint_verdicts"](NO_ENCODER, [on_answer])[0].value
    assert one is not None
    assert other is not None
    return bool(one.items[0].supported) and other.items[0].verdict == "covered"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True, help="folder with xquad/zh.jsonl and xquad/en.jsonl")
    parser.add_argument("--dense", action="store_true", help="the built-in encoder as well; takes a minute")
    given = parser.parse_args()
    paragraphs, questions = read_xquad(given.shared / "xquad" / "zh.jsonl")
    labels(paragraphs, questions)
    answers(paragraphs, questions)
    verdicts()
    if given.dense:
        dense(given.shared)


if __name__ == "__main__":
    main()
