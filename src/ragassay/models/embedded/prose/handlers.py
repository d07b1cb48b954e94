"""The embedded model's answers where it also asks of plain sentences: behind the rules' questions, those of the parse.

Drafts come from the parse, the small language model puts them into people's words, and the verifier says whether a
context answers a question. ``RAGASSAY_PROSE=on`` switches this on (``docs/decisions/questions-on-prose.md``).
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded import labelling, questions, statements
from ragassay.models.embedded.framing import unframed
from ragassay.models.embedded.labelling import asks_for_computation, asks_for_several
from ragassay.models.embedded.prose.facts import FactDraft, fact_drafts, quality
from ragassay.models.embedded.prose.gaps import gap_drafts
from ragassay.models.embedded.prose.reasoning.inference import reasoning_drafts
from ragassay.models.embedded.prose.summaries import summary_drafts
from ragassay.models.small import roles
from ragassay.models.small.critic import Asked
from ragassay.models.small.verifier import Check
from ragassay.models.small.writer import Sentence, Written
from ragassay.records import Label
from ragassay.tasks.labelling import LabelVerdict, Pair
from ragassay.tasks.questions import MissCandidates, NearMisses, Question, StatementOnTheme
from ragassay.tasks.statements import (
    Passage,
    PassageFacts,
    PassageOnTheme,
    QuestionDraft,
    Statement,
    Statements,
    Theme,
)
from ragassay.text import sentences

Handler = Callable[[Encoder, Sequence[Any]], list[Reply[Any]]]

_BY_RULE: Mapping[str, Handler] = {**statements.HANDLERS, **questions.HANDLERS, **labelling.HANDLERS}

BEHIND_RULES = 0.45
"""Factor of the quality of these questions: questions by rules count as one half, and readers accept more of them."""
MOST_OF_A_PASSAGE = 16
"""Drafts of one passage and label that go on: the best ones, one for each sentence first."""
WORTH_TRYING = 0.3
"""Least quality of a fact that goes on, unless the passage has fewer than ``FEWEST``."""
FEWEST = 4
LEAST_REASONING = 0.35
"""Least acceptability of a question that must be inferred: readers took fewer of what lies below."""
WORDS = range(4, 36)
"""Of a draft; what the writer makes of it is shorter."""


def _theme(encoder: Encoder, inputs: Sequence[Passage]) -> list[Reply[Theme]]:
    """As by rules, or the title of an English document, whatever it is: its questions need not name it."""
    found = _BY_RULE["theme"](encoder, inputs)
    return [
        Reply(Theme(text=passage.title.strip()))
        if reply.value is None and passage.title.strip() and passage.language in ("en", "und")
        else reply
        for passage, reply in zip(inputs, found, strict=True)
    ]


def _facts(encoder: Encoder, inputs: Sequence[PassageOnTheme]) -> list[Reply[Statements]]:
    drafts = fact_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    return _joined("facts", encoder, inputs, [_tried(each) for each in drafts])


def _summaries(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
    drafts = summary_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    return _joined("summaries", encoder, inputs, drafts)


def _conclusions(encoder: Encoder, inputs: Sequence[PassageFacts]) -> list[Reply[Statements]]:
    found = reasoning_drafts([each.passage for each in inputs], [each.theme for each in inputs])
    likely = [[draft for draft in drafts if draft.acceptability >= LEAST_REASONING] for drafts in found]
    return _joined("conclusions", encoder, inputs, likely)


def _joined(
    task: str, encoder: Encoder, inputs: Sequence[Any], drafts: Sequence[Sequence[FactDraft]]
) -> list[Reply[Statements]]:
    """What rules find, and behind it the drafts of the parse."""
    by_rule = _BY_RULE[task](encoder, inputs)
    return [
        Reply(
            Statements(
                items=(
                    *(reply.value.items if reply.value else ()),
                    *(_statement(each.passage, draft) for draft in some[:MOST_OF_A_PASSAGE]),
                )
            )
        )
        for each, reply, some in zip(inputs, by_rule, drafts, strict=True)
    ]


def _tried(drafts: Sequence[FactDraft]) -> list[FactDraft]:
    """Drafts that are worth a try, the best of every sentence first."""
    unique = {draft.question: draft for draft in reversed(drafts) if len(draft.question.split()) in WORDS}
    drafts = list(reversed(unique.values()))
    good = [draft for draft in drafts if quality(draft) >= WORTH_TRYING]
    seen: Counter[tuple[tuple[int, int], ...]] = Counter()
    ranked = []
    for draft in good if len(good) >= FEWEST else drafts[:FEWEST]:
        ranked.append((seen[draft.quotes], -quality(draft), draft))
        seen[draft.quotes] += 1
    return [draft for *_, draft in sorted(ranked, key=lambda each: each[:2])]


def _statement(passage: Passage, draft: FactDraft) -> Statement:
    worth = quality(draft) if draft.worth else draft.acceptability
    return Statement(
        text=draft.statement,
        quotes=tuple(passage.text[start:end] for start, end in draft.quotes),
        draft=QuestionDraft(
            question=draft.question, answer=draft.answer, pattern=draft.form, quality=BEHIND_RULES * worth
        ),
    )


def _question(encoder: Encoder, inputs: Sequence[StatementOnTheme]) -> list[Reply[Question]]:
    """The question that was drafted with the statement, or the writer's wording of it: what the critic takes sooner."""
    wordings = [[] if each.statement.draft is None else [_as_drafted(each.statement.draft)] for each in inputs]
    prose = [number for number, each in enumerate(inputs) if _is_of_prose(each.statement.draft)]
    for number, mended in zip(prose, _mended([inputs[number] for number in prose]), strict=True):
        wordings[number] += mended
    best = _best([_asked(each, one) for each, some in zip(inputs, wordings, strict=True) for one in some])
    replies: list[Reply[Question]] = []
    for some in wordings:
        judged = [next(best) for _ in some]
        if judged:
            replies.append(Reply(max(judged, key=lambda each: each.quality or 0.0)))
        else:
            replies.append(Reply(None, "the embedded model asks only about statements that it found itself"))
    return replies


