"""Elements of a schema from what seeds state: types, generators of names, order of dates, sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from statistics import median

from ragassay.synthesis.scenario.inference.alignment import Listed, Seen
from ragassay.synthesis.scenario.inference.relations import Relations
from ragassay.synthesis.scenario.inference.scrub import scrubbed
from ragassay.synthesis.scenario.inference.values import (
    ORGANISATION_EN,
    ORGANISATION_ZH,
    Amount,
    Precision,
    amount,
    dates_in,
    is_address,
    is_date,
    is_file_number,
    is_organisation,
    is_person,
    is_place,
    leading_date,
    names_in,
    person_of,
    words_of,
)
from ragassay.synthesis.scenario.name_lists import shipped_lists
from ragassay.synthesis.scenario.schema import Element

STORY = "story"
"""The field that says which seed's texts go together in a document."""
CITY = "city"
ENTRY, ENTRY_TEXT = "entry", "entry_text"
"""The fields of a record: what it is called and what is said of it."""
_MOST_CATEGORY_CHARS = 60
_LEADING = 12
"""Characters before a date that a text still begins with."""
_MOST_TEXT_CHARS = 260
_MOST_RECORD_CHARS = 160
_MOST_RECORDS = 6
_LEAST_OF_A_STORY = 1 / 3
"""Of the characters that half of the seeds have in the fields that go together."""
_MOST = 0.6
"""Share of the values that decide what a field is."""
_SPREAD = Decimal("0.1")
"""How far a sum of money of a story may be from that of its seed."""
_NARROW = Decimal("0.01")
"""The same for what is measured or counted, where more would make it another finding; one step at least."""
_BIRTH = re.compile(r"birth ?da|date of birth|\bborn\b|出生日期|出生年月|生日", re.IGNORECASE)
_AGE = re.compile(r"^age$|^年龄$", re.IGNORECASE)
"""What else is said of a person, such as an occupation, goes with an age, and so with one seed."""
_RESERVED = ("result", STORY, CITY, ENTRY, ENTRY_TEXT, "ordinal", "number")
_NOTHING = re.compile(
    r"(?:[x×*_.…/—-]{2,}|n\s*/?\s*a|not (?:applicable|available|stated)|不适用|未填写|未提供)[.。]?", re.IGNORECASE
)
"""What a form holds where it has nothing to say: no value of a field, which documents may then leave out."""
_INITIALS = re.compile(r"\b[A-Z]\.")
_BODY = re.compile(
    r"hospital|clinic|court|procurat|prosecut|universit|college|school|bank|bureau|医院|法院|检察院|大学|学院|公安局",
    re.I,
)
_LAW_FIRM = re.compile(r"&|associates|partners|llp|事务所", re.IGNORECASE)
_MODIFIER = frozenset(
    "General Regional Central Municipal District First Second People's People’s Memorial Community City County "
    "Legal Law Criminal High Intermediate Supreme Public University Teaching Medical State National "
    "Federal & and".split()
)


