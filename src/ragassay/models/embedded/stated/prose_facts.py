"""Single facts from running text: every sentence that makes sense alone is put to each pattern in turn."""

from __future__ import annotations

from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import (
    MAX_SENTENCE_WORDS,
    THEME,
    Analysis,
)
from ragassay.models.embedded.stated.drafts import Draft
from ragassay.models.embedded.stated.event_facts import dates_of_events, places
from ragassay.models.embedded.stated.person_facts import awards, births_and_deaths, positions, studies
from ragassay.models.embedded.stated.thing_facts import (
    definitions,
    families,
    makers,
    measures,
    namesakes,
    other_names,
    prices,
    uses,
)

_POINTING = frozenset("this these that those it he she they each some such other many most all both another".split())


def prose_facts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts from every sentence that makes sense alone, in the order of the text."""
    for sentence in analysis.sentences:
        if not 4 <= len(sentence.masked.split()) <= MAX_SENTENCE_WORDS or sentence.quote.rstrip()[-1:] not in '."”':
            continue
        yield from births_and_deaths(analysis, sentence)
        if THEME not in sentence.masked:
            continue
        clause = sentence.clause
        if clause is None or clause.subject_tokens[0].lower in _POINTING:
            continue
        for pattern in (
            dates_of_events,
            places,
            definitions,
            makers,
            measures,
            positions,
            studies,
            awards,
            other_names,
            namesakes,
            uses,
            families,
            prices,
        ):
            yield from pattern(analysis, sentence, clause)
