"""False twins of true claims: one error, the same words, no kind too often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ragassay.models.small import wording
from ragassay.training.claims import CONTRADICTED, NOT_STATED, SUPPORTED, claim_branch
from ragassay.training.items import TextBranch, TextItem
from ragassay.training.twins import with_twins


def item(number: int, *claims: tuple[str, int]) -> TextItem:
    branches = tuple(claim_branch(text, label, "paraphrase", "") for text, label in claims)
    text = "The lamp in Oslo burns for 14 hours. Anna repaired it in March."
    return TextItem(
        id=str(number), source="s", document=str(number), title="Lamp", heading="", text=text, branches=branches
    )


def made(items: list[TextItem], seed: int = 0) -> list[tuple[str, str]]:
    """(kind, claim) of the branches that were added, which all contradict the passage."""
    grown = with_twins(items, seed)
    added = [branch for old, new in zip(items, grown, strict=True) for branch in new.branches[len(old.branches) :]]
    assert all(branch.label == CONTRADICTED for branch in added)
    return [(branch.kind, wording.claim_of(branch.prompt)) for branch in added]


def test_a_twin_differs_from_its_claim_in_one_place() -> None:
    claim = "It takes 14 hours until the lamp goes out."
    twins = [text for _, text in made([item(number, (claim, SUPPORTED)) for number in range(30)])]
    assert len(twins) > 5
    for twin in twins:
        assert twin != claim
        assert len(set(twin.split()) ^ set(claim.split())) <= 6


def test_only_true_claims_get_twins() -> None:
    false = [("The lamp burns for 15 hours.", CONTRADICTED), ("The lamp is red.", NOT_STATED)]
    assert made([item(number, *false) for number in range(20)]) == []


def test_a_question_gets_none() -> None:
    question = TextBranch(kind="answered", prompt=wording.answered_prompt("Does it burn 14 hours?"), label=SUPPORTED)
    assert made([replace(item(number), branches=(question,)) for number in range(9)]) == []


def test_no_kind_is_more_than_its_share() -> None:
    claims = [("Nobody has to pay when the lamp breaks.", SUPPORTED), ("The lamp must be dusted.", SUPPORTED)]
    kinds = Counter(kind for kind, _ in made([item(number, *claims) for number in range(200)]))
    assert kinds["twin negation"] <= 42


def test_the_seed_decides() -> None:
    items = [item(number, ("It takes 14 hours until the lamp goes out.", SUPPORTED)) for number in range(20)]
    assert made(items, 1) == made(items, 1)
    assert made(items, 1) != made(items, 2)
