"""Keys of one record that are asked for together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import Analysis
from ragassay.models.embedded.stated.drafts import Draft, capitalised
from ragassay.models.embedded.stated.record_keys import is_mishap, key_question, plain_keys


def key_groups(analysis: Analysis) -> Iterator[Draft]:
    """Two or three keys of one record, asked together."""
    groups: dict[tuple[int, str], list[tuple[str, str, str]]] = defaultdict(list)
    for entry, owner in plain_keys(analysis):
        question = key_question(entry, owner)
        ending, finding = f" of {owner}?", f"What does the record of {owner} say about the "
        if question and len(entry.text.split()) <= 8 and question.startswith(finding):
            groups[entry.group, f"record of {owner}"].append(
                (question.removeprefix(finding).rstrip("?"), entry.text, entry.quote)
            )
        elif (
            question
            and re.match(r"What (?:is|are|was|were) the ", question)
            and question.endswith(ending)
            and len(entry.text.split()) <= 8
        ):
            key = question.split(" the ", 1)[1].removesuffix(ending)
            groups[entry.group, owner].append((key, entry.text, entry.quote))
    for (_, owner), entries in groups.items():
        size = 3 if len(owner.split()) <= 4 else 2
        for first in range(0, len(entries) - 1, size):
            chosen = entries[first : first + size]
            words = [word for key, _, _ in chosen for word in key.split()]
            if len(chosen) < 2 or len(set(words)) < len(words):
                continue
            keys = [key for key, _, _ in chosen]
            named = f"{', '.join(keys[:-1])} and {keys[-1]}"
            answer = "; ".join(f"{capitalised(key)}: {value.rstrip('.')}" for key, value, _ in chosen)
            quotes = tuple(quote for _, _, quote in chosen)
            if owner.startswith("record of "):
                named = f"{', the '.join(keys[:-1])} and the {keys[-1]}"
                question = f"What does the {owner} say about the {named}?"
            else:
                question = f"What {'were' if is_mishap(owner) else 'are'} the {named} of {owner}?"
            about = owner.removeprefix("record of ")
            yield Draft(
                pattern="key_group",
                question=question,
                answer=answer,
                statement=f"{capitalised(owner)}: {answer}.",
                quotes=quotes,
                attribute=named,
                about=about if about != analysis.profile.theme else "",
            )
