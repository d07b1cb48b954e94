"""What a page does not say of a task that it explains: how long it takes, who may do it, what it costs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.reading.clarity import placed
from ragassay.models.embedded.structure.own_questions import questions_of
from ragassay.models.embedded.unanswerable.open import Open, is_unsaid

_TASK = re.compile(r"How (?:do|can|should) I (?P<task>[a-z]+ .+)\?$")
_LONGEST = 9
"""Words of a task: a longer one makes a clumsy question."""

_ASKED = (
    # pattern, verbs that it is asked of, the question
    (
        "unstated_duration",
        "install create build upload register apply renew migrate publish approve process convert transfer ship deliver"
        " restore recover download review set configure import export order train repair request get join appeal claim"
        " translate sponsor adopt print record update upgrade back plan prepare organise organize",
        "How long does it take to {}?",
    ),
    (
        "unstated_permission",
        "approve create delete edit publish access change merge request upload manage sign open close add remove book"
        " hire order invite share archive rename grant release cancel move propose adopt maintain sponsor",
        "Who is allowed to {}?",
    ),
    (
        "unstated_cost",
        "apply register renew order book join hire rent request get obtain buy ship translate host print replace repair"
        " insure park appeal transfer cancel",
        "How much does it cost to {}?",
    ),
    (
        "unstated_interval",
        "review update clean test maintain monitor inspect renew replace measure audit upgrade verify"
        " train back service calibrate rotate",
        "How often should I {}?",
    ),
    (
        "unstated_contact",
        "log sign install open access connect print upload download reset find run start enable configure update"
        " recover restore save load register renew submit join book order pay cancel return mount import export"
        " activate claim collect attend reach get set",
        "Who do I contact if I cannot {}?",
    ),
)


def open_of_tasks(analysis: Analysis) -> Iterator[Open]:
    """Of each task that a passage explains what its verb lets one ask for and the passage does not say."""
    for question in questions_of(analysis):
        found = _TASK.match(question)
        if found is None or len(found["task"].split()) > _LONGEST:
            continue
        verb = found["task"].split()[0]
        for pattern, verbs, asked in _ASKED:
            if verb in verbs.split() and is_unsaid(asked, "{}", analysis.passage.text):
                yield Open(pattern, placed(asked.format(found["task"]), analysis.passage.place))
