"""What one asks of this kind of page and it leaves open: approvals, injuries, costs, limits.

Where the verifier is on, it reads whether the document answers a question. Where it is off, a question is asked only
if none of the words stands in the text in which any answer would have to be given; the words are chosen wide, so that
many questions are lost and few are answered after all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.stated.parameters import Parameter, parameters_of
from ragassay.models.small import roles


class Open(NamedTuple):
    """A question that a text may leave open. pattern: the rule that wrote it."""

    pattern: str
    question: str


class _Kind(NamedTuple):
    """A question for one kind of page: {} takes its theme, {was} its number.

    answered: what stands in the text if it may hold an answer.
    """

    pattern: str
    answered: str
    question: str


_MONEY = r"[£$€]|\bcost|\bpaid|\bpay|price|expens|\bloss|damages|budget"
_INJURY = r"injur|hurt|casualt|harm|burn|hospital|ambulance|medical|killed|died"
_INSURANCE = r"insur|underwrit|claim|cover"
_APPROVAL = r"approv|sign|adopt|board|author|owner|director|manager"
_CONTACT = r"telephone|phone|\bcall\b|contact|@"
_PERSON = (
    _Kind("unstated_contact", _CONTACT, "What is the telephone number of {}?"),
    _Kind("unstated_contact", _CONTACT, "What is the e-mail address of {}?"),
)
_PAGES: tuple[tuple[str, tuple[_Kind, ...]], ...] = (
    (
        r"policy|procedure|plan|standard|code|rules|handbook|guidelines|scheme",
        (
            _Kind("unstated_person", _APPROVAL, "Who approved {}?"),
            _Kind("unstated_date", r"effective|force|from \d|since", "When did {} come into force?"),
            _Kind("unstated_review", r"review|revis|updat", "When {was} {} last reviewed?"),
        ),
    ),
    (
        r"fire|collision|accident|grounding|explosion|crash|derailment|storm|flood",
        (
            _Kind("unstated_injuries", _INJURY, "How many people were injured in {}?"),
            _Kind("unstated_cost", _MONEY, "How much did the damage from {} cost?"),
            _Kind("unstated_insurer", _INSURANCE, "Which insurer paid for the damage from {}?"),
        ),
    ),
    (
        r"failure|outage|incident|fault|leak|shift|spill|breakdown|breach",
        (
            _Kind("unstated_cost", _MONEY, "How much did {} cost?"),
            _Kind("unstated_insurer", _INSURANCE, "Which insurer paid for the damage from {}?"),
            _Kind("unstated_detection", r"detect|notic|discover|report|alarm|saw|found", "Who first noticed {}?"),
            _Kind("unstated_inquiry", r"investigat|inquir|audit", "Who investigated {}?"),
        ),
    ),
    (
        r"terminal|depot|office|yard|station|site|warehouse|building|hall|plant|factory|centre|center",
        (
            _Kind("unstated_parking", r"park|spaces|\bcars?\b|vehicle", "How many parking spaces does {} have?"),
            _Kind("unstated_person", r"design|architect|drawn|plans", "Who designed {}?"),
            _Kind("unstated_cost", _MONEY, "How much did it cost to build {}?"),
            _Kind("unstated_contact", _CONTACT, "What is the telephone number of {}?"),
            _Kind("unstated_staff", r"employ|staff|workforce|people", "How many people work at {}?"),
            _Kind("unstated_access", r"wheelchair|step-free|ramp|disab", "Is {} accessible by wheelchair?"),
        ),
    ),
    (
        r"system|software|app|tool|website",
        (
            _Kind(
                "unstated_language",
                r"written in|language|python|java|\bcode|program",
                "In which programming language is {} written?",
            ),
            _Kind("unstated_users", r"\busers?\b|customers|people|staff|members", "How many users does {} have?"),
        ),
    ),
    (
        r"report|review|survey|study|minutes|newsletter|guide",
        (_Kind("unstated_person", r"author|wr(?:ote|itten)|prepar|edit|compil|\bby\b|owner", "Who wrote {}?"),),
    ),
)
_FEWEST_WORDS = 60
"""Words of a page below which hardly anything would stand in it, and every question would be far from it."""


def open_questions(analysis: Analysis) -> Iterator[Open]:
    """Questions that the whole document, which the passage is, leaves open."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}"
    if not theme or ":" in theme or len(text.split()) < _FEWEST_WORDS:
        return
    for kind in _kinds(analysis, theme):
        if is_open(kind.answered, text):
            was = "were" if _head(theme).endswith("s") else "was"
            yield Open(kind.pattern, kind.question.format(theme, was=was))