class Fields:
    """The elements by name. said: what each was taken for. records: the heading that each list stands under.

    subject: the field that a document is about. sections: the heading of each field. dropped: free texts without a
    sentence that holds nothing of its seed. prose: fields that no seed has as a line of its own. relations: what
    holds between fields.
    """

    def __init__(
        self,
        seen: Sequence[Seen],
        listed: Sequence[Listed],
        texts: Sequence[str],
        language: str,
        title_of: Callable[[str], str],
    ) -> None:
        self.language = language
        self.seeds = len(texts)
        self.elements: dict[str, Element] = {}
        self.said: dict[str, str] = {}
        self.sections: dict[str, str] = {}
        self.records: dict[str, str] = {}
        self.dropped: list[str] = []
        self.prose: set[str] = set()
        self.lists: dict[str, tuple[str, ...]] = {}
        told = [
            replace(each, values={at: text for at, text in each.values.items() if not _NOTHING.fullmatch(text.strip())})
            for each in seen
        ]
        seen = [each for each in told if each.values]
        self._texts = texts
        self._joined = "\n".join(texts)
        self._common = frozenset(re.findall(r"(?<![\w])[a-z][a-z'’-]*", self._joined))
        self._dates: dict[str, dict[int, date]] = {}
        self._amounts: dict[str, dict[int, Amount]] = {}
        self._names: list[dict[str, str]] = [{} for _ in texts]
        self._kinds: dict[str, str] = {}
        self._seen: dict[str, Seen] = {}
        self._people = {
            word
            for each in seen
            for value in each.values.values()
            if self._is_person(each.label, value)
            for word in person_of(value).split()
            if word.lower() not in self._common
        }
        self._spread: Counter[str] = Counter()
        for each in seen:
            for section in each.sections:
                self._spread[section] = max(self._spread[section], each.sections[section])
        seen = [each for each in seen if not is_organisation(each.label) and not self._names_one(each.label)]
        kept = _distinct([part for each in seen if self._worth(each) for part in self._dated(each)])
        kept = [each for at, each in enumerate(kept) if each.label not in {other.label for other in kept[:at]}]
        for number, each in enumerate(kept, 1):
            slug = _slug(each.label, number, self._seen)
            self._seen[slug], self._kinds[slug] = each, self._kind(each)
            section = each.sections.most_common(1)[0][0] if each.sections else ""
            if section and not is_organisation(section) and not self._names_one(section) and self._is_shared(section):
                self.sections[slug] = section
            if each.prose:
                self.prose.add(slug)
        self.subject = self._subject()
        self._inventory()
        kinds = Counter(self._kinds.values())
        aged = any(_BIRTH.search(each.label) or _AGE.search(each.label) for each in self._seen.values())
        self.with_story = kinds["text"] + len(listed) > 2 or (aged and kinds["option"] > 0)
        for slug, each in self._seen.items():
            self._make(slug, each)
        for one in listed:
            self._list(one, title_of)
        self.relations = Relations(self.elements, self.said, self._seen, self._dates, self._amounts)
        self._left_out()
        self._leave_out_stories()
        self._helpers()

    def _is_person(self, label: str, value: str) -> bool:
        """As ``is_person``; 'Esophageal Malignancy' below 'Name' is none, since the seeds have both words in small."""
        return is_person(label, value) and not self._common.issuperset(value.lower().split())

    def _names_one(self, text: str) -> bool:
        """Whether a name or heading names somebody or some place: then it is no name of a field."""
        if self._people.intersection(text.split()):
            return True
        return bool(names_in(text, self._common | words_of(text)) or dates_in(text) or re.search(r"\d{3}", text))

    def _is_shared(self, section: str) -> bool:
        """Whether several seeds have a heading, or its words: capitals undone, 'In the Hartford court' has a name."""
        words = re.findall(r"[a-z]{4,}", section)
        return self._spread[section] > 1 or self._common.issuperset(words)

    def _worth(self, seen: Seen) -> bool:
        """What one seed alone says is a field if it has a name and a short value; running prose is none."""
        if len(seen.values) > 1 or self.seeds == 1:
            return True
        (value,) = seen.values.values()
        if seen.prose or len(value) > _MOST_CATEGORY_CHARS:
            return False
        kind = self._kind(seen)
        shared = any(not section or self._spread[section] > 1 for section in seen.sections)
        return self.seeds < 4 or kind not in ("option", "text") or (kind == "option" and shared and len(value) < 20)

    def _dated(self, seen: Seen) -> list[Seen]:
        """A field whose texts have one date each is a date and a text: when it was, and what is said of it."""
        values = seen.values
        dated = {place: {each[2] for each in dates_in(value)} for place, value in values.items()}
        if seen.prose or len(values) < 2 or self._kind(seen) not in ("text", "option"):
            return [seen]
        if sum(len(found) == 1 for found in dated.values()) < max(2, _MOST * len(values)):
            return [seen]
        found = {place: (value, dates_in(value)[0]) for place, value in values.items() if len(dated[place]) == 1}
        when = {place: value[date[0] : date[1]] for place, (value, date) in found.items()}
        of, details = ("日期", "记载") if self.language == "zh" else (" date", " details")
        bare = {  # what follows a date at the beginning; other sentences with a date are left out later
            place: value[date[1] :].lstrip(" ,，:：.。-") if date[0] <= _LEADING else value
            for place, (value, date) in found.items()
        }
        bare = {place: text[:1].upper() + text[1:] for place, text in bare.items() if text} | {
            place: value for place, value in values.items() if place not in found
        }
        texts = (
            [Seen(seen.label + details, bare, seen.sections)] if any(len(text) > 20 for text in bare.values()) else []
        )
        return [Seen(seen.label + of, when, seen.sections), *texts]

    def _kind(self, seen: Seen) -> str:
        if seen.kind:
            return seen.kind
        values = list(seen.values.values())
        label = seen.label

        def most(test: Callable[[str], object]) -> bool:
            return sum(bool(test(value)) for value in values) >= _MOST * len(values)

        pure = sum(is_date(value) for value in values)
        dated = sum(bool(is_date(value) or leading_date(value)) for value in values)
        if pure * 2 >= len(values) or (pure and dated == len(values)):
            return "date"
        for kind, test in (
            ("file", lambda value: is_file_number(label, value)),
            ("person", lambda value: self._is_person(label, value)),
            ("address", is_address),
            ("organisation", is_organisation),
            ("place", lambda value: is_place(label, value)),
        ):
            if most(test):
                return kind
        amounts = [amount(value) for value in values]
        known = [each for each in amounts if each is not None]
        units = [each.unit for each in known]
        most_common = max(map(units.count, units), default=0)
        if known and (most_common == len(values) or (most_common > 1 and most_common * 2 >= len(values))):
            return "number"
        return "option" if max(map(len, values)) <= _MOST_CATEGORY_CHARS else "text"

    def _subject(self) -> str:
        """The person, or else the organisation, that the seeds mention most; empty where none is in half of them."""
        best, most = "", 0
        for wanted in ("person", "organisation"):
            for slug, seen in self._seen.items():
                if self._kinds[slug] == wanted and len(seen.values) * 2 >= self.seeds:
                    mentions = sum(
                        self._texts[place].count(_family_name(_bare(value, wanted)))
                        for place, value in seen.values.items()
                    ) * (len(seen.values) / self.seeds)
                    if mentions > most:
                        best, most = slug, int(mentions)
            if best:
                return best
        return ""

    def _inventory(self) -> None:
        """What the texts of each seed name, and the field that stands for it: the subject before others of its name."""
        for slug, seen in sorted(self._seen.items(), key=lambda each: each[0] != self.subject):
            kind = self._kinds[slug]
            if kind in ("person", "organisation", "address", "place", "file"):
                for place, value in seen.values.items():
                    whole = value.rstrip("。. ")
                    self._names[place].setdefault(whole, f"{{{slug}}}")
                    name = person_of(value) if kind == "person" else whole
                    self._names[place].setdefault(name, f"{{{slug}}}")
                    family = _family_name(name)
                    if kind == "person" and family != name and len(family) > 1:
                        self._names[place].setdefault(family, f"{{{slug}}}")

    def _make(self, slug: str, seen: Seen) -> None:
        label = " ".join(re.sub(r"[{}]", " ", seen.label).split())
        match self._kinds[slug]:
            case "date":
                self._date(slug, seen, label)
            case "number":
                self._number(slug, seen, label)
            case "person":
                self._put(
                    slug,
                    Element(
                        type="person",
                        label=label,
                        parts=self._person_parts(seen),
                        separator=" " if self._initials(seen) else "",
                    ),
                    "person",
                )
            case "file":
                self._put(slug, _file_number(label, self.language), "number of a file, drawn anew")
            case "organisation":
                parts = self._organisation(label, list(seen.values.values()))
                self._put(
                    slug, Element(type="organisation", label=label, parts=parts), f"organisation, {len(parts)} parts"
                )
            case "address":
                self._put(slug, Element(type="place", label=label, parts=_address(self.language)), "address")
            case "place":
                self._put(slug, Element(type="place", label=label, parts=((f"{{{CITY}}}",),)), "place")
            case kind:
                self._text(slug, seen, label, kind)

    def _put(self, slug: str, element: Element, said: str) -> None:
        self.elements[slug], self.said[slug] = element, said

    def _initials(self, seen: Seen) -> bool:
        """Whether at least half of the seeds write a name with initials."""
        initials = sum(bool(re.match(r"(?:Dr\.? )?[A-Z]\.", value)) for value in seen.values.values())
        return self.language != "zh" and initials * 2 >= len(seen.values)

    def _person_parts(self, seen: Seen) -> tuple[tuple[str, ...], ...]:
        return (("@initials",), ("@surnames",)) if self._initials(seen) else ()

    def _organisation(self, label: str, values: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The kinds that the seeds have, with other names before them: of the city, of a lawyer, or of none."""
        kinds = tuple(
            dict.fromkeys(kind for kind in (_kind_of_organisation(value, self.language) for value in values) if kind)
        )
        space = "" if self.language == "zh" else " "
        kinds = kinds or tuple(shipped_lists(self.language)["kinds_of_organisation"])
        told = f"{label} {' '.join(kinds)}"
        if _BODY.search(told):
            return (f"{{{CITY}}}{space}",), kinds
        front = "@surnames" if self.language != "zh" and _LAW_FIRM.search(told) else "@organisations"
        return (front,), tuple(f"{space}{kind}" for kind in kinds)

    def _date(self, slug: str, seen: Seen, label: str) -> None:
        found = {place: dates_in(value)[0] for place, value in seen.values.items() if dates_in(value)}
        precisions: list[Precision] = [each[3] for each in found.values()]
        by_month = precisions.count("month") * 2 > len(precisions)
        self._dates[slug] = {place: each[2] for place, each in found.items()}
        first, last = min(self._dates[slug].values()), max(self._dates[slug].values())
        element = Element(
            type="date", label=label, earliest=first, latest=last, precision="month" if by_month else "day"
        )
        if self.with_story and _BIRTH.search(label):
            years: dict[str, tuple[float, float]] = {
                str(place + 1): (each.year - 1, each.year + 1) for place, each in self._dates[slug].items()
            }
            self._put(
                f"{slug}_year",
                Element(type="number", given=STORY, ranges=years, min=first.year - 1, max=last.year + 1, grouped=False),
                "helper",
            )
            element = Element(type="date", label=label, within_year=f"{slug}_year", precision=element.precision)
        self._put(slug, element, f"date, {first} to {last}" + (", by month" if by_month else ""))

    def _number(self, slug: str, seen: Seen, label: str) -> None:
        found = {place: each for place, value in seen.values.items() if (each := amount(value)) is not None}
        units = [each.unit for each in found.values()]
        unit = max(units, key=units.count)
        found = {place: each for place, each in found.items() if each.unit == unit}
        self._amounts[slug] = found
        patterns = [each.pattern for each in found.values()]
        pattern = max(patterns, key=patterns.count)
        scale = next(each.scale for each in found.values() if each.pattern == pattern)
        numbers = {place: each.value.scaleb(-scale) for place, each in found.items()}
        decimals = min(max(max(-int(number.normalize().as_tuple().exponent), 0) for number in numbers.values()), 2)
        grouped = bool(unit.strip("|")) or "," in "".join(seen.values.values())
        low, high = min(numbers.values()), max(numbers.values())
        a_year = low >= 1500 and high <= 2200 and not pattern.strip("{} 年")
        ranges: dict[str, tuple[float, float]] = {}
        if self.with_story and not a_year and not seen.prose:
            spread = _SPREAD if unit.strip("|").startswith(("$", "€", "£", "¥", "元")) else _NARROW
            ranges = {str(place + 1): _around(number, decimals, spread) for place, number in numbers.items()}
        element = Element(
            type="number",
            label=label,
            min=None if ranges else float(low),
            max=None if ranges else float(high),
            given=STORY if ranges else "",
            ranges=ranges,
            step=float(Decimal(1).scaleb(-decimals)),
            decimals=decimals,
            pattern=pattern,
            grouped=grouped,
        )
        self._put(slug, element, f"number, {_plain(low)} to {_plain(high)}, written {pattern.replace('{}', '...')}")

    def _text(self, slug: str, seen: Seen, label: str, kind: str) -> None:
        by: dict[str, tuple[str, ...]] = {}
        most = _MOST_CATEGORY_CHARS if kind == "option" else _MOST_TEXT_CHARS
        for place, value in seen.values.items():
            if self._is_person(seen.label, value) or is_address(value):
                continue  # as few seeds have it in such a form
            common = self._common | words_of(value) if self._category(value, place) else self._common
            clean = scrubbed(value, self._named(place, slug), common, most)
            if clean:
                by[str(place + 1)] = (clean,)
        options = tuple(dict.fromkeys(text for texts in by.values() for text in texts))
        if not options:
            self.dropped.append(seen.label)
            return
        said = f"{'category' if kind == 'option' else 'free text'}, {len(options)} seen"
        given = {"given": STORY, "by": by} if self.with_story else {"options": options}
        self._put(slug, Element(type=kind, label=label, **given), said)  # type: ignore[arg-type]

    def _category(self, value: str, place: int) -> bool:
        """Whether a capitalised value is a word for a kind, such as Retired Teacher, and names nothing."""
        words = value.split()
        taken = {word for name in self._names[place] for word in name.split()}
        return (
            len(words) <= 3
            and not _INITIALS.search(value)
            and not ORGANISATION_EN.search(value)
            and not taken.intersection(words)
        )

    def _named(self, place: int, slug: str) -> dict[str, str]:
        """The names of a seed; those whose field rests on this one, or is none, may not stand for anything."""
        return {name: mark for name, mark in self._names[place].items() if mark != f"{{{slug}}}"}

    def _list(self, listed: Listed, title_of: Callable[[str], str]) -> None:
        """A list of records with a name and a text each, by the story; what holds names of its seed is left out."""
        names: dict[str, list[str]] = {}
        texts: dict[str, list[str]] = {}
        for place, rows in listed.records.items():
            for name, text in rows:
                clean_name = scrubbed(name, self._names[place], self._common | words_of(name), 40)
                clean = scrubbed(text, self._names[place], self._common, _MOST_RECORD_CHARS)
                if clean_name and "{" not in clean_name and clean:
                    texts.setdefault(clean_name, [])
                    if clean not in texts[clean_name]:
                        texts[clean_name].append(clean)
                    of_story = names.setdefault(str(place + 1), [])
                    if clean_name not in of_story:
                        of_story.append(clean_name)
        if len(names) < min(2, self.seeds):
            return
        slug = _slug(title_of(listed.section), len(self.elements) + 1, self.elements)
        label = "名称" if self.language == "zh" else "name"
        details = "内容" if self.language == "zh" else "details"
        name_options = tuple(dict.fromkeys(name for each in names.values() for name in each))
        by = {story: tuple(each) for story, each in names.items()} if self.with_story else {}
        fields = {
            ENTRY: Element(
                type="option", label=label, given=STORY if by else "", by=by, options=() if by else name_options
            ),
            ENTRY_TEXT: Element(
                type="text", label=details, given=ENTRY, by={name: tuple(each) for name, each in texts.items()}
            ),
        }
        most = max(1, min(_MOST_RECORDS, *(len(each) for each in names.values())))
        self.records[slug] = listed.section
        element = Element(type="records", label="", count=(min(2, most), most), fields=fields)
        self._put(slug, element, f"list of {min(2, most)} to {most} records with name and details, {len(texts)} seen")

    def _left_out(self) -> None:
        """What some seeds are silent about, documents may be silent about too."""
        for slug, seen in self._seen.items():
            element = self.elements.get(slug)
            if element is not None and self.language == "zh":
                self.said[slug] = f"{seen.label}: {self.said[slug]}"
            if element is None or len(seen.values) >= self.seeds or slug == self.subject:
                continue
            if not element.given:
                self.elements[slug] = element.model_copy(update={"may_be_left_out": True})
            self.said[slug] += f"; may be left out, as in {self.seeds - len(seen.values)} of {self.seeds} seeds"

    def _leave_out_stories(self) -> None:
        """Takes out the seeds that give next to nothing, as one of another kind does: documents would be too short."""
        told: Counter[str] = Counter()
        for element in self.elements.values():
            if element.given == STORY:
                told.update({story: len("".join(texts)) for story, texts in element.by.items()})
        self._stories = tuple(str(place + 1) for place in range(self.seeds))
        least = _LEAST_OF_A_STORY * median(told[story] for story in self._stories)
        self._stories = tuple(story for story in self._stories if told[story] >= least)
        for slug, element in list(self.elements.items()):
            if element.given == STORY:
                self.elements[slug] = _of_options(element, self._stories)
            elif STORY in [each.given for each in element.fields.values()]:
                entry = _of_options(element.fields[ENTRY], self._stories)
                details = _of_options(element.fields[ENTRY_TEXT], entry.values)
                self.elements[slug] = element.model_copy(update={"fields": {ENTRY: entry, ENTRY_TEXT: details}})
            if (
                self.elements[slug] != element
                and not any(texts_of(self.elements[slug]))
                and not self.elements[slug].ranges
            ):
                del self.elements[slug], self.said[slug]

    def _helpers(self) -> None:
        """The fields that others rest on, and shipped lists without what the seeds name."""
        texts = [text for element in self.elements.values() for text in element.values]
        if any(f"{{{CITY}}}" in text for text in texts):
            self.elements[CITY] = Element(type="place")
        if any(
            STORY in (element.given, *(each.given for each in element.fields.values()))
            for element in self.elements.values()
        ):
            self.elements[STORY] = Element(type="option", options=self._stories)
        for name, words in shipped_lists(self.language).items():
            if name in ("initials", "kinds_of_organisation"):
                continue
            free = tuple(word for word in words if word not in self._joined or len(word) < 2)
            if len(free) < len(words):
                self.lists[name] = free


def _bare(value: str, kind: str) -> str:
    return person_of(value) if kind == "person" else value


def _distinct(seen: Sequence[Seen]) -> list[Seen]:
    """Without fields that say of every seed what another field says of it, as a signature does.

    What other seeds have by the same name in another section is the same field.
    """
    found: list[Seen] = []
    for each in seen:
        same = next((one for one in found if one.label == each.label and one.prose == each.prose), None)
        if same is not None and not same.values.keys() & each.values.keys():
            at = found.index(same)
            found[at] = replace(same, values=same.values | each.values, sections=same.sections + each.sections)
            continue
        twins = [
            other
            for other in found
            if len(each.values) > 1 or is_person(each.label, next(iter(each.values.values())))
            if all(
                other.values.get(place, "").startswith(value) and len(value) > 1 for place, value in each.values.items()
            )
            and is_person("name", next(iter(each.values.values())))
        ]
        if not twins:
            found.append(each)
    return found


def _plain(number: Decimal) -> str:
    return f"{float(number):g}" if abs(number) < 1_000_000 else f"{number:f}"


def _family_name(name: str) -> str:
    """What a text calls a person or company by, after the whole name was said once."""
    if re.match(r"[\u4e00-\u9fff]", name):
        return name
    if ORGANISATION_EN.search(name):
        return name
    return name.rsplit(maxsplit=1)[-1] if name.split() else name


def _kind_of_organisation(name: str, language: str) -> str:
    """The words for the kind of an organisation at the end of its name: General Hospital, 人民法院."""
    if language == "zh":
        match = re.search(rf"(?:第[一二三四五六七八九十]+)?(?:{ORGANISATION_ZH.pattern})$", name)
        return match.group() if match else ""
    words = name.replace(",", " ").split()
    start = len(words)
    while start and (words[start - 1] in _MODIFIER or ORGANISATION_EN.fullmatch(words[start - 1])):
        start -= 1
    return " ".join(words[start:])


def _file_number(label: str, language: str) -> Element:
    serial = tuple(f"{number:04d}" for number in range(1037, 9900, 157))
    front = ("（2031）字第",) if language == "zh" else ("No. ",)
    rear = ("号",) if language == "zh" else ("/31",)
    return Element(type="name", label=label, parts=(front, serial, rear))


def _address(language: str) -> tuple[tuple[str, ...], ...]:
    numbers = tuple(str(number) for number in range(3, 99, 5))
    if language == "zh":
        return (f"{{{CITY}}}",), ("@streets",), numbers, ("号",)
    return numbers, (" ",), ("@streets",), (f", {{{CITY}}}",)


def _around(number: Decimal, decimals: int, share: Decimal) -> tuple[float, float]:
    step = Decimal(1).scaleb(-decimals)
    spread = max((abs(number) * share).quantize(step), step if number else Decimal(0))
    return float(number - spread if number > spread else number), float(number + spread)


def _slug(label: str, number: int, taken: Mapping[str, object]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
    slug = slug if slug and slug[0].isalpha() else f"field_{number}"
    return slug if slug not in taken and slug not in _RESERVED else f"{slug}_{number}"


def _of_options(element: Element, options: Sequence[str]) -> Element:
    """The element without the values that belong to other options of the field that it is given by."""
    by = {option: texts for option, texts in element.by.items() if option in options}
    ranges = {option: each for option, each in element.ranges.items() if option in options}
    return element.model_copy(update={"by": by, "ranges": ranges})


def texts_of(element: Element) -> Iterator[str]:
    """All texts that a value of an element may hold."""
    yield from element.values
    for inner in element.fields.values():
        yield from texts_of(inner)
