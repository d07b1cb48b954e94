from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ragassay.agreement.pair_building import build_pairs
from ragassay.models.base import Reply
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Document
from ragassay.tasks.pairs import GroundedPair, GroundedPairs
from ragassay.tasks.worse_answers import RightAnswer, WorseAnswer

OPENED = "The Gannet Bridge was opened in May 1998 by the mayor of Skaldar."
DESIGNED = "Ines Halvorsen designed the bridge for the county of Skaldar."
FILLING = (
    "Skaldar has a long coast with many small harbours and piers.",
    "Fishing boats leave the harbours of Skaldar early in the morning.",
    "The county of Skaldar keeps its roads open through the whole winter.",
    "A museum of Skaldar shows tools of coopers and smiths to visitors.",
)


def document(name: str, text: str) -> Document:
    return Document(id=name, title=name, source=f"{name}.md", text=text)


BRIDGE = (
    f"{OPENED} {DESIGNED} It carries the road to the northern islands. Its deck was laid again after a storm. Cars pay "
    "a toll on the southern side. Cyclists and walkers pay nothing at all."
)
DOCUMENTS = [
    document("bridge", BRIDGE),
    document("coast", " ".join(FILLING)),
]


def script(pairs: tuple[GroundedPair, ...], guess: str = "It was opened in June 1970.") -> dict[str, Any]:
    def found(inputs: Any) -> GroundedPairs:
        return GroundedPairs(items=pairs if OPENED in inputs.passage.text else ())

    def first_sentence(inputs: RightAnswer) -> Any:
        first, _, rest = inputs.answer.partition(". ")
        return WorseAnswer(text=f"{first}.", how="cut") if rest else Reply(None, "one part")

    return {
        "chunk_pairs": found,
        "guessed_answer": WorseAnswer(text=guess, how="written without the context"),
        "incomplete_answer": first_sentence,
    }


PAIRS = (
    GroundedPair(
        question="When was the Gannet Bridge opened?", answer="In May 1998", quotes=(OPENED,), statement=OPENED
    ),
    GroundedPair(question="Who designed the bridge?", answer=DESIGNED, quotes=(DESIGNED,)),
)


def test_one_passage_gives_a_pair_of_each_quality() -> None:
    model = ScriptedModel(script(PAIRS))
    built = asyncio.run(build_pairs(model, DOCUMENTS, 5))
    (faithful,) = built.pairs["faithfulness"]
    assert (faithful.question, faithful.better) == (PAIRS[0].question, OPENED)
    assert (faithful.worse, faithful.context) == ("It was opened in June 1970.", DOCUMENTS[0].text)
    (relevant,) = built.pairs["answer_relevance"]
    assert relevant.question == "When was the Gannet Bridge opened, and who designed the bridge?"
    assert relevant.better == f"{OPENED} {DESIGNED}"
    assert relevant.worse == OPENED
    (context,) = built.pairs["context_relevance"]
    # The sentence that the answer rests on, with the two after it.
    assert context.better == f"{OPENED} {DESIGNED} It carries the road to the northern islands."
    assert context.better in context.worse
    # What pads is related, comes from here and from the other document, and says nothing of the answer.
    assert context.how == "3 related sentences added to 3"
    assert all(context.worse.count(word) == context.better.count(word) for word in ("1998", "May", "mayor", "opened"))
    assert context.document == "bridge.md"
    assert built.dropped == {"no question: the passage gives nothing to ask about": 1}


def test_a_guess_that_is_right_is_no_worse_answer() -> None:
    model = ScriptedModel(script(PAIRS, guess="The mayor of Skaldar opened it in May 1998."))
    built = asyncio.run(build_pairs(model, DOCUMENTS, 5))
    assert built.pairs["faithfulness"] == []
    assert built.dropped["faithfulness: the answer without the context says the same"] == 1


def test_what_cannot_be_made_is_counted_and_no_more_is_asked_than_wanted() -> None:
    model = ScriptedModel(script(PAIRS[:1]))
    built = asyncio.run(build_pairs(model, DOCUMENTS, 1))
    assert built.dropped["answer_relevance: one part"] == 1
    assert len(model.asked("guessed_answer")) == 1
    with pytest.raises(ValueError, match="0 pairs cannot be made"):
        asyncio.run(build_pairs(model, DOCUMENTS, 0))


def test_who_guesses_by_rules_gets_names_that_the_passage_lacks() -> None:
    other = document("poet", "In 1945 the poet Ottar Lindqvist met Signe Arnesdatter in the harbour of a small town.")
    model = ScriptedModel(script(PAIRS))
    asyncio.run(build_pairs(model, [*DOCUMENTS, other], 1))
    (asked,) = model.asked("guessed_answer")
    assert set(asked.foreign) == {"Ottar Lindqvist", "Signe Arnesdatter"}


def test_the_same_seed_gives_the_same_pairs() -> None:
    built = [asyncio.run(build_pairs(ScriptedModel(script(PAIRS)), DOCUMENTS, 5, seed=seed)).pairs for seed in (1, 1)]
    assert built[0] == built[1]
