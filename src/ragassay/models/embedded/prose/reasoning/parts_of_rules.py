"""What is enough: part of what a rule asks for is not, one of several ways is, what stands for another thing is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS, Clause
from ragassay.models.embedded.prose.inversion import lemma
from ragassay.models.embedded.prose.reasoning.limits import plural
from ragassay.models.embedded.prose.reasoning.phrasing import of_clause, stated
from ragassay.models.embedded.prose.reasoning.requirements import on_duty
from ragassay.models.embedded.prose.reasoning.rules import denied, present, usable
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading
from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

_ALL = frozenset({"all", "every", "each"})


def advised(clause: Clause) -> bool:
    """Whether the clause says what must or should be done."""
    return (on_duty(clause) or clause.modal == "should" or clause.imperative) and not denied(clause) and present(clause)


def _objects(clause: Clause) -> Iterator[Token]:
    """The nouns that the verb of the clause acts on, and those that a preposition of it names."""
    for head in clause.complements():
        if head.dep_ in ("dobj", "attr"):
            yield head
        elif head.dep_ == "agent":
            yield from (child for child in head.children if child.dep_ == "pobj")


def _fronted(clause: Clause) -> Pieces:
    return [token for phrase in clause.fronted for token in phrase]


@source(
    "some_of_all",
    infers="that a part is not enough where a rule asks for all",
    example="Is it enough if only some of the doors are locked? No; all doors must be locked.",
    accepted=0.28,
)
def some_of_all(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not usable(clause) or not advised(clause) or any(t.lower_ == "only" for t in clause.members):
            continue
        own = of_clause(clause)
        words, forms = own.form("finite")
        if clause.subject and clause.subject[0].lower_ in _ALL and clause.head is not None and on_duty(clause):
            noun, rest = clause.head, list(clause.subject[1:])
            if noun.pos_ != "NOUN" or not rest or rest[0].lower_ in ("of", "the", "this", "other", "such"):
                continue
            many = noun.tag_ == "NNS"
            own.head, own.subject = noun, rest
            first = own.carriers[0]
            more = {noun.i: plural(noun.lower_)} if not many else {}
            agreed = {"is": "are", "has": "have", "are": "are", "have": "have"}.get(
                forms.get(first.i, ""), lemma(first)
            )
            forms = {**forms, **more, first.i: agreed}
            subject: Pieces = ["only some", *rest]
            yield Inferred(
                told, ["is it enough if", *subject, *words, *_fronted(clause)], "No", stated(clause), forms=forms
            )
            continue
        for noun in _objects(clause):
            determiner = next((c for c in noun.children if c.lower_ in _ALL and c.dep_ in ("det", "predet")), None)
            if (
                determiner is None
                or (noun.tag_ == "NN" and determiner.lower_ == "all")
                or noun.pos_ != "NOUN"
                or noun.lemma_.lower() in _TIMES
                or bool(noun.conjuncts)
            ):
                continue
            after = told.doc[determiner.i + 1]
            some: Pieces = ["only some of"] if after.lower_ in ("the", "your", "our", "these") else ["only some"]
            more = {noun.i: plural(noun.lower_)} if noun.tag_ == "NN" else {}
            pieces: Pieces = []
            for word in words:
                pieces += some if not isinstance(word, str) and word.i == determiner.i else [word]
            if len(pieces) == len(words) and pieces == words:
                continue
            question: Pieces = ["is it enough if", *own.subject_pieces(), *pieces, *_fronted(clause)]
            yield Inferred(told, question, "No", stated(clause), forms={**forms, **more})
            break


_TIMES = frozenset("time day week month year case way hour minute sprint morning effort".split())


@source(
    "both_needed",
    infers="that one of two things is not enough where a rule asks for both",
    example="Is it enough if I sign the form? No; you must sign the form and send it back.",
    accepted=0.40,
)
def both_needed(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not usable(clause)
            or denied(clause)
            or any(t.lower_ in ("only", "either", "or", "not") for t in clause.members)
        ):
            continue
        requires = (
            clause.verb.lemma_ == "require"
            and clause.verb.tag_ in ("VBZ", "VBP")
            and not clause.passive
            and not clause.auxiliaries
        )
        if not (on_duty(clause) or requires):
            continue
        own = of_clause(clause)
        for noun in _objects(clause):
            pair = _pair(noun)
            if pair is None:
                continue
            gone = {token.i for token in pair}
            words, forms = own.form("finite")
            left: Pieces = [word for word in words if isinstance(word, str) or word.i not in gone]
            if requires:
                one: Pieces = [word for word in left if word not in own.carriers]
                be = "are" if noun.tag_ == "NNS" else "is"
                yield Inferred(told, [be, *one, "enough for", *own.subject_pieces()], "No", stated(clause))
            else:
                question: Pieces = ["is it enough if", *own.subject_pieces(), *left, *_fronted(clause)]
                yield Inferred(told, question, "No", stated(clause), forms=forms)
            break


def _pair(noun: Token) -> list[Token] | None:
    """The words of the second of just two things joined by "and", with the "and"; None where there are not two."""
    second = [child for child in noun.children if child.dep_ == "conj"]
    joint = [child for child in noun.children if child.dep_ == "cc"]
    if (
        len(second) != 1
        or len(joint) != 1
        or joint[0].lower_ != "and"
        or any(c.dep_ == "conj" for c in second[0].children)
    ):
        return None
    words = subtree(second[0])
    if len(words) < 2 or len(words) > 9 or second[0].pos_ not in ("NOUN", "PROPN") or words[0].i < joint[0].i:
        return None
    both = [child for child in noun.children if child.lower_ == "both"]
    comma = [child for child in noun.children if child.is_punct and child.i > noun.i and child.i < joint[0].i]
    return [*both, *joint, *words, *comma]


@source(
    "both_steps",
    infers="that the first of two duties is not enough",
    example="Is it enough if I fill in the form? No; you must fill in the form and have it signed.",
    accepted=0.55,
)
def both_steps(reading: Reading) -> Iterator[Inferred]:
    for told in reading.told:
        if len(told.clauses) != 2 or "?" in told.doc.text:
            continue
        first, second = told.clauses
        if (
            not on_duty(first)
            or second.head is not first.head
            or first.imperative
            or not usable(first)
            or len(first.members) < 3
        ):
            continue
        joint = [t for t in told.doc[first.verb.i : second.verb.i] if t.dep_ == "cc"]
        if not joint or joint[-1].lower_ != "and" or denied(second) or len(second.members) > 16:
            continue
        if first.verb.lemma_ in ("go", "come", "try"):
            continue
        words, forms = of_clause(first).form("finite")
        question: Pieces = ["is it enough if", *of_clause(first).subject_pieces(), *words, *_fronted(first)]
        reason: Pieces = [*stated(first), "and", *second.members]
        yield Inferred(told, question, "No", reason, forms=forms)


@source(
    "another_way",
    infers="that one way is not the only one, from the two that are allowed",
    example="Do I have to pay by card? No; you can pay by card or in cash.",
    accepted=0.30,
)
def another_way(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not usable(clause)
            or denied(clause)
            or clause.modal not in ("can", "may")
            or not of_clause(clause).me
            or clause.fronted
        ):
            continue
        for head in clause.complements():
            if head.dep_ != "prep" or head.lower_ not in ("by", "in", "with", "via", "through", "on"):
                continue
            base = next((c for c in head.children if c.dep_ in ("pobj", "pcomp")), None)
            if base is None:
                continue
            joint = next((c for n in (head, base) for c in n.children if c.dep_ == "cc"), None)
            other = next((c for n in (head, base) for c in n.children if c.dep_ == "conj"), None)
            if (
                joint is None
                or other is None
                or joint.lower_ != "or"
                or other.i < joint.i
                or any(c.dep_ == "conj" for c in other.children)
            ):
                continue
            gone = {joint.i, *(t.i for t in subtree(other))}
            gone |= {t.i for t in clause.members if t.lower_ == "either" or (t.is_punct and t.i == joint.i - 1)}
            words, forms = of_clause(clause).form("base")
            left = [word for word in words if isinstance(word, str) or (word.i not in gone and word.lower_ != "also")]
            if len(left) < 2:
                continue
            yield Inferred(told, ["do I have to", *left, *_fronted(clause)], "No", stated(clause), forms=forms)
            break


@source(
    "instead",
    infers="that something is not the way, from what is to be done instead of it",
    example="Should I write to the author directly? No; file a report instead of writing to the author directly.",
    accepted=0.69,
)
def instead(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not advised(clause)
            or len(clause.members) > 28
            or (clause.head is not None and clause.head.lower_ in ("it", "this", "there"))
        ):
            continue
        own = of_clause(clause)
        for token in (*clause.members, *(t for phrase in clause.fronted for t in phrase)):
            pivot = token.lower_
            following = told.doc[token.i + 1] if token.i + 1 < len(told.doc) else None
            if following is None or (pivot, following.lower_) not in (("instead", "of"), ("rather", "than")):
                continue
            start = following.i + 1
            verb = told.doc[start] if start < len(told.doc) else None
            if verb is None:
                continue
            end = _end(list(told.doc[start:]), clause)
            wrong = [t for t in told.doc[start:end] if not (t.is_punct and t.i == end - 1)]
            if not wrong or len(wrong) > 16:
                continue
            if verb.tag_ in ("VBG", "VB") and verb.pos_ in ("VERB", "AUX"):
                joined = [t for t in wrong if t.dep_ == "conj" and t.head == verb and t.tag_ == "VBG"]
                forms = {t.i: lemma(t) for t in (verb, *joined)}
                yield Inferred(told, ["should", *own.subject_pieces(), *wrong], "No", stated(clause), forms=forms)
            elif verb.pos_ in ("NOUN", "PROPN", "DET", "ADJ", "PRON"):
                noun = next(
                    (t for t in reversed(told.doc[: token.i]) if t.pos_ in ("NOUN", "PROPN") and t.dep_ == "dobj"), None
                )
                if noun is None or verb.lower_ in ("it", "them", "this", "that") or noun.head.i > noun.i:
                    continue
                act = noun.head
                if act.i not in {t.i for t in clause.members} or any(
                    c.dep_ in SUBJECTS for c in act.children if act is not clause.verb
                ):
                    continue
                between: Pieces = list(told.doc[act.i + 1 : subtree(noun)[0].i])
                question: Pieces = ["should", *own.subject_pieces(), act, *between, *wrong]
                yield Inferred(told, question, "No", stated(clause), forms={act.i: lemma(act)})
            break


def _end(rest: Sequence[Token], clause: Clause) -> int:
    """Where the phrase after "instead of" ends: at a comma, a finite subordinate clause, or the end of the clause."""
    inside = {token.i for token in clause.members} | {t.i for phrase in clause.fronted for t in phrase}
    for token in rest:
        if (
            token.i not in inside
            or token.text in (",", ";", ".", "–", "—")
            or token.lower_ in ("so", "because", "when", "if")
        ):
            return token.i
    return rest[-1].i + 1
