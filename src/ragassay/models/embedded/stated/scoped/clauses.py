"""What anything is, what it is called, when it is to happen, why, and what holds if: asked within the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import THEME, Analysis, Sentence, is_self_contained
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.framing import as_reader
from ragassay.models.embedded.reading.grammar import Clause, clause_of, inverted, lemma, lower_first, tokens_of
from ragassay.models.embedded.reading.phrases import cut, is_whole
from ragassay.models.embedded.reading.reckoning import find_dates
from ragassay.models.embedded.reading.tagger import is_word
from ragassay.models.embedded.reading.themes import PERSON_NOUNS
from ragassay.models.embedded.stated.drafts import Draft, Event, capitalised
from ragassay.models.embedded.stated.event_facts import is_cut_short, places
from ragassay.models.embedded.stated.scoped.scope import framed_sentences, names_something, subject_in_sentence, usable


def clause_facts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts from every plain sentence; questions lack their frame and begin in lower case."""
    for sentence in framed_sentences(analysis):
        yield from _conditions(analysis, sentence)
        yield from _instructions(analysis, sentence)
        clause = usable(sentence)
        if clause is None:
            continue
        yield from _reasons(analysis, sentence)
        yield from _definitions(analysis, sentence, clause)
        yield from _what_the_theme_does(analysis, sentence, clause)
        yield from _what_it_does(analysis, sentence, clause)
        yield from _callings(analysis, sentence, clause)
        yield from _planned(analysis, sentence, clause)
        yield from _dated(analysis, sentence, clause)
        if THEME not in sentence.masked:  # with the theme, these were asked without a frame
            for draft in places(analysis, sentence, clause):
                yield replace(draft, question=draft.question[:1].lower() + draft.question[1:])


def _draft(analysis: Analysis, sentence: Sentence, pattern: str, question: str, answer: str) -> Draft:
    return Draft(
        pattern=pattern,
        question=lower_first(analysis.unmask(f"{question}?")),
        answer=capitalised(analysis.unmask(answer)),
        statement=re.sub(r"\s+", " ", sentence.quote).strip(),
        quotes=(sentence.quote,),
        attribute=pattern,
    )


_NO_DEFINITION = re.compile(
    r"(?:an?|the) (?:very |more |most |particularly )?(?:same|only|first|second|third|one|way|result|part|lot|number|"
    r"good|bad|great|better|best|worst|main|major|key|important|reason|case|example|matter|little|bit|few|following|"
    r"question|problem|must|mistake|shame|pity|responsib\w+|choice|subject|focus|default|latest|next|last|new|"
    r"common|popular|useful|nice|simple|perfect|typical|possibility|possible)\b"
)


_NO_TERM = re.compile(
    r"(?:any|every|each|all|no|one|some|another|my|an? (?:key|major|main|common|good|typical|related|second|third|"
    r"final|similar|better|single|possible|simple|further|last|new|important|central|basic|notable|frequent))\b",
    re.IGNORECASE,
)


_SUPERLATIVE = re.compile(r"the (?:(?:least|most) \w+|\w+est)(?:(?:,? and|,) (?:(?:the )?(?:least|most) \w+|\w+est))*")
"""No definition: 'Corona mills are the least expensive and most common.'"""


