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
from ragassay.models.small.verifier import Check
from ragassay.models.small.writer import Sentence, Writer, Written
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
    return drafted_questions(inputs, roles.writer)


def drafted_questions(inputs: Sequence[StatementOnTheme], writer: Callable[[], Writer | None]) -> list[Reply[Question]]:
    """The question that was drafted with the statement; those on prose in the writer's words.

    writer: called where there are any.
    """
    drafts = [each.statement.draft for each in inputs]
    of_prose = [each for each, draft in zip(inputs, drafts, strict=True) if _is_of_prose(draft)]
    mended = _mended(of_prose, writer() if of_prose else None)
    replies: list[Reply[Question]] = []
    for draft in drafts:
        if draft is None:
            replies.append(Reply(None, "the embedded model asks only about statements that it found itself"))
        elif _is_of_prose(draft):
            replies.append(next(mended))
        else:
            replies.append(Reply(_as_drafted(draft)))
    return replies


def _is_of_prose(draft: QuestionDraft | None) -> bool:
    return draft is not None and draft.quality is not None


def _as_drafted(draft: QuestionDraft) -> Question:
    return Question(question=draft.question, answer=draft.answer, pattern=draft.pattern, quality=draft.quality)


def _mended(inputs: Sequence[StatementOnTheme], writer: Writer | None) -> Iterator[Reply[Question]]:
    """The drafts as the writer puts them, or as they are where there is none."""
    drafts = [each.statement.draft for each in inputs if each.statement.draft is not None]
    if writer is None:
        yield from (Reply(_as_drafted(draft)) for draft in drafts)
        return
    written = writer.mend([to_ask_of(each) for each in inputs], [draft.question for draft in drafts])
    for each, draft, found in zip(inputs, drafts, written, strict=True):
        if found is None:
            yield Reply(None, NOT_WORTH_ASKING)
        else:
            yield Reply(_reworded(each, draft, found))


NOT_WORTH_ASKING = "the writer finds no question in it that is worth asking"


def to_ask_of(asked: StatementOnTheme) -> Sentence:
    """What a statement rests on, as the writer reads it."""
    passage = asked.passage
    return Sentence(passage.title, " > ".join(passage.section), passage.text, " ".join(asked.statement.quotes))


def _reworded(asked: StatementOnTheme, draft: QuestionDraft, found: Written) -> Question:
    """The mended question with the draft's answer where it asks for the same; else with the whole statement."""
    same = found.question.split()[0].lower() in draft.question.lower().split()
    quality = (draft.quality or 0.0) * math.exp(found.likelihood)
    return Question(
        question=found.question,
        answer=draft.answer if same else asked.statement.text.rstrip("."),
        pattern=draft.pattern,
        quality=quality,
    )


GAP_EVERY = 4
"""Of so many passages the writer reads one for what it leaves open: reading takes half a second."""
GAP_CANDIDATES = 3
WRITTEN = "written"


def _written_gaps(inputs: Sequence[MissCandidates]) -> dict[int, list[Question]]:
    """Number of a passage to the questions that the writer thinks it leaves open; the judge checks them."""
    writer = roles.writer()
    if writer is None:
        return {}
    numbers = [number for number, each in enumerate(inputs) if is_read(each.passage)]
    return dict(zip(numbers, open_questions([inputs[number].passage for number in numbers], writer), strict=True))


def open_questions(passages: Sequence[Passage], writer: Writer) -> list[list[Question]]:
    """For each passage what the writer thinks that it leaves open, most likely first."""
    sentences = [Sentence(each.title, " > ".join(each.section), each.text, each.text[:200]) for each in passages]
    return [
        [
            Question(
                question=one.question,
                answer="",
                pattern=pattern_of(one.question),
                quality=BEHIND_RULES * math.exp(one.likelihood),
            )
            for one in several
        ]
        for several in writer.ask_missing(sentences, GAP_CANDIDATES)
    ]


def is_read(passage: Passage) -> bool:
    """One passage in ``GAP_EVERY``, by its text alone."""
    return hashlib.sha256(passage.text.encode("utf-8", "replace")).digest()[0] % GAP_EVERY == 0


def pattern_of(question: str) -> str:
    """A pattern for each way to begin, so that a set does not read monotonously: written_how_long."""
    return "_".join([WRITTEN, *question.lower().split()[:2]])


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
    replies: list[Reply[NearMisses]] = []
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
        replies.append(Reply(NearMisses(items=tuple(unique.values()))))
    return replies


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
