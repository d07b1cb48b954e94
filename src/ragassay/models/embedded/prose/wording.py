"""From words of a parse back to English: names for pronouns, the asker's "I" for the writer's "you", no stray marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragassay.models.embedded.reading.framing import is_object
from ragassay.models.embedded.reading.parser import is_english

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Piece = "Token | str"

ASKER = {"you": "I", "your": "my", "yours": "mine", "yourself": "myself", "yourselves": "myself"}
CLITICS = {
    "'ll": "will",
    "’ll": "will",
    "'ve": "have",
    "’ve": "have",
    "'re": "are",
    "’re": "are",
    "'m": "am",
    "’m": "am",
}
SHORTENED = {"ca": "can", "wo": "will", "sha": "shall", "n't": "not", "n’t": "not"}

_FIXES = (
    (re.compile(r"\s+([,;:?!])(?=[\s,.;:?!\"”)]|$)|\s+(\.)(?=[\s,;:?!\"”)]|$)"), r"\1\2"),
    (re.compile(r"([,;:])(?:\s*[,;:])+"), r"\1"),
    (re.compile(r"\s+(?=['’]s\b)"), ""),
    (re.compile(r"\s{2,}"), " "),
    (re.compile(r"^[\s,;:.–—-]+|(?:,? (?:also|but|and|or))?[\s,;:.–—-]*$"), ""),
)


@dataclass(frozen=True, slots=True)
class Reference:
    """What a word or a run of words of a sentence stands for.

    name: in full, as it stands in a sentence. length: how many words it replaces.
    possessive: whether they are "its", "their", "our". risky: another antecedent was possible.
    """

    name: str
    length: int = 1
    possessive: bool = False
    risky: bool = False


@dataclass(slots=True)
class Wording:
    """How the words of one parsed sentence are written.

    references: by index of the first word. literals: what the placeholder words stand for.
    known_lower: words that the passage writes in lower case, too. known_names: those with a capital inside sentences.
    """

    doc: Doc
    literals: Mapping[str, str] = field(default_factory=dict)
    references: Mapping[int, Reference] = field(default_factory=dict)
    known_lower: Collection[str] = frozenset()
    known_names: Collection[str] = frozenset()

    def write(
        self,
        pieces: Iterable[Token | str],
        *,
        asker: bool,
        named: set[str] | None = None,
        forms: Mapping[int, str] | None = None,
    ) -> str:
        """The pieces as running text. asker: "you" becomes "I".

        named: what has been named before; a name is given once, then its pronoun stays. Changed in place.
        forms: other forms for some words, by their index.
        """
        named = set() if named is None else named
        forms = forms or {}
        parts: list[str] = []
        skip_until = -1
        for piece in pieces:
            if isinstance(piece, str):
                parts.append(f" {piece} ")
                continue
            if piece.i < skip_until:
                continue
            text = forms.get(piece.i)
            space = piece.whitespace_
            reference = self.references.get(piece.i)
            if reference is not None and reference.name in "".join(parts):
                named.add(reference.name)
            if text is None and reference is not None and reference.name not in named:
                named.add(reference.name)
                text = possessive_of(reference.name) if reference.possessive else reference.name
                skip_until = piece.i + reference.length
                space = self.doc[skip_until - 1].whitespace_
            if text is None:
                text = self._own(piece, asker)
                if text is None:
                    continue
            apart = not _joins(piece) or (text != piece.text and piece.lower_ in {**CLITICS, **SHORTENED})
            if parts and not parts[-1].endswith((" ", "-", "(", "/", "“", '"')) and apart:
                parts.append(" ")
            parts.append(text + space)
        return tidied("".join(parts))

    def _own(self, token: Token, asker: bool) -> str | None:
        text = self._literal(token.text)
        lower = token.lower_
        if asker and lower in ASKER and (token.i == 0 or not token.text[:1].isupper()):
            return "me" if lower == "you" and is_object(token) else ASKER[lower]
        if asker and lower in ("are", "'re", "’re", "were") and subject_of(token) == "you":
            return "was" if lower == "were" else "am"
        if lower in CLITICS:
            return CLITICS[lower]
        if lower in SHORTENED and (lower.startswith("n") or token.i + 1 < len(self.doc)):
            return SHORTENED[lower]
        if token.i and text in ("The", "A", "An") and token.i + 1 < len(self.doc) and self.doc[token.i + 1].is_lower:
            return lower  # the first word of a sentence that something stands before
        opens_item = token.tag_ in ("VB", "VBP") and text.istitle() and is_english(lower)  # an imperative of a list
        if (token.i == 0 and self.opens_in_capital_only(token)) or opens_item:
            return text[:1].lower() + text[1:]
        return text

    def _literal(self, text: str) -> str:
        """A word with the literals that its placeholders stand for."""
        if text in self.literals or "Literal" not in text:
            return self.literals.get(text, text)
        for name, literal in self.literals.items():
            text = text.replace(name, literal)
        return text

    def opens_in_capital_only(self, token: Token) -> bool:
        """Whether the first word of a sentence has its capital from there, and is no name."""
        text = token.text
        if not text[:1].isupper() or text in self.literals or text == "I" or text[1:] != text[1:].lower():
            return False
        if token.lower_ in self.known_lower or token.pos_ in _CLOSED:
            return True
        if token.ent_type_ == "NORP":
            return False
        follows = self.doc[token.i + 1] if token.i + 1 < len(self.doc) else None
        part_of_name = follows is not None and (
            (
                follows.text[:1].isupper()
                and follows.pos_ == "PROPN"
                and (token.tag_[:3] == "NNP" or follows.ent_iob_ == "I")
            )
            or (follows.like_num and token.tag_ == "NNP")
        )
        if part_of_name or (len(text) == 1 and text != "A"):
            return False
        if token.tag_ == "NN" and text in self.known_names and not any(True for _ in token.lefts):
            return False
        if token.tag_ == "NN" and token.dep_ == "poss" and len(list(token.lefts)) == 0:
            return False
        if token.tag_ in ("JJ", "NN", "NNS") and is_english(token.lower_):
            return True
        if text in self.known_names:
            return False
        if token.tag_ != "NNP" and is_english(token.lower_):
            return True
        if token.ent_type_ in _NAMES:
            return False
        describes = token.dep_ == "compound" and follows is not None and follows.is_lower  # 'Wheelchair users'
        return token.tag_ != "NNP" or (describes and is_english(token.lower_))


_CLOSED = frozenset({"DET", "PRON", "ADP", "SCONJ", "CCONJ", "AUX", "ADV", "PART", "VERB"})
_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "EVENT", "LANGUAGE", "LAW"})


def _joins(token: Token) -> bool:
    return token.i > 0 and not token.doc[token.i - 1].whitespace_


def subject_of(verb: Token) -> str:
    """The lower-case subject word of an auxiliary or verb; empty if it has none of its own."""
    head = verb.head if verb.dep_ in ("aux", "auxpass") else verb
    return next((c.lower_ for c in head.children if c.dep_ in ("nsubj", "nsubjpass") and not is_joined(c)), "")


def is_joined(token: Token) -> bool:
    """Whether others stand beside it: "A and B"."""
    return sum(1 for _ in token.conjuncts) > 0


def possessive_of(name: str) -> str:
    """Acme: Acme's. services: services'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def tidied(text: str) -> str:
    for pattern, replacement in _FIXES:
        text = pattern.sub(replacement, text)
    return text.strip()


def sentence_case(text: str) -> str:
    """With a capital at the start, unless the first word is a name with capitals inside, or no word."""
    first = text.split(maxsplit=1)[0] if text else ""
    return (
        text
        if any(c.isupper() for c in first) or "." in first.rstrip(".") or "_" in first
        else text[:1].upper() + text[1:]
    )


def subtree(token: Token) -> list[Token]:
    """The words under a token, and itself, in the order of the sentence."""
    return sorted(token.subtree, key=lambda word: word.i)


def without(tokens: Sequence[Token], dropped: Collection[Token]) -> list[Token]:
    indices = {token.i for token in dropped}
    return [token for token in tokens if token.i not in indices]
