"""What a clause leaves out, and the question that asks for it. Each kind is one function with @gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_amount, is_person, is_place, is_time
from ragassay.models.embedded.prose.forms.parts import third_person
from ragassay.models.embedded.prose.gaps.suitability import suitability
from ragassay.models.embedded.prose.gaps.verb_forms import past_of
from ragassay.models.embedded.prose.inversion import action, inverted, lemma, straight
from ragassay.models.embedded.prose.passages import Line

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

DUTY = frozenset({"must", "should", "shall", "need to", "have to"})
MAY = frozenset({"can", "may", "could"})
STATES = frozenset(
    "be have seem appear become remain know mean contain include consist belong want like need depend involve refer"
    " locate base call relate concern require allow let ensure make understand consider expect believe think exist"
    " say state note describe explain mention suggest recommend agree"
    .split()
)
"""English verbs that say what is so, not what happens."""
USUAL = 1.8
FEWEST = 2
"""Lift and number of occurrences from which a kind is usual with a verb."""
LIKELY = 1.2
"""Lift from which a place or date is asked for."""
WHO_DOES = 1.5
"""Lift of "who" for a verb, from which people ask who does such a thing again and again."""
_NOBODY = frozenset("no nothing none anything nobody everything something all each".split())
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


def _short(clause: Clause) -> bool:
    return 1 <= len(clause.members) <= LONGEST and len(clause.subject) <= 9 and not clause.negated


def _third(clause: Clause) -> bool:
    return clause.head is not None and clause.head.lower_ not in ("you", "we", "i", "there", "it", "this", "that", "they")


@gap("agent")
def agent(clause: Clause, line: Line) -> Iterator[Open]:
    """A passive without "by": who does it?"""
    head = clause.head
    if not clause.passive or head is None or not _third(clause) or not _short(clause) or clause.verb.tag_ != "VBN":
        return
    if any(c.dep_ == "agent" or c.lower_ == "by" for c in clause.verb.children) or clause.verb.lemma_ in STATES | {"use"}:
        return
    if any(c.dep_ in ("xcomp", "ccomp", "oprd") for c in clause.verb.children):
        return
    if any(t.lower_ in _NOBODY for t in clause.subject) or any(c.dep_ == "prt" for c in clause.verb.children):
        return
    if is_amount(head) and not any(c.dep_ == "det" for c in head.children):
        return
    rest = [t for t in clause.members if t.i > clause.verb.i]
    verb = clause.verb
    if clause.modal in DUTY:
        pieces: Pieces = ["who has to", lemma(verb), *clause.subject, *rest]
    elif clause.modal in MAY | {"will"}:
        pieces = ["who", clause.modal, lemma(verb), *clause.subject, *rest]
    elif is_past(clause) and len(clause.auxiliaries) == 1:
        pieces = ["who", past_of(verb.text), *clause.subject, *rest]
    elif (
        len(clause.auxiliaries) == 1
        and clause.auxiliaries[0].lower_ in ("is", "are", "'s")
        and suitability().lift("who", verb.lemma_.lower()) >= WHO_DOES
    ):
        pieces = ["who", third_person(lemma(verb)), *clause.subject, *rest]
    else:
        return
    yield Open(pieces, "who", "agent", [verb, head], "who does it")


@gap("when")
def when(clause: Clause, line: Line) -> Iterator[Open]:
    """Something happened, but not when."""
    if not _event(clause, line) or has_time(line):
        return
    table, verb = suitability(), lemma(clause.verb)
    if max(table.lift("when", verb), table.companion("when", verb)) < LIKELY:
        return
    question = inverted(clause, "when")
    if question is not None:
        yield Open(question.pieces, "when", "when", core(clause), "the date", forms=question.forms)


@gap("when_will")
def when_will(clause: Clause, line: Line) -> Iterator[Open]:
    """Something is going to happen, but not when."""
    if clause.modal != "will" or has_time(line) or not _short(clause) or not _third(clause) or clause.fronted:
        return
    if clause.verb.lemma_ in STATES or any(t.lower_ in ("if", "any", "no") or t.dep_ == "advcl" for t in line.doc):
        return
    question = inverted(clause, "when")
    if question is not None:
        yield Open(question.pieces, "when", "when_will", core(clause), "the date", forms=question.forms)


@gap("where")
def where(clause: Clause, line: Line) -> Iterator[Open]:
    """Something happened, but not where."""
    if not _event(clause, line) or has_place(line) or any(
        c.dep_ == "prep" and c.lower_ in ("in", "at", "on", "to", "from", "near") for c in clause.verb.children
    ):
        return
    table, verb = suitability(), lemma(clause.verb)
    if max(table.lift("where", verb), table.companion("where", verb)) < LIKELY:
        return
    question = inverted(clause, "where")
    if question is not None:
        yield Open(question.pieces, "where", "where", core(clause), "the place", forms=question.forms)


@gap("why")
def why(clause: Clause, line: Line) -> Iterator[Open]:
    """Something was done, but not for what reason."""
    if not _event(clause, line) or clause.head is None or not (
        is_person(clause.head) or clause.head.ent_type_ in ("ORG", "PERSON") or clause.passive
        or clause.head.i in line.resolved.references
    ):
        return
    if any(t.lower_ in CAUSES for t in line.doc) or any(t.dep_ == "advcl" for t in line.doc):
        return
    if suitability().lift("why", clause.verb.lemma_.lower()) < 0.8:
        return
    question = inverted(clause, "why")
    if question is not None:
        yield Open(question.pieces, "why", "why", core(clause), "the reason", forms=question.forms)


def _event(clause: Clause, line: Line) -> bool:
    head = clause.head
    if head is None or not is_past(clause) or not _short(clause) or clause.verb.lemma_ in STATES:
        return False
    if clause.head is not None and clause.head.lower_ in ("there", "this", "that", "i", "you", "which"):
        return False
    if any(c.dep_ in ("ccomp", "oprd") for c in clause.verb.children) or any(t.lower_ in _NOBODY for t in clause.subject):
        return False
    named = [t for t in [*clause.subject, *clause.members] if t.i in line.resolved.references or _is_name(t)]
    return bool(named)


def _is_name(token: Token) -> bool:
    return token.pos_ == "PROPN" and token.ent_type_ not in ("DATE", "TIME", "CARDINAL", "")


@gap("how_long_takes")
def how_long_takes(clause: Clause, line: Line) -> Iterator[Open]:
    """Something is to be done: how long does it take?"""
    if not clause.second_person or has_time(line) or clause.negated or len(clause.members) > 12:
        return
    if clause.imperative and line.sentence.in_list or suitability().lift("how_long", clause.chain[-1].lemma_.lower()) < 1:
        return
    done = action(clause)
    verb = clause.chain[-1] if clause.modal.endswith(" to") else clause.verb
    if verb.lemma_ in STATES or not any(c.dep_ == "dobj" for c in verb.children) or len(done) < 2:
        return
    pieces: Pieces = ["how long does it take to", *done]
    yield Open(pieces, "how_long", "how_long_takes", core(clause), "how long it takes", forms={verb.i: verb.lemma_.lower()})


@gap("how_long")
def how_long(clause: Clause, line: Line) -> Iterator[Open]:
    """A state or a permission without its length."""
    if clause.head is None or has_time(line) or not _short(clause) or clause.verb.lemma_ in ("be", "have"):
        return
    if not _usual("how_long", clause) or clause.verb.lemma_ == "take":
        return
    question = inverted(clause, "how long" if not clause.modal in MAY else "for how long")
    if question is not None and (_third(clause) or clause.head.lower_ == "you"):
        yield Open(question.pieces, "how_long", "how_long", core(clause), "how long", forms=question.forms)


@gap("how_often")
def how_often(clause: Clause, line: Line) -> Iterator[Open]:
    """Something that is done again and again, but not how often."""
    if has_time(line) or not _short(clause) or is_past(clause) or clause.verb.lemma_ in STATES:
        return
    if clause.modal in MAY or (clause.head is not None and not _third(clause) and clause.head.lower_ != "you"):
        return
    if any(is_amount(t) for t in clause.members) or not _usual("how_often", clause) or clause.imperative and line.sentence.in_list:
        return
    question = inverted(clause, "how often")
    if question is not None:
        yield Open(question.pieces, "how_often", "how_often", core(clause), "how often", forms=question.forms)


@gap("how_soon")
def how_soon(clause: Clause, line: Line) -> Iterator[Open]:
    """What is to be done in a case, without the time for it."""
    case = next((p for p in clause.fronted if p[0].lower_ in ("if", "when", "once", "after") and len(p) < 12), None)
    if case is None or len(clause.members) > LONGEST or clause.negated or clause.verb.lemma_ in STATES:
        return
    if any(t.ent_type_ in ("DATE", "TIME") or t.lower_ in ("immediately", "promptly", "soon", "within", "before") for t in line.doc):
        return
    if not (clause.imperative or clause.modal in DUTY | {"will"}):
        return
    question = inverted(clause, "how soon")
    if question is not None:
        yield Open(question.pieces, "how_soon", "how_soon", core(clause), "the time allowed", forms=question.forms)


def _usual(kind: str, clause: Clause) -> bool:
    """Whether people are known to ask this of such a verb, or to say it with it."""
    table, verb = suitability(), clause.chain[-1].lemma_.lower()
    if table.verbs.get(verb, {}).get(kind, 0) >= FEWEST and table.lift(kind, verb) >= USUAL:
        return True
    return table.adjuncts.get(verb, {}).get(kind, 0) >= FEWEST and table.companion(kind, verb) >= USUAL


@gap("how_many")
def how_many(clause: Clause, line: Line) -> Iterator[Open]:
    """Several things without their number."""
    if clause.second_person and clause.modal not in MAY:
        return
    if len(clause.members) > LONGEST + 3 or clause.negated:
        return
    for noun in clause.complements():
        if noun.dep_ != "dobj" or noun.tag_ != "NNS" or not _uncounted(noun) or len(clause.subject) > 8:
            continue
        phrase = clause.phrase(noun)
        if len(phrase) > 8:
            continue
        asks = [t for t in phrase if t.lower_ not in _SOME]
        made = inverted(clause, "ASKED", phrase)
        if made is None or (clause.head is not None and clause.head.lower_ in ("it", "this", "there")):
            continue
        at = made.pieces.index("ASKED")
        pieces = [*made.pieces[:at], "how many", *asks, *made.pieces[at + 1 :]]
        yield Open(pieces, "how_many", "how_many", [noun], "the number", noun.lemma_.lower(), made.forms)


_SOME = frozenset("some several many various multiple numerous other certain few a number of".split())


def _uncounted(noun: Token) -> bool:
    return not is_amount(noun) and not is_time(noun) and all(
        c.lower_ in _SOME or c.dep_ not in ("det", "poss", "nummod", "predet", "relcl", "conj", "cc", "appos")
        for c in noun.children
    ) and not noun.conjuncts


@gap("how_much")
def how_much(clause: Clause, line: Line) -> Iterator[Open]:
    """A payment without its amount."""
    if clause.verb.lemma_ not in ("pay", "charge", "cost", "earn", "owe") or clause.negated or len(clause.members) > LONGEST:
        return
    if any(is_amount(t) for t in line.doc):
        return
    paid = next((c for c in clause.verb.children if c.dep_ == "dobj"), None)
    phrase = clause.phrase(paid) if paid is not None else []
    if clause.passive or paid is None and clause.verb.lemma_ != "cost":
        return
    question = inverted(clause, "how much", phrase)
    if question is not None:
        yield Open(question.pieces, "how_much", "how_much", core(clause), "the amount", forms=question.forms)


@gap("how_many_subject")
def how_many_subject(clause: Clause, line: Line) -> Iterator[Open]:
    """Several people or things did something, without their number."""
    head = clause.head
    if head is None or head.tag_ != "NNS" or not _short(clause) or head.conjuncts or is_time(head) or is_amount(head):
        return
    if not is_past(clause) or any(c.dep_ in ("poss", "relcl", "appos", "nummod", "predet") for c in head.children):
        return
    words = [t for t in clause.subject if t.lower_ not in _SOME | {"the"} or t.i > head.i]
    if any(t.lower_ in _NOBODY | {"these", "both", "two", "most"} for t in clause.subject):
        return
    pieces = straight(clause, ["how many", *words]).pieces
    yield Open(pieces, "how_many", "how_many_subject", [head], "the number", head.lemma_.lower())


GROUPS = frozenset("team committee board council jury club society association union choir orchestra crew".split())
"""English nouns for groups with members."""


@gap("members")
def members(clause: Clause, line: Line) -> Iterator[Open]:
    """A group, without its size or its head."""
    head = clause.head
    if head is None or head.lemma_.lower() not in GROUPS or head.tag_ != "NN" or len(clause.subject) > 6:
        return
    if not any(c.dep_ in ("poss", "compound", "amod") or c.lower_ == "of" for c in head.children) or head.conjuncts:
        return
    if line.dangling(clause.subject) or any(t.lower_ in _NOBODY for t in clause.subject):
        return
    yield Open(["how many members does", *clause.subject, "have"], "how_many", "members", [head], "the number", "member")
    yield Open(["who leads", *clause.subject], "who", "leads", [head], "the head")


@gap("person")
def person(clause: Clause, line: Line) -> Iterator[Open]:
    """Somebody with a full name, without birth, age or training."""
    head = clause.head
    if head is None or head.ent_type_ != "PERSON" or not is_past(clause) or head.i in line.resolved.references:
        return
    name = [t for t in clause.subject if t.ent_type_ == "PERSON" and t.pos_ == "PROPN"]
    if len(name) < 2 or len(name) != len(clause.subject):
        return
    for asks, after, kind, words in (
        ("when was", "born", "when", ("bear", "birth")),
        ("where did", "study", "where", ("study", "graduate", "university", "school", "college", "degree")),
        ("how old is", "", "how_long", ("age", "year", "bear", "old")),
    ):
        yield Open([asks, *name, after], kind, f"person_{kind}", [], f"{after or 'age'} of the person", words=words)


@gap("which")
def which(clause: Clause, line: Line) -> Iterator[Open]:
    """One or some of a kind, without saying which."""
    if len(clause.members) > LONGEST + 3 or clause.negated or clause.head is None or is_past(clause) is False and not clause.modal:
        return
    for noun in _objects(clause):
        determiner = next((c.lower_ for c in noun.children if c.dep_ in ("det", "amod") and c.lower_ in _INDEFINITE), "")
        if not determiner or noun.pos_ != "NOUN" or is_person(noun) or is_time(noun) or noun.conjuncts:
            continue
        if any(c.dep_ in ("relcl", "appos", "acl") for c in noun.children) or is_amount(noun):
            continue
        if not is_past(clause) and determiner in ("a", "an"):
            continue
        phrase = [t for t in clause.phrase(noun)]
        if len(phrase) > 7:
            continue
        made = inverted(clause, "ASKED", phrase)
        if made is None:
            continue
        at = made.pieces.index("ASKED")
        asks = [t for t in phrase if t.lower_ not in _INDEFINITE]
        pieces = [*made.pieces[:at], "which", *asks, *made.pieces[at + 1 :]]
        yield Open(pieces, "which", "which", [noun], f"which {noun.lower_}", noun.lemma_.lower(), made.forms)


_INDEFINITE = frozenset("a an some several certain various other another many numerous".split())


def _objects(clause: Clause) -> Iterator[Token]:
    for child in clause.complements():
        if child.dep_ == "dobj":
            yield child
        elif child.dep_ == "prep" and child.lower_ in ("in", "at", "from", "for", "with", "on", "to", "by"):
            yield from (c for c in child.children if c.dep_ == "pobj")


@gap("what_if_not")
def what_if_not(clause: Clause, line: Line) -> Iterator[Open]:
    """A duty without what follows if it is not met."""
    if clause.negated or len(clause.members) > LONGEST or clause.verb.lemma_ in STATES or clause.fronted:
        return
    if any(t.lower_ in _EXPLAINS for t in line.doc) or any(t.dep_ == "advcl" for t in line.doc):
        return
    if clause.passive and clause.head is not None and clause.modal in ("must", "shall", "should"):
        be = "are" if clause.head.tag_ in ("NNS", "NNPS") or clause.head.conjuncts else "is"
        rest = [t for t in clause.members if t.i >= clause.verb.i]
        if _third(clause) and any(c.lower_ == "be" for c in clause.auxiliaries):
            pieces: Pieces = ["what happens if", *clause.subject, f"{be} not", *rest]
            yield Open(pieces, "what_if", "what_if_not", core(clause), "the consequence")
        return
    if clause.passive or clause.modal not in ("must", "shall", "need to", "have to") and not (
        clause.imperative and not line.sentence.in_list
    ):
        return
    done = [t for t in action(clause) if isinstance(t, str) or t.dep_ != "neg"]
    if clause.second_person:
        if len(done) < 4:
            return
        pieces = ["what happens if I do not", *done]
    elif clause.head is not None and is_person(clause.head):
        does = "does" if clause.head.tag_ in ("NN", "NNP") and not clause.head.conjuncts else "do"
        pieces = ["what happens if", *clause.subject, f"{does} not", *done]
    else:
        return
    forms = {clause.verb.i: clause.verb.lemma_.lower()} if clause.imperative else {}
    yield Open(pieces, "what_if", "what_if_not", core(clause), "the consequence", forms=forms)


_EXPLAINS = frozenset("if otherwise unless when please so because since see note contact check consider remember try".split())


@gap("how_to")
def how_to(clause: Clause, line: Line) -> Iterator[Open]:
    """Something that one can or must do, without how."""
    if not clause.second_person or clause.negated or len(clause.members) > 11 or clause.imperative:
        return
    if clause.modal not in MAY | DUTY:
        return
    verb = clause.chain[-1] if clause.modal.endswith(" to") else clause.verb
    if verb.lemma_ in STATES or not any(c.dep_ == "dobj" for c in verb.children):
        return
    if any(t.lower_ in ("by", "using", "via", "through", "with", "click", "if") or t.dep_ == "advcl" for t in line.doc):
        return
    pieces: Pieces = ["how do I", *action(clause)]
    yield Open(pieces, "how", "how_to", core(clause), "how it is done", forms={verb.i: verb.lemma_.lower()})


@gap("decides")
def decides(clause: Clause, line: Line) -> Iterator[Open]:
    """A permission without who gives it."""
    head = clause.head
    if any(t.lower_ in _NOBODY | {"nobody", "only"} for t in [*clause.subject, *clause.members]):
        return
    if head is None or clause.modal != "may" or not _third(clause) or not _short(clause) or not is_person(head):
        return
    pieces: Pieces = ["who decides whether", *clause.subject, *clause.members]
    yield Open(pieces, "who", "decides", core(clause), "who decides")
