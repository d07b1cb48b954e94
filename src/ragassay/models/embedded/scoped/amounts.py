"""How many, how much, within how many days: amounts that a sentence gives of anything, asked within its document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from ragassay.models.embedded.analysis import THEME, Analysis, Sentence, is_self_contained
from ragassay.models.embedded.drafts import Draft, capitalised
from ragassay.models.embedded.grammar import HAVE, Clause, inverted, lower_first, tokens_of
from ragassay.models.embedded.phrases import is_whole
from ragassay.models.embedded.reckoning import find_dates
from ragassay.models.embedded.scoped.scope import (
    framed_sentences,
    names_something,
    phrase_in_sentence,
    subject_in_sentence,
    usable,
)

_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}
_NUMBER = rf"(?:\d[\d,]*(?:\.\d+)?(?: (?:million|billion|thousand))?|{'|'.join(list(_WORDS)[2:])})"
_ABOUT = (
    r"(?:up to|at least|at most|about|approximately|around|more than|less than|fewer than|no more than|no fewer than|"
    r"not more than|over|nearly|almost|roughly|a maximum of|a minimum of|exactly|some)"
)
_COUNTED = re.compile(rf"(?:only )?(?P<answer>(?:{_ABOUT} )?(?P<number>{_NUMBER}) )(?=[a-z])")
_BEHIND = re.compile(rf"(?:^| )(?P<preposition>within|for|after|in) (?=(?:only )?(?:{_ABOUT} )?{_NUMBER} [a-z])")
_MONEY = re.compile(rf"(?P<answer>(?:{_ABOUT} )?[£$€]\d[\d,.]*(?<![.,])(?: (?:million|billion))?)(?=$|[ ,])")
_OF_AMOUNT = re.compile(
    rf"an? (?P<noun>[a-z-]+(?: [a-z-]+){{0,2}}) of (?P<answer>(?:{_ABOUT} )?(?:[£$€]\d[\d,.]*(?<![.,])(?: (?:million|"
    rf"billion))?|{_NUMBER}(?: ?%| per cent| (?:square |cubic )?[a-z]{{2,}}s\b)))"
)
_WHOLE = re.compile(
    rf"(?P<answer>(?:{_ABOUT} )?(?:[£$€]\d[\d,.]*(?<![.,])(?: (?:million|billion))?|"
    rf"{_NUMBER}(?: ?%| per cent| ?[a-zA-Z°²³/]{{1,6}}| (?:square |cubic |working )?[a-z]{{2,}}s?)))$"
)
_PAYS = frozenset("cost pay charge receive owe save spend earn get raise donate lend take make contribute".split())
_TIMES = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_NO_UNIT = frozenset(
    """
    purposes aspects steps cases situations occasions directions categories levels flavors times ways things percent
    points reasons others kinds types sorts forms parts places
