"""Questions that a text leaves open, and how it is seen that it answers them after all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from ragassay.models.embedded.prose.gaps import GapDraft, gap_drafts
from ragassay.models.embedded.prose.gaps.suitability import Suitability, class_of_question, kind_of_question
from ragassay.models.embedded.prose.gaps.verb_forms import past_of
from ragassay.models.embedded.prose.parser import parse
from ragassay.tasks.statements import Passage

BRIDGE = "The old bridge over the Lenne was rebuilt in 1890."


def gaps(text: str, document: str | None = None, title: str = "Lenne bridge") -> list[GapDraft]:
    return gap_drafts([Passage(title=title, text=text, language="en")], [""], [document or text])[0]


def of_form(drafts: Sequence[GapDraft], form: str) -> list[str]:
    return [draft.question for draft in drafts if draft.form == form]


def test_passive_without_agent_asks_who() -> None:
    assert of_form(gaps(BRIDGE), "agent") == ["Who rebuilt the old bridge over the Lenne in 1890?"]


def test_passive_with_agent_does_not() -> None:
    assert not of_form(gaps("The old bridge over the Lenne was rebuilt by Karl Hahn in 1890."), "agent")


def test_another_sentence_of_the_document_may_name_the_agent() -> None:
    document = f"{BRIDGE}\n\nMuch later came the railway.\n\nThe bridge is the work of the engineer Karl Hahn."
    assert not of_form(gaps(BRIDGE, document), "agent")


def test_duty_without_consequence_asks_what_happens() -> None:
    found = of_form(gaps("The tenant must return both keys.", title="Lease"), "what_if_not")
    assert found
    assert "hat happens if the tenant does not return both keys" in found[0]


def test_duty_with_consequence_nearby_does_not() -> None:
    text = "The tenant must return both keys. Otherwise the landlord changes the lock."
    assert not of_form(gaps(text, title="Lease"), "what_if_not")


def test_scope_is_the_corpus_only_where_other_documents_leave_it_open_too() -> None:
    passage = Passage(title="Lenne bridge", text=BRIDGE, language="en")
    (open_,) = gap_drafts([passage], [""], [BRIDGE], nearest=lambda question: ["The mill burnt down."])
    (told,) = gap_drafts(
        [passage], [""], [BRIDGE], nearest=lambda question: ["Karl Hahn rebuilt the bridge over the river Lenne."]
    )
    assert {draft.scope for draft in open_ if draft.form == "agent"} == {"corpus"}
    assert {draft.scope for draft in told if draft.form == "agent"} == {"document"}


def test_verifier_has_the_last_word() -> None:
    passage = Passage(title="Lenne bridge", text=BRIDGE, language="en")
    assert gap_drafts([passage], [""], [BRIDGE], answers=lambda question, texts: 0.9) == [[]]


def test_encoder_finds_an_answer_in_other_words() -> None:
    def alike(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.ones((len(texts), 1), dtype=np.float32)

    document = f"{BRIDGE}\n\nMuch later came the railway.\n\nIt never closed again.\n\nKarl Hahn planned it."
    passage = Passage(title="Lenne bridge", text=BRIDGE, language="en")
    assert of_form(gaps(BRIDGE, document), "agent")
    assert not of_form(gap_drafts([passage], [""], [document], encoder=alike)[0], "agent")


def test_numbers_of_passages_and_documents_must_agree() -> None:
    with pytest.raises(ValueError, match="1 passages, but 0 documents"):
        gap_drafts([Passage(title="", text="x")], [""], [])


@pytest.mark.parametrize(
    ("question", "kind", "group"),
    [
        ("How often must the filter be changed?", "how_often", "duty"),
        ("Who rebuilt the bridge?", "who", "past"),
        ("Which tools can I use?", "which", "me"),
        ("What happens if nobody objects?", "what_if", "present"),
        ("Does the plan cover dentists?", "can", "present"),
    ],
)
def test_kind_and_class_of_a_question(question: str, kind: str, group: str) -> None:
    doc = next(iter(parse([question])))
    assert (kind_of_question(doc), class_of_question(doc)) == (kind, group)


def test_lift_is_smoothed_towards_one() -> None:
    table = Suitability({"classes": {}, "verbs": {"last": {"how_long": 8}, "be": {"who": 72}}, "nouns": {}})
    # Overall: 14 kinds start at 1; how_long 1 + 8 = 9, who 1 + 72 = 73, total 14 + 80 = 94.
    # usual = 9/94; share of "last" = (8 + 8 * 9/94) / (8 + 8) = 0.5 + 0.5 * 9/94; lift = share / usual.
    assert table.lift("how_long", "last") == pytest.approx((0.5 + 0.5 * 9 / 94) / (9 / 94))
    assert table.lift("how_long", "unheard") == pytest.approx(1.0)


def test_past_tense_from_the_participle() -> None:
    assert [past_of(word) for word in ("written", "built", "named", "Overseen")] == [
        "wrote",
        "built",
        "named",
        "oversaw",
    ]
