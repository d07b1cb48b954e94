"""Other names for the organisation that a collection is about, so that an adapter does not learn to write them.

A model trained on the pages of one organisation names it in questions about other people's pages. So what a question
names must stand in what the model reads: a collection's own names, which are found by counting, are added to the title
where only the question has them, and exchanged for made-up ones, others in every item; what else a question names and
the passage does not, drops the question.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ragassay.training.items import TextBranch, TextItem

_NAME = re.compile(r"(?<![\w./@-])(?:[A-Za-z]\w*(?:\.[A-Za-z]{2,})+|[A-Z]\w+)(?![\w@]|[./]\w)")
_WORD = re.compile(r"[^\W_]+")
_NAMED = re.compile(r"(?<=[a-z,;] )[A-Z][^\W_]*|\b\d[^\W_]*")
_LEAST_ITEMS = 20
_OWN_SHARE = 0.12
"""A name of the collection stands in at least this share of its items ..."""
_OTHER_SHARE = 0.2
"""... and in every other collection in at most this part of that share."""
_SMALL_SHARE = 0.2
"""A name has small letters at most this often, as in addresses; "Launch" at the start of a sentence more often."""
_LEAST_ADDED = 2
"""A collection's own name is one that questions add where the passage takes it for granted, at least twice."""
_EXCHANGED = 0.8
"""Share of items in which names are exchanged; the rest keep theirs."""

_FIRST = """
    Al Am Ar Bel Bra Cal Cor Dal Del El En Fal Fer Gal Gren Hal Har Il Jar Kel Kor Lan Lin Mar Mel Nor Ol Or Pel Quin
    Ral Ros Sel Sil Tal Tor Ul Val Ver Wen Wil Yar Zan Zel
""".split()
_LAST = """
    ander aria avo bury combe dale den dine ford gate grove ham hurst ia ina ion ister ium lane ley mond more nex on
    ora oro ott port ric rigg rose shaw stead ston thorpe tide tor ura vale vane vista well wick wood worth
""".split()
_ENDINGS = "com org net io gov eu dev info".split()


def own_names(items: Sequence[TextItem]) -> dict[str, tuple[str, ...]]:
    """The names that set each source apart from the others, longest first; none where there is one source only."""
    sizes = Counter(each.source for each in items)
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        seen[item.source].update(set(_NAME.findall(_everything(item))))
    found: dict[str, tuple[str, ...]] = {}
    for source, names in seen.items():
        if sizes[source] < _LEAST_ITEMS or len(sizes) == 1:
            continue
        shares = {other: counts for other, counts in seen.items() if other != source}
        kept = [
            name
            for name, count in names.items()
            if count >= _OWN_SHARE * sizes[source]
            and all(
                counts[name] / sizes[other] <= _OTHER_SHARE * count / sizes[source] for other, counts in shares.items()
            )
            and _is_name(name, count, items, source)
            and _times_added(name, items, source) >= _LEAST_ADDED
        ]
        found[source] = tuple(sorted(kept, key=lambda name: (-len(name), name)))
    return found


def _everything(item: TextItem) -> str:
    return "\n".join([_read(item), *(each.prompt + each.target for each in item.branches)])


def _is_name(name: str, count: int, items: Sequence[TextItem], source: str) -> bool:
    if "." in name:
        return True
    small = re.compile(rf"\b{re.escape(name.lower())}\b")
    written_small = sum(1 for each in items if each.source == source and small.search(_everything(each)))
    return written_small <= _SMALL_SHARE * count


def _times_added(name: str, items: Sequence[TextItem], source: str) -> int:
    return sum(
        1
        for each in items
        if each.source == source
        and name not in _read(each)
        and any(name in _learned(branch) for branch in each.branches)
    )


def _learned(branch: TextBranch) -> str:
    return branch.prompt if branch.label is not None else branch.target


def _read(item: TextItem) -> str:
    """What the model is given of an item, the branches' prompts aside."""
    return "\n".join([item.title, item.heading, item.text])


def grounded(item: TextItem, names: Sequence[str]) -> TextItem:
    """The item with nothing in its targets that the model cannot have read.

    Of a labelled branch, a claim, nothing is learned but the label; it stays whatever it names.
    One of ``names`` that a target adds is put behind the title, as pages have it; other names and numbers that a target
    adds drop the branch.
    """
    added = [name for name in names if name not in _read(item) and any(name in _learned(b) for b in item.branches)]
    item = replace(item, title=" | ".join([item.title, *added])) if added else item
    known = _words(_read(item))
    return replace(
        item,
        branches=tuple(
            each
            for each in item.branches
            if each.label is not None or not _strange(each.target, known | _words(each.prompt))
        ),
    )


def unread(item: TextItem, branch: TextBranch, target: str) -> set[str]:
    """Names and numbers of ``target`` that neither the item's passage nor the branch's prompt has, in small letters."""
    return _strange(target, _words(_read(item)) | _words(branch.prompt))


def _strange(target: str, known: set[str]) -> set[str]:
    named = {word for word in _NAMED.findall(target) if word != "I"}  # a sentence's first word is no name
    return {word.casefold() for word in named} - known


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def renamed(item: TextItem, names: Sequence[str], random_: random.Random) -> TextItem:
    """The item with each of ``names`` exchanged for a made-up one of its form, the same throughout."""
    if not names or random_.random() >= _EXCHANGED:
        return item
    table = {name: made_up(name, random_) for name in names}
    change = _exchanger(table)
    return replace(
        item,
        title=change(item.title),
        heading=change(item.heading),
        text=change(item.text),
        branches=tuple(_changed(each, change) for each in item.branches),
    )


def _changed(branch: TextBranch, change: Callable[[str], str]) -> TextBranch:
    return replace(
        branch,
        prompt=change(branch.prompt),
        target=change(branch.target),
        refused=tuple(map(change, branch.refused)),
        quote=change(branch.quote),
    )


def _exchanger(table: Mapping[str, str]) -> Callable[[str], str]:
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, table))})(?!\w|\.\w)")
    return lambda text: pattern.sub(lambda match: table[match.group()], text)


def made_up(name: str, random_: random.Random) -> str:
    """A name that nobody has, of the same form: a word, an acronym or an address."""
    word = random_.choice(_FIRST) + random_.choice(_LAST)
    if "." in name:
        address = f"{word.lower()}.{random_.choice(_ENDINGS)}"
        return address.upper() if name.isupper() else address
    if name.isupper():
        return "".join(random_.choice("ABCDEFGHKLMNPRSTVW") for _ in name)
    return word
