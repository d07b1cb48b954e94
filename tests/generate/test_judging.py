"""What the judge lets through, and the account that it keeps of the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ragassay.generate.candidates import Candidate
from ragassay.generate.judging import NOT_RATED, Judge
from ragassay.generate.options import SetPlan
from ragassay.models.base import Reply
from ragassay.models.joint import JointModel, part_by_part
from ragassay.models.scripted import ScriptedModel
from ragassay.records import Label
from ragassay.tasks.critique import CRITIQUES, LabelVerdict, Pair, Rating
from ragassay.tasks.joint import JointTask
from ragassay.tasks.verdicts import AnswerStatement, Keypoints

LABELS_BY_QUESTION: dict[str, Label] = {"sum?": "summary", "none?": "unanswerable"}


def label(pair: Pair) -> Any:
    if pair.question == "mute?":
        return Reply(None, "time-out")
    return LabelVerdict(label=LABELS_BY_QUESTION.get(pair.question, "fact_single"), reason="said so")


def keypoints(pair: AnswerStatement) -> Keypoints:
    return Keypoints(items=() if pair.question == "pointless?" else pair.statements)


def rating_of(low: dict[str, dict[str, int | None]]) -> dict[str, Callable[[Pair], Any]]:
    """Fives, but for the critiques of questions named in ``low``; None is a reply that failed."""

    def script(name: str) -> Callable[[Pair], Any]:
        def rate(pair: Pair) -> Any:
            value = low.get(pair.question, {}).get(name, 5)
            return Reply(None, "no rating") if value is None else Rating(rating=value, reason="because")

        return rate

    return {f"critique_{name}": script(name) for name in CRITIQUES}


def judged(
    pool: list[Candidate], low: dict[str, dict[str, int | None]] | None = None, **options: Any
) -> tuple[list[Candidate], Judge, Any]:
    model = ScriptedModel({"label": label, "keypoints": keypoints, **rating_of(low or {})})
    judge = Judge(model, SetPlan(**options))
    return asyncio.run(judge.accepted(pool)), judge, model


def test_the_label_must_be_the_one_asked_for(candidate: Callable[..., Candidate]) -> None:
    pool = [candidate("a?"), candidate("sum?"), candidate("mute?"), candidate("b?", label="summary")]
    accepted, judge, _ = judged(pool)
    assert [each.question for each in accepted] == ["a?"]
    assert accepted[0].verified == "fact_single"
    assert accepted[0].keypoints == ("The lamp is in the old harbour.",)
    assert judge.matrix == {"fact_single": {"fact_single": 1, "summary": 1}, "summary": {"fact_single": 1}}
    assert judge.dropped == {
        "fact_single": {"the labeller gives another label": 1, "no label: time-out": 1},
        "summary": {"the labeller gives another label": 1},
    }


def test_a_rating_below_its_threshold_drops(candidate: Callable[..., Candidate]) -> None:
    # thresholds: stand_alone 3, tautology 2; question_usefulness has none
    low = {
        "a?": {"stand_alone": 2, "tautology": 1},
        "b?": {"stand_alone": 3, "tautology": 2},
        "c?": {"question_usefulness": 1},
        "d?": {"tautology": 1},
        "e?": {"stand_alone": None},
    }
    accepted, judge, _ = judged([candidate(question) for question in low], low)
    assert [each.question for each in accepted] == ["b?", "c?"]
    # a rating that did not come passes no threshold
    assert judge.dropped == {
        "fact_single": {
            "rated below 3 for stand alone": 1,
            "rated below 2 for tautology": 1,
            "no rating of stand alone: no rating": 1,
        }
    }
    assert [each.name for each in accepted[0].critiques] == list(CRITIQUES)


def test_an_unanswerable_pair_is_not_asked_about_its_answer(
    candidate: Callable[..., Candidate],
) -> None:
    accepted, judge, model = judged([candidate("none?", label="unanswerable")])
    assert accepted[0].keypoints == ()
    assert {each.name for each in accepted[0].critiques} == set(CRITIQUES) - NOT_RATED
    assert model.asked("keypoints") == []
    assert judge.dropped == {}


def test_judged_jointly_the_same_pairs_pass(candidate: Callable[..., Candidate]) -> None:
    class Server(ScriptedModel):
        async def ask_all(self, task: Any, inputs: Any) -> Any:
            if not isinstance(task, JointTask):
                return await super().ask_all(task, inputs)
            calls.extend([task.name] * len(inputs))
            return await part_by_part(ScriptedModel(script), task, inputs)

    calls: list[str] = []
    low = {"a?": {"stand_alone": 2}, "d?": {"tautology": 1}, "e?": {"stand_alone": None}}
    script = {"label": label, "keypoints": keypoints, **rating_of(low)}
    pool = [candidate(f"{name}?") for name in ("a", "b", "d", "sum", "pointless")]
    pool.append(candidate("none?", label="unanswerable"))
    server = Server(script)
    joint = Judge(JointModel(server), SetPlan())
    separate = Judge(ScriptedModel(script), SetPlan())
    assert asyncio.run(joint.accepted(pool)) == asyncio.run(separate.accepted(pool))
    assert (joint.matrix, joint.dropped) == (separate.matrix, separate.dropped)
    # "pointless?" has no keypoints either way; nothing was asked a second time. The label is asked for by itself, and
    # "sum?", which gets another one, is judged no further
    assert (calls, [call.task for call in server.calls]) == (["pair_judgement"] * 5, ["label"] * 6)


def test_by_verified_label_a_pair_is_what_the_labeller_says_if_its_answer_fits(
    candidate: Callable[..., Candidate],
) -> None:
    pool = [candidate("a?"), candidate("sum?"), candidate("none?"), candidate("b?", label="unanswerable")]
    accepted, judge, _ = judged(pool, balance_by="verified")
    assert [(each.question, each.label, each.verified) for each in accepted] == [
        ("a?", "fact_single", "fact_single"),
        ("sum?", "fact_single", "summary"),
    ]
    assert judge.dropped == {
        "fact_single": {"the labeller finds no answer in its context": 1},
        "unanswerable": {"the labeller finds an answer, although none was given": 1},
    }


def test_by_requested_label_the_labeller_drops_nothing_it_gave_a_label(
    candidate: Callable[..., Candidate],
) -> None:
    pool = [candidate("sum?"), candidate("none?"), candidate("mute?")]
    accepted, judge, _ = judged(pool, balance_by="requested")
    assert [(each.label, each.verified) for each in accepted] == [
        ("fact_single", "summary"),
        ("fact_single", "unanswerable"),
    ]
    assert judge.dropped == {"fact_single": {"no label: time-out": 1}}
