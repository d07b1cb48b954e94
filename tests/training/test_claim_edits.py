from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from ragassay.models.embedded.reading.parser import parse
from ragassay.models.small.wording import LABELS
from ragassay.training import claim_edits as edits
from ragassay.training import claim_forms as forms
from ragassay.training.claim_edits import Stock
from ragassay.training.items import TextItem
from ragassay.training.rule_made import rule_made_items

EMPTY = Stock(own=())
RANDOM = random.Random(0)


def sentence_of(text: str):  # type: ignore[no-untyped-def]
    return next(iter(next(iter(parse([text]))).sents))


def texts(made: list[forms.Edit]) -> list[str]:
    return [each.text for each in made]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The team reviews the budget.", "The team does not review the budget."),
        ("The teams review the budget.", "The teams do not review the budget."),
        ("The team reviewed the budget.", "The team did not review the budget."),
        ("The museum is open.", "The museum is not open."),
        ("Visitors can enter the museum.", "Visitors cannot enter the museum."),
        ("Close the door.", "Do not close the door."),
        ("Visitors cannot enter the museum.", "Visitors can enter the museum."),
        ("The team does not review the budget.", "The team reviews the budget."),
        ("The museum is not open.", "The museum is open."),
        ("Do not close the door.", "Close the door."),
    ],
)
def test_a_negation_is_put_in_or_taken_out(text: str, denied: str) -> None:
    assert texts(edits.negations(sentence_of(text), EMPTY, RANDOM)) == [denied]


def test_roles_change_places() -> None:
    made = texts(edits.roles(sentence_of("The manager reports the accident to the insurer."), EMPTY, RANDOM))
    assert "The accident reports the manager to the insurer." in made
    assert "The insurer reports the accident to the manager." in made


def test_roles_of_pronouns_stay() -> None:
    assert edits.roles(sentence_of("She thanked him."), EMPTY, RANDOM) == []


def test_a_number_of_the_text_is_preferred() -> None:
    stock = Stock(own=[("CARDINAL", "14"), ("CARDINAL", "nine")])
    for seed in range(5):
        (made,) = texts(edits.numbers(sentence_of("The club has 25 members."), stock, random.Random(seed)))
        assert made in {"The club has 14 members.", "The club has nine members."}


def test_without_another_number_it_is_changed() -> None:
    for text in ("25", "1,200", "3.5", "1987", "three"):
        changed = {edits.other_number(text, random.Random(seed)) for seed in range(20)}
        assert text not in changed
        assert all(changed)
    assert re.fullmatch(r"\d,\d{3}|\d\d,\d{3}|\d{3}", edits.other_number("1,200", RANDOM))
    assert edits.other_number("some", RANDOM) == ""


def test_units_stay_of_their_kind() -> None:
    made = texts(edits.units(sentence_of("The soup cooks for 20 minutes."), EMPTY, RANDOM))
    assert len(made) == 1
    assert re.fullmatch(r"The soup cooks for 20 (seconds|hours|days)\.", made[0])
    assert edits.units(sentence_of("The second largest lake is near."), EMPTY, RANDOM) == []


def test_dates_are_exchanged_for_dates_written_alike() -> None:
    stock = Stock(own=[("DATE", "2009 to 2017"), ("DATE", "3 May 1999"), ("DATE", "2004")])
    made = texts(edits.dates(sentence_of("The bridge was opened on 17 November 1948."), stock, RANDOM))
    assert all("2009" not in each and "2004" not in each for each in made)


def test_scope_and_time() -> None:
    scopes = texts(edits.scopes(sentence_of("All members must vote."), EMPTY, RANDOM))
    assert re.fullmatch(r"(Some|Most|No) members must vote\.", scopes[0])
    assert scopes[1] in {"All members may vote.", "All members need not vote."}
    assert texts(edits.times(sentence_of("Lock the door before you leave."), EMPTY, RANDOM)) == [
        "Lock the door after you leave."
    ]


