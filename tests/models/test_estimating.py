"""What a run will cost: the real prompts, counted once each, and replies of the length that is to be expected."""

from __future__ import annotations

import asyncio

import pytest

from ragassay.models.base import Reply
from ragassay.models.estimating import TEXT_TOKENS, VALUE_TOKENS, Estimates, EstimatingModel, reply_tokens, total
from ragassay.models.joint import part_by_part
from ragassay.models.llm.prices import Price, Prices
from ragassay.models.llm.token_counts import estimate_chat_tokens, estimate_tokens
from ragassay.models.scripted import ScriptedModel
from ragassay.tasks.base import ReplyData, TaskData
from ragassay.tasks.critique import CRITIQUES, LABEL, LabelVerdict, Pair, Rating
from ragassay.tasks.pair_judgement import PAIR_JUDGEMENT, JudgedPair
from ragassay.tasks.prompts import messages_for
from ragassay.tasks.verdicts import ANSWER_STATEMENTS, AnswerToQuestion, Keypoints

FACT = LabelVerdict(label="fact_single", reason="The context says so.")
PAIRS = [Pair(context=f"Lamp {n} is red.", question="Which colour has it?") for n in range(3)]
SAID = AnswerToQuestion(question="Which colour has it?", answer="It is red. It is old.")
PRICES = Prices({"small": Price(prompt=1.0, completion=10.0)})


def estimated(name: str = "https://gateway.example/v1#small") -> tuple[EstimatingModel, Estimates]:
    inner = ScriptedModel({"label": FACT, "answer_statements": Reply(None, "nothing")})
    estimates = Estimates(PRICES)
    return EstimatingModel(inner, name, estimates), estimates


def test_the_real_prompts_are_counted_by_stage_and_task() -> None:
    model, estimates = estimated()
    estimates.stage = "make examples"
    assert asyncio.run(model.ask_all(LABEL, PAIRS)) == [Reply(FACT)] * 3
    estimates.stage = "judge"
    assert asyncio.run(model.ask(ANSWER_STATEMENTS, SAID)) == Reply(None, "nothing")
    first, second = estimates.rows()
    prompt_tokens = sum(estimate_chat_tokens(messages_for(LABEL, pair)) for pair in PAIRS)
    completion_tokens = 3 * reply_tokens(LABEL.filled_in, FACT)
    assert (first.stage, first.task, first.calls) == ("make examples", "label", 3)
    assert (first.prompt_tokens, first.completion_tokens) == (prompt_tokens, completion_tokens)
    # 1 dollar for a million tokens of prompts, 10 for those of replies
    assert first.cost_usd == pytest.approx(prompt_tokens / 1e6 + completion_tokens / 1e5)
    assert (second.stage, second.task, second.calls) == ("judge", "answer_statements", 1)
    both = total([first, second])
    assert (both.calls, both.prompt_tokens) == (4, first.prompt_tokens + second.prompt_tokens)
    assert both.cost_usd == pytest.approx((first.cost_usd or 0) + (second.cost_usd or 0))


def test_an_unknown_price_makes_no_number() -> None:
    model, estimates = estimated("openai:gpt-99")
    free, _ = estimated("ollama:llama3.1")
    asyncio.run(model.ask(LABEL, PAIRS[0]))
    assert total(estimates.rows()).cost_usd is None
    assert total(estimates.rows()).prompt_tokens > 0
    assert total([]).cost_usd == 0
    assert free.name == "ollama:llama3.1"


class Item(ReplyData):
    name: str
    number: int


class ListReply(ReplyData):
    entries: tuple[Item, ...]
    reason: str


class Made(TaskData):
    name: str


class ListOutput(TaskData):
    items: tuple[Made, ...]
    reason: str


def test_a_reply_has_as_many_and_as_long_entries_as_the_other_model_gave() -> None:
    def keys(*names: str) -> int:
        return sum(estimate_tokens(f'"{name}": ,') for name in names)

    # "red lamp" is two tokens and two quotation marks
    item = 2 + keys("name", "number") + 4 + VALUE_TOKENS
    reason = 2 + estimate_tokens("It is so.")
    for n in (0, 1, 7):
        output = ListOutput(items=(Made(name="red lamp"),) * n, reason="It is so.")
        assert reply_tokens(ListReply, output) == 2 + keys("entries", "reason") + 2 + n * (1 + item) + reason
    usual = 2 + keys("name", "number") + TEXT_TOKENS + VALUE_TOKENS
    assert reply_tokens(ListReply, None) == 2 + keys("entries", "reason") + 2 + 3 * (1 + usual) + TEXT_TOKENS


def test_a_joint_task_counts_the_replies_of_its_parts() -> None:
    single = {"label": FACT, "keypoints": Keypoints(items=("It is red.",) * 4)}
    rated = {f"critique_{name}": Rating(rating=4, reason="It is said.") for name in CRITIQUES}
    pair = JudgedPair(context="The lamp is red.", question="Which colour?", answer="Red.")
    (whole,) = asyncio.run(part_by_part(ScriptedModel({**single, **rated}), PAIR_JUDGEMENT, [pair]))
    (short,) = asyncio.run(
        part_by_part(
            ScriptedModel({**single, **rated, "keypoints": Keypoints(items=("Red.",))}), PAIR_JUDGEMENT, [pair]
        )
    )
    more = reply_tokens(PAIR_JUDGEMENT.filled_in, whole.value) - reply_tokens(PAIR_JUDGEMENT.filled_in, short.value)
    # three more sentences with a comma and quotes each, and one that is longer
    assert more == 3 * (1 + 2 + estimate_tokens("It is red.")) + estimate_tokens("It is red.") - estimate_tokens("Red.")
