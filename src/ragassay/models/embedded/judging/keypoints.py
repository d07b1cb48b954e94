"""Keypoints of a reference answer by rules: what an answer has to say to be complete, no more and no less.

The statement that a pair was made from is split into its parts. Where it says more than question and answer do, or
lacks the conclusion, the conclusion is the keypoint: else a right answer would cover none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.embedded.reading.units import sentences
from ragassay.tasks.verdicts import AnswerStatement

_BASIS = re.compile(r"\s*[(（][^()（）]*[)）][.。]?$|（\d{4}年[^（）]*）")
"""What a computed answer rests on, in brackets: "62 years (8 April 1842; ...)"."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")
_JOINTS = frozenset("and it respectively the a an in at on by of to for 和 与 及 于 在 是 为 的 共 多".split())
"""Words of an answer that join its parts or lead to them; a statement may put them otherwise."""
_PART = re.compile(r"(?<=[;；])\s*")
_SENTENCE_END = re.compile(r"[.!?。！？]\s")
_LISTING = re.compile(r"(The .+) are ")
_COMMA = re.compile(r",\s+(?:and\s+)?|\s+and\s+")
_MOST_MEMBER_WORDS = 5
"""Of a member of a list of names: 'const char * name', 'try (the default)'."""
_SEVERAL = re.compile(r"[;；,，.。、]|\band\b|和")
_HOW_MANY = re.compile(r"(?:多多少|多少(?=[^？?]))([^？?，]{0,6})[？?]\s*$")


_BARE = re.compile(r"(?i)(?:yes|no)[.!]?")
"""An answer whose fact is said by what follows it."""


def keypoints_of(item: AnswerStatement) -> tuple[str, ...]:
    """The keypoints by the statements of an answer; () where it has none that fit and no words of its own."""
    if not item.statements:
        return ()
    if not _says_the_same(item):
        return (concluded(item.question, item.answer),)
    told = [part for statement in item.statements for part in _parts(statement, item.answer)]
    facts = [part for part in told if part.strip() != item.question.strip() and not _BARE.fullmatch(part.strip())]
    return tuple(dict.fromkeys(facts or told))


def concluded(question: str, answer: str) -> str:
    """The question with its answer, without the basis; a Chinese amount stands in the place that asks for it."""
    short = _short(answer).rstrip("。")
    asked = _HOW_MANY.search(question)
    if asked is not None and short.endswith(asked[1]):
        return f"{question[: asked.start()]}{short}。"
    mark = "：" if question.rstrip().endswith("？") else ": "
    return f"{question.rstrip(' ?？')}{mark}{short}"


def _says_the_same(item: AnswerStatement) -> bool:
    """Whether the statements hold the answer, and no number that neither question nor answer gives."""
    told, short = " ".join(item.statements), _short(item.answer)
    given = set(_NUMBER.findall(item.question)) | set(_NUMBER.findall(short))
    return given.issuperset(_NUMBER.findall(told)) and _tokens(told) >= _tokens(short) - _JOINTS


def _short(answer: str) -> str:
    """The answer without its basis, unless nothing but words of order is left ("Before"), which say little alone."""
    short = _BASIS.sub("", answer).strip()
    return answer if not short or short.lower() in {"before", "after", "yes", "no"} else short


def _tokens(text: str) -> set[str]:
    return set(_TOKEN.findall(text.lower()))


def _parts(statement: str, answer: str) -> Sequence[str]:
    """The entries of a list, each behind what the list is of; the members of a list of names; else the sentences."""
    end, entries = answer.rstrip(".。"), [each.strip(" ;；.。") for each in _PART.split(answer)]
    head, found, _ = statement.rstrip(".。").rpartition(end)
    if found and head and len(entries) > 1 and all(entries):
        return [f"{head}{entry}" for entry in entries]
    if found and not head and len(entries) > 1 and all(entries) and not _SENTENCE_END.search(end):
        return entries
    if found and (listed := _LISTING.fullmatch(head)) and len(entries) == 1:
        members = [each.strip() for each in _COMMA.split(end) if each.strip()]
        if len(members) > 1 and all(len(each.split()) <= _MOST_MEMBER_WORDS for each in members):
            return [f"{listed[1]} include {member}" for member in members]
    # an answer that is one thing has a statement of one sentence, whatever points its abbreviations have
    return sentences(statement) if _SEVERAL.search(answer) else [statement]
