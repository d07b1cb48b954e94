"""What holds in spite of something, no longer, or without doing anything, and which of two is more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.reasoning.phrasing import choice, of_clause, stated
from ragassay.models.embedded.prose.reasoning.rules import conditions, denied, present
from ragassay.models.embedded.prose.reasoning.source import Inferred, source
from ragassay.models.embedded.prose.reasoning.told import Reading
from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

_NO_SUBJECTS = frozenset({"it", "this", "that", "there", "which", "i"})


@source(
    "even_if",
    infers="that something holds in a case that one might think excludes it",
    example="Is the deposit kept if I cancel early? Yes; the deposit is kept even if you cancel early.",
    accepted=0.24,
)
def even_if(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if clause.head is None or clause.head.lower_ in _NO_SUBJECTS or not present(clause) or len(clause.members) > 26:
            continue
        for head in clause.adverbials():
            phrase = clause.phrase(head) if head.dep_ == "advcl" else []
            if len(phrase) < 4 or len(clause.fronted) > 1 or any(True for _ in conditions(clause)):
                continue
            before = told.doc[phrase[0].i - 1] if phrase[0].i else None
            if phrase[0].lower_ == "even" and phrase[1].lower_ in ("if", "when"):
                words = phrase[1:]
            elif before is not None and before.lower_ == "even" and phrase[0].lower_ in ("if", "when"):
                words, phrase = phrase, [before, *phrase]
            else:
                continue
            turned = inverted(clause, "", phrase, denied=denied(clause))
            if turned is None or any(t.lower_ in ("may", "might") for t in clause.auxiliaries):
                continue
            question: Pieces = [p for p in turned.pieces if isinstance(p, str) or p.lower_ not in ("still", "even")]
            verdict = "No" if denied(clause) else "Yes"
            yield Inferred(told, [*question, *words], verdict, stated(clause), forms=turned.forms)


@source(
    "regardless",
    infers="that something does not depend on something, from a rule that holds regardless of it",
    example="Does it depend on my contract whether I get a laptop? No; you get a laptop regardless of your contract.",
    accepted=0.30,
)
def regardless(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if clause.head is None or clause.head.lower_ in _NO_SUBJECTS or not present(clause) or denied(clause):
            continue
        start = next((t for t in clause.members if t.lower_ in ("regardless", "irrespective")), None)
        if start is None or start.i + 2 >= len(told.doc) or told.doc[start.i + 1].lower_ != "of":
            continue
        on = [t for t in subtree(start) if t.i > start.i + 1]
        while on and on[-1].is_punct:
            on.pop()
        words = [t for t in clause.members if t.i < start.i]
        if not on or len(on) > 10 or len(words) < 2 or len(words) > 18:
            continue
        while words and words[-1].is_punct:
            words.pop()
        shared = [a for a in clause.auxiliaries if a.i not in {t.i for t in clause.members}]
        question: Pieces = ["does it depend on", *on, "whether", *clause.subject, *shared, *words]
        yield Inferred(told, question, "No", stated(clause))


@source(
    "no_longer",
    infers="that something does not hold any more",
    example="Does the old key still work? No; the old key no longer works.",
    accepted=0.24,
)
def no_longer(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if clause.head is None or clause.head.lower_ in _NO_SUBJECTS or not present(clause) or len(clause.members) > 24:
            continue
        longer = next(
            (t for t in clause.members if t.lower_ == "longer" and t.i and told.doc[t.i - 1].lower_ == "no"), None
        )
        if longer is None or longer.head not in (clause.verb, *clause.auxiliaries):
            continue
        if clause.second_person or clause.head.lower_ == "we" or clause.verb.lemma_ in ("believe", "think", "feel"):
            continue
        turned = inverted(clause, "", [longer, told.doc[longer.i - 1]], denied=denied(clause))
        if turned is None:
            continue
        at = (
            max(
                n
                for n, p in enumerate(turned.pieces)
                if not isinstance(p, str) and p.i in {t.i for t in clause.subject}
            )
            + 1
        )
        pieces: Pieces = [*turned.pieces[:at], "still", *turned.pieces[at:]]
        yield Inferred(told, pieces, "No", stated(clause), forms=turned.forms)


_GONE = frozenset("replace remove discontinue retire withdraw abolish supersede decommission rename".split())


@source(
    "replaced",
    infers="that something can no longer be used, from what was done with it",
    example="Can I still use the paper form? No; the paper form has been replaced by an online one.",
    accepted=0.55,
)
def replaced(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            not clause.passive
            or clause.verb.lemma_ not in _GONE
            or clause.head is None
            or clause.negated
            or len(clause.subject) > 9
        ):
            continue
        words = {auxiliary.lower_ for auxiliary in clause.auxiliaries}
        if "been" not in words or not words & {"has", "have"} or clause.head.pos_ not in ("NOUN", "PROPN"):
            continue
        if clause.head.ent_type_ == "PERSON" or clause.modal or len(clause.members) > 22:
            continue
        yield Inferred(told, ["can I still use", *clause.subject], "No", stated(clause))


@source(
    "by_default",
    infers="how things are if nothing is changed, from a default",
    example="If I change nothing, is the log public? No; by default the log is not public.",
    accepted=0.64,
)
def by_default(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            clause.head is None
            or clause.head.lower_ in _NO_SUBJECTS
            or not present(clause)
            or len(clause.members) > 20
            or clause.modal
        ):
            continue
        if any(t.lower_ in ("probably", "usually", "often") for t in clause.members):
            continue
        words = [*clause.members, *(t for phrase in clause.fronted for t in phrase)]
        by = next(
            (
                t
                for t in words
                if t.lower_ == "by" and t.i + 1 < len(told.doc) and told.doc[t.i + 1].lower_ == "default"
            ),
            None,
        )
        if by is None or not len(clause.members) >= 3 or (clause.second_person and clause.imperative):
            continue
        turned = inverted(clause, "", [by, told.doc[by.i + 1]], denied=denied(clause))
        if turned is None:
            continue
        lead = ("if I change no settings,", "unless I change something,", "without any further settings,")[
            choice(told.doc.text, 3)
        ]
        pieces: Pieces = [p for p in turned.pieces if not (not isinstance(p, str) and p.text == ",")]
        yield Inferred(told, [lead, *pieces], "No" if denied(clause) else "Yes", stated(clause), forms=turned.forms)


@source(
    "which_is_more",
    infers="which of two things has more of a quality, from a comparison",
    example="Which is faster, the bus or the tram? The tram; it is faster than the bus.",
    accepted=0.80,
)
def which_is_more(reading: Reading) -> Iterator[Inferred]:
    for told, clause in reading.main():
        if (
            clause.head is None
            or clause.head.pos_ not in ("NOUN", "PROPN")
            or clause.verb.lemma_ != "be"
            or denied(clause)
        ):
            continue
        quality = next((c for c in clause.verb.children if c.dep_ == "acomp"), None)
        if quality is None or clause.modal or clause.verb.tag_ not in ("VBZ", "VBP", "VBD") or clause.auxiliaries:
            continue
        than = next((c for c in quality.children if c.dep_ == "prep" and c.lower_ == "than"), None)
        other = next((c for c in than.children if c.dep_ == "pobj"), None) if than is not None else None
        if than is None or other is None or other.pos_ not in ("NOUN", "PROPN") or len(clause.subject) > 8:
            continue
        more = [t for t in subtree(quality) if t.i < than.i]
        than_what = subtree(other)
        if (
            (quality.tag_ != "JJR" and not any(t.lower_ in ("more", "less") for t in more))
            or len(than_what) > 8
            or len(more) > 3
        ):
            continue
        if than_what[-1].i + 1 < len(told.doc) and told.doc[than_what[-1].i + 1].lower_ == "to":
            continue
        plural = of_clause(clause).plural
        be = ("were" if plural else "was") if clause.verb.tag_ == "VBD" else "are" if plural else "is"
        pair = [list(clause.subject), list(than_what)]
        if choice(told.doc.text, 2):
            pair.reverse()
        question: Pieces = [f"which {be}", *more, ",", *pair[0], "or", *pair[1]]
        yield Inferred(told, question, "", stated(clause))
