"""Questions that the whole sentence answers: may I, what must one do, what is the difference."""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.form import Asked, form
from ragassay.models.embedded.prose.forms.kinds import TIMES, is_amount, is_person
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.wording import is_joined

ASKABLE = frozenset({"can", "may", "must", "ca", "cannot", "should", "need to", "have to"})


@form("yes_no", asks="whether something may, can or must be done", example="Can I take my laptop abroad?")
def yes_no(clause: Clause) -> Iterator[Asked | None]:
    if clause.head is None or clause.modal not in ASKABLE or len(clause.members) > 16 or len(clause.members) < 4:
        return
    if clause.modal == "may" and not clause.second_person and not is_person(clause.head):
        return
    if len(clause.subject) > 6 or clause.head.dep_ not in ("nsubj", "nsubjpass"):
        return
    if clause.verb.lemma_ in ("want", "like", "wish", "see", "find", "help"):
        return
    limits = [token for token in clause.members if token.lower_ in ("only", "never", "always", "also", "even")]
    denied = any(c.dep_ == "neg" for c in clause.verb.children) or any(t.lower_ == "never" for t in limits)
    question = inverted(clause, "", (), denied=denied)
    if question is None:
        return
    pieces = [piece for piece in question.pieces if piece not in limits]
    if any(token.lower_ in ("no", "nobody", "nothing", "neither") for token in [*clause.subject, *clause.members]):
        return
    if any(token.lower_ == "only" for token in limits):
        return
    if any(token.like_num or is_amount(token) or token.ent_type_ in TIMES for token in clause.members):
        return  # who asks "must I come 40 minutes before?" knows it; people ask how long
    own = {token.i for token in clause.members}
    shared = [auxiliary for auxiliary in clause.auxiliaries if auxiliary.i not in own]
    fronted = [token for phrase in clause.fronted for token in [*phrase]]
    answer = ["no," if denied else "yes,", *clause.subject, *shared, *clause.members, *fronted]
    yield Asked(pieces, answer, clause.verb, question.forms, whole=True)


@form("responsible", asks="what somebody is responsible for", example="What am I responsible for?")
def responsible(clause: Clause) -> Iterator[Asked | None]:
    adjective = next(
        (c for c in clause.verb.children if c.dep_ == "acomp" and c.lower_ in ("responsible", "accountable", "liable")),
        None,
    )
    if adjective is None or clause.head is None or clause.negated:
        return
    about = next((c for c in adjective.children if c.dep_ == "prep" and c.lower_ == "for"), None)
    if about is None:
        return
    phrase = clause.phrase(about)
    if len(phrase) < 3:
        return
    if len(clause.subject) <= 10:
        yield Asked(["who is", adjective, *phrase], list(clause.subject), clause.head)


@form("how_it_differs", asks="how two things differ", example="How does a draft differ from a proposal?")
def how_it_differs(clause: Clause) -> Iterator[Asked | None]:
    if clause.head is None or clause.head.lower_ in ("you", "we", "it"):
        return
    for phrase in clause.fronted:
        if phrase[0].lower_ in ("unlike",) and 2 <= len(phrase) <= 9 and len(clause.subject) <= 9:
            do = "do" if clause.head.tag_ in ("NNS", "NNPS") or is_joined(clause.head) else "does"
            own = {token.i for token in clause.members}
            shared = [auxiliary for auxiliary in clause.auxiliaries if auxiliary.i not in own]
            yield Asked(
                [f"how {do}", *clause.subject, "differ from", *phrase[1:]],
                [*clause.subject, *shared, *clause.members],
                clause.verb,
                whole=True,
            )
