"""Keys of one record that are asked for together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.structure.drafts import Draft, capitalised
from ragassay.models.embedded.structure.record_keys import is_mishap, key_question, plain_keys


def key_groups(analysis: Analysis) -> Iterator[Draft]:
    """Two or three keys of one record, asked together."""
    groups: dict[tuple[int, str], list[tuple[str, str, str]]] = defaultdict(list)
    for entry, owner in plain_keys(analysis):
        question, ending = key_question(entry, owner) or "", f" of {owner}?"
        is_what = re.match(r"What (?:is|are|was|were) the ", question) is not None and question.endswith(ending)
        if is_what and len(entry.text.split()) <= _MOST_WORDS:
            key = question.split(" the ", 1)[1].removesuffix(ending)
            groups[entry.group, owner].append((key, entry.text, entry.quote))
    for (_, owner), entries in groups.items():
        size = 3 if len(owner.split()) <= _SHORT_OWNER else 2
        for first in range(0, len(entries) - 1, size):
            chosen = entries[first : first + size]
            keys = [key for key, _, _ in chosen]
            words = [word for key in keys for word in key.split()]
            if len(chosen) < 2 or len(set(words)) < len(words):
                continue
            named = f"{', '.join(keys[:-1])} and {keys[-1]}"
            answer = "; ".join(f"{capitalised(key)}: {value.rstrip('.')}" for key, value, _ in chosen)
            yield Draft(
                pattern="key_group",
                question=f"What {'were' if is_mishap(owner) else 'are'} the {named} of {owner}?",
                answer=answer,
                statement=f"{capitalised(owner)}: {answer}.",
                quotes=tuple(quote for _, _, quote in chosen),
                attribute=named,
                about=owner if owner != analysis.profile.theme else "",
            )


_MOST_WORDS = 8
"""Of a value: a longer one is asked for alone."""
_SHORT_OWNER = 4
"""Words of a name that leave room for three keys in one question."""