_RECORDS: tuple[tuple[str, tuple[_Kind, ...]], ...] = (
    (
        r"patient ",
        (
            _Kind("unstated_insurer", r"insur|payer|coverage", "Which health insurer covers {}?"),
            _Kind(
                "unstated_blood_type", r"blood (?:type|group)|\brh\b|\b[ABO]{1,2}[+-]", "What is the blood type of {}?"
            ),
            _Kind("unstated_weight", r"weigh|\bkg\b|\blbs?\b|pounds|\bBMI\b", "How much does {} weigh?"),
            _Kind("unstated_contact", r"contact|telephone|phone|next of kin", "Who is the emergency contact of {}?"),
        ),
    ),
    (
        r"the case of ",
        (
            _Kind("unstated_witnesses", r"witness|testif|testimon", "How many witnesses testified in {}?"),
            _Kind("unstated_bail", r"\bbail|bond|custod|detain|detention|arrest", "What bail was set in {}?"),
        ),
    ),
    (
        r".* (?:Inc|Ltd|Corp|Co|LLC|PLC|Company|Corporation|Group|Enterprises|Solutions|Services)\.?$",
        (
            _Kind("unstated_staff", r"employ|staff|workforce|people|personnel", "How many employees does {} have?"),
            _Kind("unstated_founder", r"found|establish|creat|start|set up|launch", "Who founded {}?"),
            _Kind("unstated_auditor", r"audit|accountan|review", "Which firm audits the accounts of {}?"),
        ),
    ),
)
"""Begins or form of the themes of records, which are asked of in parts: these questions hold for the passage alone."""


_FEWEST_KEYS = 3


def open_of_records(analysis: Analysis) -> Iterator[Open]:
    """Questions about a patient, a case or a company that a passage of its record leaves open."""
    theme, text = analysis.profile.theme, f"{analysis.passage.opening}\n{analysis.passage.text}"
    begins = analysis.passage.opening.startswith(analysis.passage.text[:40])
    if len(text.split()) < _FEWEST_WORDS or not (begins or len(analysis.keys) >= _FEWEST_KEYS):
        return  # nobody looks for such things amid the prose
    for form, kinds in _RECORDS:
        if re.match(form, theme) and (theme.startswith(("patient", "the case")) or analysis.theme_is_a_name):
            for kind in kinds:
                if is_open(kind.answered, text):
                    yield Open(kind.pattern, kind.question.format(theme))
            return


def is_open(answered: str, text: str) -> bool:
    """Whether a question may be asked. answered: a pattern of what answers it; the verifier, where it is on, reads."""
    return roles.is_on() or not _pattern(answered).search(text)


@lru_cache(maxsize=64)
def _pattern(answered: str) -> re.Pattern[str]:
    return re.compile(answered, re.IGNORECASE)


def _kinds(analysis: Analysis, theme: str) -> tuple[_Kind, ...]:
    """What is asked of pages such as this one."""
    if analysis.profile.is_person:
        return _PERSON if analysis.keys else ()
    if not theme.startswith("the "):
        return ()
    if analysis.profile.type_nouns and "policy" not in theme:
        return ()  # the text says what it is; an office may be an agency
    if re.search(r"\b(?:manual|reference|topic|chapter|keyword)\b", theme, re.IGNORECASE):
        return ()  # 'Reference Manual: Topic fire' is no fire
    return next((kinds for nouns, kinds in _PAGES if re.fullmatch(nouns, _head(theme))), ())


def _head(theme: str) -> str:
    return re.split(r" (?:of|at|on|in|to|for|by|from|with|between) ", theme)[0].rsplit(" ", 1)[-1].lower()


_BOUNDED = re.compile(
    r"maxim|at most|range|between|up to|less|limit|largest|exceed|must|no more|below|greater|valid", re.I
)
_CHANGED = re.compile(
    r"can only|start|reload|session|\bset\b.*\bfile|\.conf|chang|superuser|privileg|command line|read-only|report", re.I
)
_NUMERIC = re.compile(r"\((?:integer|floating point|int|float|number)\)$")


def open_of_parameters(analysis: Analysis) -> Iterator[Open]:
    """Limits and conditions that some parameters of a passage have, asked of those for which it gives none."""
    parameters = parameters_of(analysis)
    settable = [parameter for parameter in parameters if parameter.kind == "parameter"]
    for parameter in settable:
        if len(parameter.entry.text.split()) < 12 or parameter.entry.text not in analysis.passage.text:
            continue
        others = [other for other in settable if other is not parameter]
        if _NUMERIC.search(parameter.entry.name) and not _said_of(parameter, _BOUNDED):
            yield Open("unstated_maximum", f"What is the maximum allowed value of {parameter.phrase}?")
        if any("can only be set at server start" in other.entry.text for other in others) and not _said_of(
            parameter, _CHANGED
        ):
            question = f"Is a server restart needed for a new value of {parameter.phrase} to take effect?"
            yield Open("unstated_restart", question)


def _said_of(parameter: Parameter, pattern: re.Pattern[str]) -> bool:
    return pattern.search(parameter.entry.text) is not None
