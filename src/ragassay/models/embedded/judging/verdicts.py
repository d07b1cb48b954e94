"""Verdicts on answers without a language model: statements, their support, keypoints, whether an answer covers them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.judging.clashes import Clash, clash, reworded
from ragassay.models.embedded.judging.judgements import SUPPORTED_FROM, told, verifier_for, with_words
from ragassay.models.embedded.judging.keypoints import keypoints_of
from ragassay.models.embedded.judging.refusals import evades, is_refusal, only_refuses, spoken
from ragassay.models.embedded.judging.structure import exchanged, in_table
from ragassay.models.embedded.judging.support import Claim, ContextIndex, Support, opening_of, support
from ragassay.models.embedded.languages import Handler
from ragassay.models.embedded.reading.terms import terms
from ragassay.models.embedded.reading.units import FEWEST_COPIED, sentences, stands_in
from ragassay.models.small.verifier import VERBATIM, Check, Judged, Verifier, verbatim
from ragassay.tasks.verdicts import (
    AnswerStatement,
    AnswerStatements,
    AnswerToQuestion,
    Keypoints,
    KeypointsOnAnswer,
    KeypointVerdict,
    KeypointVerdicts,
    StatementsOnContext,
    StatementVerdict,
    StatementVerdicts,
)

# Feasibility study, on runs scored by GPT-4.
SUPPORTED_ABOVE = 0.65
# Half support, half what is known with the question: the threshold that passes 95 % of true keypoints, chosen after
# looking.
COVERED_ABOVE = 0.41
# Below this, the sentence that comes nearest speaks of something else, and nothing in it can contradict.
COMPARABLE_ABOVE = 0.3

_MARKUP = re.compile(
    r"\*\*|__|^#+\s+|^\s*(?:[-*•]|\(?\d{1,3}[.)])\s+|\s*(?<!\w)(?:\[\d{1,2}\])+|(?<=\d)(?:\[\d{1,2}\])+"
)
"""Also marks of sources, as in 'opened in 1998 [1]': no source says their numbers. Lists, as [1, 2], are content."""
_LEAD_IN = re.compile(
    r"^(?:thus|so|therefore|hence|in summary|in conclusion|here (?:is|are)|the answer is)?[^.!?]{0,80}:\s*$", re.I
)
_PRONOUN_SUBJECT = re.compile(r"^(?:it|he|she|they)\b", re.IGNORECASE)
_NAME_RUN = re.compile(
    r"\b[A-Z][\w'’&.-]*(?:\s+(?:of|the|and|de|von|van|for|in|on|&)\s+(?=[A-Z])|\s+)?(?:[A-Z0-9][\w'’&.-]*(?:\s+(?:of|the|de|von|van|for)\s+(?=[A-Z])|\s+)?)*"
)


def statements_of(question: str, answer: str) -> list[str]:
    """The answer's sentences as statements that stand alone: no lead-ins, pronouns and fragments with a subject."""
    subject = subject_of(question)
    found = []
    for sentence in spoken(answer):
        plain = _MARKUP.sub("", sentence).strip()
        if not terms(plain) or _LEAD_IN.match(plain):
            continue
        found.append(_standing_alone(plain, question, subject))
    return list(dict.fromkeys(found))


def statements_to_read(question: str, answer: str, context: str) -> list[str]:
    """The answer's statements; none of an answer that stands in the context word for word."""
    return [] if stands_in(answer, context) else statements_of(question, answer)


def subject_of(question: str) -> str:
    """The longest name in a question, its first word set aside; empty if it has none."""
    _, _, rest = question.partition(" ")
    runs = [run.strip(" ?.,'’") for run in _NAME_RUN.findall(rest)]
    return max(runs, key=len, default="").removesuffix("'s").removesuffix("’s")


def _standing_alone(sentence: str, question: str, subject: str) -> str:
    if len(sentence.split()) <= FRAGMENT_WORDS and not _FINITE_VERB.search(sentence):
        return f"{opening_of(question)}{sentence}"
    if subject:
        return _PRONOUN_SUBJECT.sub(subject, sentence)
    return sentence


def says_no_sentence(answer: str) -> bool:
    """Whether an answer of a few words has no verb, or only a pronoun for whom it is of: it hangs on its question."""
    return not _FINITE_VERB.search(answer) or _PRONOUN_SUBJECT.match(answer) is not None


