"""One plain sentence taken apart by its parse, and made a question that keeps every word but the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.reading.parser import is_english

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_FINITE = frozenset({"VBZ", "VBP", "VBD"})
_HEDGED = frozenset({"might", "could", "would", "shall", "seem", "appear"})
_APART = frozenset({"ccomp", "parataxis", "expl", "csubj", "csubjpass", "dep", "intj", "preconj", "neg"})
"""Relations to the main verb of sentences that say two things, report or deny one, or have no plain subject."""
_POINTING = re.compile(
    r"\b(?:this|these|those|such(?! as)|here|there|above|below|following|former|latter|then|instead|however|therefore|"
    r"otherwise|respectively|yet|recently|today|yesterday|tomorrow|ago|later|earlier|previously|so(?! that)|thus|hence|"
    r"respective|aforesaid|said|example|instance)\b",
    re.IGNORECASE,
)
"""Words that point out of a sentence, or that tie its truth to what stands beside it."""
_ANTECEDENTS = {
    **dict.fromkeys("it its itself".split(), frozenset({"NN", "NNP"})),
    **dict.fromkeys("they them their theirs themselves".split(), frozenset({"NNS", "NNPS", "joined"})),
    **dict.fromkeys("he him his himself she her hers herself".split(), frozenset({"person"})),
}
"""Pronoun to what has to stand before it in its sentence: tags of nouns, nouns joined by "and", a person's name."""
_MARKED = re.compile(r"[*_`|<>{}\[\]\\=^~;:#@–—…•]|\.\.|https?\b|\s-\s|--|\be\.g\.|\bi\.e\.")
_TIES = frozenset("also additionally furthermore moreover finally now currently just simply".split())
"""Adverbs that can be left out: they tie a sentence to others and say nothing of its fact."""
_WORDS = range(5, 34)


@dataclass(frozen=True, slots=True)
class Clause:
    """fronted: the phrases before the subject. head: of the subject. between: it and the verb. rest: after it."""

    doc: Doc
    verb: Token
    head: Token
    fronted: tuple[Token, ...]
    subject: tuple[Token, ...]
    auxiliaries: tuple[Token, ...]
    between: tuple[Token, ...]
    rest: tuple[Token, ...]

    @property
    def is_passive(self) -> bool:
        return self.head.dep_ == "nsubjpass"


def is_plain(text: str) -> bool:
    """Whether a sentence may be asked about at all, before it is parsed."""
    words = text.split()
    return (
        len(words) in _WORDS
        and text[-1] == "."
        and text[0].isupper()
        and not _MARKED.search(text)
        and not _POINTING.search(text)
    )


def _points_out(doc: Doc) -> bool:
    """Whether a pronoun stands before anything that it could be for, or "that" points somewhere."""
    nouns: set[str | bool] = set()
    for token in doc:
        wanted = _ANTECEDENTS.get(token.lower_)
        if wanted is not None and not wanted & nouns:
            return True
        if token.lower_ == "that" and (token.dep_ == "det" or (token.tag_ == "DT" and token.dep_ != "mark")):
            return True
        if token.lower_ in {"one", "ones"} and token.pos_ != "NUM":
            return True
        if token.pos_ in {"NOUN", "PROPN"}:
            nouns |= {
                token.tag_,
                "joined" if len(token.conjuncts) else "",
                "person" if token.ent_type_ == "PERSON" else "",
            }
    return False


