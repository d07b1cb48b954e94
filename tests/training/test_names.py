from __future__ import annotations

import random
from dataclasses import replace

from ragassay.training.items import TextItem, asking
from ragassay.training.names import grounded, made_up, own_names, renamed


def item(number: int, source: str, text: str, question: str) -> TextItem:
    branch = asking([text], question, "Yes.")
    return TextItem(
        id=f"{source}{number}",
        source=source,
        document=f"{number}",
        title="Care",
        heading="",
        text=text,
        branches=(branch,),
    )


def collections() -> list[TextItem]:
    """Forty passages of two makers; every question names the maker, which only every other passage does."""
    items = []
    for number in range(20):
        for maker, thing in (("Acme", "lamp"), ("bolt.org", "tent")):
            named = f" {maker} says so." if number % 2 else ""
            text = f"Keep the {thing} dry.{named}"
            items.append(item(number, maker, text, f"Does the {thing} of {maker} have to be dry?"))
    return items


def test_the_names_that_questions_add_are_a_collections_own() -> None:
    assert own_names(collections()) == {"Acme": ("Acme",), "bolt.org": ("bolt.org",)}


def test_one_collection_alone_sets_nothing_apart() -> None:
    assert own_names([each for each in collections() if each.source == "Acme"]) == {}


def test_an_own_name_that_only_the_question_has_is_put_behind_the_title() -> None:
    without, with_name = (grounded(each, ("Acme",)) for each in collections()[:4:2])
    assert (without.title, with_name.title) == ("Care | Acme", "Care")
    assert len(without.branches) == len(with_name.branches) == 1


def test_a_question_that_names_what_was_not_read_is_dropped() -> None:
    for question, kept in (
        ("Does Paris sell lamps?", False),  # "Does" begins it, "Paris" is a name
        ("Is the lamp sold in Paris?", False),
        ("Is it dry in 30 minutes?", False),
        ("Is the lamp of the Lamp?", True),  # the passage has the word, in small letters
        ("Must I keep it dry?", True),
    ):
        made = grounded(item(0, "a", "Keep the lamp dry.", question), ())
        assert bool(made.branches) is kept, question


def test_names_are_exchanged_everywhere_and_for_the_same() -> None:
    given = collections()[2]
    made = next(
        changed for seed in range(20) if (changed := renamed(given, ("Acme",), random.Random(seed))).text != given.text
    )
    name = made.text.removeprefix("Keep the lamp dry. ").removesuffix(" says so.")
    assert name != "Acme"
    assert "Acme" not in repr(made).replace("source='Acme'", "").replace("id='Acme1'", "")
    assert made.branches[0].target == f" Does the lamp of {name} have to be dry?"


def test_names_are_exchanged_in_answers_and_in_what_was_refused() -> None:
    text = "Acme says so."
    asked = asking([text], "Who says so?", "Acme", ["Does Acme say so?", "Who says it?"])
    given = replace(collections()[2], text=text, branches=(asked,))
    made = next(
        changed for seed in range(20) if (changed := renamed(given, ("Acme",), random.Random(seed))).text != given.text
    )
    name = made.text.removesuffix(" says so.")
    (branch,) = made.branches
    assert name != "Acme"
    assert branch.prompt == f"Sentence: {name} says so.\nAnswer: {name}\nQuestion:"
    assert (branch.target, branch.refused) == (" Who says so?", (f" Does {name} say so?", " Who says it?"))
    assert branch.quote == made.text


def test_what_was_refused_may_name_what_was_not_read() -> None:
    text = "Keep the lamp dry."
    kept = replace(collections()[0], branches=(asking([text], "Is it dry?", "dry", ["Is it sold in Paris?"]),))
    assert grounded(kept, ()) == kept


def test_a_made_up_name_has_the_form_of_the_name() -> None:
    random_ = random.Random(1)
    assert made_up("bolt.org", random_).count(".") == 1
    assert made_up("GDS", random_).isupper()
    assert len(made_up("GDS", random_)) == 3
    assert made_up("Acme", random_).istitle()