# An answer of a few words without a verb ("January 2021") says nothing without its question.
FRAGMENT_WORDS = 8
_FINITE_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|may|might|must|should|\w{3,}ed|\w{3,}(?:[^s]s))\b"
)


def statement_handlers(statements_of: Callable[[str, str], list[str]]) -> dict[str, Handler]:
    """Return the rules that rest on an answer's statements alone. statements_of: of question and answer."""

    def answer_statements(_: Encoder, inputs: Sequence[AnswerToQuestion]) -> list[Reply[AnswerStatements]]:
        said = [[] if only_refuses(each.answer) else statements_of(each.question, each.answer) for each in inputs]
        return [Reply(AnswerStatements(items=tuple(items))) for items in said]

    def keypoints(_: Encoder, inputs: Sequence[AnswerStatement]) -> list[Reply[Keypoints]]:
        found = [keypoints_of(each) or tuple(statements_of(each.question, each.answer)) for each in inputs]
        return [Reply(Keypoints(items=items)) for items in found]

    return {"answer_statements": answer_statements, "keypoints": keypoints}


def _statement_verdicts(
    encoder: Encoder | None, inputs: Sequence[StatementsOnContext]
) -> list[Reply[StatementVerdicts]]:
    verifier = verifier_for(encoder)
    if verifier is not None:
        return _verified(verifier, inputs)
    judged = support(encoder, [Claim(item.question, item.statements, item.context) for item in inputs])
    replies = []
    for item, found in zip(inputs, judged, strict=True):
        items = tuple(_verdict(said, held, item) for said, held in zip(item.statements, found, strict=True))
        replies.append(Reply(StatementVerdicts(items=items)))
    return replies


READ_WINDOWS = 1
"""Of the chunks that an answer rests on, those about a statement: reading two windows takes a run twice the time."""


def _verified(verifier: Verifier, inputs: Sequence[StatementsOnContext]) -> list[Reply[StatementVerdicts]]:
    """By verifier, words, roles and rows; the evidence is the sentence that shares most words with the statement."""
    said = [tuple(reworded(each, item.context) for each in item.statements) for item in inputs]
    judged = verifier.judge(
        [Check(item.context, each, windows=READ_WINDOWS) for item, each in zip(inputs, said, strict=True)]
    )
    indexes: dict[str, ContextIndex] = {}
    asked = [Claim(item.question, each, item.context) for item, each in zip(inputs, said, strict=True)]
    nearest = support(None, asked, indexes)
    windows = [one.window for found in judged for one in found]
    verbs = iter(exchanged(list(zip((claim for claims in said for claim in claims), windows, strict=True))))
    replies = []
    for item, claims, found, held in zip(inputs, said, judged, nearest, strict=True):
        items, opening = [], opening_of(item.question)
        whole = {_folded(unit.text) for unit in indexes[item.context].units}
        for claim, one, near in zip(claims, found, held, strict=True):
            is_exchanged, own = bool(next(verbs)), _folded(claim.removeprefix(opening))
            beside = IN_TABLE[in_table(claim, item.question, item.context)] or EXCHANGED * is_exchanged
            if one.supported == VERBATIM or (own in whole and len(own.split()) >= FEWEST_COPIED):
                one, beside = verbatim(claim), 0.0  # whatever else the chunks say
            items.append(_by_both(one, near, beside))
        replies.append(Reply(StatementVerdicts(items=tuple(items))))
    return replies


def _folded(text: str) -> str:
    """Return a sentence, line or row, so that marks, capitals and what it ends with make no difference."""
    return " ".join(_MARKUP.sub("", text).lower().split()).strip("|.!; ")


EXCHANGED = -2.2
"""Log-odds: of the claims that the verifier learned from, 2.5 % of the true ones and 22 % of those with an exchanged
role are taken for exchanged."""
IN_TABLE = {"row": 3.0, "other": -6.0, "": 0.0}
"""Log-odds; right by construction, as far as cells are told from other words."""


def _by_both(judged: Judged, near: Support, beside: float) -> StatementVerdict:
    both = with_words(judged, near.score, beside)
    supported = both.supported >= SUPPORTED_FROM
    return StatementVerdict(
        supported=supported,
        support=both.supported,
        reason=told(both, "the context", supported=supported),
        evidence=near.evidence,
    )