def clause_of(doc: Doc) -> Clause | None:
    """Take a parsed sentence apart; None for one of another build."""
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1 or roots[0].pos_ not in {"VERB", "AUX"} or _points_out(doc):
        return None
    verb = roots[0]
    children = list(verb.children)
    subjects = [child for child in children if child.dep_ in {"nsubj", "nsubjpass"}]
    if len(subjects) != 1 or any(child.dep_ in _APART or child.lower_ in _HEDGED for child in children):
        return None
    head = subjects[0]
    subject = _stretch(head)
    if subject is None or head.i > verb.i or (head.pos_ == "PRON" and head.lower_ not in {"you", "we"}):
        return None
    auxiliaries = [child for child in children if child.dep_ in {"aux", "auxpass"} and child.i < verb.i]
    if not auxiliaries and verb.tag_ not in _FINITE:
        return None
    if any(auxiliary.i < subject[-1].i for auxiliary in auxiliaries):
        return None
    end = _end(doc, verb)
    if end is None:
        return None
    between = [token for token in doc[subject[-1].i + 1 : verb.i] if token not in auxiliaries]
    between = [token for token in between if token.lower_ not in _TIES]
    if any(token.is_punct or token.head != verb for token in between):
        return None
    fronted = list(doc[: subject[0].i])
    if fronted and fronted[-1].text == ",":
        fronted.pop()
    if any(token.text == "," or token.tag_ == "VB" == fronted[0].tag_ for token in fronted) or (
        fronted and fronted[0].head == verb and fronted[0].dep_ in {"cc", "mark"}
    ):
        return None
    rest = tuple(doc[verb.i + 1 : end])
    return Clause(doc, verb, head, tuple(fronted), subject, tuple(auxiliaries), tuple(between), rest)


def _end(doc: Doc, verb: Token) -> int | None:
    """Where the first thing that a sentence says ends: before "and" with another verb; None where verbs share words."""
    joined = [child for child in verb.children if child.dep_ == "conj"]
    if not joined:
        return len(doc) - 1 if doc[-1].is_punct else len(doc)
    first: int = joined[0].left_edge.i
    while first > verb.i and (doc[first - 1].dep_ == "cc" or doc[first - 1].text == ","):
        first -= 1
    return first if joined[0].pos_ in {"VERB", "AUX"} and first > verb.i + 1 else None


class Instruction(NamedTuple):
    """An imperative with a condition before it. condition: with its "if" or "when". action: the imperative itself."""

    condition: tuple[Token, ...]
    action: tuple[Token, ...]


def instruction_of(doc: Doc) -> Instruction | None:
    """Take apart a sentence that tells what to do on a condition; None for any other."""
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1 or roots[0].tag_ not in {"VB", "VBP"} or _points_out(doc):
        return None
    verb = roots[0]
    if any(child.dep_ in {"nsubj", "nsubjpass", "aux", "auxpass", "expl", "neg"} for child in verb.children):
        return None
    before = doc[: verb.i]
    if len(before) < 5 or before[-1].text != "," or any(token.text == "," for token in before[:-1]):
        return None
    end = len(doc) - 1 if doc[-1].is_punct else len(doc)
    return Instruction(tuple(before[:-1]), tuple(doc[verb.i : end])) if before[0].lower_ in {"if", "when"} else None


def phrase_of(head: Token, clause: Clause) -> tuple[Token, ...] | None:
    """The words under a head where they stand together and right of the verb or before the subject; else None."""
    phrase = _stretch(head)
    if phrase is None:
        return None
    inside = set(clause.rest) | set(clause.fronted)
    return phrase if all(token in inside for token in phrase) else None


def question(clause: Clause, asks: str, gap: Sequence[Token]) -> str | None:
    """The question that leaves a gap, after the words that it asks with; None where it would not read well."""
    left_out = set(gap)
    if any(token in left_out for token in clause.subject):
        return None
    rest = [token for token in clause.rest if token not in left_out]
    fronted = [token for token in clause.fronted if token not in left_out]
    if not are_joined((*clause.subject, *rest, *fronted)):
        return None
    verb, auxiliaries = clause.verb, list(clause.auxiliaries)
    subject = spoken(clause.subject)
    if auxiliaries:
        first = _agreeing(auxiliaries[0].lower_, clause)
        middle = [spoken(auxiliaries[1:]), spoken(clause.between), _verb(clause)]
    elif verb.lemma_ == "be":
        first, middle = _agreeing(verb.lower_, clause), [spoken(clause.between)]
    else:
        first = {"VBZ": "does", "VBP": "do", "VBD": "did"}[verb.tag_]
        middle = [spoken(clause.between), verb.lemma_]
    parts = [asks, first, subject, *middle, spoken(rest), spoken(fronted)]
    return finished(" ".join(filter(None, parts)))


