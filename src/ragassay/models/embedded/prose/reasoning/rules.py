"""A rule applied to a case: what is forbidden, what need not be done, what only some may do, what has exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS, Clause
from ragassay.models.embedded.prose.forms.kinds import is_person
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.phrasing import choice, of_clause, stated
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

LONGEST_CLAUSE = 26
_PRESENT = frozenset({"VB", "VBP", "VBZ", "VBN", "VBG"})
_EXCEPTING = frozenset({"unless", "except"})


def denied(clause: Clause) -> bool:
    """Whether the clause says that something is not so, by "not" or "never" at its verb, and by nothing else."""
    words = {token.i for token in (*clause.members, *clause.auxiliaries)}
    return any((child.dep_ == "neg" or child.lower_ == "never") and child.i in words for child in clause.verb.children)


def present(clause: Clause) -> bool:
    """Whether it states a rule or how things are: no past, no report of one event."""
    first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
    return first.tag_ in ("MD", "VB", "VBP", "VBZ") or clause.imperative


def exempting(clause: Clause) -> bool:
    """Whether it says that something need not be done."""
    negated = denied(clause)
    verb = clause.verb
    if negated and verb.lemma_ in ("need", "have", "require", "oblige") and len(clause.chain) > 1:
        return verb.i + 1 < len(clause.doc) and clause.doc[verb.i + 1].lower_ == "to"
    return negated and any(auxiliary.lower_ == "need" for auxiliary in clause.auxiliaries)


def usable(clause: Clause) -> bool:
    """Whether a question can be made of the whole clause."""
    if len(clause.members) > LONGEST_CLAUSE or len(clause.subject) > 12 or len(clause.members) < 2:
        return False
    if clause.head is not None and clause.head.lower_ in ("it", "this", "that", "there", "i", "which"):
        return False
    if any(
        t.tag_ in ("VB", "VBP", "MD") and t.dep_ != "relcl" and t.i < clause.head.i
        for t in clause.subject
        if clause.head
    ):
        return False
    if clause.verb.lemma_ in _MENTAL and clause.second_person:
        return False
    if sum(token.dep_ == "neg" for token in clause.members) > 1:
        return False
    return not any(
        token.lower_ in ("but", "rather", "instead", "either", "anymore", "more") for token in clause.members
    )


def _offhand(clause: Clause) -> bool:
    """Whether "if possible" and the like soften it."""
    words = {token.lower_ for token in (*clause.members, *(t for phrase in clause.fronted for t in phrase))}
    return "possible" in words


_MENTAL = frozenset("want like wish see find think know worry feel hesitate forget panic expect hope believe".split())


def reasons(clause: Clause) -> list[Token]:
    """The words that say why: a question whether something is so has no place for them."""
    found: list[Token] = []
    for head in clause.adverbials():
        phrase = clause.phrase(head) if head.dep_ == "advcl" else []
        if phrase and phrase[0].lower_ in ("because", "since", "so", "as"):
            found += phrase
    return found


def exceptions(clause: Clause) -> list[Token]:
    """The words of "unless …"."""
    heads = [head for head in clause.adverbials() if head.dep_ == "advcl"]
    return [
        t
        for head in heads
        for phrase in [clause.phrase(head)]
        if phrase and phrase[0].lower_ == "unless"
        for t in phrase
    ]


def conditions(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    """Verb and words of each clause with "if", "when" or "once", the mark included."""
    for head in clause.adverbials():
        phrase = clause.phrase(head) if head.dep_ == "advcl" else []
        if 4 <= len(phrase) <= 22 and phrase[0].lower_ in ("if", "when", "once", "whenever"):
            if phrase[0].i and clause.doc[phrase[0].i - 1].lower_ in ("only", "even", "except"):
                continue
            if any(c.dep_ in SUBJECTS for c in head.children):
                yield head, phrase


_HEDGES = frozenset(
    "only just necessarily always all every simply merely possibly really sometimes often usually generally typically"
    " yet longer normally mostly entirely ideally whether much many".split()
)
"""Words next to which the contrary of a denial is not simply false, or which make it no rule."""


@source(
    "forbidden",
    infers="that something may not be done, from a rule against it",
    example="May I share my password with my team? No; you must never share your password.",
    accepted=0.57,
)
def forbidden(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not usable(clause) or not denied(clause) or exempting(clause) or not present(clause):
            continue
        if any(token.lower_ in _HEDGES for token in (*clause.members, *clause.subject)) or _offhand(clause):
            continue
        if clause.imperative:
            phrase = of_clause(clause)
            words, forms = phrase.form("base")
            fronted: Pieces = [token for each in clause.fronted for token in each]
            lead = ("may I", "can I", "should I", "is it all right to")[choice(told.doc.text, 4)]
            question: Pieces = [lead, *words, *fronted]
        else:
            if clause.modal not in ("must", "may", "can", "ca", "should", "shall"):
                continue
            if clause.modal == "may" and not (clause.passive or _acts(clause)):
                continue
            spared = [*reasons(clause), *exceptions(clause)]
            turned = inverted(clause, "", spared, denied=True)
            if turned is None or any(c.dep_ == "conj" for a in clause.auxiliaries for c in a.children):
                continue
            asks = {"must": "may", "shall": "may", "ca": "can", "could": "can"}
            question = [
                asks.get(piece, piece) if isinstance(piece, str) else piece
                for piece in turned.pieces
                if isinstance(piece, str) or piece.lower_ != "never"
            ]
            forms = {**turned.forms, **{t.i: "before" for t in clause.members if t.lower_ == "until"}}
            if exceptions(clause):
                while question and not isinstance(question[-1], str) and question[-1].is_punct:
                    question.pop()
                question.append("in every case")
        yield Inferred(told, question, "No", stated(clause), forms=forms)


def _acts(clause: Clause) -> bool:
    """Whether "may not" forbids: what somebody does, not how things are."""
    return (
        clause.head is not None
        and clause.verb.lemma_ not in _STATES
        and (clause.second_person or is_person(clause.head))
    )


_STATES = frozenset("be have need know want seem become remain work mean realise realize notice feel".split())


@source(
    "not_so",
    infers="that something is not so, from a sentence that says how things are",
    example="Does the free plan include support? No; the free plan does not include support.",
    accepted=0.62,
)
def not_so(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not usable(clause) or not denied(clause) or exempting(clause) or clause.imperative or clause.modal:
            continue
        first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
        if first.tag_ not in ("VBZ", "VBP") or clause.second_person or not 5 <= len(clause.members) <= 20:
            continue
        if any(token.lower_ in _HEDGES for token in clause.members) or clause.verb.lemma_ in _MENTAL | {"mean"}:
            continue
        turned = inverted(clause, "", reasons(clause), denied=True)
        if turned is not None and not exceptions(clause):
            question = [piece for piece in turned.pieces if isinstance(piece, str) or piece.lower_ != "never"]
            yield Inferred(told, question, "No", stated(clause), forms=turned.forms)


@source(
    "nobody",
    infers="that one case is not allowed, from a rule that allows none",
    example="May any visitor enter the archive? No; no visitor may enter the archive.",
    accepted=0.32,
)
def nobody(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not clause.modal and not (clause.passive and clause.auxiliaries[0].tag_ in ("VBZ", "VBP")):
            continue
        if (
            not clause.subject
            or clause.subject[0].lower_ != "no"
            or not usable(clause)
            or not present(clause)
            or exceptions(clause)
        ):
            continue
        turned = inverted(clause, "")
        if turned is not None:
            question = ["any" if not isinstance(p, str) and p.i == clause.subject[0].i else p for p in turned.pieces]
            yield Inferred(told, question, "No", stated(clause), forms=turned.forms)


@source(
    "exempt",
    infers="that something need not be done, from an exemption",
    example="I work from home; do I have to book a desk? No; if you work from home, you do not have to book a desk.",
    accepted=0.35,
)
def exempt(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not usable(clause)
            or not exempting(clause)
            or any(t.lower_ in ("necessarily", "always") for t in clause.members)
        ):
            continue
        if any(True for _ in conditions(clause)):
            continue
        phrase = of_clause(clause)
        start = (
            clause.chain[1]
            if len(clause.chain) > 1 and clause.verb.lemma_ in ("need", "have", "require")
            else clause.verb
        )
        opening = min([start.i, *(c.i for c in start.children if c.dep_ == "auxpass")])
        words: Pieces = [token for token in clause.members if token.i >= opening]
        do = "do" if phrase.me or phrase.plural else "does"
        subject = phrase.subject_pieces()
        fronted: Pieces = [token for each in clause.fronted for token in each]
        forms = {start.i: start.lemma_.lower()} if start.tag_ != "VBN" else {}
        be: Pieces = ["be"] if start.tag_ == "VBN" and opening == start.i else []
        yield Inferred(told, [do, *subject, "have to", *be, *words, *fronted], "No", stated(clause), forms=forms)


@source(
    "optional",
    infers="that something is or is not needed, from a sentence that calls it optional or required",
    example="Do I need a cover letter? No; a cover letter is optional.",
    accepted=0.60,
)
def optional(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            clause.verb.lemma_ not in ("be", "require")
            or clause.head is None
            or not usable_subject(clause)
            or not present(clause)
        ):
            continue
        word = clause.verb if clause.passive else next((c for c in clause.verb.children if c.dep_ == "acomp"), None)
        if word is None or clause.modal or any(t.dep_ in ("advcl", "xcomp") for t in clause.members if t.i > word.i):
            continue
        negated = denied(clause)
        if any(t.lower_ in _HEDGES for t in clause.members) or bool(clause.head.conjuncts):
            continue
        if any(True for _ in conditions(clause)):
            continue
        kind = word.lower_
        if kind not in ("optional", "mandatory", "compulsory", "obligatory", "required", "necessary", "voluntary"):
            continue
        needed = (kind not in ("optional", "voluntary")) != negated
        rest: Pieces = [token for token in clause.members if token.i > word.i]
        be = "are" if of_clause(clause).plural else "is"
        asks = "optional" if needed else ("necessary", "mandatory", "compulsory")[choice(told.doc.text, 3)]
        if asks == kind:
            continue
        yield Inferred(told, [be, *clause.subject, asks, *rest], "No", stated(clause))


def usable_subject(clause: Clause) -> bool:
    return clause.head is not None and clause.head.pos_ in ("NOUN", "PROPN", "VERB") and len(clause.subject) <= 12


@source(
    "only",
    infers="that others may not, from what only some may",
    example="May anybody other than the treasurer sign cheques? No; only the treasurer may sign cheques.",
    accepted=0.47,
)
def only(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if clause.head is None or not clause.subject or not present(clause):
            continue
        subject = clause.subject[1:] if clause.subject[0].lower_ == "only" else clause.subject
        before = told.doc[subject[0].i - 1] if subject and subject[0].i else None
        if before is None or before.lower_ != "only" or (before.i and told.doc[before.i - 1].text not in (",", ";")):
            continue
        if len(clause.members) > LONGEST_CLAUSE or denied(clause):
            continue
        if any(t.like_num or any(c.isdigit() for c in t.text) or t.lower_ in ("if", "when", "after") for t in subject):
            continue
        turned = inverted(clause, "")
        if turned is None:
            continue
        gone = {token.i for token in clause.subject}
        others = "anybody" if is_person(clause.head) else "anything"
        new: Pieces = [others, "other than", *subject]
        pieces: Pieces = []
        for piece in turned.pieces:
            if isinstance(piece, str) or piece.i not in gone:
                word = {"do": "does", "are": "is", "have": "has"}.get(piece, piece) if isinstance(piece, str) else piece
                pieces.append(word)
            elif new:
                pieces += new
                new = []
        pieces = [piece for piece in pieces if isinstance(piece, str) or piece.i != before.i]
        reason: Pieces = ["only", *[p for p in stated(clause) if isinstance(p, str) or p.i != before.i]]
        yield Inferred(told, pieces, "No", reason if not clause.fronted else stated(clause), forms=turned.forms)


@source(
    "in_every_case",
    infers="that a rule has exceptions, from its exception",
    example="May I take leave in every case? No; you may take leave only if your manager agrees.",
    accepted=0.80,
)
def in_every_case(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if clause.subject and clause.subject[0].lower_ == "no":
            continue
        if (
            not present(clause)
            or len(clause.subject) > 12
            or (clause.head is not None and clause.head.lower_ in ("it", "this", "there"))
        ):
            continue
        for head in clause.complements():
            phrase = clause.phrase(head)
            if len(phrase) < 3 or head.dep_ not in ("advcl", "prep"):
                continue
            narrowed = phrase[0].lower_ in _EXCEPTING
            before = clause.doc[phrase[0].i - 1] if phrase[0].i else None
            limited = (
                before is not None and before.lower_ == "only" and phrase[0].lower_ in ("if", "when", "after", "with")
            )
            limited = limited or (phrase[0].lower_ == "only" and phrase[1].lower_ in ("if", "when", "after", "with"))
            if not narrowed and not limited:
                continue
            negated = denied(clause)
            if negated or exempting(clause) or (narrowed and phrase[1].lower_ in ("that", "when", "where")):
                continue
            gap = [*phrase, *([before] if limited and before is not None and before.lower_ == "only" else [])]
            rest = len(clause.members) - len(gap)
            if rest < 2 or rest > 16:
                continue
            turned = inverted(clause, "", gap, denied=denied(clause))
            if turned is None:
                continue
            ends = ("in every case", "under all circumstances", "no matter what")[choice(told.doc.text, 3)]
            pieces: Pieces = list(turned.pieces)
            while pieces and not isinstance(pieces[-1], str) and pieces[-1].is_punct:
                pieces.pop()
            yield Inferred(told, [*pieces, ends], "No", stated(clause), forms=turned.forms)
