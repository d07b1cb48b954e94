"""What one call of a strong model is asked about: a document, a section, several small ones, or two that go together.

Units are chosen so that pairs are spread over documents by their length, and each call is worth its tokens.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from ragassay.documents.passages import FEWEST_CHARS, passages
from ragassay.documents.store import DocumentStore
from ragassay.generate.collection import Collection
from ragassay.generate.contexts import Context, Contexts
from ragassay.generate.options import SetPlan, parse_shares, whole_numbers
from ragassay.models.base import Encoder
from ragassay.options import one_text
from ragassay.records import Document, Span
from ragassay.tasks.drafting import Style

UNIT_CHARS = 9_000
"""Longest text of one call: about 1 500 words. A longer document is asked about by sections."""
_SECTION_CHARS = 6_000
_AROUND_CHARS = 300
_CHARS_A_PAIR = 400
"""Of text for one pair at least: about 65 words; where there is more text, pairs are asked for less densely."""
_MOST_PAIRS = 9
"""Pairs of one call, beyond which the last ones are details."""
_PAIRS_A_CALL = 4.5
"""Pairs of a call on average: with fewer, reading the text costs more than the pairs (a trial had 4.5 a document)."""
_FEW_PAIRS, _MOST_IN_GROUP = 5, 6
"""Pairs of a call below which a further text joins it, and texts of a call at most."""
_NOTE_CHARS = 40
"""Of a document that is too short for rules and may hold an answer all the same."""
_LONG_CHARS = 18_000
"""Characters, about 3 000 words, from which on a document is visited before others, so that none is left out."""
STYLES: Mapping[Style, float] = {"plain": 0.4, "keywords": 0.25, "first_person": 0.15, "terse": 0.1, "typos": 0.1}
"""Shares of styles where none are asked for: mixed, as people type into a search and a chat."""
_STYLES = get_args(Style)
_LIKE = (0.35, 0.9)
"""Cosines of two sections between which a question may need both: nearer ones say the same."""


def read_styles(given: Any) -> dict[Style, float]:
    """Read ``plain,keywords``, in equal shares, or ``plain=.6,keywords=.4``, or a mapping. Raises UsageError."""
    given = one_text(given)
    if isinstance(given, Mapping):
        given = ",".join(f"{style}={share}" for style, share in given.items())
    if "=" not in given:
        names = list(dict.fromkeys(filter(None, (part.strip() for part in given.split(",")))))
        given = ",".join(f"{name}={1 / len(names)}" for name in names)
    shares = parse_shares("--style", given, _STYLES, "style")
    return {style: shares[style] for style in _STYLES if style in shares}


@dataclass(frozen=True, kw_only=True)
class Unit:
    """Texts of one call. around: what stands before and after a section. wanted: label to number of pairs."""

    contexts: tuple[Context, ...]
    around: tuple[str, str] = ("", "")
    is_joint: bool = False
    wanted: Mapping[str, int] = field(default_factory=dict)
    styles: Mapping[Style, int] = field(default_factory=dict)

    @property
    def characters(self) -> int:
        return sum(len(each.span.text) for each in self.contexts)

    @property
    def capacity(self) -> int:
        """How many pairs its texts are good for."""
        return max(len(self.contexts), min(_MOST_PAIRS, self.characters // _CHARS_A_PAIR))

    def located(self, quotes: Sequence[str]) -> tuple[Context, tuple[Span, ...]] | None:
        """The context that holds the quotes, and their places; None where one stands in none.

        Of a joint unit each context has to hold some; the first is named.
        """
        if not quotes:
            return None
        if not self.is_joint:
            return next(((each, spans) for each in self.contexts if (spans := each.located(quotes))), None)
        found = [those_in(context, quotes) for context in self.contexts]
        if not all(found) or not all(any(each.located([quote]) for each in self.contexts) for quote in quotes):
            return None
        return self.contexts[0], tuple(span for spans in found for span in spans)


def those_in(context: Context, quotes: Sequence[str]) -> tuple[Span, ...]:
    """The places of those quotes that stand in a context."""
    found = (context.located([quote]) for quote in quotes)
    return tuple(span for spans in found if spans for span in spans)


class Units:
    """Yields units in the order in which they should be asked about: each document's first section before any second.

    order: ordinals of documents, spread evenly. strata: (folder, characters) of each document by ordinal.
    """

    def __init__(
        self,
        store: DocumentStore,
        strata: Sequence[tuple[str, int]],
        order: Sequence[int],
        collection: Collection,
        plan: SetPlan,
        left_out: Callable[[Document], str] = lambda document: "",
    ) -> None:
        self._store, self._left_out = store, left_out
        # the longest ones first, so that none of them is left without a question
        long = [ordinal for ordinal in order if strata[ordinal][1] >= _LONG_CHARS]
        self._order = [*long, *(ordinal for ordinal in order if strata[ordinal][1] < _LONG_CHARS)]
        self._characters = [characters for _, characters in strata]
        self._seed = plan.seed
        self._max_chars = min(UNIT_CHARS, plan.max_context_chars)
        self._contexts = Contexts(collection, replace(plan, context_chars=min(_SECTION_CHARS, self._max_chars)))
        self._units = self._alone()
        self.visited: set[int] = set()

    @property
    def dropped(self) -> Counter[str]:
        """Why documents or passages gave nothing."""
        return self._contexts.dropped

    def take(self, pairs: int) -> list[Unit]:
        """Take further units, until they are good for so many pairs and are enough calls for them."""
        taken: list[Unit] = []
        while sum(unit.capacity for unit in taken) < pairs or len(taken) * _PAIRS_A_CALL < pairs:
            unit = next(self._units, None)
            if unit is None:
                break
            taken.append(unit)
        return taken

    def _alone(self) -> Iterator[Unit]:
        depth, is_over = 0, False
        while not is_over:
            is_over = True
            for place, ordinal in enumerate(self._order):
                if depth and self._characters[ordinal] <= self._max_chars:
                    continue
                self.visited.add(ordinal)
                sections = self._sections(self._store[ordinal], place, is_first=not depth)
                if depth < len(sections):
                    is_over = False
                    yield sections[depth]
            depth += 1

    def _sections(self, document: Document, place: int, *, is_first: bool) -> list[Unit]:
        """The document as one unit where it fits, else its sections in an order by chance."""
        before = self._contexts.dropped.copy()
        if why := self._left_out(document):
            self._contexts.dropped[why] += is_first
            return []
        contexts = self._contexts.of(document, place, all_allowed=True)
        if not is_first:
            self._contexts.dropped = before  # counted before
        text = document.text.strip()
        is_note = not contexts and _NOTE_CHARS <= len(text) < FEWEST_CHARS
        if is_note:
            self._contexts.dropped = before
        if is_note or (len(contexts) > 1 and len(text) <= self._max_chars):
            first = contexts[0].span.start if contexts else document.text.index(text)
            last = contexts[-1].span.end if contexts else first + len(text)
            passage = self._contexts.passage(document, first, last, ())
            contexts = [Context(document, place, document.span(first, last), passage)]
        random.Random(f"{self._seed} {document.id} sections").shuffle(contexts)
        return [Unit(contexts=(each,), around=_around(document, each)) for each in contexts]


def _around(document: Document, context: Context) -> tuple[str, str]:
    start, end = context.span.start, context.span.end
    return (
        document.text[max(0, start - _AROUND_CHARS) : start].strip(),
        document.text[end : end + _AROUND_CHARS].strip(),
    )


def shared_out(
    units: Sequence[Unit], wanted: Mapping[str, int], styles: Mapping[Style, float], seed: int
) -> list[Unit]:
    """Share out pairs of each label, and their styles, over units by what they are good for.

    Units that would have few pairs share a call, since the instructions cost as much as a short text.
    """
    capacity = sum(unit.capacity for unit in units)
    total = min(sum(wanted.values()), capacity)
    shares = {str(place): unit.capacity / capacity for place, unit in enumerate(units)}
    sizes = whole_numbers(total, shares).values() if units else ()
    labels = _mixed(_fitting(wanted, total), seed)
    of_styles = _mixed(whole_numbers(total, {str(style): share for style, share in styles.items()}), seed + 1)
    found, at = [], 0
    for unit, size in _packed([(unit, size) for unit, size in zip(units, sizes, strict=True) if size]):
        mine, dressed = labels[at : at + size], of_styles[at : at + size]
        found.append(replace(unit, wanted=dict(Counter(mine)), styles=dict(Counter(dressed))))
        at += size
    return found


def _fitting(wanted: Mapping[str, int], total: int) -> Mapping[str, int]:
    """What is wanted, or the shares of it that add up to fewer; no label is left without while another has two."""
    asked = sum(wanted.values())
    if asked <= total:
        return wanted
    counts = whole_numbers(total, {label: count / asked for label, count in wanted.items()})
    for label in wanted:
        most = max(counts, key=counts.__getitem__)
        if wanted[label] and not counts[label] and counts[most] > 1:
            counts[most] -= 1
            counts[label] = 1
    return counts


def _packed(sized: Sequence[tuple[Unit, int]]) -> Iterator[tuple[Unit, int]]:
    """Put neighbours together as long as they have few pairs and fit into one call."""
    group: list[Unit] = []
    pairs = 0
    for unit, size in sized:
        fits = sum(each.characters for each in group) + unit.characters <= UNIT_CHARS
        if group and (pairs >= _FEW_PAIRS or not fits or len(group) == _MOST_IN_GROUP):
            yield _joined(group), pairs
            group, pairs = [], 0
        group.append(unit)
        pairs += size
    if group:
        yield _joined(group), pairs


def _joined(units: Sequence[Unit]) -> Unit:
    if len(units) == 1:
        return units[0]
    return Unit(contexts=tuple(each for unit in units for each in unit.contexts))


def _mixed(counts: Mapping[str, int], seed: int) -> list[Any]:
    """The names as often as they count, each spread evenly over the list."""
    chance = random.Random(seed)
    placed = [
        ((rank + chance.random()) / count, name) for name, count in counts.items() for rank in range(count) if count
    ]
    return [name for _, name in sorted(placed)]


_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*|\b[\w-]*\d[\w-]*")
_FEW = 3
"""Sections that hold a name, up to which it ties two of them together."""


def joint_units(units: Sequence[Unit], count: int, encoder: Encoder, seed: int) -> list[Unit]:
    """Pairs of sections, of different documents if possible, that share a rare name and are alike without being one.

    count: pairs of sections wanted. Fewer come where nothing is shared.
    """
    parts = [each for unit in units for context in unit.contexts for each in _short(context)]
    if count < 1 or len(parts) < 2:
        return []
    names = [set(_NAME.findall(part.span.text)) for part in parts]
    frequency = Counter(name for found in names for name in found)
    rare = [{name for name in found if 2 <= frequency[name] <= _FEW} for found in names]
    vectors = encoder.encode([part.span.text[:1_000] for part in parts])
    cosines = vectors @ vectors.T
    ranked = sorted(
        (
            (
                parts[one].document.id == parts[other].document.id,
                -len(rare[one] & rare[other]),
                -cosines[one, other],
                one,
                other,
            )
            for one in range(len(parts))
            for other in range(one)
            if rare[one] & rare[other] and _LIKE[0] <= cosines[one, other] <= _LIKE[1]
        ),
    )
    used: set[int] = set()
    found: list[Unit] = []
    for *_, one, other in ranked:
        if len(found) < count and not used & {one, other}:
            used |= {one, other}
            found.append(Unit(contexts=(parts[other], parts[one]), is_joint=True, wanted={"reasoning": 1}))
    return found


def _short(context: Context) -> Iterator[Context]:
    """The context in passages of a page at most."""
    document, span = context.document, context.span
    for start, end, section in passages(document, 2_500):
        if span.start <= start and end <= span.end:
            passage = context.passage.model_copy(update={"section": section, "text": document.text[start:end]})
            yield Context(document, context.ordinal, document.span(start, end), passage)