def subject_question(clause: Clause, asks: str) -> str | None:
    """The question for the subject: its words keep their order."""
    if not are_joined((*clause.rest, *clause.fronted)):
        return None
    before = sorted((*clause.auxiliaries, *clause.between), key=lambda token: token.i)
    parts = [asks, spoken(before), _verb(clause), spoken(clause.rest), spoken(clause.fronted)]
    return finished(" ".join(filter(None, parts)))


def _verb(clause: Clause) -> str:
    """The verb as it stands, and without its ending behind "will", "can" and the like."""
    is_bare = len(clause.auxiliaries) == 1 and clause.auxiliaries[0].tag_ == "MD" and clause.verb.tag_ in _FINITE
    return clause.verb.lemma_ if is_bare else clause.verb.text


def are_joined(tokens: Sequence[Token]) -> bool:
    """Whether all commas stand in lists; others set apart what only adds, and a question with all that is a riddle."""
    return all(any(child.dep_ == "conj" for child in token.head.children) for token in tokens if token.text == ",")


def finished(asked: str) -> str | None:
    """A question with its capital and its mark; None where something is left dangling."""
    asked = re.sub(r"\s+", " ", asked).strip(" ,.")
    if re.search(r" ,|,,", asked) or re.search(
        r"\b(?:and|or|but|the|an?) ?$|\b(\w+) \1\b|\b(?:the|new|old|last|first) ones?\b", asked
    ):
        return None
    return f"{asked[0].upper()}{asked[1:]}?"


def spoken(tokens: Iterable[Token]) -> str:
    """Words as they stand, the writer's "you" and "we" as the asker's "I" and "you", a capital at the start undone."""
    pieces: list[str] = []
    last = -1
    for token in tokens:
        text = token.text
        if token.i == 0 and not _is_name(token):
            text = text[0].lower() + text[1:]
        if pieces and token.i != last + 1:
            pieces.append(" ")  # words that did not stand together
        pieces.append(_turned(token, text) + token.whitespace_)
        last = token.i
    return "".join(pieces).strip()


def _is_name(token: Token) -> bool:
    """Whether the first word of a sentence has its capital of its own, and not because it is the first."""
    if token.text[1:2].isupper() or token.text == "I":
        return True
    if token.pos_ != "PROPN":
        return token.ent_type_ in {"PERSON", "ORG", "GPE", "NORP", "FAC", "LOC"} and token.tag_ not in {
            "DT",
            "NNS",
            "CD",
        }
    following = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else token
    is_plain = is_english(token.lower_) and not following.text[0].isupper()
    return not (is_plain and (following.tag_ in {"NN", "NNS"} or token.text.endswith("s")))


_ASKER = {
    "your": "my",
    "yours": "mine",
    "yourself": "myself",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
}


def _turned(token: Token, text: str) -> str:
    lower = token.lower_
    if lower in _ASKER:
        return _ASKER[lower]
    if lower == "you":
        return "I" if token.dep_ in {"nsubj", "nsubjpass"} else "me"
    if lower in {"we", "us"}:
        return "you"
    if lower in {"'re", "’re", "are"} and token.i and token.nbor(-1).lower_ == "you":
        return "am" if lower == "are" else f"{lower[0]}m"
    return text


def _agreeing(verb: str, clause: Clause) -> str:
    """ "are you" as "am I"."""
    if clause.head.lower_ == "you":
        return {"are": "am", "were": "was"}.get(verb, verb)
    return verb


def _stretch(head: Token) -> tuple[Token, ...] | None:
    """The subtree of a head where it is one stretch, without punctuation at its ends."""
    tokens = sorted(head.subtree, key=lambda token: token.i)
    while tokens and tokens[-1].is_punct:
        tokens.pop()
    if not tokens or tokens[-1].i - tokens[0].i + 1 != len(tokens):
        return None
    return tuple(tokens)
