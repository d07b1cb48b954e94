"""What a complete answer has to say: no less than the reference answer, and no more."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.judging.keypoints import keypoints_of
from ragassay.tasks.verdicts import AnswerStatement


@pytest.mark.parametrize(
    ("question", "answer", "statement", "keypoints"),
    [
        ("When was the Alba built?", "1998", "The Alba was built in 1998.", ["The Alba was built in 1998."]),
        (
            "When was Ada Lind born, and when did she die?",
            "1898 and 1961, respectively",
            "Ada Lind was born in 1898. Ada Lind died in 1961.",
            ["Ada Lind was born in 1898.", "Ada Lind died in 1961."],
        ),
        (
            "What are the port and length of the Alba?",
            "Port: Lund; Length: 40 m",
            "The Alba: Port: Lund; Length: 40 m.",
            ["The Alba: Port: Lund", "The Alba: Length: 40 m"],
        ),
        (
            "What are the parameters of DROP TUB?",
            "IF EXISTS, name, CASCADE",
            "The parameters of DROP TUB are IF EXISTS, name, CASCADE.",
            [f"The parameters of DROP TUB include {each}" for each in ("IF EXISTS", "name", "CASCADE")],
        ),
        # two dates that the answer does not have
        (
            "How old was Ada Lind when she died?",
            "63 years old",
            "Ada Lind was 63 years old when she died: born 3 May 1898, 9 June 1961.",
            ["How old was Ada Lind when she died: 63 years old"],
        ),
        # the statement without the conclusion
        (
            "Was the Alba built before or after she was named?",
            "Before (1998, against 2001)",
            "The Alba was built in 1998; the Alba was named in 2001.",
            ["Was the Alba built before or after she was named: Before (1998, against 2001)"],
        ),
        # Chinese
        (
            "云杉公司的总部位于哪里？",
            "中国北京市",
            "云杉公司的总部位于中国北京市。",
            ["云杉公司的总部位于中国北京市。"],
        ),
        (
            "云杉公司从上市到投资新厂，相隔多少个月？",
            "9个月（从2017年3月到2017年12月）。",
            "云杉公司于2017年3月上市，于2017年12月投资了新厂。",
            ["云杉公司从上市到投资新厂，相隔9个月。"],
        ),
    ],
)
def test_keypoints(question: str, answer: str, statement: str, keypoints: list[str]) -> None:
    item = AnswerStatement(question=question, answer=answer, statements=(statement,))
    assert list(keypoints_of(item)) == keypoints
