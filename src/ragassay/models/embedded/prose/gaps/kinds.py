"""What a clause leaves out, and the question that asks for it. Each kind is one function with @gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_place, is_time
from ragassay.models.embedded.prose.gaps.suitability import suitability
from ragassay.models.embedded.prose.passages import Line

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

DUTY = frozenset({"must", "should", "shall", "need to", "have to"})
MAY = frozenset({"can", "may", "could"})
STATES = frozenset(
    "be have seem appear become remain know mean contain include consist belong want like need depend involve refer"
    " locate base call relate concern require allow let ensure make understand consider expect believe think exist"
    " say state note describe explain mention suggest recommend agree read see learn find".split()
)
"""English verbs that say what is so, not what happens."""
USUAL = 2.0
FEWEST = 3
"""Lift and number of occurrences from which a kind is usual with a verb."""
LIKELY = 1.2
"""Lift from which a place or date is asked for."""
WHO_DOES = 1.5
"""Lift of "who" for a verb, from which people ask who does such a thing again and again."""
NOBODY = frozenset("no nothing none anything nobody everything something all each".split())
LONGEST = 15
"""Words after the subject that a question still carries."""


@dataclass(frozen=True, slots=True)
class Open:
    """A question that the clause leaves open.

    kind: what is asked for, of suitability.KINDS. subkind: name of the maker. about: words that a sentence with the
    answer would share; words: the same as lemmas. noun: what is counted or chosen, if any. missing: in a few words.
    """

    pieces: Pieces
    kind: str
    subkind: str
    about: list[Token]
    missing: str
    noun: str = ""
    forms: dict[int, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()


Maker = Callable[[Clause, Line], Iterator[Open]]
GAPS: dict[str, Maker] = {}


def gap(name: str) -> Callable[[Maker], Maker]:
    """Registers a kind. Raises ValueError for a name that is taken."""

    def register(make: Maker) -> Maker:
        if name in GAPS:
            raise ValueError(f"two kinds of gaps are called {name!r}")
        GAPS[name] = make
        return make

    return register


def is_past(clause: Clause) -> bool:
    if clause.auxiliaries:
        return clause.auxiliaries[0].lower_ in ("was", "were", "had")
    return clause.verb.tag_ == "VBD"


def class_of(clause: Clause) -> str:
    """me, past, duty or present, as of questions."""
    if clause.second_person:
        return "me"
    if is_past(clause):
        return "past"
    return "duty" if clause.modal else "present"


def core(clause: Clause) -> list[Token]:
    """The words that name what happens: verb, object, subject."""
    words = [link for link in clause.chain if link.lemma_ not in ("be", "have", "do", "need", "want")]
    for link in clause.chain:
        words += [c for c in link.children if c.dep_ in ("dobj", "pobj", "attr") and c.pos_ in ("NOUN", "PROPN")]
    if clause.head is not None and clause.head.pos_ in ("NOUN", "PROPN"):
        words.append(clause.head)
    return words


def has_time(line: Line) -> bool:
    return any(t.ent_type_ in ("DATE", "TIME") or is_time(t) or t.lower_ in _TIMES for t in line.doc)


def has_place(line: Line) -> bool:
    return any(is_place(t) for t in line.doc)


_TIMES = frozenset(
    "when before after until once while during whenever immediately promptly soon now always never often sometimes"
    " usually regularly currently ago later early late first last".split()
)
CAUSES = frozenset("because since so therefore due hence thus reason why for".split())


def is_short(clause: Clause) -> bool:
    return 1 <= len(clause.members) <= LONGEST and len(clause.subject) <= 9 and not clause.negated


def is_third(clause: Clause) -> bool:
    return clause.head is not None and clause.head.lower_ not in (
        "you",
        "we",
        "i",
        "there",
        "it",
        "this",
        "that",
        "they",
    )


def is_event(clause: Clause, line: Line) -> bool:
    head = clause.head
    if head is None or not is_past(clause) or not is_short(clause) or clause.verb.lemma_ in STATES:
        return False
    if clause.head is not None and clause.head.lower_ in ("there", "this", "that", "i", "you", "which"):
        return False
    if any(c.dep_ in ("ccomp", "oprd") for c in clause.verb.children) or any(
        t.lower_ in NOBODY for t in clause.subject
    ):
        return False
    named = [t for t in [*clause.subject, *clause.members] if t.i in line.resolved.references or _is_name(t)]
    return bool(named)


def _is_name(token: Token) -> bool:
    return token.pos_ == "PROPN" and token.ent_type_ not in ("DATE", "TIME", "CARDINAL", "")


def is_usual(kind: str, clause: Clause) -> bool:
    """Whether people are known to ask this of such a verb, or to say it with it."""
    table, verb = suitability(), clause.chain[-1].lemma_.lower()
    if table.verbs.get(verb, {}).get(kind, 0) >= 2 and table.lift(kind, verb) >= USUAL:
        return True
    return (
        kind == "how_long"
        and table.adjuncts.get(verb, {}).get(kind, 0) >= FEWEST
        and table.companion(kind, verb) >= USUAL
    )
