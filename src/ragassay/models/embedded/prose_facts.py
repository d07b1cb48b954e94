"""Single facts from running text: one pattern a function, each from a clause to a question that the clause answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.analysis import MAX_SENTENCE_WORDS, THEME, Analysis, Sentence, is_self_contained
from ragassay.models.embedded.drafts import Draft, Event, capitalised, pick
from ragassay.models.embedded.grammar import Clause, inflect, inverted, lower_first, tokens_of
from ragassay.models.embedded.reckoning import DateSpan, find_amounts, find_dates

_NAME = r"[A-Z][\w.'’&-]*(?:(?: (?:of|de|la|del|von|van|the|and|upon|on|für|und|&|for))* [A-Z0-9][\w.'’&-]*)*"
_PLACE = rf"(?:the )?{_NAME}(?:, {_NAME})*"
_MADE = (
    "directed written produced composed created developed published designed founded built painted hosted edited recorded manufactured "
    "distributed invented discovered established owned operated commissioned launched acquired bought purchased opened "
    "drawn narrated choreographed illustrated curated sculpted presented proposed introduced led approved supplied installed"
).split()
_BY = re.compile(
    rf"\b(?P<verb>{'|'.join(_MADE)})(?: and (?P<second>{'|'.join(_MADE)}))?(?P<between> (?:in|on) [^,]{{3,20}}?)? by (?P<agent>.+)$"
)
_COMPANY = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corp|Co|Company|Corporation|Group|Records|Studios?|Entertainment|Press|Publishing|Industries|Motors|Bank|Airlines|Games|Pictures|Media|Holdings|Technologies|Systems|Software|Works)\b"
)
_ATTRIBUTES = frozenset(
    "population height length area capacity width depth weight mass power displacement speed range budget cost price duration elevation "
    "diameter wheelbase attendance enrollment enrolment circulation revenue wingspan output volume density salary fee rent turnover "
    "headcount workforce storage endurance draught beam tonnage voltage pressure temperature yield".split()
)
_ROLE_NOUN = re.compile(
    r"\b(?:president|director|chair(?:man|woman|person)?|minister|officer|manager|head|member|deputy|senator|governor|mayor|captain|coach|editor|professor|ambassador|secretary|commander|leader|judge|engineer|lead|representative|principal|dean|chief|treasurer|curator|bishop|partner|analyst|technician|superintendent|coordinator|supervisor)\b",
    re.IGNORECASE,
)


def prose_facts(analysis: Analysis) -> Iterator[Draft]:
    """Drafts from every sentence that makes sense alone, in the order of the text."""
    for sentence in analysis.sentences:
        if not 4 <= len(sentence.masked.split()) <= MAX_SENTENCE_WORDS or sentence.quote.rstrip()[-1:] not in '."”':
            continue
        yield from _born(analysis, sentence)
        if THEME not in sentence.masked:
            continue
        clause = sentence.clause
        if clause is None or clause.subject_tokens[0].lower in {
            "this",
            "these",
            "that",
            "those",
            "it",
            "he",
            "she",
            "they",
            "each",
            "some",
            "such",
            "other",
            "many",
            "most",
            "all",
            "both",
            "another",
        }:
            continue
        for pattern in (
            _when,
            _where,
            _definition,
            _maker,
            _attribute,
            _role,
            _study,
            _award,
            _known_as,
            _named_after,
            _used_for,
            _family,
            _price,
        ):
            yield from pattern(analysis, sentence, clause)


def cut(rest: str) -> str:
    """The rest of a clause up to where a further clause hangs on: a relative, a participle, a second verb."""
    rest = re.sub(r" ?\([^()]*\)", "", rest)
    tokens = tokens_of(rest)
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        hangs = following is not None and (
            following.tag in {"VBG", "WDT", "WP", "WRB", "PRP", "VBD", "VBN", "VBZ", "MD"}
            or following.lower
            in {
                "which",
                "who",
                "where",
                "with",
                "while",
                "but",
                "although",
                "as",
                "after",
                "before",
                "when",
                "because",
                "so",
                "including",
                "making",
                "however",
                "and",
                "then",
                "often",
                "along",
                "though",
                "to",
                "via",
            }
        )
        if token.text == ":":
            return ""  # what follows the colon belongs to the name or list before it
        if token.text in {"–", "—"} and rest[token.start - 1 : token.start] != " ":
            continue
        if token.text in {";", "–", "—"} or (token.text == "," and hangs):
            return rest[: token.start].strip()
        if (
            token.lower in {"and", "but"}
            and following is not None
            and place > 0
            and (following.tag in {"VBD", "VBZ", "VBP", "MD", "PRP", "RB", "VBN"} and not following.is_name)
        ):
            return rest[: token.start].strip(" ,")
        if token.tag in {"WDT", "WP", "WRB"} or token.lower in {
            "which",
            "who",
            "because",
            "although",
            "while",
            "whereas",
        }:
            return rest[: token.start].strip(" ,")
    return rest.strip(" ,")


def is_whole(text: str) -> bool:
    """No loose end: not cut after a preposition or article or inside a list, no finite verb left inside."""
    listed = re.search(r", (?P<last>[a-z][^,]*)$", text)
    if listed and " and " not in listed["last"] and " or " not in listed["last"]:
        return False
    tokens = tokens_of(text)
    if tokens and (
        tokens[-1].tag in {"IN", "DT", "CC", "TO", ",", "PRP$", "WDT", "VBG"} and tokens[-1].text not in {THEME}
    ):
        return False
    return (
        not any(token.tag in {"VBD", "VBZ", "VBP", "MD", "WP", "WDT", "WRB"} and not token.is_name for token in tokens)
        and " that " not in f" {text} "
    )


def subject_text(clause: Clause) -> str:
    return lower_first(clause.subject)


def _event_date(clause: Clause) -> tuple[DateSpan, str] | None:
    """The one date of a clause and the rest of the clause without it; None where dates are a range or several."""
    dates = find_dates(clause.sentence)
    if len(dates) != 1:
        return None
    date = dates[0]
    before = clause.sentence[: date.start]
    if clause.front and date.end <= len(clause.front) + 1:
        if not re.fullmatch(r"(?:In|On) (?:early |late |mid-)?", before) or date.end < len(clause.front.rstrip(",")):
            return None
        return date, cut(clause.rest)
    match = re.search(r"(?:^| )(?:in|on) $", before)
    if not match or date.start < clause.rest_start:
        return None
    kept = clause.sentence[clause.rest_start : match.start()].strip() if match.start() >= clause.rest_start else ""
    if clause.front or re.search(r"\b(?:since|until|from|between|before|after|by|as of|late|early|mid)$", kept):
        return None
    shortened = cut(kept)
    return (date, shortened) if shortened == re.sub(r" ?\([^()]*\)", "", kept).strip(" ,") else None


def _when(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if (
        clause.is_copula
        or clause.main.tag in {"VBZ", "VBP"}
        or (clause.auxiliaries and clause.auxiliaries[0].lower not in {"was", "were"})
    ):
        return
    if clause.lemma in {
        "say",
        "state",
        "report",
        "note",
        "claim",
        "have",
        "include",
        "know",
        "see",
        "estimate",
        "expect",
        "think",
        "describe",
        "seem",
        "appear",
        "remain",
        "continue",
        "argue",
        "suggest",
        "tell",
        "inform",
        "explain",
        "reveal",
        "demonstrate",
        "show",
        "focus",
        "strive",
        "attract",
        "play",
        "want",
        "feel",
        "believe",
        "use",
        "need",
        "look",
    }:
        return
    if re.match(
        r"(?:significant|great|major|notable) (?:progress|strides|efforts|contributions|achievements)|strides|progress",
        clause.rest,
    ):
        return
    dated = _event_date(clause)
    if dated is None:
        return
    date, rest = dated
    if clause.lemma in {"bear", "die"}:
        rest = ""
    if re.search(r"\b(?:once )?again\b|\boffice$|\bsuccess\b", rest):
        return
    subject = subject_text(clause)
    if (
        len(rest.split()) > 16
        or not is_whole(rest)
        or not is_self_contained(f"{subject} {rest}", subject_is_theme=clause.subject == THEME)
    ):
        return
    if (
        not rest
        and clause.main.text not in _MADE
        and clause.lemma
        not in {
            "release",
            "found",
            "open",
            "close",
            "bear",
            "die",
            "launch",
            "premiere",
            "begin",
            "start",
            "end",
            "retire",
            "form",
            "debut",
            "publish",
            "complete",
            "build",
            "incorporate",
            "dissolve",
            "join",
            "marry",
            "graduate",
            "air",
            "resign",
            "demolish",
            "discontinue",
            "sink",
            "crash",
            "occur",
            "announce",
        }
    ):
        return
    question_clause = inverted(clause, subject, rest)
    wording = {
        "year": ("when", "in which year", "in what year"),
        "month": ("when", "in which month and year", "when"),
        "day": ("when", "on what date", "when", "on which date"),
    }[date.precision]
    told = " ".join(
        part for part in (subject, *(token.text for token in clause.auxiliaries), clause.main.text, rest) if part
    )
    unmask = analysis.unmask
    question = f"{pick(wording, question_clause)} {question_clause}?"
    preposition = "on" if date.precision == "day" else "in"
    is_theme = clause.subject == THEME
    asked = inverted(clause, pronoun_of(analysis, rest) if is_theme else subject, rest)
    yield Draft(
        pattern="when",
        question=capitalised(unmask(question)),
        answer=date.text,
        statement=capitalised(f"{unmask(told)} {preposition} {date.text}."),
        quotes=(sentence.quote,),
        attribute=f"{clause.lemma} {rest}",
        event=Event(unmask(told), unmask(asked), date, is_theme),
    )


def pronoun_of(analysis: Analysis, rest: str = "") -> str:
    """'she', 'he' or 'it' for the theme; a possessive in the same clause decides where there is one."""
    own = re.search(r"\b(his|her|its)\b", rest)
    if own:
        return {"his": "he", "her": "she", "its": "it"}[own[1]]
    if not analysis.profile.is_person:
        return "it"
    text = f"{analysis.passage.opening} {analysis.passage.text}"
    return "she" if len(re.findall(r"\b[Ss]he\b|\bher\b", text)) > len(re.findall(r"\b[Hh]e\b|\bhis\b", text)) else "he"


def _born(analysis: Analysis, sentence: Sentence) -> Iterator[Draft]:
    """'Xtheme (born 31 March 1978)' and 'Xtheme (12 May 1901 – 3 June 1980)' in the opening sentence."""
    match = re.match(rf"{THEME},? [^()]{{0,40}}\((?P<inside>[^()]*)\)", sentence.masked)
    if not match or not analysis.profile.is_person:
        return
    inside = match["inside"]
    dates = find_dates(inside)
    theme = analysis.profile.theme
    if re.search(r"\bc\.|\bcirca\b|\bafter\b|\bbefore\b|\bor\b|\?|/|\bbaptised\b|\bprobably\b", inside):
        return
    if len(dates) == 1 and re.search(r"\bborn\b", inside):
        yield Draft("when", f"When was {theme} born?", dates[0].text, f"{theme} was born {_on(dates[0])}.", (sentence.quote,), "born",
                    Event(f"{theme} was born", f"was {pronoun_of(analysis)} born", dates[0], subject_is_theme=True))  # fmt: skip
    elif len(dates) == 2 and re.search(r" [–—-] ", inside):
        for verb, date in (("born", dates[0]), ("die", dates[1])):
            told = f"{theme} was born" if verb == "born" else f"{theme} died"
            asked = f"was {pronoun_of(analysis)} born" if verb == "born" else f"did {pronoun_of(analysis)} die"
            question = f"When was {theme} born?" if verb == "born" else f"When did {theme} die?"
            yield Draft(
                "when",
                question,
                date.text,
                f"{told} {_on(date)}.",
                (sentence.quote,),
                verb,
                Event(told, asked, date, subject_is_theme=True),
            )


def _on(date: DateSpan) -> str:
    return f"{'on' if date.precision == 'day' else 'in'} {date.text}"


_PLACED = frozenset(
    "born located situated based headquartered held buried raised filmed shot married stationed moored built berthed".split()
)


def _where(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    subject = subject_text(clause)
    if not is_self_contained(subject, subject_is_theme=True):
        return
    if (
        clause.auxiliaries
        and clause.main.lower in _PLACED
        and clause.auxiliaries[-1].lower in {"is", "was", "are", "were"}
    ):
        rest = re.sub(r"^(?:in|on) (?=[0-9A-Z])[^,]*?\d{4},? (?=(?:in|at|near|on) )", "", clause.rest)
        match = re.match(
            rf"(?P<place>(?:in|at|near|on|off|outside) {_PLACE})(?=$|,| (?:in|on|to|as|and|from|where|near|about|\d))",
            rest,
        )
        if (
            match
            and not re.search(
                r"\d|January|February|March|April|\bMay\b|June|July|August|September|October|November|December",
                match["place"],
            )
            and not re.search(rf"\b{THEME}\b", match["place"])
        ):
            question = f"Where {inverted(clause, subject, '')}?"
            yield Draft(
                "where",
                analysis.unmask(question),
                _sentence_case(match["place"]),
                analysis.unmask(
                    capitalised(f"{subject} {clause.auxiliaries[-1].text} {clause.main.text} {match['place']}.")
                ),
                (sentence.quote,),
                f"{clause.main.lower} where",
            )
    elif clause.is_copula and clause.subject == THEME and not analysis.profile.is_person:
        match = re.match(
            rf"(?:an?|the) (?P<kind>(?:[\w-]+ ){{0,4}}?(?:village|town|city|commune|municipality|river|mountain|lake|island|school|university|college|museum|station|airport|hospital|church|stadium|park|district|suburb|peak|creek|bridge|castle|cathedral|temple|theatre|theater|hotel|building|township|hamlet|settlement|neighbou?rhood|library|prison|dam|port|depot|yard|terminal|harbou?r)) (?P<place>in .+)$",
            clause.rest,
        )
        if match:
            place = cut(match["place"])
            if (
                is_whole(place)
                and 2 <= len(place.split()) <= 16
                and not find_dates(place)
                and is_self_contained(place, subject_is_theme=False)
            ):
                yield Draft(
                    "where",
                    analysis.unmask(f"Where is {THEME} located?"),
                    _sentence_case(analysis.unmask(place)),
                    analysis.unmask(f"{capitalised(subject)} is {place}."),
                    (sentence.quote,),
                    "located where",
                )


def without_stop(name: str) -> str:
    """A name without the full stop of the sentence that it ends; 'U.S.' and 'Moss Jr.' keep theirs."""
    return name if re.search(r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|Jr|Sr|St)\.$", name) else name.removesuffix(".")


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _definition(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if not clause.is_copula or clause.subject != THEME or not re.match(r"(?:an?|the) ", clause.rest) or clause.front:
        return
    opening = analysis.passage.opening or analysis.passage.text
    if not 0 <= opening.find(sentence.quote[:60]) < 300:
        return  # only where the document introduces its theme; later sentences say less than what it is
    told = re.split(
        r",? (?:that (?:was|is)|which|established|founded|headquartered|incorporated|based|born)\b", cut(clause.rest)
    )[0].rstrip(" ,")
    if not 4 <= len(told.split()) <= 30 or re.match(
        r"(?:an?|the) (?:same|only|first|second|one|way|result|part|lot|number|native|resident|graduate|victim|survivor|term|name|word)\b",
        told,
    ):
        return
    if not is_self_contained(told, subject_is_theme=False) or not is_whole_definition(told):
        return
    word = "who" if analysis.profile.is_person else "what"
    yield Draft(
        "what_is",
        capitalised(analysis.unmask(f"{word} {clause.main.lower} {THEME}?")),
        capitalised(analysis.unmask(told)),
        capitalised(analysis.unmask(f"{THEME} {clause.main.lower} {told}.")),
        (sentence.quote,),
        "definition",
    )


def is_whole_definition(text: str) -> bool:
    tokens = tokens_of(text)
    return (
        bool(tokens)
        and tokens[-1].tag not in {"IN", "DT", "CC", "TO", ",", "PRP$", "JJ"}
        and not re.search(r"\b(?:that|which|who)$", text)
    )


def _agent(text: str) -> str | None:
    """The one maker named after 'by': a name, with the words that introduce it."""
    tokens = tokens_of(cut(text))
    kept = []
    for token in tokens:
        if (
            token.tag in {"IN", "WDT", "TO", "VBD", "VBZ", "VBN", "VBG", "WP"}
            and not token.is_name
            and token.lower not in {"of", "de", "von", "van"}
        ):
            break
        if token.text in {",", ";", "("}:
            break
        kept.append(token)
    if not kept or not kept[-1].is_name or len(kept) > 9 or kept[0].lower in {"a", "an", "his", "her", "their", "its"}:
        return None
    phrase = text[kept[0].start : kept[-1].end]
    names_joined = re.search(r"[A-Z][\w.]+ and [A-Z]", phrase) and not _COMPANY.search(phrase)
    following = text[kept[-1].end :].lstrip()
    if following[:1] in set("–—:-&/'’"):
        return None  # the name goes on
    if (
        names_joined
        or following.startswith(", and ")
        or re.match(r", [A-Z]", following)
        or following.startswith("and ")
    ):
        return None
    return phrase


def _maker(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if clause.subject != THEME or find_dates(clause.subject) or analysis.profile.is_person:
        return
    text = f"{clause.main.text} {clause.rest}" if clause.is_passive else clause.rest if clause.is_copula else ""
    match = _BY.search(re.sub(r" ?\([^()]*\)", "", text))
    if match:
        if clause.is_passive and match.start() > 0:
            return
        if clause.is_copula and not re.match(
            r"(?:an?|the) [^,]*$", text[: match.start()].split(" and ")[0].rstrip(" ,")
        ):
            return
        if THEME in text[: match.start()] or re.search(
            r"\b(?:that|which|who|based on|of the)\b", text[: match.start()]
        ):
            return
        agent = _agent(match["agent"])
        if agent is None or THEME in agent:
            return
        is_now = _is_of_today(clause, match["verb"])
        form = "VBZ" if is_now else "VBD"
        verbs = " and ".join(inflect(verb, form) for verb in (match["verb"], match["second"]) if verb)
        asker = "Which company" if _COMPANY.search(agent) else "Who"
        yield Draft(
            "made_by",
            analysis.unmask(f"{asker} {verbs} {THEME}?"),
            analysis.unmask(agent),
            analysis.unmask(f"{THEME} {'is' if is_now else 'was'} {match['verb']} by {agent}."),
            (sentence.quote,),
            match["verb"],
        )
        return
    if clause.is_copula:
        match = re.match(
            r"(?:an?|the) (?:[\w-]+ ){0,5}?(?P<kind>album|single|song|EP|novel|book|poem|play|novella|mixtape|memoir) by (?P<agent>.+)$",
            clause.rest,
        )
        agent = _agent(match["agent"]) if match else None
        if match and agent:
            question = (
                f"Who wrote {THEME}?"
                if match["kind"] in {"novel", "book", "poem", "play", "novella", "memoir"}
                else f"Which artist released {THEME}?"
            )
            yield Draft(
                "made_by",
                analysis.unmask(question),
                agent,
                analysis.unmask(f"{THEME} is a {match['kind']} by {agent}."),
                (sentence.quote,),
                "artist",
            )


_ONGOING = frozenset("owned operated led hosted presented edited".split())


def _is_of_today(clause: Clause, participle: str) -> bool:
    """Whether 'by' names who does it now: 'is owned by', 'is a ferry operated by'; not 'is a film directed by'."""
    finite = clause.auxiliaries[0] if clause.auxiliaries else clause.main
    return finite.lower in {"is", "are"} and participle in _ONGOING


def _attribute(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'has a population of 1,200', 'with a capacity of 45 tonnes'."""
    if clause.subject != THEME:
        return
    for match in re.finditer(
        r"\b(?:an?|the|its) (?:(?:total|estimated|average|maximum|top|overall|gross|rated|annual|registered|usable) )?(?P<noun>[a-z]+(?: [a-z]+)?) of (?P<qualifier>about |approximately |around |over |more than |nearly |up to )?(?=(?P<amount>[$€£]?\d.*))",
        clause.rest,
    ):
        amounts = find_amounts(match["amount"])
        if not amounts or amounts[0].start != 0 or match["noun"].split()[-1] not in _ATTRIBUTES:
            continue
        if clause.main.lower not in {"has", "had", "is", "was", "offers", "provides"} or re.search(
            r"\b(?:that|which|who)\b", clause.rest[: match.start()]
        ):
            continue
        noun = re.sub(r"^(?:an?|the|its) ", "", match.group().split(" of ")[0]).strip()
        verb = "was" if clause.main.tag == "VBD" else "is"
        answer = f"{match['qualifier'] or ''}{amounts[0].text}"
        yield Draft(
            "attribute",
            analysis.unmask(f"What {verb} the {noun} of {THEME}?"),
            _sentence_case(answer),
            analysis.unmask(f"The {noun} of {THEME} {verb} {answer}."),
            (sentence.quote,),
            noun,
        )
    measured = re.match(
        r"(?P<amount>[$€£]?\d[\d,.]*(?: million| billion)? ?[\w²%]*) (?P<dimension>tall|long|wide|high|deep|heavy)\b",
        clause.rest,
    )
    if measured and clause.is_copula:
        yield Draft(
            "attribute",
            analysis.unmask(f"How {measured['dimension']} {clause.main.text} {THEME}?"),
            measured["amount"],
            analysis.unmask(f"{THEME} {clause.main.text} {measured['amount']} {measured['dimension']}."),
            (sentence.quote,),
            measured["dimension"],
        )


