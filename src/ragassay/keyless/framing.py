"""Whether a question on a sentence says by itself what it asks of, and the page's name put where it does not."""

from __future__ import annotations

import re

from ragassay.keyless.naming import is_generic
from ragassay.keyless.page import Page
from ragassay.keyless.wording import framed, lower_first, names_something

_MOST_WORDS = 10
"""Of a title that is quoted."""


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
    if page.name or page.collection.size == 1:
        return framed(page, asked)
    title = quoted_title(page)
    return f"According to {title}, {lower_first(asked)}" if title else ""


def quoted_title(page: Page) -> str:
    """The title in quotation marks, for a page whose title names nothing but itself; empty where it tells nothing."""
    title = " ".join(page.collection.own_title(page.document.title).split()).strip(" .:-–—#")
    words = len(title.split())
    if (
        words not in range(1, 11)
        or is_generic(title)
        or re.search(r"[“”\"]", title)
        or not re.search("[A-Za-z]{3}", title)
    ):
        return ""
    return f"“{title}”"
