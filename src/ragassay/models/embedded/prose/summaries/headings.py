"""Headings that name a task, ask in an indirect way, or name a topic, with the few sentences below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.passages import Line, ReadPassage, Section, below, finished
from ragassay.models.embedded.prose.setting import Title, plain_title
from ragassay.models.embedded.prose.summaries.sketch import LONGEST_ANSWER, Sketch

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST_SENTENCES = 5
REASONS = frozenset("because so since otherwise help helps allow allows make makes reduce improve avoid ensure".split())
"""English words that sentences of reasons have."""
DUTIES = frozenset("must should shall need required cannot may never".split())


def headed_sections(read: ReadPassage) -> Iterator[Sketch]:
    """One question for a heading, answered by all its sentences, or by those that tell what to do."""
    for section in read.sections:
        if len(section.lines) < 2 or not section.heading:
            continue
        asked = _question(section, read)
        if asked is None:
            continue
        question, form, lines = asked
        parts = [line.whole(set()) for line in lines]
        while len(parts) > 2 and len(lines) == len(section.lines) and form in ("heading_asks", "heading_known"):
            if sum(len(part.split()) for part in parts) <= LONGEST_ANSWER:
                break
            parts, lines = parts[:-1], lines[:-1]
        yield Sketch(
            finished(question),
            parts,
            tuple(span for line in lines for span in line.spans),
            form,
            below(section.setting, section.heading[:-1]),
            False,
            sum(line.dangling(line.doc) for line in lines),
            features={
                "orders": _share(section.lines, _is_order),
                "reasons": _share(section.lines, _is_reason),
                "of": len(lines) / len(section.lines),
            },
        )


def _question(section: Section, read: ReadPassage) -> tuple[str, str, Sequence[Line]] | None:
    heading = plain_title(section.heading[-1])
    doc = read.titles.get(heading)
    if doc is None or not heading or heading.endswith("?"):
        return None
    indirect = indirect_question(heading, doc, section)
    if indirect:
        return indirect, "heading_asks", section.lines
    title = next((t for t in section.setting.titles if t.text.lower().endswith(heading.lower()[-12:])), None)
    if title is None:
        return None
    return _of_title(title, doc, section)


_POINTS_OUT = re.compile(r"\b(?:it|this|that|these|those|they|them|its|their)\b", re.I)


def indirect_question(heading: str, doc: Doc, section: Section) -> str:
    """ "How refunds work", "When to call", "Why we review": the direct question; empty where the parse gives none."""
    words = heading.split()
    first = words[0].lower()
    if (
        _POINTS_OUT.search(heading)
        or first not in ("how", "why", "when", "what", "where", "who", "which")
        or len(words) < 3
    ):
        return ""
    tokens = list(doc)
    rest = [token for token in tokens[1:] if not token.is_punct]
    if rest[0].lower_ == "to":
        return f"{first} {'do' if first == 'how' else 'should'} I {_asker(heading.split(maxsplit=2)[2], section)}"
    if first in ("who", "which"):
        return _asker(heading, section)
    root = next((t for t in doc if t.dep_ == "ROOT"), None)
    subject = next((c for c in root.children if c.dep_ in ("nsubj", "nsubjpass")), None) if root is not None else None
    if root is None or subject is None or subject.i == 0 or subject.i > root.i:
        return ""
    if any(t.dep_ in ("aux", "auxpass") and t.i < subject.i for t in root.children):
        return _asker(heading, section)
    named = " ".join(t.text_with_ws for t in subject.subtree).strip()
    named = re.sub(r"\s+", " ", named)
    organisation = section.setting.organisation
    if subject.lower_ == "we":
        if not organisation:
            return ""
        named = organisation
    lead = " ".join(t.text for t in tokens[: min(w.i for w in subject.subtree)])
    after = "".join(t.text_with_ws for t in tokens[max(w.i for w in subject.subtree) + 1 :]).strip()
    auxiliary = next((c for c in root.children if c.dep_ in ("aux", "auxpass")), None)
    if auxiliary is not None:
        after = after.replace(auxiliary.text, "", 1).strip()
        verb = auxiliary.text
    elif root.lemma_ == "be":
        after = after.replace(root.text, "", 1).strip()
        verb = root.text
    elif root.tag_ in ("VBZ", "VBP", "VBD"):
        singular = root.tag_ == "VBZ" or (named == organisation and root.tag_ != "VBD")
        verb = "did" if root.tag_ == "VBD" else "does" if singular else "do"
        after = after.replace(root.text, root.lemma_, 1)
    else:
        return ""
    return _asker(f"{lead} {verb} {named} {after}", section)


def _asker(text: str, section: Section) -> str:
    words = section.setting.lowered(text)
    words = re.sub(r"\byour\b", "my", words, flags=re.I)
    words = re.sub(r"\b(should|can|must|do|may|will) you\b", r"\1 I", words, flags=re.I)
    words = re.sub(r"\b(for|to|with|of|from|by|on|at|about) you\b", r"\1 me", words, flags=re.I)
    return re.sub(r"\byou\b", "I", words, flags=re.I)


def _of_title(title: Title, doc: Doc, section: Section) -> tuple[str, str, Sequence[Line]] | None:
    lines = section.lines
    orders = [line for line in lines if _is_order(line)]
    reasons = [line for line in lines if _is_reason(line)]
    text = _asker(title.text, section)
    if title.kind in ("how_to", "imperative", "gerund"):
        if title.kind != "how_to" and not _has_object(doc):
            return None
        gerund = title.kind == "gerund" or (text.split()[0].endswith("ing") and doc[0].lemma_ != doc[0].lower_)
        kind = "gerund" if gerund else title.kind
        if gerund:
            if doc[0].tag_ != "VBG" or " " not in text:
                return None
            text = f"{doc[0].lemma_.lower()} {text.split(' ', 1)[1]}"
        if 2 <= len(orders) <= MOST_SENTENCES + 1:
            chosen = lines if len(lines) <= MOST_SENTENCES and 2 * len(orders) > len(lines) else orders
            return f"how {'do' if kind != 'imperative' else 'should'} I {text}", f"heading_{kind}", chosen
        if kind == "imperative" and len(reasons) >= 2 and not orders:
            return f"why should I {text}", "heading_why", reasons[:MOST_SENTENCES]
        return None
    if title.kind in ("topic", "document"):
        return _of_topic(title, section)
    return None


def _has_object(doc: Doc) -> bool:
    """Whether a verb begins the heading for certain: a word follows that only follows verbs, or a plural object."""
    if len(doc) < 2:
        return False
    rest = doc[1:]
    return (
        rest[0].pos_ in ("DET", "ADP", "ADV", "PART")
        or rest[0].tag_ == "PRP$"
        or any(token.dep_ == "dobj" and token.tag_ == "NNS" for token in rest)
    )


def _of_topic(title: Title, section: Section) -> tuple[str, str, Sequence[Line]] | None:
    lines = section.lines
    text = _asker(title.text, section)
    if len(text.split()) > 6 or re.search(r"\band\b.*\band\b|[,:/]", text) or text.split()[0] in _NOT_TOPICS:
        return None
    rules = [line for line in lines if _is_duty(line)]
    if 2 <= len(rules) <= MOST_SENTENCES and 2 * len(rules) > len(lines):
        return f"what are the rules {'for' if title.plural else 'on'} {text}", "heading_rules", rules
    name = section.setting.name
    past = sum(1 for line in lines if any(c.verb.tag_ == "VBD" or c.passive for c in line.clauses)) / len(lines)
    if name is not None and past >= 0.5 and name.text.lower() not in text.lower():
        if name.person:
            return f"what is known about {name.text}'s {text}", "heading_known", lines
        return f"what is known about the {text} of {name.text}", "heading_known", lines
    return None


_NOT_TOPICS = frozenset("about should must could do don't note step tips to what from before after if when".split())


def _share(lines: Sequence[Line], is_so: object) -> float:
    assert callable(is_so)
    return sum(1 for line in lines if is_so(line)) / len(lines)


def _is_order(line: Line) -> bool:
    return any(
        c.imperative or (c.second_person and c.modal in ("must", "should", "need to", "can")) for c in line.clauses
    )


def _is_duty(line: Line) -> bool:
    return any(token.lower_ in DUTIES for token in line.doc)


def _is_reason(line: Line) -> bool:
    return any(token.lower_ in REASONS for token in line.doc) and not _is_order(line)
