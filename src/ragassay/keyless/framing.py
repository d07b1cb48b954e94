"""Whether a question on a sentence says by itself what it asks of, and the page's name put where it does not."""

from __future__ import annotations

import re

from ragassay.keyless.page import Page
from ragassay.keyless.wording import framed, names_something


def named(asked: str, page: Page) -> str:
    """The question, naming the page where nothing else in it names anything; empty where the page has no name.

    "When was the ship built?" of a ship's page has the name in place of "the ship".
    """
    if names_something(asked):
        return asked
    if page.is_thing and page.name:
        told = rf"{re.escape(page.name)} (?:is|was) an? (?:\w+ ){{0,3}}?(\w+)\b"
        for kind in sorted(set(re.findall(told, page.document.text[:1500]))):
            changed, count = re.subn(rf"\bthe {re.escape(kind)}\b", page.name, asked, count=1)
            if count:
                return changed
    return framed(page, asked)