def test_antonyms_are_pairs_that_the_texts_have() -> None:
    sentence = sentence_of("The bridge is safe for lorries.")
    assert edits.antonyms(sentence, EMPTY, RANDOM) == []
    assert edits.antonyms(sentence, Stock(own=(), words=frozenset({"unsafe"})), RANDOM) == []  # under five letters
    sentence = sentence_of("The road is unsafe for lorries.")
    stock = Stock(own=(), words=frozenset({"safe"}))
    assert texts(edits.antonyms(sentence, stock, RANDOM)) == ["The road is safe for lorries."]


def test_forms_stay_true() -> None:
    sentence = sentence_of("The library (built in 1932) lends books, and it opens at 9.")
    assert "The library lends books, and it opens at 9." in forms.shortened(sentence)
    assert forms.reordered(sentence_of("The library lends books on Sundays.")) == [
        "On Sundays, the library lends books."
    ]
    assert "The library doesn't lend books." in forms.worded(sentence_of("The library does not lend books."))
    assert "The library was built on May 3, 1932." in forms.worded(sentence_of("The library was built on 3 May 1932."))
    first, second = next(iter(parse(["The library lends books. The cinema shows films."]))).sents
    assert forms.joined(first, second) == ["The library lends books, and the cinema shows films."]


def test_what_a_meaning_may_hang_on_is_not_dropped() -> None:
    assert forms.shortened(sentence_of("Entry is free (unless there is a concert).")) == []
    first, second = next(iter(parse(["The library lends books. It also shows films."]))).sents
    assert forms.joined(first, second) == []


def passages(n: int):  # type: ignore[no-untyped-def]
    from ragassay.training.rule_made import Passage

    towns = "Bern Oslo Rome Lima Cairo Paris Berlin Madrid".split()
    return [
        Passage(
            f"p{k}",
            "towns",
            towns[k % 8],
            "",
            f"The museum in {towns[k % 8]} opened in {1900 + 3 * k}. The city pays {k + 20} guards before the season. "
            f"All visitors must show their tickets at the door of the house in {towns[(k + 3) % 8]}. "
            f"The director can close {k + 2} rooms during the winter.",
        )
        for k in range(n)
    ]


@pytest.fixture(scope="module")
def items() -> list[TextItem]:
    return list(rule_made_items(passages(24), 0))


def test_as_many_true_claims_as_false_ones(items: list[TextItem]) -> None:
    labels = Counter(LABELS[each.label] for item in items for each in item.branches if each.label is not None)
    assert labels["supported"] == labels["contradicted"] + labels["not_stated"]
    assert labels["supported"] > 60


def test_no_kind_of_edit_crowds_out_the_others(items: list[TextItem]) -> None:
    kinds = Counter(each.kind for item in items for each in item.branches if each.label == 1)
    assert {"number", "date", "name", "role", "negation", "scope", "time"} <= kinds.keys()
    assert max(kinds.values()) <= 0.35 * sum(kinds.values())


def test_no_false_claim_is_a_sentence_of_its_text(items: list[TextItem]) -> None:
    for item in items:
        for branch in item.branches:
            claim = branch.prompt.removeprefix("Claim: ").removesuffix("\nSupported:")
            if branch.label:
                assert claim not in item.text


def test_the_words_of_a_claim_do_not_tell_true_from_changed(items: list[TextItem]) -> None:
    def share(item: TextItem, prompt: str) -> float:
        words = set(re.findall(r"\w+", prompt.removeprefix("Claim: ").removesuffix("\nSupported:").lower()))
        return len(words & set(re.findall(r"\w+", item.text.lower()))) / len(words)

    shares: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for item in items:
        for branch in item.branches:
            shares[branch.label or 0].append(share(item, branch.prompt))
    means = {label: sum(each) / len(each) for label, each in shares.items()}
    assert means[0] - means[1] < 0.1


def test_the_same_seed_makes_the_same_claims(items: list[TextItem]) -> None:
    assert list(rule_made_items(passages(24), 0)) == items
    assert list(rule_made_items(passages(24), 1)) != items
