"""From passages to drafts of questions whose answer is inferred, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.choice import load
from ragassay.models.embedded.prose.facts import FactDraft
from ragassay.models.embedded.prose.framing import decapitalised, framed
from ragassay.models.embedded.prose.reasoning.grounding import anchored, unfounded
from ragassay.models.embedded.prose.reasoning.source import SOURCES, Inferred, Source
from ragassay.models.embedded.prose.reasoning.told import Reading, Told, readings
from ragassay.models.embedded.prose.wording import sentence_case
from ragassay.tasks.statements import Passage

if TYPE_CHECKING:
    from spacy.tokens import Token

LONGEST_QUESTION = 36
"""Words, the case included."""
LONGEST_ANSWER = 45
_LEFT_OVER = (
    r"\bus\b|(?<=[a-z] )(?:The|You|Your|An?) |\b[a-z]\. ?,|, be\b|(?<!\w)'\w+(?! ?')|\b(?:own|so)\?"
    r"|[\w)] - \w|\(s\)|\b(?:above|below)\b"
)
"""What shows that words of the text's own place or layout are left in a question."""
_BROKEN = re.compile(r"[\[\]{}<>|\\]|\.\.|\(\s*\)|:|\b(\w+) \1\b(?<!that that)|(?<!\w)['’]s\b|^\W|;.*;", re.I)


def reasoning_drafts(passages: Sequence[Passage], themes: Sequence[str]) -> list[list[FactDraft]]:
    """For each passage its drafts of questions whose answer must be inferred, best first.

    themes: a few words on each passage, used where its title says nothing.
    Raises ValueError where passages and themes differ in number.
    """
    found: list[list[FactDraft]] = []
    for reading in readings(passages, themes):
        drafts: dict[str, FactDraft] = {}
        for source in SOURCES.values():
            for inferred in source.make(reading):
                draft = _draft(reading, source, inferred)
                if draft is not None:
                    drafts.setdefault(draft.question, draft)
        found.append(sorted(drafts.values(), key=lambda draft: (-draft.acceptability, draft.quotes, draft.question)))
    return found


def _draft(reading: Reading, source: Source, inferred: Inferred) -> FactDraft | None:
    told, because = inferred.told, inferred.because or inferred.told
    asked = _tokens([*inferred.case, *inferred.question])
    if told.resolved.dangling & {token.i for token in asked}:
        return None
    reason = _tokens(inferred.reason)
    allowed = told.resolved.dangling & {asked[0].i} if asked else set()
    if (because.resolved.dangling - set(allowed)) & {token.i for token in reason}:
        return None
    if _hangs(asked):
        return None
    if unfounded(told, asked) or _guessed(told, asked) or _guessed(because, reason):
        return None
    named: set[str] = set()
    case = told.write(inferred.case, asker=inferred.asker, named=named) if inferred.case else ""
    question_pieces = _agreeing(told, inferred)
    text = told.write(question_pieces, asker=inferred.asker, forms=inferred.forms, named=named)
    if not text:
        return None
    answer = _answer(inferred, because, set(named))
    plain = sentence_case(text) + "?"
    frame = framed(plain if not case else f"{case} {plain}", answer, reading.setting, anchored(told, asked, named))
    question = _whole(case, plain, frame.question if frame.kind else "")
    if ":" in (because.write(inferred.reason, asker=False) if inferred.reason else ""):
        return None
    if re.search(
        _LEFT_OVER,
        question,
    ) or ";" in _answer_tail(inferred, answer):
        return None
    if not 5 <= len(question.split()) <= LONGEST_QUESTION or len(answer.split()) > LONGEST_ANSWER:
        return None
    if _BROKEN.search(question) or _unbalanced(question) or _unbalanced(answer) or "\n" in question:
        return None
    used = _sentences(inferred)
    features = _features(inferred, asked, reason, question, answer, frame.kind)
    worth = max(load("worth").probability(each.features) for each in used)
    statement = " ".join(sentence_case(each.write(list(each.doc), asker=False)) + "." for each in used)
    return FactDraft(
        question, answer, statement, _quotes(used), source.name, worth, _acceptability(source, features), features
    )


_TYING = frozenset("also however therefore thus then furthermore moreover additionally finally too hence".split())


def _ties(token: Token) -> bool:
    """Whether an adverb only ties its sentence to the one before."""
    return token.dep_ == "advmod" and token.lower_ in _TYING and token.head.pos_ in ("VERB", "AUX")


_SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has"}


