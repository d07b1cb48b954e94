"""What holds between fields in all seeds that state them: sums, shares, orders, days between two dates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations, permutations
from math import inf
from typing import Literal

from ragassay.synthesis.scenario.inference.alignment import Seen
from ragassay.synthesis.scenario.inference.values import Amount, is_fraction, is_money, words_of
from ragassay.synthesis.scenario.schema import Element

_YEARS_APART = 3650
"""Days from which two dates, as birth and judgment, need no common measure if all of the one are before the other."""
_LEAST_OF_TWO_DECIMALS = 0.05
"""A smaller sum, in millions, say, has four."""


class Relations:
    """Makes what holds in the seeds hold in what is drawn: changes the elements, or takes one out.

    orders: as of a schema. doubtful: labels of the fields that were taken out, since they would contradict others.
    """

    def __init__(
        self,
        elements: dict[str, Element],
        said: dict[str, str],
        seen: Mapping[str, Seen],
        dates: Mapping[str, Mapping[int, date]],
        amounts: Mapping[str, Mapping[int, Amount]],
    ) -> None:
        """elements, said: of fields, which are changed. dates, amounts: of each field by its seed."""
        self.elements, self.said = elements, said
        self.doubtful: list[str] = []
        self._seen, self._dates, self._amounts = seen, dates, amounts
        self._shares_in_doubt: set[str] = set()
        self._write_alike()
        self._computed()
        self._leave_out_doubtful()
        orders = self._orders()
        self._date_order(orders)
        self._narrow(orders)
        self.orders = tuple(orders)

    def _date_order(self, orders: list[tuple[str, str]]) -> None:
        """A date that in every seed that has both follows another is drawn so many days after the nearest such.

        Not where an order of the seeds could then not be kept.
        """
        done: list[str] = []
        gaps_of: dict[str, tuple[str, int, int]] = {}
        means = {
            slug: sum(each.toordinal() for each in found.values()) / len(found) for slug, found in self._dates.items()
        }
        for slug in sorted(self._dates.keys() & self.elements.keys(), key=lambda each: (means[each], each)):
            mine, best = self._dates[slug], ("", 0, 0)
            for before in done:
                both = mine.keys() & self._dates[before].keys()
                gaps = [(mine[place] - self._dates[before][place]).days for place in both]
                if gaps and min(gaps) > _YEARS_APART and max(self._dates[before].values()) < min(mine.values()):
                    continue
                if self.elements[slug].within_year:
                    continue
                if (
                    len(gaps) > self._seen[slug].prose  # of two events in prose, one seed tells little
                    and min(gaps) >= 0
                    and (not best[0] or (len(gaps) >= best[2] and sum(gaps) / len(gaps) <= best[1]))
                ):
                    best = (before, int(sum(gaps) / len(gaps)), len(gaps))
            done.append(slug)
            if not best[0]:
                continue
            both = mine.keys() & self._dates[best[0]].keys()
            gaps = [(mine[place] - self._dates[best[0]][place]).days for place in both]
            kept = self.elements[slug]
            tried = {**gaps_of, slug: (best[0], min(gaps), max(gaps))}
            others = [pair for pair in orders if pair != (slug, best[0])]  # an order of two dates that are the same day
            afters = [(base, later) for later, (base, _, _) in gaps_of.items()]
            unbound = {**self._ranges(), slug: (0, date.max.toordinal())}
            if _leads([*others, *afters], slug, best[0]) or not _fits(others, unbound, tried):
                continue
            gaps_of, orders[:] = tried, others
            self.elements[slug] = Element(
                type="date", label=kept.label, after=best[0], days=(min(gaps), max(gaps)), precision=kept.precision
            )
            self.said[slug] = f"date, {min(gaps)} to {max(gaps)} days after {best[0]}"

    def _computed(self) -> None:
        """Sums and shares that hold in all seeds that state them, two at least; no sum rests on another."""
        used: set[str] = set()
        slugs = [slug for slug in self._amounts if slug in self.elements]
        for total in slugs:
            for parts in combinations([slug for slug in slugs if slug != total], 2):
                if total not in used and not used.intersection(parts) and self._agreeing(total, parts) == "all":
                    self._compute(total, "sum", parts)
                    used.update((total, *parts))
        for share in slugs:
            if self._share(share):
                agreeing = {
                    parts: self._agreeing(share, parts) for parts in permutations(slugs, 2) if share not in parts
                }
                best = next((parts for parts, seeds in agreeing.items() if seeds == "all"), None)
                if best is not None:
                    self._compute(share, "percent", best)
                elif "some" in agreeing.values():
                    self._shares_in_doubt.add(share)

    def _share(self, slug: str) -> int:
        """100 for a percentage, 1 for a number between 0 and 1, 0 for what is no share of anything."""
        values = [each.value for each in self._amounts[slug].values()]
        pattern = next(iter(self._amounts[slug].values())).pattern if values else ""
        return 100 if "%" in pattern else int(pattern == "{}" and all(0 < value < 1 for value in values))

    def _agreeing(self, slug: str, parts: tuple[str, ...]) -> Literal["all", "some", "none"]:
        """In which seeds that state all of them an amount is the sum, or the share, of two others, as rounded."""
        places = set(self._amounts[slug]).intersection(*(self._amounts[part] for part in parts))
        units = {self._amounts[part][place].unit for part in parts for place in places}
        share = self._share(slug)
        allowed = ("number", "sum") if share else ("number",)
        if len(units) != 1 or any(self.elements[part].type not in allowed or self._share(part) for part in parts):
            return "none"
        good = 0
        for place in places:
            stated = self._amounts[slug][place]
            first, second = (self._amounts[part][place].value for part in parts)
            result = first + second if not share else share * first / second if second else Decimal(-1)
            half = Decimal(5).scaleb(min(0, int(stated.number.as_tuple().exponent)) - 1) if share else 0
            good += abs(result - stated.value) <= half
        return "all" if good == len(places) > 1 else "some" if good else "none"

    def _leave_out_doubtful(self) -> None:
        """Takes out what would contradict the other amounts of a document.

        That are shares of which no two amounts are known, although a seed or their name says that they are of amounts
        which documents state, and the same amount under another name.
        """
        doubtful = set(self._shares_in_doubt)
        numbers = [slug for slug in self._amounts if slug in self.elements]
        drawn = {slug for slug in numbers if self._share(slug) and self.elements[slug].type == "number"}
        drawn |= {
            slug
            for slug, element in self.elements.items()
            if element.type == "option" and all("%" in text or is_fraction(text) for text in element.values)
        }
        money = [slug for slug in numbers if is_money(self.elements[slug].pattern)]
        while more := {slug for slug in drawn - doubtful if self._shares_a_word(slug, [*money, *doubtful])}:
            doubtful |= more
        for first, second in combinations(numbers, 2):
            both = self._amounts[first].keys() & self._amounts[second].keys()
            values = [{self._amounts[slug][place].value for slug in (first, second)} for place in both]
            same = all(len(each) == 1 for each in values) and len(set(map(frozenset, values))) > 1
            if same and self.elements[first].type == self.elements[second].type == "number":
                doubtful.add(min(second, first, key=lambda slug: len(self._amounts[slug])))
        resting = {name for element in self.elements.values() for name in element.rests_on}
        for slug in [each for each in self.elements if each in doubtful - resting]:
            self._leave_out(slug)

    def _shares_a_word(self, slug: str, others: Sequence[str]) -> bool:
        words = label_words(self._seen[slug].label)
        return any(words & label_words(self._seen[other].label) for other in others)

    def _orders(self) -> list[tuple[str, str]]:
        """Dates and amounts of which one is never later, or greater, in a seed that states both.

        What most seeds say comes first. Left out is what follows from others; of two fields whose order contradicts the
        others', the one that fewer seeds state goes.
        """
        while True:
            orders: list[tuple[str, str]] = []
            ranges = self._ranges()
            for first, second in self._stated_orders(ranges):
                if _leads(orders, first, second):
                    continue
                if not _leads(orders, second, first) and _fits([*orders, (first, second)], ranges, {}):
                    orders.append((first, second))
                elif self._is_strict(first, second) and self._leave_out_one(first, second):
                    break
            else:
                return orders

    def _stated_orders(self, ranges: Collection[str]) -> list[tuple[str, str]]:
        found: dict[tuple[str, str], int] = {}
        for stated in (self._dates, self._amounts):
            for first, second in permutations([slug for slug in stated if slug in ranges], 2):
                both = stated[first].keys() & stated[second].keys()
                if both and self._unit(first) == self._unit(second):
                    pairs = [(_value_of(stated[first][at]), _value_of(stated[second][at])) for at in both]
                    if all(one <= other for one, other in pairs):
                        found[first, second] = len(both)
        return sorted(found, key=lambda pair: -found[pair])

    def _is_strict(self, first: str, second: str) -> bool:
        stated = self._dates if first in self._dates else self._amounts
        both = stated[first].keys() & stated[second].keys()
        return any(_value_of(stated[first][at]) < _value_of(stated[second][at]) for at in both)

    def _leave_out_one(self, *slugs: str) -> bool:
        """Takes out the field that fewest seeds state; False where all are what others are computed from."""
        resting = {name for element in self.elements.values() for name in element.rests_on}
        free = [slug for slug in slugs if slug not in resting]
        if free:
            self._leave_out(min(free, key=lambda slug: len(self._seen[slug].values)))
        return bool(free)

    def _leave_out(self, slug: str) -> None:
        self.doubtful.append(self._seen[slug].label)
        del self.elements[slug], self.said[slug]

    def _narrow(self, orders: Sequence[tuple[str, str]]) -> None:
        """Takes from the ranges what no order allows."""
        gaps = {slug: (each.after, *each.days) for slug, each in self.elements.items() if each.after and each.days}
        allowed = _allowed(orders, self._ranges(), gaps)
        for slug in dict.fromkeys(name for pair in orders for name in pair):
            element, (low, high) = self.elements[slug], allowed[slug]
            if element.earliest and element.latest:
                days = {"earliest": date.fromordinal(int(low)), "latest": date.fromordinal(int(high))}
                self.elements[slug] = element.model_copy(update=days)
            elif element.type == "number" and not element.ranges:
                self.elements[slug] = element.model_copy(update={"min": low, "max": high})

    def _ranges(self) -> dict[str, tuple[float, float]]:
        return {slug: bound for slug in self.elements if (bound := self._bounds(slug)) is not None}

    def _write_alike(self) -> None:
        """Sums of one currency are written in the scale that most have."""
        money = [slug for slug in self._amounts if slug in self.elements and is_money(self.elements[slug].pattern)]
        patterns = [self.elements[slug].pattern for slug in money]
        for slug in money:
            like = money[patterns.index(max(patterns, key=patterns.count))]
            units = {next(iter(self._amounts[each].values())).unit for each in (slug, like)}
            if len(units) == 1:
                self.elements[slug] = self._rescaled(slug, like)

    def _unit(self, slug: str) -> str:
        return "date" if slug in self._dates else self.elements[slug].pattern

    def _bounds(self, slug: str) -> tuple[float, float] | None:
        """Between what a date, as its ordinal, or a number is drawn; None of what is no such thing, or a share."""
        element = self.elements[slug]
        if element.after:
            return 0, date.max.toordinal()
        if element.within_year:
            year = self.elements[element.within_year]
            return date(int(year.min or 1), 1, 1).toordinal(), date(int(year.max or 1), 12, 31).toordinal()
        if element.earliest and element.latest:
            return element.earliest.toordinal(), element.latest.toordinal()
        if element.type == "sum":
            parts = [self._bounds(part) for part in element.of]
            return sum(each[0] for each in parts if each), sum(each[1] for each in parts if each)
        if element.ranges:
            return min(low for low, _ in element.ranges.values()), max(high for _, high in element.ranges.values())
        return None if element.min is None or element.max is None else (element.min, element.max)

    def _compute(self, slug: str, kind: str, parts: tuple[str, ...]) -> None:
        kept = self.elements[slug]
        pattern = self.elements[parts[0]].pattern if kind == "sum" else kept.pattern if "%" in kept.pattern else "{}%"
        if kind == "sum":  # a sum is in the unit and scale of its parts
            self.elements[parts[1]] = self._rescaled(parts[1], parts[0])
        self.elements[slug] = Element(
            type=kind,  # type: ignore[arg-type]
            label=kept.label,
            of=parts,
            decimals=max(kept.decimals, *(self.elements[part].decimals for part in parts)) if kind == "sum" else 1,
            pattern=pattern,
            grouped=kept.grouped,
        )
        self.said[slug] = (
            f"sum of {parts[0]} and {parts[1]}" if kind == "sum" else f"{parts[0]} in percent of {parts[1]}"
        )

    def _rescaled(self, slug: str, like: str) -> Element:
        mine, other = self.elements[slug], self.elements[like]
        if mine.pattern == other.pattern or mine.min is None or mine.max is None:
            return mine
        scale = {each.pattern: each.scale for found in self._amounts.values() for each in found.values()}
        factor = 10.0 ** (scale[mine.pattern] - scale[other.pattern])
        decimals = 2 if mine.min * factor >= _LEAST_OF_TWO_DECIMALS else 4
        return mine.model_copy(
            update={
                "pattern": other.pattern,
                "min": round(mine.min * factor, decimals),
                "max": round(mine.max * factor, decimals),
                "decimals": decimals,
                "step": 10.0**-decimals,
            }
        )

    def greater(self) -> Iterator[tuple[str, str]]:
        """Pairs of sums of money of which every seed that states both has the first greater than the second."""
        for first, second in permutations([slug for slug in self._amounts if slug in self.elements], 2):
            mine, other = self._amounts[first], self._amounts[second]
            both = mine.keys() & other.keys()
            units = {each[place].unit for each in (mine, other) for place in both}
            alike = self.elements[first].pattern == self.elements[second].pattern and not self.elements[first].given
            if (
                alike
                and is_money(self.elements[first].pattern)
                and len(both) > 1
                and len(units) == 1
                and all(mine[at].value > other[at].value for at in both)
            ):
                yield first, second


def label_words(label: str) -> frozenset[str]:
    """The words of a name of a field; of Chinese each two characters that stand side by side."""
    chinese = re.findall(r"(?=([\u4e00-\u9fff]{2}))", label)
    return frozenset(chinese or (word for word in words_of(label) if len(word) > 3))


def _value_of(stated: date | Amount) -> float:
    return stated.toordinal() if isinstance(stated, date) else float(stated.value)


def _leads(orders: Sequence[tuple[str, str]], first: str, last: str) -> bool:
    """Whether the orders, one after the other, lead from one field to another."""
    reached = {first}
    while more := {second for one, second in orders if one in reached} - reached:
        reached |= more
    return last in reached


def _allowed(
    orders: Sequence[tuple[str, str]],
    ranges: Mapping[str, tuple[float, float]],
    gaps: Mapping[str, tuple[str, int, int]],
) -> dict[str, tuple[float, float]]:
    """The least and the greatest value of each field with which all orders can be kept; the least is greater if none.

    gaps: a date to the one before it, with the least and the most days between them.
    """
    found = dict(ranges)
    steps: list[tuple[str, str, float, float]] = [(first, second, 0, inf) for first, second in orders]
    steps += [(base, slug, least, most) for slug, (base, least, most) in gaps.items()]
    for _ in range(2 * len(found)):  # as many as it takes for a bound to reach every field, twice
        for first, second, least, most in steps:
            (low, high), (low_second, high_second) = found[first], found[second]
            found[first] = max(low, low_second - most), min(high, high_second - least)
            found[second] = max(low_second, low + least), min(high_second, high + most)
    return found


def _fits(
    orders: Sequence[tuple[str, str]],
    ranges: Mapping[str, tuple[float, float]],
    gaps: Mapping[str, tuple[str, int, int]],
) -> bool:
    """Whether there are values that keep all orders, and from which nothing more can be taken."""
    allowed = _allowed(orders, ranges, gaps)
    return all(low <= high for low, high in allowed.values()) and _allowed(orders, allowed, gaps) == allowed
