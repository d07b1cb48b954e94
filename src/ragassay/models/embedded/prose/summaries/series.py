"""Several sentences in a row on one subject: its duties, what it is and does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause
from ragassay.models.embedded.prose.forms.kinds import is_person
from ragassay.models.embedded.prose.passages import Line, ReadPassage, Section, is_anchored, question_of
from ragassay.models.embedded.prose.setting import plain_title
from ragassay.models.embedded.prose.summaries.sketch import Sketch

if TYPE_CHECKING:
    from spacy.tokens import Token

DUTY = frozenset({"must", "shall", "should", "need to", "have to"})
LEAST, MOST = 2, 5
"""Sentences of a series."""
LONGEST_SUBJECT = 6
"""Words."""

Said = tuple[Line, Clause]


def series(read: ReadPassage) -> Iterator[Sketch]:
    for section in read.sections:
        said = [(line, line.clauses[0]) for line in section.lines if line.clauses]
        yield from _duties(said, section)
        yield from _is_and_does(section)


def subject_name(line: Line, clause: Clause) -> str:
    """The subject with a name for its pronoun, in lower case; empty for what points to something unknown."""
    if clause.head is None:
        return "i"
    if clause.head.lower_ == "you":
        return "i"
    if line.dangling(clause.subject) or len(clause.subject) > LONGEST_SUBJECT:
        return ""
    return line.words(clause.subject, asker=True).lower()


def _runs(
    said: Sequence[Said], key: Callable[[Line, Clause], tuple[str, str]]
) -> Iterator[tuple[tuple[str, str], list[Said]]]:
    """Runs of sentences that agree in ``key``; an empty key breaks a run."""
    run: list[Said] = []
    current = ("", "")
    for line, clause in [*said, (None, None)]:
        found = key(line, clause) if line is not None and clause is not None else ("", "")
        if found != current or not found[0]:
            if current[0] and LEAST <= len(run) <= MOST:
                yield current, run
            run = []
        current = found
        if line is not None and clause is not None and found[0]:
            run.append((line, clause))


def _duties(said: Sequence[Said], section: Section) -> Iterator[Sketch]:
    """What somebody must, may or must not do, in several sentences with the same modal verb."""
    for (subject, modal), run in _runs(said, _duty_key):
        line, clause = run[0]
        denied = modal.endswith(" not")
        bare = modal.removesuffix(" not")
        who = [*clause.subject] if clause.head is not None else ["I"]
        middle = "not do" if denied else "do"
        if bare in ("need to", "have to"):
            does = "does" if clause.head is not None and clause.head.tag_ == "NN" else "do"
            pieces: list[Token | str] = [f"what {does}", *who, bare, middle]
        elif bare in ("can", "may") and denied:
            pieces = ["what", bare, *who, "not do"]
        else:
            pieces = ["what", bare, *who, middle]
        if modal == "order":
            case = case_heading(section)
            if not case:
                continue
            pieces = [f"what should I do {case}"]
        elif subject == "i" or (not denied and bare in ("can", "may")):
            case = case_heading(section)
            if not case:
                continue
            pieces = [*pieces, case]
        question = question_of(line, pieces)
        named = is_anchored(clause.subject, line)
        yield Sketch(
            question,
            [each.whole(set()) for each, _ in run],
            tuple(span for each, _ in run for span in each.spans),
            "series_orders" if modal == "order" else "series_duties",
            section.setting,
            named and len(question.split()) > 6,
            sum(each.dangling(each.doc) for each, _ in run),
            features={"me": float(subject == "i"), "denied": float(denied)},
        )


_CASE = re.compile(r"(?:if|when|whenever|before|after|during|while|in case)\b(?! to\b)", re.I)


def case_heading(section: Section) -> str:
    """The heading as the end of "what should I do": "if you miss a dose", "before first use"; empty if it is none."""
    heading = plain_title(section.heading[-1]) if section.heading else ""
    if not _CASE.match(heading) or not 2 <= len(heading.split()) <= 10 or heading.endswith("?"):
        return ""
    text = section.setting.lowered(heading)
    text = text[:1].lower() + text[1:]
    text = re.sub(r"\byou are\b", "I am", re.sub(r"\byour\b", "my", text))
    return re.sub(r"\byou\b", "I", text)


def _duty_key(line: Line, clause: Clause) -> tuple[str, str]:
    subject = subject_name(line, clause)
    if clause.imperative:
        denied = clause.negated
        return ("i", "order") if not denied and not clause.fronted else ("", "")
    if clause.head is None or not (subject == "i" or is_person(clause.head)) or clause.passive:
        return "", ""
    modal = clause.modal
    if modal not in DUTY | {"can", "may"}:
        return "", ""
    denied = any(c.dep_ == "neg" for c in clause.verb.children)
    return subject, f"{modal} not" if denied else modal


def _is_and_does(section: Section) -> Iterator[Sketch]:
    """ "X is a …" and the next sentence "It lets …": what is X, and what does it do?"""
    for line, following in zip(section.lines, section.lines[1:], strict=False):
        if not line.clauses or not following.clauses:
            continue
        first, second = line.clauses[0], following.clauses[0]
        if first.head is None or second.head is None or first.verb.lemma_ != "be" or first.auxiliaries or first.fronted:
            continue
        noun = next((c for c in first.complements() if c.dep_ == "attr" and c.pos_ == "NOUN"), None)
        if noun is None or first.negated or first.head.pos_ not in ("NOUN", "PROPN") or line.dangling(line.doc):
            continue
        if not any(c.lower_ in ("a", "an") for c in noun.children) or is_person(noun):
            continue
        name = subject_name(line, first)
        if not name or subject_name(following, second) != name or first.verb.tag_ == "VBD":
            continue
        plural = first.head.tag_ in ("NNS", "NNPS")
        asks = _second_half(second, plural)
        if not asks:
            continue
        be = "are" if plural else "is"
        question = question_of(line, [f"what {be}", *first.subject, f"and {asks}"])
        parts = [line.whole(set()), following.whole(set())]
        spans = (*line.spans, *following.spans)
        yield Sketch(
            question,
            parts,
            spans,
            "is_and_does",
            section.setting,
            is_anchored(first.subject, line),
            following.dangling(following.doc),
        )


def _second_half(clause: Clause, plural: bool) -> str:
    they = "they" if plural else "it"
    if clause.passive and clause.verb.lemma_ == "use" and clause.verb.tag_ == "VBN":
        return f"what {'are' if plural else 'is'} {they} used for"
    if clause.passive or clause.verb.lemma_ in ("be", "have", "remain", "become") or clause.negated:
        return ""
    if clause.modal in ("can", "may") and clause.verb.pos_ == "VERB":
        return f"what can {they} do"
    if (
        clause.verb.tag_ in ("VBZ", "VBP")
        and not clause.auxiliaries
        and any(c.dep_ in ("ccomp", "xcomp") for c in clause.verb.children)
    ):
        return f"what {'do' if plural else 'does'} {they} do"
    return ""
