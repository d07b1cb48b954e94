"""How many, how much, within how many days: amounts that a sentence gives of anything, asked within its document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.reading.analysis import THEME, Analysis, Sentence, is_self_contained
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import HAVE, Clause, inverted, lower_first, tokens_of
from ragassay.models.embedded.reading.phrases import is_whole
from ragassay.models.embedded.reading.reckoning import find_dates
from ragassay.models.embedded.stated.drafts import Draft, capitalised
from ragassay.models.embedded.stated.scoped.scope import (
    framed_sentences,
    named_fully,
    names_something,
    parsed_subject,
    phrase_in_sentence,
    usable,
)

_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|"
    "sixty|ninety|hundred"
)
_NUMBER = rf"(?:\d[\d,]*(?:\.\d+)?(?: (?:million|billion|thousand))?|{_WORDS})"
_ABOUT = (
    r"(?:up to|at least|at most|about|approximately|around|more than|less than|fewer than|no more than|no fewer than|"
    r"not more than|over|nearly|almost|roughly|a maximum of|a minimum of|exactly|some)"
)
_COUNTED = re.compile(rf"(?:only )?(?P<answer>(?:{_ABOUT} )?{_NUMBER} )(?=[a-z])")
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


_SUBJECT = "Xsubject"
"""What stands for the subject until the parser has told that it is one; most sentences give no question at all."""


def measured_facts(analysis: Analysis) -> Iterator[Draft]:
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
                subject = parsed_subject(sentence, clause, analysis)
                if subject is not None:
                    yield replace(found, question=found.question.replace(_SUBJECT, analysis.unmask(subject)))
                break


def tail_of(text: str) -> str | None:
    """What follows an amount up to the first comma; None where the amount is not the whole of what is told."""
    if re.match(r" ?(?:and|or|that|which|who|whose|of|to \w+ing|than|each|more|less|apart|;|\()", text.strip() + " "):
        return None
    tail = re.split(r"[,;:(]", text)[0].strip()
    if re.match(rf"(?:over|under|about|around|with|plus|{_NUMBER})\b", tail):
        return None  # two minutes 40 seconds; five women two hours
    tail = re.split(r" (?:and|but|unless|if|when|while|because|so that|which|who|where) ", f" {tail} ")[0].strip()
    if " " not in tail and tail and tokens_of(f"they were {tail}")[-1].tag in {"VBN", "VBD", "JJ"}:
        return None  # three cups cooked
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


_VERBLESS = frozenset("be become remain seem have mean".split())


def _direct(analysis: Analysis, sentence: Sentence, clause: Clause) -> Draft | None:
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
    return _draft(
        analysis,
        sentence,
        "how_many",
        f"how many {noun} {inverted(clause, _SUBJECT, tail)}",
        f"{match['answer']}{noun}",
        f"{clause.lemma} {noun}",
    )


def _behind(analysis: Analysis, sentence: Sentence, clause: Clause) -> Draft | None:
    """'must be reported within 24 hours': within how many hours."""
    match = next(_BEHIND.finditer(clause.rest), None)
    counted = _COUNTED.match(clause.rest, match.end()) if match else None
    if match is None or counted is None:
        return None
    noun = counted_noun(clause.rest[counted.end() :])
    tail = tail_of(clause.rest[counted.end() + len(noun) :]) if noun else None
    before = clause.rest[: match.start()].strip()
    if tail is None or not is_whole(before + " x" if before else "x") or (clause.is_copula and not before):
        return None
    if re.search(r",|\b(?:and|or|than|time)$", before):
        return None
    preposition = match["preposition"]
    rest = f"{before} {tail}".strip()
    return _draft(
        analysis,
        sentence,
        "how_many",
        f"{preposition} how many {noun} {inverted(clause, _SUBJECT, rest)}",
        f"{preposition} {counted['answer']}{noun}",
        f"{clause.lemma} {noun}",
    )


def _money(analysis: Analysis, sentence: Sentence, clause: Clause) -> Draft | None:
    """'costs £18 an hour': how much."""
    match = _MONEY.match(clause.rest)
    tail = tail_of(clause.rest[match.end() :]) if match and clause.lemma in _PAYS else None
    if match is None or tail is None:
        return None
    return _draft(
        analysis,
        sentence,
        "how_much",
        f"how much {inverted(clause, _SUBJECT, tail)}",
        match["answer"],
        f"{clause.lemma} money",
    )


_COSTS = re.compile(
    rf"^(?P<subject>[A-Z][^,;:()]{{2,60}}?) (?P<verb>costs?) (?P<amount>{_MONEY.pattern})(?P<after>.*)\.$"
)


def _priced_at(analysis: Analysis, sentence: Sentence) -> Draft | None:
    """'Delivery within Bristol costs £6': the tagger takes 'costs' for a noun, so the clause is not taken apart."""
    match = _COSTS.match(sentence.masked)
    tail = tail_of(match["after"]) if match else None
    if match is None or tail is None or not names_something(match["subject"]):
        return None
    subject = named_fully(phrase_in_sentence(match["subject"], analysis), sentence, analysis)
    question = " ".join(f"how much {'does' if match['verb'] == 'costs' else 'do'} {subject} cost {tail}".split())
    return _draft(analysis, sentence, "how_much", question, match["answer"], "cost money")


_MEASURE = re.compile(
    r"\b(?:area|size|length|weight|capacity|volume|height|depth|width|range|speed|power|temperature|distance|diameter|"
    r"period|term|duration|notice|age|limit|maximum|minimum|average|total|population|storage|mass|density|share|rate|"
    r"life|lifetime|lifespan|warranty|break|delay|deadline|crew|staff|membership)$"
)


def _of_amount(analysis: Analysis, sentence: Sentence, clause: Clause) -> Draft | None:
    """'shall pay a deposit of £9,125': what deposit."""
    match = _OF_AMOUNT.match(clause.rest)
    tail = tail_of(clause.rest[match.end() :]) if match else None
    if match is None or tail is None or clause.is_copula or tokens_of(f"the {match['noun']}")[-1].tag != "NN":
        return None
    if not re.search(r"[£$€%]|per cent", match["answer"]) and not _MEASURE.search(match["noun"]):
        return None  # 'a laboratory of 42 square metres' is no measure
    question = f"what {match['noun']} {inverted(clause, _SUBJECT, tail)}"
    return _draft(analysis, sentence, "what_amount", question, match["answer"], match["noun"])


def _whole(analysis: Analysis, sentence: Sentence, clause: Clause) -> Draft | None:
    """'The annual rent is £36,500': what it is."""
    if not clause.is_copula or clause.main.lower not in {"is", "was"} or clause.subject == THEME:
        return None
    match = _WHOLE.match(re.split(r", | and | but ", clause.rest)[0].strip())
    if match is None or not clause.subject.startswith("The ") or re.search(r" (?:old|long)$", match["answer"]):
        return None
    if len(content_words(clause.subject)) < 2:
        return None  # the cost of what?
    return _draft(
        analysis, sentence, "what_amount", f"what {clause.main.lower} {_SUBJECT}", match["answer"], clause.subject
    )


def _often(analysis: Analysis, sentence: Sentence, clause: Clause) -> Draft | None:
    """'This policy is reviewed every two years': how often."""
    chunk = re.split(r"[,;]", clause.rest)[0].strip()
    match = _OFTEN.search(chunk)
    before = chunk[: match.start()].strip() if match else ""
    if (
        match is None
        or clause.is_copula
        or (before and not is_whole(before))
        or re.search(r"\bor$|\band$|[:;]", before)
    ):
        return None
    return _draft(
        analysis,
        sentence,
        "how_often",
        f"how often {inverted(clause, _SUBJECT, before)}",
        match["answer"],
        f"{clause.lemma} often",
    )
