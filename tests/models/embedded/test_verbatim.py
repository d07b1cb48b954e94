"""Answers that only repeat a text."""

from __future__ import annotations

import pytest

from ragassay.models.embedded.reading.verbatim import stands_in

TEXT = "The Alba was painted blue in 1998.\nShe carries forty cars and sails twice a day. Dogs are welcome."


@pytest.mark.parametrize(
    ("answer", "copied"),
    [
        ("The Alba was painted blue in 1998.", True),
        ("she carries  forty cars and sails twice a day", True),  # case, spaces and the full stop do not matter
        ("The Alba was painted blue in 1998. She carries forty cars and sails twice a day.", True),
        ("- The Alba was painted blue in 1998.\n- She carries forty cars", True),  # of a list, part of a sentence
        ("The Alba was painted blue in 1998. She carries fifty cars and sails twice a day.", False),
        ("The Alba was painted red in 1998.", False),
        ("Dogs are welcome.", False),  # three words may stand there by chance
        ("", False),
    ],
)
def test_each_sentence_has_to_stand_in_the_text(answer: str, copied: bool) -> None:
    assert stands_in(answer, TEXT) is copied
