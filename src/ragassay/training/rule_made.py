"""Claims made by rule from any texts: the verifier's first stage."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ragassay.errors import InputError
from ragassay.models.embedded.reading.parser import parse
from ragassay.models.small import wording
from ragassay.training.claim_edits import Stock, edits, endings, entities
from ragassay.training.claim_forms import Edit, forms
from ragassay.training.claims import CONTRADICTED, NOT_STATED, SUPPORTED, claim_branch
from ragassay.training.items import TextBranch, TextItem
from ragassay.training.pairs import LEAST_PAIRS, Read, read_rows, text_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

SENTENCES = 4
"""Sentences of a passage that claims are made of; each gives a true and a false one."""
_WORDS = range(6, 46)
_FORM_WEIGHTS = {"verbatim": 1, "shortened": 3, "reordered": 3, "paraphrase": 3, "two_sentences": 2}
_NEIGHBOURS = 8
"""Passages of the same source in which a claim is looked for that has many of this one's words."""
_OTHERS = 400
"""Names of other passages to choose from."""


class Passage(NamedTuple):
    """A text to make claims about. text: plain."""

    id: str
    source: str
    title: str
    heading: str
    text: str


def read_texts(paths: Sequence[Path], seed: int) -> Read:
    """Items with claims about the passages of all files.

    paths: JSONL with "text" (and title, heading, source), or documents of any kind that Ragassay reads.
    Raises InputError for what cannot be read, and where fewer than LEAST_PAIRS claims can be made.
    """
    passages = [each for path in paths for each in _passages(path)]
    digest = hashlib.sha256()
    for each in passages:
        digest.update("\0".join(each).encode("utf-8", "replace"))
    read = Read(items=list(rule_made_items(passages, seed)), sha256=digest.hexdigest())
    made = sum(len(each.branches) for each in read.items)
    if made < LEAST_PAIRS:
        raise InputError(f"training needs at least {LEAST_PAIRS} claims; these texts give {made}")
    return read


def _passages(path: Path) -> Iterator[Passage]:
    if path.suffix == ".jsonl":
        for where, row in read_rows(path):
            yield Passage(
                text_of(row, "id", where, default=where.rpartition(" ")[2]),
                text_of(row, "source", where, default=""),
                text_of(row, "title", where, default=""),
                text_of(row, "heading", where, default=""),
                wording.plain(text_of(row, "text", where)),
            )
        return
    from ragassay.corpus.passages import passages
    from ragassay.corpus.read import ReadOptions, read_corpus

    if not path.exists():
        raise InputError(f"{path} does not exist; give documents, or a JSONL file with texts")
    for document in read_corpus([path], ReadOptions(), _say_nothing, _say_nothing):
        for span in passages(document, max_chars=1200):
            text = wording.plain(document.text[span.start : span.end])
            yield Passage(f"{document.id}:{span.start}", document.source, document.title, "", text)


def _say_nothing(note: object) -> None:
    """What cannot be used of a folder of documents is no loss here."""


def rule_made_items(passages: Sequence[Passage], seed: int) -> Iterator[TextItem]:
    """Each passage with the claims that rules make of it; as many true ones as false ones."""
    docs = list(parse([each.text for each in passages]))
    found = [entities([doc]) for doc in docs]
    every = list(dict.fromkeys(pair for each in found for pair in each))
    words = frozenset(token.lower_ for doc in docs for token in doc if token.is_alpha)
    by_source: defaultdict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(passages):
        by_source[each.source].append(number)
    used: Counter[str] = Counter()
    for number, (passage, doc) in enumerate(zip(passages, docs, strict=True)):
        random_ = random.Random(f"{passage.id} {seed}")
        neighbours = [each for each in by_source[passage.source] if each != number] or [
            each for each in range(len(passages)) if each != number
        ]
        others = [docs[each] for each in random_.sample(neighbours, min(len(neighbours), _NEIGHBOURS))]
        stock = Stock(
            own=found[number],
            others=random_.sample(every, min(len(every), _OTHERS)),
            endings=[each for other in others for each in endings(other)],
            words=words,
        )
        branches = list(_claims(doc, others, stock, used, random_))
        if branches:
            yield TextItem(
                id=passage.id,
                source=passage.source,
                document=f"{passage.source}/{passage.title}",
                title=wording.sentence(passage.title),
                heading=wording.sentence(passage.heading),
                text=passage.text,
                branches=tuple(branches),
            )


