"""A rule with a condition, applied to somebody whom the condition fits: "I work part-time; do I have to …?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS, Clause
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.phrasing import choice, of_clause, stated
from ragassay.models.embedded.prose.reasoning.requirements import on_duty
from ragassay.models.embedded.prose.reasoning.rules import conditions, denied, exempting, present, usable
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

STATES = frozenset(
    "have be want need like use work own live prefer plan know run manage belong intend wish lack".split()
)
"""English verbs of state and habit, which a case can be told with in the present tense: "I own a dog"."""


def of_the_asker(verb: Token) -> bool:
    """Whether the condition is about the reader or what is theirs."""
    subject = next(c for c in verb.children if c.dep_ in SUBJECTS)
    return subject.lower_ == "you" or any(c.lower_ == "your" for c in subject.children)


def told_as_case(verb: Token, phrase: Sequence[Token]) -> Pieces:
    """The condition as a sentence about the asker; empty where English does not say it so."""
    continuous = any(c.dep_ in ("aux", "auxpass") and c.lemma_ in ("be", "have") for c in verb.children)
    modal = any(c.tag_ == "MD" for c in verb.children)
    if phrase[0].lower_ == "if" and (verb.lemma_ in STATES or continuous or modal):
        return list(phrase[1:])
    return []


@source(
    "condition_case",
    infers="what a rule with a condition means for somebody whom the condition fits",
    example="I have an old account; do I have to register again? Yes; with an old account, you must register again.",
    accepted=0.51,
)
def condition_case(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not usable(clause) or not present(clause):
            continue
        for verb, phrase in conditions(clause):
            mine = of_the_asker(verb)
            if _says_little(verb, phrase) or (
                not mine and clause.second_person and not denied(clause) and not exempting(clause)
            ):
                continue
            answered = _question(told.doc.text, clause, phrase)
            if answered is None:
                continue
            verdict, question, forms = answered
            case = told_as_case(verb, phrase) if mine else []
            if verdict == "Yes" and not case and not on_duty(clause) and (mine or phrase[0].lower_ != "if"):
                continue
            lead: Pieces = [] if case else [*_conditional(phrase), ","]
            yield Inferred(told, [*lead, *question], verdict, stated(clause), case=case, forms=forms)


_OFFERS = frozenset(
    "question concern issue help problem trouble idea feedback comment interest doubt suggestion".split()
)


_HEDGES = frozenset("sometimes often usually generally typically probably likely always necessarily also".split())
_ADVICE = frozenset("consider try feel remember note see check ensure make want like start think be".split())


def _says_little(verb: Token, phrase: Sequence[Token]) -> bool:
    """Whether the condition only makes an offer: "if you have questions", "if you feel like it"."""
    return verb.lemma_ in ("feel", "wonder", "care", "decide", "choose", "wish") or (
        verb.lemma_ in ("have", "need", "want", "run") and any(t.lemma_.lower() in _OFFERS for t in phrase)
    )


def _conditional(phrase: Sequence[Token]) -> Pieces:
    return list(phrase)


def _question(key: str, clause: Clause, phrase: Sequence[Token]) -> tuple[str, Pieces, dict[int, str]] | None:
    """Verdict, question and its forms for the main clause without its condition."""
    own = of_clause(clause)
    if len(own.words) - len(phrase) > 18 or any(
        t.lower_ in ("only", "just", "please") for t in (*clause.members, *clause.subject)
    ):
        return None
    if exempting(clause) and own.me:
        start = clause.chain[1] if len(clause.chain) > 1 else clause.verb
        gone = {token.i for token in phrase}
        words: Pieces = [token for token in clause.members if token.i >= start.i and token.i not in gone]
        return "No", ["do I have to", *words], {start.i: start.lemma_.lower()} if start.tag_ != "VBN" else {}
    if on_duty(clause):
        words, forms = own.form("base", phrase)
        if own.me and choice(key, 2):
            return "No", ["is it all right not to", *words], forms
        do = "do" if own.me or own.plural else "does"
        return "Yes", [do, *own.subject_pieces(), "have to", *words], forms
    if clause.imperative and not denied(clause):
        return None
    if clause.imperative:
        words, forms = own.form("base", phrase)
        return "No", ["should I", *words], forms
    if len(phrase) < 5 or (clause.verb.lemma_ == "be" and not clause.passive and not denied(clause)):
        return None
    if len([p for p in clause.fronted if p is not phrase]) > 1:
        return None
    if any(t.lower_ in _HEDGES for t in clause.members) or clause.verb.lemma_ in _ADVICE:
        return None
    if clause.modal in ("might", "could", "may", "would") and not denied(clause):
        return None
    if not clause.modal and not denied(clause) and (own.me or phrase[0].lower_ != "if"):
        return None
    turned = inverted(clause, "", phrase, denied=denied(clause))
    if turned is None:
        return None
    question = [piece for piece in turned.pieces if isinstance(piece, str) or piece.lower_ != "never"]
    if clause.modal == "must" and denied(clause):
        question = ["may" if piece == "must" else piece for piece in question]
    return ("No" if denied(clause) else "Yes"), question, turned.forms