def _agreeing(told: Told, inferred: Inferred) -> list[Token | str]:
    """With "does" for "do" where a name in the singular takes the place of "we"."""
    we = any(t.lower_ == "we" and t.i in told.resolved.references for t in _tokens(inferred.question))
    pieces = [p for p in inferred.question if isinstance(p, str) or not _ties(p)]
    if not we:
        return pieces
    return [_SINGULAR.get(piece, piece) if isinstance(piece, str) else piece for piece in pieces]


def _hangs(asked: Sequence[Token]) -> bool:
    """Whether the question ends in a preposition whose noun is missing."""
    return bool(asked) and asked[-1].tag_ == "IN" and not any(True for _ in asked[-1].children)


def _guessed(told: Told, tokens: Sequence[Token]) -> bool:
    """Whether a pronoun could stand for something else, too."""
    indices = {token.i for token in tokens}
    return any(reference.risky for index, reference in told.resolved.references.items() if index in indices)


def _whole(case: str, plain: str, framed_question: str) -> str:
    """The case, then the question; the frame, if there is one, stands with the question."""
    if not case:
        question = framed_question or plain
    elif framed_question.startswith(f"{case} {plain[:-1]}"):
        question = f"{case}; {decapitalised(framed_question[len(case) + 1 :])}"
    elif framed_question:
        lead = framed_question[: framed_question.lower().index(case.lower())].rstrip(", ")
        question = f"{lead}, {case}; {decapitalised(plain)}" if lead else f"{case}; {decapitalised(plain)}"
    else:
        question = f"{case}; {decapitalised(plain)}"
    return question[:1].upper() + question[1:]


def _answer(inferred: Inferred, because: Told, named: set[str]) -> str:
    reason = (
        because.write([p for p in inferred.reason if isinstance(p, str) or not _ties(p)], asker=False, named=named)
        if inferred.reason
        else ""
    )
    if not inferred.verdict:
        return sentence_case(reason) + "."
    if not reason:
        return sentence_case(inferred.verdict) + "."
    joint = " " if inferred.verdict.startswith("Because") else "; "
    return sentence_case(f"{inferred.verdict}{joint}{reason}.")


def _answer_tail(inferred: Inferred, answer: str) -> str:
    """The answer without the verdict and the mark after it."""
    return answer[len(inferred.verdict) + 1 :] if inferred.verdict else answer


def _tokens(pieces: Sequence[Token | str]) -> list[Token]:
    return [piece for piece in pieces if not isinstance(piece, str)]


def _sentences(inferred: Inferred) -> list[Told]:
    """All that the answer rests on, in the order of the text."""
    used = [inferred.told, *([inferred.because] if inferred.because else []), *inferred.others]
    unique = {each.sentence.start: each for each in used}
    return [unique[start] for start in sorted(unique)]


def _quotes(used: Sequence[Told]) -> tuple[tuple[int, int], ...]:
    def spans() -> Iterator[tuple[int, int]]:
        for told in used:
            if told.sentence.lead_span is not None:
                yield told.sentence.lead_span
            yield told.sentence.start, told.sentence.end

    return tuple(dict.fromkeys(spans()))


def _unbalanced(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") != text.count("”") or text.count("(") != text.count(")")


def _features(
    inferred: Inferred, asked: Sequence[Token], reason: Sequence[Token], question: str, answer: str, frame: str
) -> dict[str, float]:
    told, because = inferred.told, inferred.because or inferred.told
    indices = {token.i for token in asked}
    we = len(told.resolved.we & indices) + len(because.resolved.we & {token.i for token in reason})
    return {
        "statements": float(inferred.statements),
        "case": float(bool(inferred.case)),
        "words": len(question.split()) / 20,
        "long": float(len(question.split()) > 22),
        "short": float(len(question.split()) < 7),
        "answer_words": len(answer.split()) / 20,
        "long_answer": float(len(answer.split()) > 30),
        "we": float(we > 0),
        "framed": float(bool(frame)),
        "completed": float(bool(told.sentence.lead_in)),
        "no": float(answer.startswith("No")),
        "first_person": float(bool(re.search(r"\b(?:I|my)\b", question))),
    }


def _acceptability(source: Source, features: dict[str, float]) -> float:
    """What readers took of its source, less where the wording is long or rests on a guess."""
    doubts = features["long"] + features["long_answer"] + features["completed"] / 2
    return float(source.accepted * 0.75**doubts * (0.9 if features["we"] else 1.0))