def _claims(
    doc: Doc, others: Sequence[Doc], stock: Stock, used: Counter[str], random_: random.Random
) -> Iterator[TextBranch]:
    usable = [(each, following) for each, following in _sentences(doc) if _is_usable(each)]
    for sentence, following in random_.sample(usable, min(len(usable), SENTENCES)):
        options = forms(sentence, following)
        true = _chosen(options, random_)
        base = _chosen(options, random_)
        false = _least_used(edits(next(iter(_parsed(base.text).sents)), stock, random_), used, random_)
        if false is None:
            continue
        used[false.kind] += 1
        quote = sentence.text
        yield claim_branch(true.text, SUPPORTED, true.kind, quote)
        yield claim_branch(false.text, NOT_STATED if false.kind == "addition" else CONTRADICTED, false.kind, quote)
    elsewhere = [
        each for other in others for each, _ in _sentences(other) if _is_usable(each) and each.text not in doc.text
    ]
    if usable and elsewhere:
        true = _chosen(forms(*random_.choice(usable)), random_)
        yield claim_branch(true.text, SUPPORTED, true.kind, "")
        words = {token.lemma_ for token in doc}
        nearest = max(elsewhere, key=lambda each: sum(token.lemma_ in words for token in each) / len(each))
        yield claim_branch(nearest.text, NOT_STATED, "unstated", "")


def _parsed(text: str) -> Doc:
    return next(iter(parse([text])))


def _sentences(doc: Doc) -> Iterable[tuple[Span, Span | None]]:
    """Each sentence, none over a line's end, with the one that follows on the same line."""
    every = [each for each in doc.sents if "\n" not in each.text.strip()]
    for place, sentence in enumerate(every):
        following = every[place + 1] if place + 1 < len(every) else None
        touches = following is not None and "\n" not in doc.text[sentence.end_char - 1 : following.start_char]
        yield _stripped(sentence), _stripped(following) if following is not None and touches else None


def _stripped(sentence: Span) -> Span:
    """Without white space and a list item's mark around it."""
    start, end = sentence.start, sentence.end
    while start < end - 1 and (sentence.doc[start].is_space or sentence.doc[start].text in {"-", "*", "+", "•"}):
        start += 1
    while end > start + 1 and sentence.doc[end - 1].is_space:
        end -= 1
    return sentence.doc[start:end]


def _is_usable(sentence: Span) -> bool:
    """Whole, of usual length, with a verb, and not hanging on the sentence before."""
    words = sum(1 for each in sentence if each.is_alpha)
    if words not in _WORDS or sentence.text[-1:] != "." or not (sentence[0].is_title or sentence[0].text.isupper()):
        return False
    return sentence.root.pos_ in {"VERB", "AUX"} and sentence[0].pos_ != "PRON"


def _chosen(options: Sequence[Edit], random_: random.Random) -> Edit:
    chosen: Any = random_.choices(options, [_FORM_WEIGHTS[each.kind] for each in options])[0]
    return Edit(*chosen)


def _least_used(options: Sequence[Edit], used: Counter[str], random_: random.Random) -> Edit | None:
    """An edit of the kind that was used least so far: kinds that every sentence offers crowd out no others."""
    if not options:
        return None
    rarest = min(used[each.kind] for each in options)
    return random_.choice([each for each in options if used[each.kind] == rarest])
