"""What is needed first: "Can I deploy without passing the review?" from "To deploy, you must pass the review."."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_person
from ragassay.models.embedded.prose.reasoning.phrasing import DUTIES, VerbPhrase, of_clause, of_subordinate, stated
from ragassay.models.embedded.prose.reasoning.rules import denied, usable
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading
from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]


def on_duty(clause: Clause) -> bool:
    """Whether the clause says what must be done."""
    first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
    return clause.modal in DUTIES and not denied(clause) and first.tag_ != "VBD"


def _thing_needed(clause: Clause) -> list[Token]:
    """What one needs to have, of two things the first; empty where it is something to be done."""
    if (
        clause.verb.lemma_ != "need"
        or len(clause.chain) > 1
        or not of_clause(clause).me
        or denied(clause)
        or clause.modal
    ):
        return []
    noun = next((c for c in clause.verb.children if c.dep_ == "dobj" and c.i > clause.verb.i), None)
    if noun is None or noun.pos_ not in ("NOUN", "PROPN"):
        return []
    second = {t.i for c in noun.children if c.dep_ == "conj" for t in c.subtree}
    if second and any(c.lower_ == "or" for c in noun.children):
        return []
    return [t for t in subtree(noun) if t.i not in second and not (t.head == noun and (t.dep_ == "cc" or t.is_punct))]


def _same(first: VerbPhrase, second: VerbPhrase) -> bool:
    """Whether both are done by the same one: by the reader, or the second has no subject of its own."""
    if second.head is None:
        return True
    return first.me and second.me


def _question(
    aim: VerbPhrase, doer: VerbPhrase, means: Pieces, means_forms: dict[int, str]
) -> tuple[Pieces, dict[int, str]]:
    words, forms = aim.form("base")
    return ["can", *doer.subject_pieces(), *words, "without", *means], {**forms, **means_forms}


@source(
    "needed_for",
    infers="that an aim is out of reach without what it requires",
    example="Can I join the team without signing the agreement? No; to join the team, you must sign the agreement.",
    accepted=0.55,
)
def needed_for(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        needed = _thing_needed(clause)
        if not (on_duty(clause) or needed) or not usable(clause):
            continue
        for head in clause.adverbials():
            phrase = clause.phrase(head)
            if head.dep_ != "advcl" or head.tag_ != "VB" or len(phrase) < 3:
                continue
            if phrase[0].lower_ not in ("to", "in") or any(c.dep_ in ("nsubj", "nsubjpass") for c in head.children):
                continue
            start = next(at for at, token in enumerate(phrase) if token.lower_ == "to")
            aim = of_subordinate(head, phrase[start:])
            own = of_clause(clause)
            if not own.me and head.i > clause.verb.i:
                continue
            aim.words = [word for word in aim.words if word.lower_ not in ("to", "so") or word.dep_ != "aux"]
            words, forms = own.form("gerund", phrase)
            if needed:
                gone = {token.i for token in phrase}
                words = [token for token in needed if token.i not in gone]
                if not words:
                    continue
                forms = {}
            if not needed and not 2 <= len(words) <= 16:
                continue
            pieces, all_forms = _question(aim, own, words, forms)
            yield Inferred(told, pieces, "No", stated(clause), forms=all_forms)


@source(
    "needed_before",
    infers="that a step is not allowed before the one that has to come first",
    example="Can I travel without first getting approval? No; you must get approval before you travel.",
    accepted=0.90,
)
def needed_before(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not (on_duty(clause) or clause.imperative or clause.modal == "should")
            or denied(clause)
            or not usable(clause)
        ):
            continue
        for head in clause.adverbials():
            phrase = clause.phrase(head)
            if len(phrase) < 2 or phrase[0].lower_ != "before":
                continue
            verb = next((c for c in head.children if c.dep_ == "pcomp"), None) if head.dep_ == "prep" else head
            if verb is None or verb.pos_ not in ("VERB", "AUX") or verb.dep_ not in ("advcl", "pcomp"):
                continue
            own = of_clause(clause)
            later = of_subordinate(verb, phrase[1:])
            if not _same(own, later) or later.negated:
                continue
            words, forms = own.form("gerund", phrase)
            if not 2 <= len(words) <= 14 or not later.words:
                continue
            then, later_forms = later.form("base")
            lead = "should" if clause.modal == "should" or clause.imperative else "may"
            pieces: Pieces = [lead, *own.subject_pieces(), *then, "without first", *words]
            yield Inferred(told, pieces, "No", stated(clause), forms={**forms, **later_forms})


@source(
    "required_for",
    infers="that something does not go without what is required for it",
    example="Can I open an account without a passport? No; a passport is required to open an account.",
    accepted=0.44,
)
def required_for(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if not clause.passive or clause.verb.lemma_ not in ("require", "need") or clause.head is None or denied(clause):
            continue
        if clause.auxiliaries[0].tag_ not in ("VBZ", "VBP") or clause.modal not in ("", "require to", "need to"):
            continue
        aim = next((c for c in clause.verb.children if c.dep_ in ("advcl", "xcomp") and c.tag_ == "VB"), None)
        if aim is None or len(clause.subject) > 10 or clause.head.pos_ not in ("NOUN", "PROPN"):
            continue
        if is_person(clause.head) or bool(clause.head.conjuncts) or clause.head.tag_ in ("NNP", "NNPS"):
            continue
        if clause.verb.lemma_ == "require" and clause.subject[0].lower_ not in ("a", "an"):
            continue
        phrase = of_subordinate(aim, clause.phrase(aim))
        words, forms = phrase.form("base")
        words = [word for word in words if isinstance(word, str) or word.tag_ != "TO" or word.head != aim]
        subject = list(clause.subject)
        yield Inferred(told, ["can I", *words, "without", *subject], "No", stated(clause), forms=forms)
