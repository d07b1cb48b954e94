from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ragassay.models.embedded.judging.judgements import with_words
from ragassay.models.embedded.judging.support import Claim, support
from ragassay.models.embedded.judging.verdicts import HANDLERS
from ragassay.models.small import roles
from ragassay.models.small.verifier import Check, Judged
from ragassay.tasks.verdicts import KeypointsOnAnswer, StatementsOnContext

CONTEXT = "The Alba was built in 1998. She was lengthened in March 2004. Her crew did not strike."


def ask(name: str, encoder: Any, item: Any) -> Any:
    (reply,) = HANDLERS[name](encoder, [item])
    assert reply.value is not None
    return reply.value.items


@pytest.mark.parametrize(
    ("keypoint", "verdict"),
    [
        ("The Alba was built in 1998.", "covered"),
        ("The Alba was built in 1989.", "contradicted"),
        ("The Alba was not lengthened.", "contradicted"),
        ("The funnel is painted red.", "neither"),
    ],
)
def test_keypoint_verdicts(encoder: Any, keypoint: str, verdict: str) -> None:
    (found,) = ask("keypoint_verdicts", encoder, KeypointsOnAnswer(question="", keypoints=(keypoint,), answer=CONTEXT))
    assert found.verdict == verdict
    assert 0 <= found.support <= 1


@pytest.mark.parametrize(
    ("answer", "keypoint", "verdict"),
    [
        ("The documents do not name an owner. They list the crew, and the port.", "Unable to answer", "covered"),
        ("Ines Roper owns the Alba. The text does not say since when.", "Unable to answer", "neither"),
        ("Roper owns the Alba. There is no information about the Borg.", "No information on the Borg.", "covered"),
    ],
)
def test_a_keypoint_that_there_is_no_answer(answer: str, keypoint: str, verdict: str, encoder: Any) -> None:
    item = KeypointsOnAnswer(question="Who owns the Alba?", keypoints=(keypoint,), answer=answer)
    assert ask("keypoint_verdicts", encoder, item)[0].verdict == verdict


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        (
            "The tug Alba was built in June 1998 by Fjord Yards in Bergen.",
            'the text gives "May 1998", and not "June 1998"',
        ),
        ("The tug Alba was not built in May 1998 by Fjord Yards in Bergen.", "only the statement is negated"),
    ],
)
def test_another_month_or_a_denial_is_not_supported_however_much_else_is_said(
    encoder: Any, statement: str, hint: str
) -> None:
    context = "The tug Alba was built in May 1998 by Fjord Yards in Bergen. Its crew of six lives in Molde."
    true = "The tug Alba was built in May 1998 by Fjord Yards in Bergen."
    (reply,) = HANDLERS["statement_verdicts"](
        encoder, [StatementsOnContext(statements=(true, statement), context=context)]
    )
    said, changed = reply.value.items
    assert said.supported
    assert said.reason.startswith("the context says it")
    assert not changed.supported
    assert changed.support > 0.65
    assert changed.reason.endswith(f"perhaps contradicted: {hint}")
    assert changed.evidence == true


JUDGED = {
    "The Alba was built in 1998.": Judged(0.7, 0.2, 0.1, ""),
    "The Alba was built in 1989.": Judged(0.1, 0.6, 0.3, ""),
    "Penguins breed in the south.": Judged(0.2, 0.3, 0.5, ""),
    "Her crew struck.": Judged(0.699, 0.1505, 0.1505, ""),
}


class FakeVerifier:
    """Knows the claims above; keeps what it was asked."""

    def __init__(self) -> None:
        self.checks: list[Check] = []

    def threshold(self, *, questions: bool = False) -> float:
        assert not questions
        return 0.7

    def judge(self, checks: Sequence[Check]) -> list[list[Judged]]:
        self.checks += checks
        return [[JUDGED[claim] for claim in check.claims] for check in checks]


@pytest.fixture
def verifier(monkeypatch: pytest.MonkeyPatch) -> FakeVerifier:
    made = FakeVerifier()
    monkeypatch.setattr(roles, "verifier", lambda: made)
    return made


def test_verifier_and_words_judge_statements(encoder: Any, verifier: FakeVerifier) -> None:
    found = ask("statement_verdicts", encoder, StatementsOnContext(statements=tuple(JUDGED), context=CONTEXT))
    words = support(None, [Claim("", tuple(JUDGED), CONTEXT)])[0]
    both = [with_words(judged, held.score) for judged, held in zip(JUDGED.values(), words, strict=True)]
    assert [each.support for each in found] == [each.supported for each in both]
    assert [each.supported for each in found] == [each.supported >= 0.5 for each in both]
    assert found[0].supported
    assert found[0].reason == f"the context says so, probability {both[0].supported:.2f}"
    assert "otherwise" in found[1].reason
    assert not found[2].supported
    assert found[2].reason == f"the context does not say it, probability {both[2].not_stated:.2f}"
    # the evidence is the sentence that shares most words, however it is judged
    assert [found[0].evidence, found[1].evidence] == ["The Alba was built in 1998."] * 2
    assert verifier.checks == [Check(CONTEXT, tuple(JUDGED), windows=1)]
