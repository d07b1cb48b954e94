"""A limit that the text sets, applied to a case: "May adults borrow 20 items?", "No, adults may borrow up to 15".

Of about half the sentences the case is beyond the limit, of the others it keeps it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.facts import FactDraft
from ragassay.models.embedded.prose.forms.conditions import DUTIES
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.passages import Line, ReadPassage, finished, read_passages, themed
from ragassay.models.embedded.reading.grammar import third_person
from ragassay.tasks.statements import Passage

if TYPE_CHECKING:
    from spacy.tokens import Token

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|{'|'.join(WORDS[1:])})"
_MORE = r"(?:no|not) (?:more|longer) than"
_FEWER = r"(?:no|not) (?:less|fewer) than"
_MOST = re.compile(rf"\b(?:up to|at most|{_MORE}|a maximum of) (?P<sign>[$€£]?){_NUMBER}\b")
_LEAST = re.compile(rf"\b(?:at least|{_FEWER}|a minimum of) (?P<sign>[$€£]?){_NUMBER}\b")
LONGEST_CLAUSE = 24
"""Words."""


class _Case(NamedTuple):
    """question: about a number beyond the limit or one that keeps it. answer: no or yes, and the limit."""

    question: str
    answer: str
    form: str


def limit_cases(passages: Sequence[Passage], themes: Sequence[str]) -> list[list[FactDraft]]:
    """For each passage its questions of a case under a limit; the answer is no or yes, with the limit.

    themes: a few words on each passage, used where its title says nothing.
    """
    limited = [place for place, each in enumerate(passages) if _MOST.search(each.text) or _LEAST.search(each.text)]
    found: list[list[FactDraft]] = [[] for _ in passages]
    reads = read_passages([passages[place] for place in limited], [themes[place] for place in limited])
    for place, read in zip(limited, reads, strict=True):
        found[place] = list(_cases(read))
    return found


def _cases(read: ReadPassage) -> Iterator[FactDraft]:
    for section in read.sections:
        for line in section.lines:
            for clause in line.clauses[:1]:
                case = _of(line, clause)
                if case is None:
                    continue
                question = themed(case.question, case.answer, section.setting, anchored=False)
                if question:
                    statement = line.whole(set())
                    yield FactDraft(question, case.answer, statement, line.spans, case.form, line.worth, 0.5, {})


def _of(line: Line, clause: Clause) -> _Case | None:
    if _denied(clause) or len(clause.members) > LONGEST_CLAUSE or line.resolved.dangling:
        return None
    told = line.whole(set())
    if len(line.clauses) > 1 or told.count(",") > 1 or "?" in told:
        return None
    keeps = _is_name(clause) or (told.split()[0].isupper() and not told.startswith("A "))
    stated = f"{told if keeps else told[:1].lower() + told[1:]}".rstrip(".")
    if clause.modal in ("can", "may") and clause.verb.lemma_ not in _NO_PERMISSION and _MOST.search(told):
        asked = inverted(clause, "")
        text = "" if asked is None else line.wording.write(asked.pieces, asker=True, forms=asked.forms)
        return _either(text, stated, _MOST, _beyond, _below, "", "limit_most")
    is_duty = clause.modal in DUTIES or clause.imperative
    if is_duty and _LEAST.search(told):
        text = _as_done(line, clause)
        return _either(text, stated, _LEAST, _below, _beyond, "is it enough if ", "limit_least")
    return None


_NO_PERMISSION = frozenset("need want have be seem see find expect notice".split())
"""What one 'may' without leave: 'You may need to add up to three pages.'"""


_PARTS = "halves|thirds|quarters|fifths|tenths"
_UNASKED = re.compile(rf"^it\b|\bour\b|, (?:not|failing|with|at most|up to)\b|\b(?:{_PARTS})\b")
"""What is told and never asked, what only the text can call so, and parts: a whole has no more than it has."""


def _either(
    text: str,
    stated: str,
    limit: re.Pattern[str],
    broken: Callable[[re.Match[str]], str],
    kept: Callable[[re.Match[str]], str],
    opening: str,
    form: str,
) -> _Case | None:
    """The case that breaks the limit or the one that keeps it: settled by the sentence, so the same in every run.

    A limit that leaves no number to keep it by is broken, and one that leaves none to break it by is kept.
    """
    if _UNASKED.search(text) or len(limit.sub("", text).split()) < 3:
        return None
    cases = [(broken, "No"), (kept, "Yes")]
    for change, verdict in reversed(cases) if zlib.crc32(stated.encode()) % 2 else cases:
        asked = limit.sub(change, text, count=1)
        is_changed = asked != text and not any(other.search(asked) for other in (_MOST, _LEAST))
        question = finished(f"{opening}{asked}") if is_changed else ""
        if question:
            return _Case(question, f"{verdict}, {stated}", form)
    return None


def _denied(clause: Clause) -> bool:
    """Whether it is negated by more than the "no" of a limit: "no more than three"."""
    if not clause.negated:
        return False
    told = " ".join(token.lower_ for token in clause.members)
    bare = re.sub(rf"\b(?:{_MORE}|{_FEWER})\b", "", told)
    return told == bare or bool(re.search(r"\b(?:no|not|n't|never|only|neither|nobody|nothing)\b", bare))


def _is_name(clause: Clause) -> bool:
    return bool(clause.subject) and clause.subject[0].pos_ == "PROPN"


def _as_done(line: Line, clause: Clause) -> str:
    """The clause without its "must": 'I hand in at least three receipts', 'claims are made with at least two'."""
    dropped = [auxiliary for auxiliary in clause.auxiliaries if auxiliary.tag_ == "MD"]
    duty = clause.verb if clause.modal in ("need to", "have to") else None
    head = clause.head
    is_singular = head is not None and head.tag_ in ("NN", "NNP", "PRP") and head.lower_ not in _WITH_PLAIN_VERB
    forms: dict[int, str] = {}
    pieces: list[Token | str] = [*clause.subject] if head is not None else ["I"]
    for token in (*clause.auxiliaries, *clause.members):
        if token in dropped or token == duty or token in pieces:
            continue
        if duty is not None and token.lower_ == "to" and token.head in clause.chain[1:2]:
            continue
        if token.lemma_ == "be" and token.tag_ == "VB":
            forms[token.i] = "am" if head is None or head.lower_ == "you" else "is" if is_singular else "are"
        elif is_singular and token.tag_ == "VB" and token in (clause.verb, *clause.chain[1:2]):
            forms[token.i] = third_person(token.lower_)
        pieces.append(token)
    return line.wording.write(pieces, asker=True, forms=forms)


_WITH_PLAIN_VERB = frozenset({"you", "we", "they", "i"})


def _value(text: str) -> float:
    return float(WORDS.index(text)) if text in WORDS else float(text.replace(",", ""))


def _shown(value: float, like: str) -> str:
    whole = max(1, round(value))
    if like in WORDS:
        return WORDS[whole] if whole < len(WORDS) else str(whole)
    return f"{whole:,}" if "," in like or whole >= 10_000 else str(whole)


def _beyond(found: re.Match[str]) -> str:
    """A third more, in round figures; nothing to ask of one, whose noun has no plural."""
    if _value(found["number"]) < 2:
        return found.group()
    return f"{found['sign']}{_shown(_more(_value(found['number'])), found['number'])}"


def _more(value: float) -> float:
    if value <= 12:
        return value + max(1, round(value / 3))
    step: int = 5 * 10 ** (len(str(int(value))) - 2)
    return float((int(value * 1.3) // step + 1) * step)


def _below(found: re.Match[str]) -> str:
    """Half as much; nothing to ask where that is less than two."""
    value = _value(found["number"])
    return found.group() if value < 4 else f"{found['sign']}{_shown(value // 2, found['number'])}"
