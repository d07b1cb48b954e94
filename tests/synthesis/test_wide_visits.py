"""When questions within a document are looked for: at later visits, and then its missing name is no loss any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ragassay.models.embedded.model import EmbeddedModel
from ragassay.records import Document
from ragassay.synthesis.extraction import Extractor
from ragassay.synthesis.options import SetPlan

TEXT = (
    "# Ferry Bluefin returns on 16 August\n\nThe annual rent of the pier is £36,500, payable in advance. The Tenant "
    "shall pay a deposit of £9,125. Fire drills are held in the hall twice a year, and every guest is told of them. "
    "The keeper of the pier lights the lamps in the evening and puts them out in the morning, whatever the weather is."
)


class _NoEncoder:
    name = "none"
    dimension = 1

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raise AssertionError("no vectors are needed")


def test_a_document_without_a_name_is_asked_about_at_a_later_visit(
    document: Callable[..., Document], small_corpus: Callable[[Sequence[Document]], Any]
) -> None:
    asked = document(TEXT)
    extractor = Extractor(EmbeddedModel(_NoEncoder()), small_corpus([asked]).collection, SetPlan())

    async def visits() -> list[list[str]]:
        found = []
        for all_allowed in (False, True, True):
            candidates = await extractor.candidates([(0, asked)], ["fact_single"], all_allowed=all_allowed)
            found.append(sorted(each.question for each in candidates))
            nameless.append(sum(count for reason, count in extractor.dropped.items() if reason.startswith("no theme")))
        return found

    nameless: list[int] = []
    first, second, third = asyncio.run(visits())
    assert not first
    assert not second
    assert "What shall the Tenant pay?" in third
    assert nameless == [1, 1, 0]
