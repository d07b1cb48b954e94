"""False twins of true claims: another number, unit, date, role, scope, or a negation, in the same words.

People who write false claims change a sentence of the passage; a true claim is a paraphrase. An edit of a true claim is
as far from the passage's wording as the claim itself, so that the error alone tells the two apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ragassay.models.embedded.reading.parser import parse
from ragassay.models.small import wording
from ragassay.training.claim_edits import Stock, edits, entities
from ragassay.training.claim_forms import Edit
from ragassay.training.claims import CONTRADICTED, SUPPORTED, claim_branch
from ragassay.training.items import TextBranch, TextItem

SHARE = 0.5
"""Of true claims that get a twin."""
_KINDS = frozenset({"number", "unit", "date", "name", "negation", "scope", "time", "antonym"})
"""Not roles: an exchange often leaves no English sentence, which would tell a twin by its grammar."""
_LARGEST = 0.25
"""Share of a kind among all twins; nearly every claim can be negated, and "not" must not mean false."""
_FIRST = 40
"""So many twins are made before shares count."""


def with_twins(items: Sequence[TextItem], seed: int) -> list[TextItem]:
    """The items, with a false twin beside every second true claim that an edit can change."""
    docs = list(parse([each.text for each in items]))
    stocks = [Stock(own=entities([doc])) for doc in docs]
    used: Counter[str] = Counter()
    return [
        replace(item, branches=(*item.branches, *_twins(item, stock, used, random.Random(f"twins {item.id} {seed}"))))
        for item, stock in zip(items, stocks, strict=True)
    ]


def _twins(item: TextItem, stock: Stock, used: Counter[str], random_: random.Random) -> Iterator[TextBranch]:
    true = [each for each in item.branches if each.label == SUPPORTED and wording.claim_of(each.prompt)]
    chosen = [each for each in true if random_.random() < SHARE]
    for branch, doc in zip(chosen, parse([wording.claim_of(each.prompt) for each in chosen]), strict=True):
        sentences = list(doc.sents)
        found = [
            each
            for number, sentence in enumerate(sentences)
            for each in _whole(edits(sentence, stock, random_), [one.text for one in sentences], number)
            if each.kind in _KINDS and used[each.kind] <= max(_LARGEST * used.total(), _FIRST)
        ]
        if found:
            rarest = min(used[each.kind] for each in found)
            edit = random_.choice([each for each in found if used[each.kind] == rarest])
            used[edit.kind] += 1
            yield claim_branch(edit.text, CONTRADICTED, f"twin {edit.kind}", branch.quote)


def _whole(made: Sequence[Edit], sentences: Sequence[str], number: int) -> Iterator[Edit]:
    """Edits of one sentence of a claim, as edits of the claim."""
    for each in made:
        yield Edit(each.kind, " ".join([*sentences[:number], each.text, *sentences[number + 1 :]]))
