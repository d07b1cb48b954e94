"""The past tense of English verbs from their participle: the irregular ones whose two forms differ."""

from __future__ import annotations

_DIFFERENT = (
    "arisen arose|awoken awoke|been was|beaten beat|become became|begun began|bitten bit|blown blew|broken broke"
    "|chosen chose|come came|done did|drawn drew|drunk drank|driven drove|eaten ate|fallen fell|flown flew"
    "|forbidden forbade|forgotten forgot|forgiven forgave|frozen froze|given gave|gone went|grown grew|hidden hid"
    "|known knew|lain lay|overseen oversaw|overtaken overtook|proven proved|redrawn redrew|rewritten rewrote"
    "|ridden rode|risen rose|rung rang|run ran"
    "|seen saw|sewn sewed|shaken shook|shown showed|shrunk shrank|sown sowed|spoken spoke"
    "|stolen stole|sunk sank|sung sang|sworn swore|swum swam|taken took|thrown threw|torn tore|undertaken undertook"
    "|withdrawn withdrew|worn wore|woven wove|written wrote|undergone underwent|mistaken mistook|overthrown overthrew"
)
PAST = dict(pair.split() for pair in _DIFFERENT.split("|"))


def past_of(participle: str) -> str:
    """written: wrote. built: built. named: named."""
    return PAST.get(participle.lower(), participle.lower())
