"""Questions for the items of an announced list: "You must:", "There are three kinds of leave:", "Reasons to …:"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import Clause, clauses
from ragassay.models.embedded.prose.inversion import inverted, straight
from ragassay.models.embedded.prose.markup import for_parsing
from ragassay.models.embedded.prose.passages import Line, ReadPassage, below, finished, is_anchored
from ragassay.models.embedded.prose.references import resolve
from ragassay.models.embedded.prose.setting import Setting, plain_title
from ragassay.models.embedded.prose.summaries.list_reading import AnnouncedList, lists_of, lowered
from ragassay.models.embedded.prose.summaries.sketch import Sketch
from ragassay.models.embedded.prose.whole_sentences import OPEN_ENDS, WholeSentence
from ragassay.models.embedded.prose.wording import Wording
from ragassay.models.embedded.reading.parser import parse

if TYPE_CHECKING:
    from spacy.tokens import Token

    Pieces = list[Token | str]

MANY = frozenset("following several various many some different few number couple multiple".split())
"""English words that announce items."""
LONGEST_LIST_QUESTION = 18
"""Words. The parse of a longer lead-in is seldom right."""
EMPTY_NOUNS = frozenset("thing item point one example detail".split())
SENDS_BACK = re.compile(r"\b(?:example|e\.g|as follows|below|above|see|note|output|command|link|such as)\b", re.I)


class _Asked(NamedTuple):
    """tokens: words of the lead-in that the question has. lead: words of the answer before its items."""

    text: str
    tokens: Sequence[Token | str]
    form: str
    lead: str


def headed_lists(read: ReadPassage) -> Iterator[Sketch]:
    """A list right below a heading that names a version: "Version 1.2"."""
    base = read.sections[0].setting if read.sections else Setting(read.passage, "", [], read.titles)
    for each in lists_of(read.passage):
        if each.lead or not each.heading:
            continue
        scope = below(base, each.heading)
        question, form = _of_heading(each)
        if question:
            spans = tuple(span for _, span in each.items)
            yield Sketch(finished(question), [i for i, _ in each.items], spans, form, scope, False)


_VERSION = re.compile(r"\bv?\d+\.\d+")


def _of_heading(each: AnnouncedList) -> tuple[str, str]:
    heading = plain_title(each.heading[-1])
    if _VERSION.search(heading) and re.match(r"(?:[A-Z]\w+ed|[A-Z]\w+s|[A-Z]\w+) ", each.items[0][0]):
        return f"what changed in {heading}", "list_changes"
    return "", ""


def announced_lists(read: ReadPassage) -> Iterator[Sketch]:
    """One question for each list whose lead-in says what its items are."""
    lists = [each for each in lists_of(read.passage) if each.lead]
    setting = read.sections[0].setting if read.sections else Setting(read.passage, "", [], read.titles)
    lines = [_lead_line(each, setting) for each in lists]
    for each, (line, boundary) in zip(lists, lines, strict=True):
        asked = _question(each, line, boundary)
        if asked is None:
            continue
        question = finished(asked.text)
        if len(question.split()) > LONGEST_LIST_QUESTION:
            continue
        yield Sketch(
            question,
            [lowered(item) if asked.lead else item for item, _ in each.items],
            (*([each.lead_span] if each.lead_span else []), *(span for _, span in each.items)),
            asked.form,
            below(setting, each.heading),
            is_anchored(asked.tokens, line),
            line.dangling([t for t in asked.tokens if isinstance(t, str) or t.lower_ not in MANY | {"these"}]),
            lead=asked.lead,
            features={"numbered": float(each.numbered), "whole": float(each.whole)},
        )


def _lead_line(each: AnnouncedList, setting: Setting) -> tuple[Line, int]:
    """The lead-in as a parsed line, completed by the first item where it is open; how many of its words are its own."""
    plain = for_parsing(each.lead)
    is_open = plain.text.split()[-1].lower() in OPEN_ENDS if plain.text.split() else False
    text = f"{plain.text} {lowered(each.items[0][0]).rstrip('.;,')}." if is_open else f"{plain.text}."
    doc = next(iter(parse([text])))
    resolved = resolve(setting, [doc], [0], [plain.literals])[0]
    boundary = sum(1 for token in doc if token.idx < len(plain.text))
    span = each.lead_span or (0, 0)
    sentence = WholeSentence(*span, each.lead, each.heading, 0, 0)
    wording = Wording(doc, plain.literals, resolved.references, setting.known_lower)
    return Line(sentence, doc, resolved, plain.literals, clauses(doc), wording), boundary if is_open else len(doc)


def _question(each: AnnouncedList, line: Line, boundary: int) -> _Asked | None:
    if SENDS_BACK.search(each.lead):
        return None
    last = line.doc[boundary - 1]
    if last.lower_ in OPEN_ENDS and boundary < len(line.doc) - 1:
        return _completed(line, boundary, last)
    purpose = _to_do(line)
    if purpose is not None:
        return purpose
    if not line.clauses:
        return _fragment(line)
    clause = line.clauses[-1]
    announced = _announced(clause, line)
    if announced is not None:
        return announced
    return _ends_in_verb(clause, line)


def _completed(line: Line, boundary: int, last: Token) -> _Asked | None:
    """ "You must:", "A refund is due if:", "The kit comes with:"."""
    clause = next(
        (c for c in reversed(line.clauses) if c.verb.i < boundary and line.doc[boundary] in c.verb.subtree), None
    )
    clause = clause or next(iter(line.clauses), None)
    if (
        clause is None
        or (clause.head is None and last.lower_ not in ("if", "when"))
        or clause.verb.lemma_ in ("think", "say", "mean")
    ):
        return None
    gap = [token for token in line.doc if token.i >= boundary]
    word = last.lower_
    lead = line.words([token for token in line.doc if token.i < boundary])
    lead = lead[:1].upper() + lead[1:]
    starts, ends = "what", ""
    if word in ("if", "when", "unless"):
        starts, gap = "when", [*(t for t in line.doc[last.i - 1 : last.i] if t.lower_ == "only"), last, *gap]
        if word == "unless":
            return None
    elif word == "by":
        starts, gap = "how", [last, *gap]
    elif last.tag_ in ("MD", "TO") or word in ("to", "not"):
        ends = "do"
        if last.tag_ == "IN" or (word == "to" and last.dep_ == "prep"):
            ends = ""
    elif word not in ("of", "for", "with", "from", "about", "on", "in", "be", "are", "is"):
        return None
    question = inverted(clause, starts, gap)
    if question is None:
        return None
    pieces: Pieces = list(question.pieces)
    own = [at for at, p in enumerate(pieces) if p == "I" or (not isinstance(p, str) and p.i < boundary)]
    if not own:
        return None
    if ends:
        after = _end_of_core(pieces, clause)
        pieces.insert(after, ends)
    text = line.wording.write(pieces, asker=True, forms=question.forms)
    form = {"when": "list_conditions", "how": "list_means"}.get(starts, "list_duties" if ends else "list_objects")
    return _Asked(text, pieces, form, lead)


def _end_of_core(pieces: Pieces, clause: Clause) -> int:
    """Where subject, auxiliaries and verbs of a question end, before the phrases that go to its end."""
    fronted = {token.i for phrase in clause.fronted for token in phrase}
    for at in range(len(pieces) - 1, -1, -1):
        piece = pieces[at]
        if isinstance(piece, str):
            return at + 1
        if piece.i not in fronted:
            return at + 1
    return len(pieces)


def _to_do(line: Line) -> _Asked | None:
    """ "To renew a pass:", "Follow these steps to renew a pass:"."""
    doc = line.doc
    opens = doc[0].lower_ == "to" and len(doc) > 3 and doc[1].tag_ == "VB"
    start = 1 if opens else None
    end = len(doc)
    if opens and any(token.dep_ == "ROOT" and token.i > 1 for token in doc):
        end = next((token.i for token in doc if token.text == ","), len(doc))
        rest = list(doc)[end:]
        follows = any(t.lower_ in ("steps", "following", "instructions") for t in rest)
        start = 1 if end == len(doc) or follows else None
    if start is None and doc[0].lemma_.lower() in ("follow", "take", "complete", "do", "perform", "use"):
        at = next((t.i for t in doc if t.lower_ == "to" and t.dep_ == "aux" and t.i > 2), None)
        if at is not None and any(t.lower_ in ("steps", "following", "instructions", "these") for t in doc[:at]):
            start = at + 1
    if start is None:
        return None
    tokens = [token for token in doc[start:end] if not (token.is_punct and token.i == len(doc) - 1)]
    if len(tokens) < 2:
        return None
    text = line.wording.write(["how do I", *tokens], asker=True)
    return _Asked(text, tokens, "list_steps", "")


def _fragment(line: Line) -> _Asked | None:
    """ "Benefits of pairing:", "Reasons to keep a log:"."""
    root = next((token for token in line.doc if token.dep_ == "ROOT"), None)
    tokens = [token for token in line.doc if not (token.is_punct and token.i == len(line.doc) - 1)]
    if root is None or root.tag_ != "NNS" or len(tokens) < 2 or any(t.tag_ in ("VBZ", "VBD", "MD") for t in tokens):
        return None
    if root.lemma_.lower() in EMPTY_NOUNS and len(tokens) < 4:
        return None
    tokens = [t for t in tokens if t.lower_ not in MANY | {"the", "these", "some"} or t.i > root.i]
    text = line.wording.write(["what are the", *tokens], asker=True)
    return _Asked(text, tokens, "list_fragment", "")


def _announced(clause: Clause, line: Line) -> _Asked | None:
    """ "The following documents are needed:", "There are three kinds of leave:", "It supports two formats:"."""
    if len([t for t in line.doc if t.tag_ in ("VBZ", "VBD") and t.dep_ != "relcl"]) > 1:
        return None
    noun = next((token for token in line.doc if _announces(token)), None)
    if noun is None:
        return None
    if any(t.lower_ == "so" for t in noun.subtree):
        return None
    if any(t.dep_ == "expl" for t in clause.verb.children):
        kept = [t for t in noun.subtree if (t.dep_ not in ("det", "nummod") and t.lower_ not in MANY) or t.i > noun.i]
        if noun.lemma_.lower() in EMPTY_NOUNS:
            return None
        return _Asked(line.wording.write(["what are the", *kept], asker=True), kept, "list_kinds", "")
    top = (
        noun.head.head
        if noun.dep_ == "pobj" and noun.head.lower_ == "of" and noun.head.head.pos_ in ("NUM", "PRON")
        else noun
    )
    phrase = [t for t in top.subtree if t.i in {m.i for m in clause.members + clause.subject}]
    limits = [t for t in phrase if t.i < noun.i and t.dep_ in ("amod", "compound") and t.lower_ not in MANY]
    behind = [t for t in phrase if t.i > noun.i]
    plural = noun.tag_ == "NNS"
    if noun.lower_ == "following" or noun.lemma_.lower() in EMPTY_NOUNS:
        asks: Pieces = ["what"]
        behind = [] if noun.lower_ == "following" else behind
    else:
        asks = ["which" if not behind or behind[0].lower_ != "of" else "what", *limits, noun, *behind]
    if not plural and noun.lower_ != "following":
        return None
    steps = noun.lemma_.lower() == "step" and clause.imperative
    if steps:
        return None
    if noun == clause.head or noun in clause.subject:
        if noun != clause.head:
            return None
        question = straight(clause, asks)
        if clause.verb.lemma_ == "be" and not clause.passive:
            rest = [t for t in clause.members if t != clause.verb and not t.is_punct]
            if any(t.pos_ == "NOUN" for t in rest):
                return None
            question = question._replace(pieces=["what are the", *limits, noun, *behind])
        text = line.wording.write(question.pieces, asker=True)
        return _Asked(text, question.pieces, "list_subjects", "")
    made = inverted(clause, "ASKED", phrase)
    if made is None:
        return None
    at = made.pieces.index("ASKED")
    pieces = [*made.pieces[:at], *asks, *made.pieces[at + 1 :]]
    if clause.imperative and clause.verb.lemma_ in ("follow", "note", "see", "consider", "remember"):
        return None
    text = line.wording.write(pieces, asker=True, forms=made.forms)
    return _Asked(text, pieces, "list_kinds", "")


def _announces(token: Token) -> bool:
    if (token.lower_ == "following" and token.pos_ in ("NOUN", "PROPN")) or (
        token.lower_ == "following" and token.dep_ in ("dobj", "pobj", "attr", "nsubj", "nsubjpass")
    ):
        return True
    if token.pos_ != "NOUN" or token.tag_ != "NNS":
        return False
    return any(
        child.i < token.i and (child.lower_ in MANY or child.dep_ == "nummod" or child.lower_ == "these")
        for child in token.children
    )


def _ends_in_verb(clause: Clause, line: Line) -> _Asked | None:
    """ "Reasons to keep a log include:", "To apply, send us:", "The benefits of pairing are:"."""
    tail = [token for token in line.doc if not token.is_punct][-1]
    if tail in (clause.chain[-1], clause.verb):
        if any(c.dep_ in ("dobj", "attr", "acomp") for link in clause.chain for c in link.children):
            return None
        if (tail.tag_ == "VBN" and clause.passive) or clause.verb.lemma_ in ("apply", "follow", "work", "happen"):
            return None
        if clause.verb.lemma_ in ("include", "be") and clause.head is not None and clause.head.tag_ == "NNS":
            if clause.auxiliaries:
                return None
            text = line.wording.write(["what are", *clause.subject], asker=True)
            return _Asked(text, list(clause.subject), "list_of", "")
        question = inverted(clause, "what", [])
        if question is None:
            return None
        text = line.wording.write(question.pieces, asker=True, forms=question.forms)
        return _Asked(text, question.pieces, "list_objects", "")
    return _plural_end(clause, line, tail)


def _plural_end(clause: Clause, line: Line, tail: Token) -> _Asked | None:
    """ "We accept these cards:" without its number: "You will need ingredients:"."""
    noun = tail
    while noun.dep_ in ("pobj", "prep") and noun.head != clause.verb:
        noun = noun.head
    if noun.tag_ != "NNS" or noun.dep_ not in ("dobj", "attr") or clause.negated:
        return None
    phrase = clause.phrase(noun)
    if any(t.dep_ in ("relcl", "poss") or t.lower_ in ("all", "any", "no", "each") for t in noun.children):
        return None
    asks = [t for t in phrase if t.dep_ != "det" or t.head != noun]
    if any(t.lower_ in ("these", "steps") for t in phrase):
        return None
    if clause.verb.lemma_ == "be" and clause.head is not None and clause.head.lower_ not in ("there",):
        return None
    made = inverted(clause, "ASKED", phrase)
    if made is None:
        return None
    at = made.pieces.index("ASKED")
    pieces: Pieces = [*made.pieces[:at], "which", *asks, *made.pieces[at + 1 :]]
    text = line.wording.write(pieces, asker=True, forms=made.forms)
    return _Asked(text, pieces, "list_plural", "")
