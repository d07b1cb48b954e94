"""What changes with the visits to a document: keys that no other document has, and the count of missing names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.records import Document
from ragassay.synthesis.extraction import Extractor
from ragassay.synthesis.options import SynthesisOptions

TOLD = (
    "The keeper of the pier lights the lamps in the evening and puts them out in the morning, whatever the weather is. "
    "Fire drills are held in the hall twice a year, and every guest is told of them by the keeper or by his daughter.\n"
)
NAMELESS = TOLD
RECORD = f"# MV Cedar\n\n- Home port: Oskay\n- Builder: Elm Yard\n- Service speed: 15 knots\n\n{TOLD}"


class _NoEncoder:
    name = "none"
    dimension = 1

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raise AssertionError("no vectors are needed")


class Visits(NamedTuple):
    questions: list[set[str]]
    nameless: list[int]
    """Losses for want of a theme, up to each visit."""


@pytest.fixture
def visited(
    document: Callable[..., Document], small_corpus: Callable[[Sequence[Document]], Any]
) -> Callable[..., Visits]:
    """Three visits to a document: the first for some candidates, the others for all there are."""

    def visit(text: str) -> Visits:
        asked = document(text)
        extractor = Extractor(EmbeddedModel(_NoEncoder()), small_corpus([asked]).collection, SynthesisOptions())
        seen = Visits([], [])

        async def visits() -> None:
            for all_allowed in (False, True, True):
                candidates = await extractor.candidates([(0, asked)], ["fact_single"], all_allowed=all_allowed)
                seen.questions.append({each.question for each in candidates})
                lost = (count for reason, count in extractor.dropped.items() if reason.startswith("no theme"))
                seen.nameless.append(sum(lost))

        asyncio.run(visits())
        return seen

    return visit


def test_keys_of_one_document_alone_are_asked_for_at_a_later_visit(visited: Callable[..., Visits]) -> None:
    question = "What is the home port of MV Cedar?"
    assert [question in questions for questions in visited(RECORD).questions] == [False, False, True]


def test_a_missing_name_is_counted_once(visited: Callable[..., Visits]) -> None:
    assert visited(NAMELESS).nameless == [1, 1, 1]