def _definitions(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'Bulk density is the mass of dry soil per unit of volume.'"""
    subject = subject_in_sentence(clause, analysis)
    told = clause.rest
    if (
        not clause.is_copula
        or clause.front
        or clause.main.lower not in {"is", "are"}
        or clause.subject == THEME
        or len(subject.split()) > 5
        or subject.lower().startswith(("the ", "no ", "its ", "their "))
        or THEME in subject
    ):
        return
    if not re.match(r"(?:an?|the) ", told) or _NO_DEFINITION.match(told) or not 6 <= len(told.split()) <= 30:
        return
    if re.search(r"[A-Z]\w* \d+(?:[–-]\d+)?$", subject):
        return  # 'Line 1' of a listing
    if _NO_TERM.match(subject) or _SUPERLATIVE.fullmatch(told) or re.search(r"\b(?:returns?|if|when)\b", subject):
        return
    if re.search(r"[;:–—]|, (?:but|so|and|or)\b", told) or not is_self_contained(told, subject_is_theme=True):
        return
    head = told.split(" of ")[0].split(" that ")[0].split(" who ")[0].split(",")[0].split()[-1]
    if PERSON_NOUNS.search(head) and subject[:1].isupper():
        return
    yield _draft(analysis, sentence, "what_is_named", f"what {clause.main.lower} {subject}", told)


_HOW_CALLED = re.compile(
    r"(?:by|with|from|in|on|at|to|for|after|before|once|twice|only|automatically|directly|during|every|each|whenever)\b"
)
"""No name: 'The cleanup hook is called by the core.'"""


def _callings(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'Particles larger than 2 mm are called the coarse fraction.'"""
    if clause.main.lower not in {"called", "termed"} or not clause.is_passive or clause.front:
        return
    name = re.split(r",| and | or | because | if | when |\(", clause.rest)[0].strip()
    if _HOW_CALLED.match(name):
        return
    if 1 <= len(name.split()) <= 5 and is_whole(name) and len(clause.subject.split()) >= 3:
        yield _draft(
            analysis, sentence, "called", f"what {inverted(clause, subject_in_sentence(clause, analysis), '')}", name
        )


_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY_OF_MONTH = re.compile(rf"\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}})\b(?! ?\d|,? \d{{4}})")
_CLOCK = r"\d[\d:.]*(?: ?[ap]m)?"
_WHEN = re.compile(r"(?:^| )(?P<preposition>on|in|by|from|until|before|after) (?P<day>(?:[A-Z][a-z]+day,? )?)$")


def _planned(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'The open day will be held on Saturday 13 July.': what is to happen, or happens, on a date."""
    dates = [(date.start, date.end) for date in find_dates(clause.rest)]
    dates = dates or [match.span() for match in _DAY_OF_MONTH.finditer(clause.rest)]
    if len(dates) != 1 or clause.front or not (clause.auxiliaries or clause.is_copula):
        return
    start, end = dates[0]
    first = clause.auxiliaries[0].lower if clause.auxiliaries else clause.main.lower
    if first not in {"will", "is", "are", "must", "shall", "should", "may", "can"}:
        return
    match = _WHEN.search(clause.rest[:start])
    after = clause.rest[end:]
    if (
        match is None
        or not re.match(r"$|[,;]| (?:from|to|at|and)\b", after)
        or match["preposition"] in {"before", "after"}
    ):
        return
    kept = clause.rest[: match.start()].strip()
    if re.search(r"\b(?:at|until|till|from|by) (?:\d|the\b|noon|midnight)", kept):
        return  # a second time beside the date
    subject = subject_in_sentence(clause, analysis)
    if (kept and not is_whole(f"{kept} x")) or not is_self_contained(f"{subject} {kept}", subject_is_theme=False):
        return
    if not kept and clause.is_copula and not re.search(r"^the (?:next|first|last|deadline|closing)", subject):
        return
    asker = {"by": "by when", "from": "from when", "until": "until when"}.get(match["preposition"], "when")
    clock = re.match(rf" (?:from|to|at) {_CLOCK}(?: (?:to|and) {_CLOCK})?", after)
    answer = (
        f"{match['preposition']} {match['day']}{clause.rest[start:end]}{clock.group().rstrip(' .') if clock else ''}"
    )
    yield _draft(analysis, sentence, "when_planned", f"{asker} {inverted(clause, subject, kept)}", answer)


def _dated(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'Debian 2.0 was released July 1998.': when something happened, with or without a preposition."""
    text = f"{clause.front} {clause.rest}"
    dates = find_dates(text)
    first = clause.auxiliaries[0].lower if clause.auxiliaries else ""
    if len(dates) != 1 or clause.is_copula or (first not in {"was", "were"} if first else clause.main.tag != "VBD"):
        return
    date = dates[0]
    if date.end <= len(clause.front):
        before, kept, after = text[: date.start], cut(clause.rest), ""
        if not re.fullmatch(r"(?:In|On) (?:[A-Z][a-z]+day,? )?", before) or date.end < len(clause.front.rstrip(", ")):
            return
    else:
        before = re.sub(r",? ?(?:(?:in|on) )?(?:[A-Z][a-z]+day,? )?$", "", text[: date.start])
        kept, after = before[len(clause.front) + 1 :].strip(), text[date.end :]
        if clause.front or re.search(
            r"\b(?:since|until|from|between|before|after|by|as of|late|early|mid|of|to|for)$", before
        ):
            return
    subject = subject_in_sentence(clause, analysis)
    if re.match(r"(?:,? (?:and|to|or|until)\b|[-–—:])", after) or is_cut_short(kept, after) or len(kept.split()) > 14:
        return
    if (kept and not is_whole(kept)) or not is_self_contained(f"{subject} {kept}", subject_is_theme=False):
        return
    if re.search(
        r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b", kept
    ):
        return  # the date begins there
    if not kept and not (
        clause.is_passive or clause.lemma in {"begin", "start", "end", "open", "close", "die", "fail"}
    ):
        return
    verbs = [token.text for token in clause.auxiliaries] + [clause.main.text]
    told = analysis.unmask(" ".join(part for part in (subject, *verbs, kept) if part))
    asked = inverted(clause, subject, kept)
    draft = _draft(analysis, sentence, "when_dated", f"when {asked}", date.text)
    yield replace(
        draft,
        attribute=f"{clause.lemma} {kept}",
        event=Event(told, analysis.unmask(asked), date, subject_is_theme=clause.subject == THEME),
    )


_BECAUSE = re.compile(r"^(?P<told>[^,;:]+?),? because (?P<reason>(?!of\b)[^;:]+)\.$")
_OF_SUBJECT = re.compile(r"\b(?:it|its|they|their|them)\b", re.IGNORECASE)


def _reasons(analysis: Analysis, sentence: Sentence) -> Iterator[Draft]:
    """'S because R.': why; pronouns of the reason are allowed where they can only mean the subject."""
    match = _BECAUSE.match(sentence.masked)
    if match is None:
        return
    clause = clause_of(f"{match['told']}.")
    reason = match["reason"]
    if clause is None or not names_something(clause.subject) or len(clause.rest.split()) < 2 or clause.front:
        return
    bare_reason = _OF_SUBJECT.sub("X", reason) if not re.search(r"\b(?:the|an?) \w", clause.rest) else reason
    if not is_self_contained(f"{clause.rest} {bare_reason}", subject_is_theme=False) or len(reason.split()) < 4:
        return
    question = f"why {inverted(clause, subject_in_sentence(clause, analysis), clause.rest)}"
    yield _draft(analysis, sentence, "why", question, f"because {reason}")


_CONDITION = re.compile(r"^(?:If|When|Where) (?P<condition>[^,;:]+), (?P<then>then )?(?P<main>[^;:]+)\.$")
_ADDRESSED = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_DUTY = frozenset({"must", "shall", "should"})


def _conditions(analysis: Analysis, sentence: Sentence) -> Iterator[Draft]:
    """'If the rent is late, you must tell the owner.': what to do under a condition."""
    match = _CONDITION.match(sentence.masked) if "," in sentence.masked else None
    if match is None or not 8 <= len(sentence.masked.split()) <= 40:
        return
    condition, main = match["condition"].strip(), match["main"].strip()
    clause, then = clause_of(f"{capitalised(condition)}."), clause_of(f"{capitalised(main)}.")
    if clause is None or then is None or clause.front or then.front:
        return
    if not all(_stands(part) for part in (condition, main)):
        return
    if not (names_something(clause.subject) or clause.subject.lower() == "you") or len(content_words(condition)) < 3:
        return
    if re.match(r"you (?:want|wish|would|need|have|are|do|can|prefer)\b", condition):
        return
    if then.subject.lower() in {"this", "that", "these", "those", "there"} or len(content_words(main)) < 4:
        return
    verb = then.auxiliaries[0].lower if then.auxiliaries else ""
    if then.subject.lower() == "you" and verb in _DUTY and not then.is_passive:
        word = sentence.masked.split()[0].lower()
        yield _draft(analysis, sentence, "condition_of", f"what {verb} I do {word} {as_reader(condition)}", main)


def _stands(text: str) -> bool:
    """Whether a part of a sentence makes sense alone, 'you' being whoever reads."""
    pointing = any(token.lower == "that" and token.tag == "DT" for token in tokens_of(text))
    return not pointing and is_self_contained(_ADDRESSED.sub("X", text), subject_is_theme=False)


_TO_DO = re.compile(
    r"^(?:In order to|To) (?P<aim>[a-z]+ [^,;:]{6,90}), (?P<how>(?:you (?:can|must|should|need to|have to|may|"
    r"will need to) )?[a-z]+ [^;]+)\.$"
)
_NO_AIM = frozenset(
    """
    be do get know start begin help avoid summarize summarise sum conclude illustrate see understand quote put give take
    return repeat say state recap add cite paraphrase name
""".split()
)


def _instructions(analysis: Analysis, sentence: Sentence) -> Iterator[Draft]:
    """'To list installed packages, run dpkg -l.': how to do it."""
    match = _TO_DO.match(sentence.masked) if sentence.masked.startswith(("To ", "In order to ")) else None
    if match is None or len(sentence.masked.split()) > 40:
        return
    aim, how = match["aim"], match["how"]
    verb, first = (
        aim.split()[0],
        re.sub(r"^you (?:can|must|should|need to|have to|may|will need to) ", "", how).split()[0],
    )
    if (
        lemma(verb) != verb
        or verb in _NO_AIM
        or lemma(first) != first
        or first in {"see", "refer", "read", "consult"}
        or not is_word(first)
        or (not how.startswith("you ") and clause_of(f"{capitalised(how)}.") is not None)
        or re.search(r"\b(?:analogy|example|phrase|words|point)\b", aim)
        or len(how.split()) < 3
        or len(content_words(aim)) < 2
    ):
        return
    if tokens_of(f"to {first} it")[1].tag not in {"VB", "VBP", "NN"} or how.endswith(":") or not _stands(aim):
        return
    if re.search(r"\b(?:it|them|this|these|that|those|following|above|below|here|figure|as follows)\b", how, re.I):
        return
    if how.endswith(" first"):
        return  # more steps follow
    modal = "can" if re.match(r"you (?:can|may)\b", how) else "do"
    yield _draft(analysis, sentence, "how_to", f"how {modal} I {as_reader(aim)}", how)


_OF_THE_THEME = re.compile(rf"(?:the (?P<thing>[a-z-]+) )?{THEME}$", re.IGNORECASE)


_SAYS_LITTLE = frozenset("be have look seem appear need require mean depend work help tend exist consist".split())


_HOLDS = frozenset({"contain", "include", "comprise", "hold"})
"""Verbs that tell nothing done."""


def _what_the_theme_does(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'This filter turns the image into ...' where a page introduces its subject: what it does, in any verb."""
    match = _OF_THE_THEME.match(clause.subject)
    if match is None or clause.front or clause.auxiliaries or clause.main.tag != "VBZ" or clause.lemma in _SAYS_LITTLE:
        return
    if sentence.quote[:50] not in analysis.passage.opening or not 4 <= len(clause.rest.split()) <= 30:
        return
    if analysis.profile.is_person or not (match["thing"] or analysis.theme_is_a_name):
        return
    if not is_self_contained(clause.rest, subject_is_theme=True) or re.search(r"[;:]|\b(?:below|above)\b", clause.rest):
        return
    if tokens_of(clause.rest)[0].tag in {"IN", "TO", "RB", "RP"}:
        return  # it does nothing to anything: 'sits along the river'
    subject = f"the {match['thing']} {THEME}" if match["thing"] else THEME
    if clause.lemma in _HOLDS:
        yield _draft(analysis, sentence, "does_what", f"what does {subject} {clause.lemma}", clause.rest)
        return
    yield _draft(analysis, sentence, "does_what", f"what does {subject} do", f"it {clause.main.text} {clause.rest}")


_DOES = frozenset(
    """
    provide allow enable contain store control determine specify display affect indicate measure ensure prevent
    handle manage list define describe cover protect generate convert remove return govern regulate
""".split()
)


def _what_it_does(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'The gateway connects ...': what something provides, contains or controls, in the whole rest of the sentence."""
    if clause.auxiliaries or clause.lemma not in _DOES or clause.front or clause.main.tag not in {"VBZ", "VBP"}:
        return
    rest, subject = clause.rest, subject_in_sentence(clause, analysis)
    if (
        not 4 <= len(rest.split()) <= 22
        or rest.startswith("one to ")
        or re.search(r"[;:–—]|, (?:but|so|and|or|which|while|where|thus)\b| as (?!an? |the |root)", rest)
        or len(subject.split()) > 7
    ):
        return
    if tokens_of(rest)[0].tag.startswith("RB"):
        return
    if not is_self_contained(rest, subject_is_theme=False) or re.match(
        r"(?:and|or|that|how|whether|what|why|when|to|if)\b", rest
    ):
        return
    if re.search(r"(?:,| and | or )", rest) and not re.search(r"\b(?:allow|enable|ensure|prevent)", clause.lemma):
        return  # several units
    aux = "does" if clause.main.tag == "VBZ" else "do"
    yield _draft(analysis, sentence, "what_it_does", f"what {aux} {subject} {clause.lemma}", rest)
