"""What a task comes to."""

from __future__ import annotations

import pickle

import pytest

from ragassay.models.base import Reply


@pytest.mark.parametrize("reply", [Reply("Oslo"), Reply(None, "it is not said"), Reply(3, expected={"rating": 3.4})])
def test_a_process_can_hand_a_reply_on(reply: Reply[object]) -> None:
    again = pickle.loads(pickle.dumps(reply))
    assert (again, again.expected) == (reply, reply.expected)