def _is_of_prose(draft: QuestionDraft | None) -> bool:
    return draft is not None and draft.quality is not None


def _as_drafted(draft: QuestionDraft) -> Question:
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


def _mended(inputs: Sequence[StatementOnTheme]) -> list[list[Question]]:
    """The drafts as the writer puts them; none where it finds no question in one, or is switched off."""
    writer = roles.writer()
    if writer is None:
        return [[] for _ in inputs]
    sentences = [
        Sentence(
            each.passage.title, " > ".join(each.passage.section), each.passage.text, " ".join(each.statement.quotes)
        )
        for each in inputs
    ]
    drafts = [each.statement.draft.question if each.statement.draft else "" for each in inputs]
    written = writer.mend(sentences, drafts)
    return [[] if found is None else [_reworded(each, found)] for each, found in zip(inputs, written, strict=True)]


def _reworded(asked: StatementOnTheme, found: Written) -> Question:
    """The mended question with the draft's answer where it asks for the same; else with the whole statement."""
    draft = asked.statement.draft
    assert draft is not None
    same = found.question.split()[0].lower() in draft.question.lower().split()
    return Question(
        question=found.question,
        answer=draft.answer if same else asked.statement.text.rstrip("."),
        pattern=draft.pattern,
        quality=(draft.quality or 0.0) * math.exp(found.likelihood),
    )


def _asked(on: StatementOnTheme, question: Question) -> tuple[Asked, Question]:
    passage = on.passage
    quote = " ".join(on.statement.quotes)
    heading = " > ".join(passage.section)
    return Asked(passage.title, heading, passage.text, quote, question.question, question.answer), question


def _best(asked: Sequence[tuple[Asked, Question]]) -> Iterator[Question]:
    """The questions with the critic's probability that a reader takes them; as they are where it is switched off."""
    critic = roles.critic()
    if critic is None:
        yield from (question for _, question in asked)
        return
    worth = critic.worth([each for each, _ in asked])
    for (_, question), good in zip(asked, worth, strict=True):
        yield question.model_copy(update={"quality": good})


GAP_EVERY = 4
"""Of so many passages the writer reads one for what it leaves open: reading takes half a second."""
GAP_CANDIDATES = 3
GAP_PATTERN = "written"


def _written_gaps(inputs: Sequence[MissCandidates]) -> dict[int, list[Question]]:
    """Number of a passage to the questions that the writer thinks it leaves open; the judge checks them."""
    writer = roles.writer()
    if writer is None:
        return {}
    numbers = [number for number, each in enumerate(inputs) if _is_read(each.passage)]
    passages = [inputs[number].passage for number in numbers]
    sentences = [Sentence(each.title, " > ".join(each.section), each.text, each.text[:200]) for each in passages]
    found = writer.ask_missing(sentences, GAP_CANDIDATES)
    return {
        number: [
            Question(
                question=one.question,
                answer="",
                pattern=_pattern_of_gap(one.question),
                quality=BEHIND_RULES * math.exp(one.likelihood),
            )
            for one in several
        ]
        for number, several in zip(numbers, found, strict=True)
    }


