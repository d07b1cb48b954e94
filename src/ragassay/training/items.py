"""What one training example is: a passage, and the branches that share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragassay.models.small import wording


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBranch:
    """kind: ask, or a claim's type. prompt, target: see models/small/wording.py.

    target: empty where a label is learned. refused: targets that readers did not take, where they took this one.
    label: place in wording.LABELS, or None. quote: the sentence meant, plain.
    lender: the document that a claim of another passage was taken from; a split keeps it from the other side.
    """

    kind: str
    prompt: str
    target: str = ""
    refused: tuple[str, ...] = ()
    label: int | None = None
    quote: str = ""
    lender: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextItem:
    """id: names the passage. source: kind of document. document: what a split never divides. text: plain."""

    id: str
    source: str
    document: str
    title: str
    heading: str
    text: str
    branches: tuple[TextBranch, ...]


def asking(quotes: Sequence[str], question: str, answer: str, refused: Sequence[str] = ()) -> TextBranch:
    """What is learned from a pair: to ask the question, given the sentences that it rests on and the answer.

    refused: questions that readers did not take beside this one.
    """
    return TextBranch(
        kind="ask",
        prompt=wording.asking_prompt(" ".join(map(wording.sentence, quotes)), answer),
        target=wording.question_target(question),
        refused=tuple(map(wording.question_target, refused)),
        quote=wording.sentence(quotes[0]),
    )


@dataclass(frozen=True, slots=True)
class Branch:
    """Tokens of one branch. target: learned, ends with the token that ends a text; empty where a label is learned.

    refused: what is less wanted than the target.
    """

    kind: str
    prompt: Sequence[int]
    target: Sequence[int]
    label: int | None = None
    refused: tuple[Sequence[int], ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of the packed branch: the prompt once, then whatever may follow it."""
        return len(self.prompt) + len(self.target) + sum(map(len, self.refused))


@dataclass(frozen=True, slots=True)
class Item:
    """Tokens of a passage and of its branches."""

    prefix: Sequence[int]
    branches: tuple[Branch, ...]

    @property
    def tokens(self) -> int:
        """Tokens of the packed row: the prefix once, then every branch."""
        return len(self.prefix) + sum(each.tokens for each in self.branches)
