"""What a sentence leaves out of what it tells: what follows if a duty is not met, why something is so, when it was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ragassay.models.embedded.languages import ENGLISH
from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.facts import fact_drafts
from ragassay.models.embedded.prose.forms.form import Asked, Form
from ragassay.models.embedded.prose.forms.kinds import TIMES, is_time
from ragassay.models.embedded.prose.inversion import inverted
from ragassay.models.embedded.prose.wording import is_joined
from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.unanswerable.open import Open
from ragassay.models.small import roles

if TYPE_CHECKING:
    from spacy.tokens import Token

MOST = 2
"""Questions of a passage that go on."""
_LONGEST_SUBJECT, _LONGEST_PREDICATE = 8, 14
"""Words."""
_REASONS = frozenset("as because due given hence owing since so thanks therefore thus".split())
_ORDERED = frozenset("after before during then until when while".split())
_DEMANDS = frozenset({"must", "should", "have to", "need to"})
_BINDING = frozenset({"must", "have to", "need to"})
_SHARES = frozenset("all at few many most no not some both only".split())
_EACH = frozenset({"any", "each", "every"})
_CONDITIONS = frozenset("if otherwise unless when whenever until except".split())
_STATES = frozenset(
    "allow apply be belong consist contain depend differ exist have help include involve know like make mean need offer"
    " provide relate remain represent require say seem show support tell think want".split()
)
_SENDS = frozenset(
    "ask call check choose click consult contact go look note open press read refer see type visit".split()
)
"""What a text tells its reader to do at once or elsewhere: nobody asks why."""
_POINTING = frozenset("here it them there these this those".split())
_UNKNOWN = "unknown"


def open_of_circumstances(analysis: Analysis) -> Iterator[Open]:
    """Of plain sentences in English what they do not say, where the verifier can read whether the document does.

    They are parsed where a document has given all that other rules leave open, and questions are still missing.
    """
    passage = analysis.passage
    if not passage.widely or passage.language not in ENGLISH or not roles.is_on():
        return
    drafts = fact_drafts([passage], [analysis.profile.theme], FORMS)[0]
    for draft in islice(drafts, MOST):
        yield Open(draft.form, draft.question)


def _reason(clause: Clause) -> Iterator[Asked | None]:
    if not _is_plain(clause) or not (_happened(clause) or clause.imperative or clause.modal in _DEMANDS):
        return
    if clause.second_person and clause.verb.lemma_ in _SENDS:
        return
    if any(token.lower_ in _REASONS or token.dep_ == "advcl" for token in clause.doc):
        return
    yield _asked("why", clause)


def _time(clause: Clause) -> Iterator[Asked | None]:
    if clause.imperative or not _is_plain(clause) or not _happened(clause) or not _ended(clause):
        return
    words = _words(clause)
    if any(token.ent_type_ in TIMES or is_time(token) or token.dep_ == "advcl" for token in words):
        return
    if not any(token.lower_ in _ORDERED for token in words):
        yield _asked("when", clause)


def _consequence(clause: Clause) -> Iterator[Asked | None]:
    if clause.modal not in _BINDING or not _is_plain(clause):
        return
    if any(token.lower_ in _CONDITIONS or token.dep_ == "advcl" for token in clause.doc):
        return
    head, done = clause.head, _infinitive(clause)
    subject: list[Token | str] = ["I"] if clause.second_person else [*clause.subject]
    first = "" if clause.second_person else clause.subject[0].lower_
    if not done or first in _SHARES:
        return
    if first in _EACH:
        subject = ["an" if clause.subject[1].lower_.startswith(tuple("aeiou")) else "a", *clause.subject[1:]]
    is_one = head is not None and head.tag_ in ("NN", "NNP") and not is_joined(head)
    be = next((token for token in done if token.pos_ != "ADV"), None)
    if be is not None and be.lower_ == "be":
        denied = "am not" if clause.second_person else "is not" if is_one else "are not"
        done = [token for token in done if token != be]
    else:
        denied = "does not" if is_one else "do not"
    yield Asked(["what happens if", *subject, denied, *done], [_UNKNOWN], clause.verb, whole=True)


FORMS: dict[str, Form] = {
    each.name: each
    for each in (
        Form(
            "unstated_consequence",
            "what follows if a duty is not met",
            "What happens if the operator does not show a licence?",
            _consequence,
        ),
        Form("unstated_reason", "why it is so", "Why did the committee propose raising the dues?", _reason),
        Form("unstated_time", "when it was", "When was the trial at full load passed?", _time),
    )
}


def _asked(word: str, clause: Clause) -> Asked | None:
    question = inverted(clause, word)
    return question and Asked(question.pieces, [_UNKNOWN], clause.verb, question.forms, whole=True)


def _is_plain(clause: Clause) -> bool:
    """Whether it says of a thing that has a name, or tells the reader, in few words."""
    named = clause.head is None or clause.head.tag_.startswith("NN") or clause.head.lower_ == "you"
    is_short = len(clause.subject) <= _LONGEST_SUBJECT and 2 <= len(clause.members) <= _LONGEST_PREDICATE
    return named and is_short and not clause.negated and not any(word.lower_ in _POINTING for word in clause.members)


def _happened(clause: Clause) -> bool:
    """Whether it tells what was done, once."""
    past = clause.verb.tag_ == "VBD" or any(word.lower_ in ("was", "were", "had") for word in clause.auxiliaries)
    return past and not clause.modal and clause.verb.lemma_ not in _STATES


def _ended(clause: Clause) -> bool:
    """Whether it was done at some time, and not going on or done before another."""
    return clause.verb.tag_ != "VBG" and not any(word.lower_ in ("had", "'d") for word in clause.auxiliaries)


def _infinitive(clause: Clause) -> list[Token]:
    """What follows "must" or "have to", with the adverbs before it: 'be kept dry'."""
    words = [token for token in clause.members if token not in clause.auxiliaries or token.tag_ == "VB"]
    if not clause.modal.endswith(" to"):
        return words
    to = next((token for token in clause.chain[1].children if token.lower_ == "to" and token.dep_ == "aux"), None)
    return [] if to is None else [token for token in words if token.i > to.i]


def _words(clause: Clause) -> list[Token]:
    return [*clause.members, *(token for phrase in clause.fronted for token in phrase)]