def _role(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """Positions: served as, was appointed, became, worked as; only with a date or an organisation that singles one out."""
    if clause.subject != THEME or not analysis.profile.is_person:
        return
    verb = clause.main.lower
    rest = re.sub(r"^(?:briefly|initially|first|then) ", "", clause.rest)
    match = re.match(r"(?:as )?(?P<role>(?:the |an? )?[^,;]+)", rest)
    if (
        not match
        or verb not in {"served", "worked", "appointed", "elected", "became", "promoted", "named"}
        or (verb in {"served", "worked"} and not rest.startswith("as "))
    ):
        return
    role = cut(match["role"]).removeprefix("to ")
    dates = find_dates(clause.sentence)
    if not dates or not _ROLE_NOUN.search(role):
        return
    role_end = re.search(r" (?:in|on|from|since|until|between|for|during|after) (?=[A-Z0-9][^ ]* ?\d|\d)", role)
    role = re.sub(r" at the age of \d+$", "", role[: role_end.start()] if role_end else role)
    span = re.search(
        r"\bfrom (?P<a>[A-Z]?[\w ,]*?\d{4}) (?:to|until|through) (?P<b>[A-Z]?[\w ,]*?\d{4})\b",
        clause.sentence,
        re.IGNORECASE,
    )
    if span:
        when = f"from {span['a']} to {span['b']}"
    elif len(dates) == 1 and re.search(r"\b(?:in|on) $", clause.sentence[: dates[0].start], re.IGNORECASE):
        when = _on(dates[0])
    else:
        return
    if (
        not is_whole(role)
        or not 1 <= len(role.split()) <= 14
        or find_dates(role)
        or not is_self_contained(role, subject_is_theme=False)
    ):
        return
    if verb in {"served", "worked"}:
        question = (
            f"What position did {THEME} hold {when}?"
            if span
            else f"In what position did {THEME} {clause.lemma} {when}?"
        )
    elif verb == "became":
        question = f"What position did {THEME} take up {when}?"
    else:
        question = f"To what position was {THEME} {verb} {when}?"
    told = (
        f"{THEME} {'was ' if clause.auxiliaries else ''}{verb} {'as ' if rest.startswith('as ') else ''}{role} {when}."
    )
    yield Draft(
        "role",
        analysis.unmask(question),
        _sentence_case(analysis.unmask(role)),
        capitalised(analysis.unmask(told)),
        (sentence.quote,),
        "role",
    )


def _study(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if clause.subject != THEME or not analysis.profile.is_person:
        return
    match = re.match(rf"from (?P<the>the )?(?P<place>{_NAME})", clause.rest) if clause.lemma == "graduate" else None
    if match and re.search(r"Universit|College|School|Academy|Institute|Conservator|Polytechnic", match["place"]):
        yield Draft(
            "studied",
            analysis.unmask(f"From which institution did {THEME} graduate?"),
            match["place"],
            analysis.unmask(f"{THEME} graduated from {match['the'] or ''}{match['place']}."),
            (sentence.quote,),
            "graduate",
        )
    match = (
        re.match(rf"(?P<subject>[a-z][a-z ]+?(?: and [a-z]+)?) at (?P<place>(?:the )?{_NAME})", clause.rest)
        if clause.lemma == "study"
        else None
    )
    if match and len(match["subject"].split()) <= 5:
        yield Draft(
            "studied",
            analysis.unmask(f"Where did {THEME} study {match['subject']}?"),
            f"At {match['place']}",
            analysis.unmask(f"{THEME} studied {match['subject']} at {match['place']}."),
            (sentence.quote,),
            "study",
        )


def _award(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if clause.lemma not in {"win", "receive"} or not clause.subject.startswith(THEME) or clause.auxiliaries:
        return
    match = re.match(rf"(?:the |an? )?(?P<award>(?:[12]\d{{3}} )?{_NAME}(?: for {_NAME})?)(?P<after>.*)$", clause.rest)
    kind = (
        re.search(r"\b(Award|Prize|Medal|Order|Cup|Trophy|Fellowship|Scholarship|Championship|Grant)\b", match["award"])
        if match
        else None
    )
    if not match or not kind or " and " in clause.rest:
        return
    dates = find_dates(clause.sentence)
    if len(dates) != 1 or re.match(r"[12]\d{3} ", match["award"]):
        return
    subject = subject_text(clause)
    yield Draft(
        "award",
        analysis.unmask(f"Which {kind[1].lower()} did {subject} {clause.lemma} {_on(dates[0])}?"),
        match["award"],
        capitalised(analysis.unmask(f"{subject} {clause.main.text} the {match['award']} {_on(dates[0])}.")),
        (sentence.quote,),
        "award",
    )


def _known_as(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    match = re.search(
        rf"^{THEME},? (?:\(|is |was )?(?P<how>also|formerly|previously|originally|better|commonly) (?:known as|called) (?:the )?(?P<name>(?:\"[^\"]+\"|“[^”]+”|{_NAME}))",
        sentence.masked,
    )
    if match and THEME not in match["name"]:
        name = without_stop(match["name"])
        yield Draft(
            "known_as",
            analysis.unmask(
                f"By what name is {THEME} {match['how']} known?"
                if match["how"] in {"also", "commonly", "better"}
                else f"What was {THEME} {match['how']} called?"
            ),
            name.strip('"“”'),
            analysis.unmask(f"{THEME} is {match['how']} known as {name}."),
            (sentence.quote,),
            "name",
        )


def _named_after(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    match = (
        re.match(r"(?:after|for|in honou?r of) (?P<whom>.+)$", clause.rest)
        if clause.lemma == "name" and clause.auxiliaries
        else None
    )
    if match and clause.subject == THEME:
        whom = cut(match["whom"])
        if (
            is_whole(whom)
            and len(whom.split()) <= 10
            and THEME not in whom
            and is_self_contained(whom, subject_is_theme=False)
        ):
            yield Draft(
                "named_after",
                analysis.unmask(
                    f"{'Who or what' if whom[:1].isupper() else 'What'} {clause.auxiliaries[0].text} {THEME} named after?"
                ),
                _sentence_case(whom),
                analysis.unmask(f"{THEME} was named after {whom}."),
                (sentence.quote,),
                "named after",
            )


def _used_for(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if (
        clause.main.lower not in {"used", "designed", "intended"}
        or not clause.auxiliaries
        or clause.auxiliaries[0].lower not in {"is", "are"}
    ):
        return
    match = re.match(r"(?:primarily |mainly |mostly |commonly )?(?P<use>(?:to [a-z]+|for) .+)$", clause.rest)
    subject = subject_text(clause)
    if not match or not is_self_contained(f"{subject} {match['use']}", subject_is_theme=False):
        return
    use = cut(match["use"])
    if 3 <= len(use.split()) <= 18 and is_whole(use) and len(subject.split()) <= 6:
        yield Draft(
            "used_for",
            capitalised(analysis.unmask(f"what {clause.auxiliaries[0].text} {subject} {clause.main.lower} for?")),
            _sentence_case(analysis.unmask(use)),
            capitalised(analysis.unmask(f"{subject} {clause.auxiliaries[0].text} {clause.main.lower} {use}.")),
            (sentence.quote,),
            "use",
        )


def _family(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    if clause.subject != THEME:
        return
    match = re.search(
        r"\b(?:in|of|to) the (?P<rank>family|genus|order|subfamily|tribe) (?P<name>[A-Z][a-z]+)", clause.rest
    )
    if match is not None:
        yield Draft(
            "family",
            analysis.unmask(f"To which {match['rank']} does {THEME} belong?"),
            match["name"],
            analysis.unmask(f"{THEME} belongs to the {match['rank']} {match['name']}."),
            (sentence.quote,),
            match["rank"],
        )


def _price(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'acquired the studio for $200 million', 'made an investment of $50 million in ...'."""
    if not clause.subject.startswith(THEME) or clause.main.tag != "VBD" or clause.auxiliaries:
        return
    amount = r"(?P<amount>(?:about |approximately |over )?[$€£]\d[\d,.]*(?: (?:million|billion|trillion))?)"
    front_date = find_dates(clause.front)
    when = f" {_on(front_date[0])}" if len(front_date) == 1 else ""
    match = re.match(
        rf"(?P<object>[^,;]{{4,90}}?) (?:for|at a cost of|for a total (?:value )?of|at a price of) {amount}(?=$|[ ,.;])",
        clause.rest,
    )
    if (
        match
        and clause.lemma in {"acquire", "buy", "purchase", "sell", "complete", "order", "build", "lease"}
        and is_whole(match["object"])
        and is_self_contained(match["object"], subject_is_theme=True)
    ):
        yield Draft(
            "price",
            analysis.unmask(f"For how much {inverted(clause, clause.subject, match['object'])}{when}?"),
            match["amount"],
            analysis.unmask(f"{clause.subject} {clause.main.text} {match['object']} for {match['amount']}."),
            (sentence.quote,),
            "price",
        )
        return
    invested = re.match(
        rf"(?P<object>an? (?:[a-z-]+ ){{1,4}})(?:of|worth|totall?ing) {amount}(?P<purpose> (?:in|for|on|into) [^,;]{{4,90}})?(?=$|[,.;])",
        clause.rest,
    )
    if invested and not find_dates(invested["purpose"] or ""):
        purpose = invested["purpose"] or ""
        noun = invested["object"].strip()
        if not (purpose or when) or not is_whole(purpose) or not is_self_contained(purpose, subject_is_theme=True):
            return
        noun = re.sub(r"^an? ", "the ", noun)
        yield Draft(
            "price",
            analysis.unmask(f"How large was {noun} that {clause.subject} {clause.main.text}{purpose}{when}?"),
            invested["amount"],
            analysis.unmask(
                f"{clause.subject} {clause.main.text} {invested['object']}of {invested['amount']}{purpose}{when}."
            ),
            (sentence.quote,),
            "amount",
        )