def _verdict(statement: str, held: Support, item: StatementsOnContext) -> StatementVerdict:
    """Supported if enough of it stands in the context, and nothing there gives another value or denies it."""
    if not held.evidence:
        reason = "no sentence of the context shares a term with it"
        return StatementVerdict(supported=False, support=held.score, reason=reason, evidence="")
    enough = held.score > SUPPORTED_ABOVE
    found = clash(statement, held.near, item.context, item.question) if held.known > COMPARABLE_ABOVE else None
    differs = found is not None and found.kind != "name"
    if enough and not differs:
        reason = f"the context says it, support {held.score:.2f}"
    elif enough:
        reason = f"the context says nearly the same, support {held.score:.2f}"
    else:
        reason = f"the nearest sentence says too little of it, support {held.score:.2f}"
    if found is not None and (differs or not enough):
        reason += f"; perhaps contradicted: {found.reason}"
    supported = enough and not differs
    return StatementVerdict(supported=supported, support=held.score, reason=reason, evidence=held.evidence)


def _keypoint_verdicts(encoder: Encoder | None, inputs: Sequence[KeypointsOnAnswer]) -> list[Reply[KeypointVerdicts]]:
    said = [_without_questions(item.answer) for item in inputs]
    wanted = [[reworded(each, answer) for each in item.keypoints] for item, answer in zip(inputs, said, strict=True)]
    judged = support(
        encoder, [Claim(item.question, each, answer) for item, each, answer in zip(inputs, wanted, said, strict=True)]
    )
    found = []
    for item, keypoints, answer, held in zip(inputs, wanted, said, judged, strict=True):
        pairs = zip(keypoints, held, strict=True)
        verdicts = tuple(_keypoint_verdict(keypoint, one, item.question, answer) for keypoint, one in pairs)
        found.append(Reply(KeypointVerdicts(items=verdicts)))
    return found


def _without_questions(answer: str) -> str:
    if "?" not in answer:
        return answer
    return "\n".join(each for each in sentences(answer) if not each.endswith("?"))


def verdict_on_refusal(keypoint: str, answer: str, *, is_said: bool, share: float) -> KeypointVerdict | None:
    """The verdict where the keypoint or the answer says no more than that there is no answer; None elsewhere.

    is_said: a sentence says the same of the same thing. share: how far the answer says the keypoint.
    """
    if only_refuses(keypoint):
        if is_refusal(answer) or is_said:
            return KeypointVerdict(verdict="covered", support=1.0, reason="both say that there is no answer")
        if not any(map(evades, sentences(answer))):
            return KeypointVerdict(verdict="contradicted", support=0.0, reason="the answer gives one; there is none")
        return KeypointVerdict(verdict="neither", support=share, reason="the answer does not say it")
    if only_refuses(answer):
        return KeypointVerdict(verdict="neither", support=share, reason="the answer declines")
    return None


def _keypoint_verdict(keypoint: str, held: Support, question: str, answer: str) -> KeypointVerdict:
    share = 0.5 * held.score + 0.5 * held.known if held.near else 0.0
    is_said = share > COVERED_ABOVE and evades(held.evidence)
    if verdict := verdict_on_refusal(keypoint, answer, is_said=is_said, share=share):
        return verdict
    claim = keypoint.removeprefix(opening_of(question))  # what the question denies, the answer need not deny again
    found = clash(claim, held.near, answer, question) if share > COMPARABLE_ABOVE else None
    return verdict_by_words(found, share, held.evidence if share > COVERED_ABOVE else "")


def verdict_by_words(found: Clash | None, share: float, said_in: str) -> KeypointVerdict:
    """Return the verdict on a keypoint by what clashes with it, else by where an answer says it; empty for nowhere."""
    if found is not None:
        is_name = found.kind == "name"
        return KeypointVerdict(verdict="neither" if is_name else "contradicted", support=share, reason=found.reason)
    if said_in:
        return KeypointVerdict(verdict="covered", support=share, reason=f"said in: {said_in}")
    return KeypointVerdict(verdict="neither", support=share, reason="the answer does not say it")


HANDLERS: dict[str, Handler] = {
    **statement_handlers(statements_of),
    "statement_verdicts": _statement_verdicts,
    "keypoint_verdicts": _keypoint_verdicts,
}