""".split()
)
_OFTEN = re.compile(
    r"(?:^| )(?P<answer>(?:once|twice|(?:\w+ )times) (?:a|an|per|every|each) [a-z]+|every (?:\w+ )?"
    r"(?:minute|hour|day|week|month|quarter|year)s?)$"
)


class Measured(NamedTuple):
    """A fact with an amount. nominal: 'the number of items that adults may borrow', for comparisons.

    value: in ``unit``; times are all in seconds.
    """

    draft: Draft
    nominal: str
    value: Decimal
    unit: str


def measured_facts(analysis: Analysis) -> Iterator[Measured]:
    """Every amount of the running text that a question can be asked about; questions lack their frame."""
    for sentence in framed_sentences(analysis):
        if not re.search(
            r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|every)\b", sentence.masked
        ):
            continue
        priced = _priced_at(analysis, sentence)
        if priced is not None:
            yield priced
            continue
        clause = usable(sentence)
        if clause is None or clause.front or find_dates(clause.rest):
            continue
        for rule in (_direct, _behind, _money, _of_amount, _whole, _often):
            found = rule(analysis, sentence, clause)
            if found is not None:
                yield found
                break


def tail_of(text: str) -> str | None:
    """What follows an amount up to the first comma; None where the amount is not the whole of what is told."""
    if re.match(r" ?(?:and|or|that|which|who|whose|of|to \w+ing|than|each|more|less|apart|;|\()", text.strip() + " "):
        return None
    tail = re.split(r"[,;:(]", text)[0].strip()
    if re.match(r"(?:over|under|about|around|with|plus)\b", tail):
        return None
    tail = re.split(r" (?:and|but|unless|if|when|while|because|so that|which|who|where) ", f" {tail} ")[0].strip()
    return tail if len(tail.split()) <= 10 and (not tail or is_whole(tail)) else None


def counted_noun(text: str) -> str:
    """The plural noun phrase at the start of a text: 'square metres', 'working days'; '' where there is none."""
    before = "the "  # tells the tagger that no verb follows
    kept = []
    tokens = tokens_of(before + text)[1:]
    for place, token in enumerate(tokens):
        if token.tag not in {"NN", "NNS", "JJ", "VBG", "VBN"}:
            break
        kept.append(token)
        following = tokens[place + 1].tag if place + 1 < len(tokens) else ""
        if token.tag == "NNS" and following != "NNS":
            break
    if not kept or kept[-1].tag != "NNS" or len(kept) > 3 or kept[-1].lower in _NO_UNIT:
        return ""
    return text[kept[0].start - len(before) : kept[-1].end - len(before)]


_AHEAD = re.compile(r" (?:ahead of time|in advance|ahead|apart|away|old|in size|in length)\b")


def _value(number: str) -> Decimal:
    parts = number.replace(",", "").split()
    value = Decimal(_WORDS[parts[0]]) if parts[0] in _WORDS else Decimal(parts[0])
    return value * {"thousand": 10**3, "million": 10**6, "billion": 10**9}.get(parts[-1], 1)


def _in_one_unit(value: Decimal, noun: str) -> tuple[Decimal, str]:
    last = noun.rsplit(maxsplit=1)[-1].removesuffix("s")
    return (value * _TIMES[last], "time") if last in _TIMES and noun.count(" ") == 0 else (value, noun)


def _told(analysis: Analysis, clause: Clause, *parts: str) -> str:
    """Subject, verbs and what else belongs to them, as a clause."""
    verbs = [token.text for token in clause.auxiliaries] + [clause.main.text]
    return " ".join(part for part in (subject_in_sentence(clause, analysis), *verbs, *parts) if part)


def _draft(
    analysis: Analysis, sentence: Sentence, pattern: str, question: str, answer: str, attribute: str
) -> Draft | None:
    if not is_self_contained(question, subject_is_theme=False) or not is_self_contained(answer, subject_is_theme=False):
        return None
    return Draft(
        pattern=pattern,
        question=lower_first(analysis.unmask(f"{question}?")),
        answer=capitalised(analysis.unmask(answer)),
        statement=re.sub(r"\s+", " ", sentence.quote).strip(),
        quotes=(sentence.quote,),
        attribute=attribute,
    )


def _measured(draft: Draft | None, analysis: Analysis, nominal: str, value: Decimal, unit: str) -> Measured | None:
    return Measured(draft, analysis.unmask(nominal), value, unit) if draft is not None else None


_VERBLESS = frozenset("be become remain seem have mean".split())


def _direct(analysis: Analysis, sentence: Sentence, clause: Clause) -> Measured | None:
    """'may borrow up to 15 items at a time': how many."""
    match = _COUNTED.match(clause.rest)
    if match is None or clause.is_copula or clause.lemma == "be":
        return None
    noun = counted_noun(clause.rest[match.end() :])
    ahead = _AHEAD.match(clause.rest, match.end() + len(noun)) if noun else None
    noun += ahead.group() if ahead else ""
    tail = tail_of(clause.rest[match.end() + len(noun) :]) if noun else None
    if tail is None or clause.lemma in _VERBLESS - HAVE - {"have"}:
        return None
    value, unit = _in_one_unit(_value(match["number"]), noun)
    draft = _draft(
        analysis,
        sentence,
        "how_many",
        f"how many {noun} {inverted(clause, subject_in_sentence(clause, analysis), tail)}",
        f"{match['answer']}{noun}",
        f"{clause.lemma} {noun}",
    )
    return _measured(draft, analysis, f"the number of {noun} that {_told(analysis, clause, tail)}", value, unit)


def _behind(analysis: Analysis, sentence: Sentence, clause: Clause) -> Measured | None:
    """'must be reported within 24 hours': within how many hours."""
    match = next(_BEHIND.finditer(clause.rest), None)
    counted = _COUNTED.match(clause.rest, match.end()) if match else None
    if match is None or counted is None:
        return None
    noun = counted_noun(clause.rest[counted.end() :])
    tail = tail_of(clause.rest[counted.end() + len(noun) :]) if noun else None
    before = clause.rest[: match.start()].strip()
    if tail is None or not is_whole(before + " x" if before else "x") or re.search(r",|\b(?:and|or|than)$", before):
        return None
    if clause.is_copula and not before:
        return None
    preposition = match["preposition"]
    value, unit = _in_one_unit(_value(counted["number"]), noun)
    rest = f"{before} {tail}".strip()
    draft = _draft(
        analysis,
        sentence,
        "how_many",
        f"{preposition} how many {noun} {inverted(clause, subject_in_sentence(clause, analysis), rest)}",
        f"{preposition} {counted['answer']}{noun}",
        f"{clause.lemma} {noun}",
    )
    nominal = (
        f"the {'time' if unit == 'time' else f'number of {noun}'} {preposition} which {_told(analysis, clause, rest)}"
    )
    return _measured(draft, analysis, nominal, value, unit)


def _money(analysis: Analysis, sentence: Sentence, clause: Clause) -> Measured | None:
    """'costs £18 an hour': how much."""
    match = _MONEY.match(clause.rest)
    tail = tail_of(clause.rest[match.end() :]) if match and clause.lemma in _PAYS else None
    if match is None or tail is None:
        return None
    draft = _draft(
        analysis,
        sentence,
        "how_much",
        f"how much {inverted(clause, subject_in_sentence(clause, analysis), tail)}",
        match["answer"],
        f"{clause.lemma} money",
    )
    return _measured(
        draft, analysis, f"the amount that {_told(analysis, clause, tail)}", *_priced(match["answer"], tail)
    )


_COSTS = re.compile(
    rf"^(?P<subject>[A-Z][^,;:()]{{2,60}}?) (?P<verb>costs?) (?P<amount>{_MONEY.pattern})(?P<after>.*)\.$"
)


def _priced_at(analysis: Analysis, sentence: Sentence) -> Measured | None:
    """'Delivery within Bristol costs £6': the tagger takes 'costs' for a noun, so the clause is not taken apart."""
    match = _COSTS.match(sentence.masked)
    tail = tail_of(match["after"]) if match else None
    if match is None or tail is None or not names_something(match["subject"]):
        return None
    subject = phrase_in_sentence(match["subject"], analysis)
    question = " ".join(f"how much {'does' if match['verb'] == 'costs' else 'do'} {subject} cost {tail}".split())
    draft = _draft(analysis, sentence, "how_much", question, match["answer"], "cost money")
    return _measured(draft, analysis, f"the price of {subject} {tail}".strip(), *_priced(match["answer"], tail))


def _priced(answer: str, tail: str = "") -> tuple[Decimal, str]:
    """Value and currency; prices per different units ('an hour', 'a day') cannot be compared."""
    found = re.search(r"([£$€])(\d[\d,]*(?:\.\d+)?)( million| billion)?", answer)
    assert found is not None
    scale = {" million": 10**6, " billion": 10**9}.get(found[3] or "", 1)
    per = re.match(r"(?:an?|per|each) (\w+)", tail)
    return Decimal(found[2].replace(",", "")) * scale, f"{found[1]}{f' {per[1]}' if per else ''}"


_MEASURE = re.compile(
    r"\b(?:area|size|length|weight|capacity|volume|height|depth|width|range|speed|power|temperature|distance|diameter|"
    r"period|term|duration|notice|age|limit|maximum|minimum|average|total|population|storage|mass|density|share|rate|"
    r"life|lifetime|lifespan|warranty|break|delay|deadline|crew|staff|membership)$"
)


def _of_amount(analysis: Analysis, sentence: Sentence, clause: Clause) -> Measured | None:
    """'shall pay a deposit of £9,125': what deposit."""
    match = _OF_AMOUNT.match(clause.rest)
    tail = tail_of(clause.rest[match.end() :]) if match else None
    if match is None or tail is None or clause.is_copula or tokens_of(f"the {match['noun']}")[-1].tag != "NN":
        return None
    if not re.search(r"[£$€%]|per cent", match["answer"]) and not _MEASURE.search(match["noun"]):
        return None  # 'a laboratory of 42 square metres' is no measure
    question = f"what {match['noun']} {inverted(clause, subject_in_sentence(clause, analysis), tail)}"
    draft = _draft(analysis, sentence, "what_amount", question, match["answer"], match["noun"])
    nominal = f"the {match['noun']} that {_told(analysis, clause, tail)}"
    if re.search(r"[£$€]", match["answer"]):
        return _measured(draft, analysis, nominal, *_priced(match["answer"]))
    return _measured(draft, analysis, nominal, Decimal(0), "")


def _whole(analysis: Analysis, sentence: Sentence, clause: Clause) -> Measured | None:
    """'The annual rent is £36,500': what it is."""
    if not clause.is_copula or clause.main.lower not in {"is", "was"} or clause.subject == THEME:
        return None
    match = _WHOLE.match(re.split(r", | and | but ", clause.rest)[0].strip())
    if match is None or not re.match(r"(?:The|An?) ", clause.subject) or re.search(r" (?:old|long)$", match["answer"]):
        return None
    subject = subject_in_sentence(clause, analysis)
    draft = _draft(
        analysis, sentence, "what_amount", f"what {clause.main.lower} {subject}", match["answer"], clause.subject
    )
    money = re.search(r"[£$€]", match["answer"])
    value, unit = _priced(match["answer"]) if money else (Decimal(0), "")
    return _measured(draft, analysis, subject, value, unit)


def _often(analysis: Analysis, sentence: Sentence, clause: Clause) -> Measured | None:
    """'This policy is reviewed every two years': how often."""
    chunk = re.split(r"[,;]", clause.rest)[0].strip()
    match = _OFTEN.search(chunk)
    before = chunk[: match.start()].strip() if match else ""
    if match is None or clause.is_copula or (before and not is_whole(before)) or re.search(r"\bor$|\band$", before):
        return None
    draft = _draft(
        analysis,
        sentence,
        "how_often",
        f"how often {inverted(clause, subject_in_sentence(clause, analysis), before)}",
        match["answer"],
        f"{clause.lemma} often",
    )
    return _measured(draft, analysis, "", Decimal(0), "")