def _is_read(passage: Passage) -> bool:
    """One passage in ``GAP_EVERY``, by its text alone."""
    return hashlib.sha256(passage.text.encode("utf-8", "replace")).digest()[0] % GAP_EVERY == 0


def _pattern_of_gap(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: written_how_long."""
    return "_".join([GAP_PATTERN, *question.lower().split()[:2]])


MOST_GAPS = 6
"""Open questions of one passage that go on: the most natural ones."""


def _near_misses(encoder: Encoder, inputs: Sequence[MissCandidates]) -> list[Reply[NearMisses]]:
    by_rule = _BY_RULE["near_misses"](encoder, inputs)
    drafted = gap_drafts(
        [each.passage for each in inputs],
        [each.theme for each in inputs],
        [each.document or each.passage.text for each in inputs],
        encoder=encoder.encode,
    )
    written = _written_gaps(inputs)
    open_: list[list[Question]] = []
    for number, (reply, drafts) in enumerate(zip(by_rule, drafted, strict=True)):
        items = [
            *(reply.value.items if reply.value else ()),
            *(
                Question(question=draft.question, answer="", pattern=draft.form, quality=BEHIND_RULES * draft.worth)
                for draft in drafts[:MOST_GAPS]
            ),
            *written.get(number, ()),
        ]
        unique: dict[str, Question] = {}
        for item in items:
            unique.setdefault(item.question, item)
        open_.append(list(unique.values()))
    best = _best(
        [
            (Asked(each.passage.title, " > ".join(each.passage.section), each.passage.text, "", one.question, ""), one)
            for each, some in zip(inputs, open_, strict=True)
            for one in some
        ]
    )
    return [Reply(NearMisses(items=tuple(next(best) for _ in some))) for some in open_]


def _labels(encoder: Encoder, inputs: Sequence[Pair]) -> list[Reply[LabelVerdict]]:
    """By the verifier, which reads; by rules where the small language model is off."""
    verifier = roles.verifier()
    if verifier is None:
        return _BY_RULE["label"](encoder, inputs)
    judged = verifier.judge([Check(pair.context, [pair.question], questions=True) for pair in inputs])
    least = verifier.threshold(questions=True)
    return [Reply(_verified(pair, found.supported, least)) for pair, (found,) in zip(inputs, judged, strict=True)]


def _verified(pair: Pair, answered: float, least: float) -> LabelVerdict:
    """The label by the verifier's probability that the context answers the question."""
    if answered < least:
        return LabelVerdict(label="unanswerable", reason=f"the context hardly answers it, probability {answered:.2f}")
    question, answer = unframed(pair.question), pair.answer.strip()
    label: Label = "fact_single"
    told = "one thing is asked, and stated"
    if asks_for_computation(question) or _puts_a_case(question, answer, pair.context):
        label, told = "reasoning", "it asks for what follows from what is stated"
    elif asks_for_several(question) or len(_units(answer)) > 1:
        label, told = "summary", "its answer has several parts"
    return LabelVerdict(label=label, reason=f"{told}; probability of an answer {answered:.2f}")


def _puts_a_case(question: str, answer: str, context: str) -> bool:
    """Whether a rule is to be applied: a denial, a case told before the question, a number that the context lacks."""
    if _DENIES.match(answer) or _TOLD_FIRST.search(question):
        return True
    return bool(set(_NUMBER.findall(question)) - set(_NUMBER.findall(context)))


_DENIES = re.compile(r"\W*no(?:[,;:]|\W*$)", re.IGNORECASE)
_TOLD_FIRST = re.compile(r"[a-z]{3}[.;] [A-Za-z]")
_NUMBER = re.compile(r"\d+")


def _units(answer: str) -> list[str]:
    """The sentences and entries of an answer."""
    return [part for sentence in sentences(answer) for part in sentence.split(";") if part.strip(" .")]


HANDLERS: dict[str, Handler] = {
    "theme": _theme,
    "facts": _facts,
    "summaries": _summaries,
    "conclusions": _conclusions,
    "question": _question,
    "near_misses": _near_misses,
    "label": _labels,
}
