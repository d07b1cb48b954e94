"""What is to be done, step by step, asked as somebody would who has to do it: "How do I renew a pass?" """

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.prose.facts import FactDraft
from ragassay.models.embedded.prose.lists import AnnouncedList, lists_of
from ragassay.models.embedded.prose.markup import for_parsing
from ragassay.models.embedded.prose.passages import ReadPassage, below, finished, read_passages, themed
from ragassay.models.embedded.prose.references import resolve
from ragassay.models.embedded.prose.setting import Setting
from ragassay.models.embedded.prose.wording import Wording
from ragassay.models.embedded.reading.clarity import POINTS_AWAY, is_clear
from ragassay.models.embedded.reading.parser import parse
from ragassay.tasks.statements import Passage

STEPS = "list_steps"
"""Form of these questions."""
LONGEST_ANSWER = 100
LONGEST_QUESTION = 18
"""Words. The parse of a longer lead-in is seldom right."""
UNKNOWN = 0.5
"""The worth of what is rated later."""
_ANNOUNCES = frozenset("steps following instructions these".split())
_BEGINS = frozenset("follow take complete do perform use".split())
_SENDS_BACK = re.compile(r"\b(?:example|e\.g|as follows|below|above|see|note|output|command|link|such as)\b", re.I)


def step_drafts(passages: Sequence[Passage], themes: Sequence[str]) -> list[list[FactDraft]]:
    """For each passage a question for every list of steps that its lead-in says the aim of: "To renew a pass:".

    themes: a few words on each passage, used where its title says nothing.
    Raises ValueError where passages and themes differ in number.
    """
    return [list(_drafts(read)) for read in read_passages(passages, themes)]


def _drafts(read: ReadPassage) -> Iterator[FactDraft]:
    setting = read.sections[0].setting if read.sections else Setting(read.passage, "", [], read.titles)
    asked = set()
    for each in lists_of(read.passage):
        question = _question(each, setting) if each.lead and each.whole else ""
        answer = " ".join(_whole(item) for item, _ in each.items)
        is_short = len(question.split()) <= LONGEST_QUESTION and len(answer.split()) <= LONGEST_ANSWER
        if not question or not is_short or POINTS_AWAY.search(answer):
            continue
        if not is_clear(question, by_people=True):  # who wrote the steps said what they are for
            question = themed(question, answer, below(setting, each.heading), anchored=False)
        if question and question.lower() not in asked:
            asked.add(question.lower())
            spans = (*((each.lead_span,) if each.lead_span else ()), *(span for _, span in each.items))
            yield FactDraft(question, answer, answer, tuple(spans), STEPS, UNKNOWN, UNKNOWN, {})


def _whole(item: str) -> str:
    """An item as a sentence."""
    text = item[:1].upper() + item[1:]
    return text if text[-1:] in ".!?" else f"{text.rstrip(';,')}."


def _question(each: AnnouncedList, setting: Setting) -> str:
    """ "To renew a pass:", "Follow these steps to renew a pass:" as a question; empty for what says no aim."""
    if _SENDS_BACK.search(each.lead):
        return ""
    plain = for_parsing(each.lead)
    (doc,) = parse([f"{plain.text}."])
    resolved = resolve(setting, [doc], [0], [plain.literals])[0]
    start, end = None, len(doc)
    if doc[0].lower_ == "to" and len(doc) > 3 and doc[1].tag_ == "VB":
        if any(token.dep_ == "ROOT" and token.i > 1 for token in doc):
            end = next((token.i for token in doc if token.text == ","), len(doc))
        announces = any(token.lower_ in _ANNOUNCES for token in doc[end:])
        start = 1 if end == len(doc) or announces else None
    elif doc[0].lemma_.lower() in _BEGINS:
        at = next((token.i for token in doc if token.lower_ == "to" and token.dep_ == "aux" and token.i > 2), None)
        start = at + 1 if at is not None and any(token.lower_ in _ANNOUNCES for token in doc[:at]) else None
    if start is None:
        return ""
    aim = [token for token in doc[start:end] if not (token.is_punct and token.i == len(doc) - 1)]
    while aim and (aim[-1].is_punct or aim[-1].lower_ == "please"):
        aim.pop()
    if len(aim) < 2 or any(token.i in resolved.dangling for token in aim):
        return ""
    wording = Wording(doc, plain.literals, resolved.references, setting.known_lower)
    return finished(wording.write(["how do I", *aim], asker=True))
