"""What every synthesizer is to the loop that visits documents, judges and counts: a maker of candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from ragassay.records import Document, Label
from ragassay.synthesis.candidates import Candidate


class Strategy(Protocol):
    """A way of making candidate pairs.

    name: what provenance and reports call it. dropped: reason to what was lost before it was a candidate.
    """

    @property
    def name(self) -> str: ...

    @property
    def dropped(self) -> Counter[str]: ...

    async def candidates(
        self, documents: Sequence[tuple[int, Document]], wanted: Sequence[Label], *, all_allowed: bool = False
    ) -> list[Candidate]:
        """Candidates from (ordinal, document) pairs, in their order, none that was given before.

        wanted: the labels that are still short, empty where any will do. A strategy that can be asked for a label
        gives candidates of these alone; one that cannot leaves ``Candidate.label`` None, and the judge's label counts.
        all_allowed: enough for all that a document may give; otherwise enough for one example of each label.
        """
        ...
