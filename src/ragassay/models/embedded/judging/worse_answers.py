"""The embedded model's answers that are worse on purpose: values replaced, or a part left out."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from ragassay.models.base import Encoder, Reply
from ragassay.models.embedded.model import Handler
from ragassay.models.embedded.reading.terms import is_common_word, names, question_terms, term_of
from ragassay.tasks.worse_answers import RightAnswer, WorseAnswer
from ragassay.text import sentences

_NAME_RUN = re.compile(r"[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|de|von|van)\s+)?[A-Z][\w'’&-]*)*")
_DIGITS = re.compile(r"\d{1,2}:\d\d|\d+(?:,\d{3})*(?:\.\d+)?")
_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")
_PARTS = re.compile(r"\s*[;；、]\s*")
# Before a single capitalised word: it begins a sentence or an entry, and its capital means nothing.
_OPENS = re.compile(r"(?:\A|[.!?:;\n])\s*\Z")
_LOOK_BACK = 20
# By which numbers are changed: enough to be another value, little enough to be a likely one.
_FACTORS = (0.5, 0.7, 1.4, 1.8)
_YEARS = (-23, -11, -7, 9, 14)


def _guessed(_: Encoder, inputs: Sequence[RightAnswer]) -> list[Reply[WorseAnswer]]:
    return [_with_other_values(each) for each in inputs]


def _with_other_values(inputs: RightAnswer) -> Reply[WorseAnswer]:
    """The right answer with other numbers, months and names wherever the question does not give them."""
    chance = random.Random(f"{inputs.question} {inputs.answer}")
    asked = set(question_terms(inputs.question))
    text = _with_other_names(inputs, asked, chance)
    text = _MONTH.sub(lambda found: _other_month(found.group(), asked, chance), text)
    text = _DIGITS.sub(lambda found: _other_number(found.group(), asked, chance), text)
    if text == inputs.answer:
        return Reply(None, "the answer has neither a number nor a name to put another in the place of")
    return Reply(WorseAnswer(text=text, how="other numbers, dates and names"))


def _other_month(month: str, asked: set[str], chance: random.Random) -> str:
    if term_of(month) in asked:
        return month
    return _MONTHS[(_MONTHS.index(month) + chance.randrange(2, 11)) % 12]


def _other_number(digits: str, asked: set[str], chance: random.Random) -> str:
    if term_of(digits) in asked:
        return digits
    if ":" in digits:
        hour, _, minutes = digits.partition(":")
        return f"{(int(hour) + chance.randrange(2, 9)) % 24:02}:{minutes}"
    value = float(digits.replace(",", ""))
    if "," not in digits and "." not in digits and 1000 <= value <= 2100:
        return str(int(value) + chance.choice(_YEARS))
    other = value * chance.choice(_FACTORS)
    if "." in digits:
        return f"{other:.{len(digits.partition('.')[2])}f}"
    whole = max(1, round(other))
    whole += whole == round(value)
    return f"{whole:,}" if "," in digits else str(whole)


def _with_other_names(inputs: RightAnswer, asked: set[str], chance: random.Random) -> str:
    text = inputs.answer
    new = names(text) - asked
    others = list(inputs.foreign)
    chance.shuffle(others)

    def other(found: re.Match[str]) -> str:
        words = re.findall(r"[\w'’]+", found.group())
        run = {term_of(word) for word in words}
        opens = len(words) == 1 and _OPENS.search(text, max(0, found.start() - _LOOK_BACK), found.start()) is not None
        is_name = run & new and not run & asked and not opens and not all(map(is_common_word, words))
        return others.pop() if others and is_name else found.group()

    return _NAME_RUN.sub(lambda found: found.group() if _MONTH.search(found.group()) else other(found), text)


def _incomplete(_: Encoder, inputs: Sequence[RightAnswer]) -> list[Reply[WorseAnswer]]:
    return [_part_of(each.answer) for each in inputs]


def _part_of(answer: str) -> Reply[WorseAnswer]:
    """The first half of its sentences; of a single sentence with entries, the first half of these."""
    said = sentences(answer)
    if len(said) > 1:
        kept = said[: len(said) // 2]
        return Reply(WorseAnswer(text=" ".join(kept), how=f"{len(said) - len(kept)} of {len(said)} sentences left out"))
    places = list(_PARTS.finditer(answer))
    if places:
        entries = len(places) + 1
        kept_entries = entries // 2
        return Reply(
            WorseAnswer(
                text=answer[: places[kept_entries - 1].start()],
                how=f"{entries - kept_entries} of {entries} entries left out",
            )
        )
    return Reply(None, "the answer has one part, of which nothing can be left out")


HANDLERS: dict[str, Handler] = {"guessed_answer": _guessed, "incomplete_answer": _incomplete}
