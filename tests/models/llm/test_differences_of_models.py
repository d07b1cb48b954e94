"""What models and gateways do in their own ways: thoughts apart, several choices, other names."""

from __future__ import annotations

from typing import Any

import pytest
from asking import GOOD, MakeModel, asked_one

from ragassay.models.llm.call_log import CallLog
from ragassay.models.llm.call_records import open_records
from ragassay.models.openai_compatible import ONLY_THOUGHTS
from ragassay.tasks.verdicts import AnswerStatements

LAMP = AnswerStatements(items=("The lamp is red.",))


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_apart_are_kept_and_not_read(
    name: str, servers: Any, model_at: MakeModel, scripts: Any, log: CallLog
) -> None:
    server = servers.scripted(scripts.completion(GOOD, **{name: '{"statements": ["A draft."]}'}))
    assert asked_one(model_at(server.url)).value == LAMP
    with open_records(log.path.parent) as records:
        assert records.call(1)["aside"] == {"reasoning": '{"statements": ["A draft."]}'}
    # nothing but thoughts is no answer, and is asked about again
    empty = servers.scripted(scripts.completion("", reasoning_content=GOOD), GOOD)
    assert asked_one(model_at(empty.url)).value == LAMP
    assert empty.stats.requests == 2
    never = asked_one(model_at(servers.scripted(scripts.completion("", reasoning_content=GOOD)).url))
    assert (never.value, (never.reason or "").endswith(ONLY_THOUGHTS)) == (None, True)
    with open_records(log.path.parent) as records:
        assert [*records.problems()][-1].reason == ONLY_THOUGHTS
