"""What lies outside a narrow rule: what works only so, what needs something, what goes without it, what is not all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_person, is_time
from ragassay.models.embedded.prose.inversion import inverted, lemma
from ragassay.models.embedded.prose.reasoning.phrasing import of_clause, stated
from ragassay.models.embedded.prose.reasoning.requirements import on_duty
from ragassay.models.embedded.prose.reasoning.rules import conditions, denied, present
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading
from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

_NO_SUBJECTS = frozenset({"it", "this", "that", "there", "which", "i", "they"})
_ACTS = ("ing", "ion", "ment", "ance", "ence", "access", "use", "entry", "ure", "support", "work")
"""Endings of English nouns for acts and states, which are possible or not."""


def plain(clause: Clause, longest: int = 22) -> bool:
    """Whether a clause has a noun or "you" for its subject and states something in the present."""
    if clause.head is not None and (clause.head.lower_ in _NO_SUBJECTS or len(clause.subject) > 10):
        return False
    return present(clause) and len(clause.members) <= longest


@source(
    "only_there",
    infers="that something goes in no other way, place or case than the only one",
    example="Does the lift stop at anything other than even floors? No; the lift only stops at even floors.",
    accepted=0.24,
)
def only_there(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not plain(clause) or denied(clause) or clause.imperative:
            continue
        word = next((t for t in clause.members if t.lower_ == "only" and t.dep_ == "advmod"), None)
        if any(a.lemma_ in ("will", "have") for a in clause.auxiliaries) or clause.verb.lemma_ in (
            "need",
            "remove",
            "make",
        ):
            continue
        if word is None or word.i + 1 >= len(told.doc) or sum(t.lower_ == "only" for t in told.doc) > 1:
            continue
        if word.i and told.doc[word.i - 1].lower_ == "not":
            continue
        noun = _narrowed(clause, word)
        if noun is None or is_time(noun) or noun.like_num or noun.ent_type_ in ("DATE", "TIME", "CARDINAL"):
            continue
        words = subtree(noun)
        if (
            any(c.dep_ == "nummod" for c in noun.children)
            or bool(noun.conjuncts)
            or len(words) > 10
            or noun.pos_ not in ("NOUN", "PROPN")
        ):
            continue
        turned = inverted(clause, "", [word])
        if turned is None:
            continue
        other = "anybody other than" if is_person(noun) else "anything other than"
        pieces: Pieces = []
        for piece in turned.pieces:
            if not isinstance(piece, str) and piece.i == words[0].i:
                pieces.append(other)
            pieces.append(piece)
        if other in pieces:
            yield Inferred(told, pieces, "No", stated(clause), forms=turned.forms)


def _narrowed(clause: Clause, word: Token) -> Token | None:
    """The noun that "only" narrows: the object after the verb, or that of the preposition right after."""
    following = word.doc[word.i + 1]
    for head in clause.complements():
        if head.dep_ in ("dobj", "attr") and (subtree(head)[0].i in (word.i, word.i + 1) or following == clause.verb):
            return head
        direct = head.i == word.i + 1 or (following == clause.verb and head.head == clause.verb)
        if head.dep_ == "prep" and direct and head.lower_ in ("for", "with", "to", "on", "from", "by", "of"):
            return next((c for c in head.children if c.dep_ == "pobj"), None)
    return None


@source(
    "needs",
    infers="that something does not go without what it requires",
    example="Is access possible without a badge? No; access requires a badge.",
    accepted=0.12,
)
def needs(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not plain(clause) or denied(clause) or clause.verb.lemma_ not in ("require", "need") or clause.passive:
            continue
        if (
            clause.auxiliaries
            or len(clause.chain) > 1
            or clause.head is None
            or clause.head.pos_ not in ("NOUN", "PROPN", "VERB")
        ):
            continue
        noun = next((c for c in clause.verb.children if c.dep_ == "dobj" and c.i > clause.verb.i), None)
        if noun is None or is_person(clause.head) or noun.lower_ in ("that", "it", "them"):
            continue
        words = [t for t in clause.members if t.i > clause.verb.i]
        if (
            any(t.lower_ in ("only", "also", "or", "at", "less", "more", "careful", "some", "no") for t in words[:2])
            or len(words) > 14
        ):
            continue
        if any(t.dep_ in ("ccomp", "advcl") for t in words):
            continue
        act = clause.head.lower_.endswith(_ACTS) and not bool(clause.head.conjuncts) and len(clause.subject) < 7
        if (not act and clause.head.dep_ != "csubj") or any(
            t.lower_ in ("sometimes", "often", "no", "every") for t in told.doc
        ):
            continue
        be = "are" if of_clause(clause).plural else "is"
        yield Inferred(told, [be, *clause.subject, "possible without", *words], "No", stated(clause))


@source(
    "must_have",
    infers="that a thing may not lack what it must have",
    example="Is it all right if a form field has no label? No; every form field must have a label.",
    accepted=0.55,
)
def must_have(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not plain(clause)
            or clause.verb.lemma_ != "have"
            or not on_duty(clause)
            or clause.head is None
            or len(clause.chain) > 1
        ):
            continue
        noun = next((c for c in clause.verb.children if c.dep_ == "dobj"), None)
        if (
            noun is None
            or noun.pos_ not in ("NOUN", "PROPN")
            or bool(noun.conjuncts)
            or any(t.like_num for t in subtree(noun))
        ):
            continue
        determiner = next((c for c in noun.children if c.dep_ in ("det", "poss", "predet")), None)
        if determiner is not None and determiner.lower_ not in ("a", "an"):
            continue
        if any(c.dep_ == "quantmod" or c.lower_ in ("enough", "more", "same") for c in noun.children):
            continue
        own = of_clause(clause)
        words, forms = own.form("finite")
        at = clause.verb
        pieces: Pieces = []
        for word in words:
            if not isinstance(word, str) and determiner is not None and word.i == determiner.i:
                continue
            pieces.append(word)
            if word == at:
                pieces.append("no")
        subject = own.subject_pieces()
        first = clause.subject[0] if clause.subject else None
        if first is not None and first.lower_ in ("every", "each", "all"):
            article = "some" if first.lower_ == "all" else "an" if clause.subject[1].lower_[:1] in "aeiou" else "a"
            subject = [article, *clause.subject[1:]]
        yield Inferred(told, ["is it all right if", *subject, *pieces], "No", stated(clause), forms=forms)


@source(
    "goes_without",
    infers="that something is not needed for an aim that can be reached without it",
    example="Do I need an account to search? No; you can search without an account.",
    accepted=0.40,
)
def goes_without(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not plain(clause)
            or denied(clause)
            or clause.modal not in ("can", "may", "could")
            or not of_clause(clause).me
        ):
            continue
        for head in clause.complements():
            phrase = clause.phrase(head)
            if head.lower_ != "without" or head.dep_ != "prep" or len(phrase) < 2:
                continue
            thing = next((c for c in head.children if c.dep_ in ("pobj", "pcomp")), None)
            words, forms = of_clause(clause).form("base", phrase)
            if thing is None or len(words) > 12:
                continue
            if thing.dep_ == "pcomp" and thing.tag_ == "VBG":
                forms = {**forms, thing.i: lemma(thing)}
                yield Inferred(told, ["do I have to", *phrase[1:], "to", *words], "No", stated(clause), forms=forms)
            elif thing.pos_ in ("NOUN", "PROPN") and phrase[1].lower_ in ("a", "an", "any", "your"):
                yield Inferred(told, ["do I need", *phrase[1:], "to", *words], "No", stated(clause), forms=forms)


@source(
    "not_all",
    infers="that something does not hold of all, from a sentence that says it of some, or not of all",
    example="Do all rooms have a window? No; not all rooms have a window.",
    accepted=0.55,
)
def not_all(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not plain(clause) or not clause.subject or clause.head is None or clause.head.pos_ != "NOUN":
            continue
        first = clause.subject[0].lower_
        words = [t.lower_ for t in clause.subject[:2]]
        some = first == "some" and denied(clause) and clause.head.tag_ == "NNS"
        if not some and words not in (["not", "all"], ["not", "every"]):
            continue
        turned = inverted(clause, "", denied=some) if some else inverted(clause, "")
        if turned is None:
            continue
        gone = clause.subject[0]
        pieces: Pieces = []
        for piece in turned.pieces:
            if isinstance(piece, str) or piece.i != gone.i:
                pieces.append(piece)
            elif some:
                pieces.append("all")
        yield Inferred(told, pieces, "No", stated(clause), forms=turned.forms)


@source(
    "unlike",
    infers="that something does not hold of what is said to be unlike it",
    example="Do part-time tickets include parking, too? No; unlike part-time tickets, full tickets include parking.",
    accepted=0.55,
)
def unlike(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not plain(clause) or clause.head is None or clause.imperative:
            continue
        for phrase in clause.fronted:
            if phrase[0].lower_ != "unlike" or not 2 <= len(phrase) <= 9:
                continue
            noun = next((c for c in phrase[0].children if c.dep_ == "pobj"), None)
            if noun is None or (noun.tag_ in ("NNS", "NNPS")) != (clause.head.tag_ in ("NNS", "NNPS")):
                continue
            turned = inverted(clause, "", phrase, denied=denied(clause))
            if turned is None:
                continue
            own = {t.i for t in clause.subject}
            new: Pieces = list(phrase[1:])
            pieces: Pieces = []
            for piece in turned.pieces:
                if isinstance(piece, str) or piece.i not in own:
                    pieces.append(piece)
                elif new:
                    pieces += new
                    new = []
            end: Pieces = [] if denied(clause) else [", too"]
            yield Inferred(told, [*pieces, *end], "Yes" if denied(clause) else "No", stated(clause), forms=turned.forms)


@source(
    "besides",
    infers="that something is not enough, from what has to come on top of it",
    example="Is it enough to pass the exam? No; in addition to passing the exam, you must have a year of practice.",
    accepted=0.55,
)
def besides(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            denied(clause)
            or clause.modal not in ("must", "need to", "have to", "should")
            or any(True for _ in conditions(clause))
        ):
            continue
        for phrase in clause.fronted:
            words = [t.lower_ for t in phrase[:3]]
            skip = 3 if words == ["in", "addition", "to"] else 1 if words[:1] == ["besides"] else 0
            if not skip or len(phrase) <= skip or len(phrase) > 14:
                continue
            verb = phrase[skip]
            if verb.tag_ == "VBG":
                yield Inferred(
                    told, ["is it enough to", *phrase[skip:]], "No", stated(clause), forms={verb.i: lemma(verb)}
                )
