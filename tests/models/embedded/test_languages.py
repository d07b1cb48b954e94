"""Each input goes to the rules of its language."""

from __future__ import annotations

from typing import Any

import pytest

from ragassay.models.embedded.languages import no_questions_in
from ragassay.models.embedded.model import handler
from ragassay.tasks.labelling import Pair


def test_replies_keep_the_order_of_mixed_inputs() -> None:
    encoder: Any = None
    context = "The ferry leaves at 8 am. 渡轮属于云杉航运公司。"
    pairs = [
        Pair(context=context, question="When does the ferry leave?"),
        Pair(context=context, question="渡轮属于哪家公司？"),
        Pair(context=context, question="Who painted the bridge?"),
        Pair(context=context, question="桥梁由谁设计？"),
    ]
    labels = [reply.value.label for reply in handler("label")(encoder, pairs) if reply.value]
    assert labels == ["fact_single", "fact_single", "unanswerable", "unanswerable"]


@pytest.mark.parametrize(
    ("language", "said"), [("de", ("German", "--model")), ("zh", ("Chinese", "--model", "`ragassay scenario`"))]
)
def test_another_language_is_named_with_what_would_ask_about_it(language: str, said: tuple[str, ...]) -> None:
    assert all(word in no_questions_in(language) for word in said)
