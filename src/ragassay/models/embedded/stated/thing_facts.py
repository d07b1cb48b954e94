"""Facts about things in running text: what they are, who made them, their measures, names, uses and prices."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.reading.analysis import (
    THEME,
    Analysis,
    Sentence,
    is_self_contained,
)
from ragassay.models.embedded.reading.clarity import content_words
from ragassay.models.embedded.reading.grammar import (
    Clause,
    inflect,
    inverted,
    tokens_of,
)
from ragassay.models.embedded.reading.phrases import (
    MADE,
    NAME,
    cut,
    is_whole,
    is_whole_definition,
    on_date,
    sentence_case,
    subject_text,
    without_participle,
    without_stop,
)
from ragassay.models.embedded.reading.reckoning import (
    find_amounts,
    find_dates,
)
from ragassay.models.embedded.stated.drafts import Draft, capitalised

_BY = re.compile(
    rf"\b(?P<verb>{'|'.join(MADE)})(?: and (?P<second>{'|'.join(MADE)}))?(?P<between> (?:in|"
    rf"on) [^,]{{3,20}}?)? by (?P<agent>.+)$"
)
_COMPANY = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corp|Co|Company|Corporation|Group|Records|Studios?|Entertainment|Press|Publishing|"
    r"Industries|Motors|Bank|Airlines|Games|Pictures|Media|Holdings|Technologies|Systems|Software|Works)\b"
)
_ATTRIBUTES = frozenset(
    """
    population height length area capacity width depth weight mass power displacement speed range budget cost
    price duration elevation diameter wheelbase attendance enrollment enrolment circulation revenue wingspan
    output volume density salary fee rent turnover headcount workforce storage endurance draught beam tonnage
    voltage pressure temperature yield
""".split()
)


def definitions(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'Xtheme is a suspension bridge': what the document says its theme is, where it introduces it."""
    if not clause.is_copula or clause.subject != THEME or not re.match(r"(?:an?|the) ", clause.rest) or clause.front:
        return
    opening = analysis.passage.opening or analysis.passage.text
    if not 0 <= opening.find(sentence.quote[:60]) < 300:
        return  # only where the document introduces its theme; later sentences say less than what it is
    told = re.split(
        r",? (?:that (?:was|is)|which|established|founded|headquartered|incorporated|based|born)\b", cut(clause.rest)
    )[0].rstrip(" ,")
    if ", " in told and re.match(r",? (?:and|or)\b", clause.rest.partition(told)[2].lstrip()):
        return  # the last members of a list would be missing
    told = without_participle(told)
    if not 4 <= len(told.split()) <= 30 or re.match(
        r"(?:an?|the) (?:same|only|first|second|one|way|result|part|lot|number|native|resident|graduate|victim|"
        r"survivor|term|name|word)\b",
        told,
    ):
        return
    if not is_self_contained(told, subject_is_theme=False) or not is_whole_definition(told):
        return
    maker = re.search(r"\b(?:by|from|of) (?P<agent>[^,]+)$", told)
    if maker and is_named_in(maker["agent"], analysis.profile.theme):
        said = set(content_words(f"{maker['agent']} {analysis.profile.theme}"))
        if sum(word in said for word in content_words(told)) * 2 > len(content_words(told)):
            return  # 'the Smokey Robinson album': what is left of the answer is no answer
    word = "who" if analysis.profile.is_person else "what"
    yield Draft(
        pattern="what_is",
        question=capitalised(analysis.unmask(f"{word} {clause.main.lower} {THEME}?")),
        answer=capitalised(analysis.unmask(told)),
        statement=capitalised(analysis.unmask(f"{THEME} {clause.main.lower} {told}.")),
        quotes=(sentence.quote,),
        attribute="definition",
    )


def is_named_in(agent: str, theme: str) -> bool:
    """Whether the name at the end of a phrase stands in the theme: 'soul singer Ada Moss', 'the Ada Moss album Elm'."""
    last = next(reversed(agent.split()), "").strip(".,")
    return last[:1].isupper() and last.lower() in {word.strip(".,()").lower() for word in theme.split()}


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
    if names_joined or following.startswith((", and ", "and ")) or re.match(r", [A-Z]", following):
        return None
    return phrase


def makers(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'designed by', 'is a novel by': who made or owns the theme."""
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
        if agent is None or THEME in agent or is_named_in(agent, analysis.profile.theme):
            return
        is_now = _is_of_today(clause, match["verb"])
        form = "VBZ" if is_now else "VBD"
        verbs = " and ".join(inflect(verb, form) for verb in (match["verb"], match["second"]) if verb)
        asker = "Which company" if _COMPANY.search(agent) else "Who"
        yield Draft(
            pattern="made_by",
            question=analysis.unmask(f"{asker} {verbs} {THEME}?"),
            answer=analysis.unmask(agent),
            statement=capitalised(analysis.unmask(f"{THEME} {'is' if is_now else 'was'} {match['verb']} by {agent}.")),
            quotes=(sentence.quote,),
            attribute=match["verb"],
        )
        return
    if clause.is_copula:
        match = re.match(
            r"(?:an?|the) (?:[\w-]+ ){0,5}?(?P<kind>album|single|song|EP|novel|book|poem|play|novella|mixtape|"
            r"memoir) by (?P<agent>.+)$",
            clause.rest,
        )
        agent = _agent(match["agent"]) if match else None
        if match and agent and not is_named_in(agent, analysis.profile.theme):
            question = (
                f"Who wrote {THEME}?"
                if match["kind"] in {"novel", "book", "poem", "play", "novella", "memoir"}
                else f"Which artist released {THEME}?"
            )
            yield Draft(
                pattern="made_by",
                question=analysis.unmask(question),
                answer=agent,
                statement=capitalised(
                    analysis.unmask(
                        f"{THEME} is {'an' if match['kind'][0] in 'aE' else 'a'} {match['kind']} by {agent}."
                    )
                ),
                quotes=(sentence.quote,),
                attribute="artist",
            )


_ONGOING = frozenset("owned operated led hosted presented edited".split())


def _is_of_today(clause: Clause, participle: str) -> bool:
    """Whether 'by' names who does it now: 'is owned by', 'is a ferry operated by'; not 'is a film directed by'."""
    finite = clause.auxiliaries[0] if clause.auxiliaries else clause.main
    return finite.lower in {"is", "are"} and participle in _ONGOING


def measures(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'has a population of 1,200', 'with a capacity of 45 tonnes'."""
    if clause.subject != THEME:
        return
    for match in re.finditer(
        r"\b(?:an?|the|its) (?:(?:total|estimated|average|maximum|top|overall|gross|rated|annual|registered|"
        r"usable) )?(?P<noun>[a-z]+(?: [a-z]+)?) of (?P<qualifier>about |approximately |around |over |"
        r"more than |nearly |up to )?(?=(?P<amount>[$€£]?\d.*))",
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
            pattern="attribute",
            question=analysis.unmask(f"What {verb} the {noun} of {THEME}?"),
            answer=sentence_case(answer),
            statement=analysis.unmask(f"The {noun} of {THEME} {verb} {answer}."),
            quotes=(sentence.quote,),
            attribute=noun,
        )
    measured = re.match(
        r"(?P<amount>[$€£]?\d[\d,.]*(?: million| billion)? ?[\w²%]*) (?P<dimension>tall|long|wide|high|deep|heavy)\b",
        clause.rest,
    )
    if measured and clause.is_copula:
        yield Draft(
            pattern="attribute",
            question=analysis.unmask(f"How {measured['dimension']} {clause.main.text} {THEME}?"),
            answer=measured["amount"],
            statement=analysis.unmask(f"{THEME} {clause.main.text} {measured['amount']} {measured['dimension']}."),
            quotes=(sentence.quote,),
            attribute=measured["dimension"],
        )


def other_names(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'also known as', 'formerly called'."""
    match = re.search(
        rf"^{THEME},? (?:\(|is |was )?(?P<how>also|formerly|previously|originally|better|commonly) (?:known as|"
        rf"called) (?:the )?(?P<name>(?:\"[^\"]+\"|“[^”]+”|{NAME}))",
        sentence.masked,
    )
    if match and THEME not in match["name"]:
        name = without_stop(match["name"])
        yield Draft(
            pattern="known_as",
            question=analysis.unmask(
                f"By what name is {THEME} {match['how']} known?"
                if match["how"] in {"also", "commonly", "better"}
                else f"What was {THEME} {match['how']} called?"
            ),
            answer=name.strip('"“”'),
            statement=analysis.unmask(f"{THEME} is {match['how']} known as {name}."),
            quotes=(sentence.quote,),
            attribute="name",
        )


def namesakes(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'named after'."""
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
            asker = "Who or what" if whom[:1].isupper() else "What"
            yield Draft(
                pattern="named_after",
                question=analysis.unmask(f"{asker} {clause.auxiliaries[0].text} {THEME} named after?"),
                answer=sentence_case(whom),
                statement=analysis.unmask(f"{THEME} was named after {whom}."),
                quotes=(sentence.quote,),
                attribute="named after",
            )


def uses(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'is used for', 'is designed to'."""
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
            pattern="used_for",
            question=capitalised(
                analysis.unmask(f"what {clause.auxiliaries[0].text} {subject} {clause.main.lower} for?")
            ),
            answer=sentence_case(analysis.unmask(use)),
            statement=capitalised(
                analysis.unmask(f"{subject} {clause.auxiliaries[0].text} {clause.main.lower} {use}.")
            ),
            quotes=(sentence.quote,),
            attribute="use",
        )


def families(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'in the family': to which group of living things the theme belongs."""
    if clause.subject != THEME:
        return
    match = re.search(
        r"\b(?:in|of|to) the (?P<rank>family|genus|order|subfamily|tribe) (?P<name>[A-Z][a-z]+)", clause.rest
    )
    if match is not None:
        yield Draft(
            pattern="family",
            question=analysis.unmask(f"To which {match['rank']} does {THEME} belong?"),
            answer=match["name"],
            statement=analysis.unmask(f"{THEME} belongs to the {match['rank']} {match['name']}."),
            quotes=(sentence.quote,),
            attribute=match["rank"],
        )


def prices(analysis: Analysis, sentence: Sentence, clause: Clause) -> Iterator[Draft]:
    """'acquired the studio for $200 million', 'made an investment of $50 million in ...'."""
    if not clause.subject.startswith(THEME) or clause.main.tag != "VBD" or clause.auxiliaries:
        return
    amount = r"(?P<amount>(?:about |approximately |over )?[$€£]\d[\d,.]*(?: (?:million|billion|trillion))?)"
    front_date = find_dates(clause.front)
    when = f" {on_date(front_date[0])}" if len(front_date) == 1 else ""
    match = re.match(
        rf"(?P<object>[^,;]{{4,90}}?) (?:for|at a cost of|for a total (?:value )?of|"
        rf"at a price of) {amount}(?=$|[ ,.;])",
        clause.rest,
    )
    if (
        match
        and clause.lemma in {"acquire", "buy", "purchase", "sell", "complete", "order", "build", "lease"}
        and is_whole(match["object"])
        and is_self_contained(match["object"], subject_is_theme=True)
    ):
        yield Draft(
            pattern="price",
            question=analysis.unmask(f"For how much {inverted(clause, clause.subject, match['object'])}{when}?"),
            answer=match["amount"],
            statement=analysis.unmask(f"{clause.subject} {clause.main.text} {match['object']} for {match['amount']}."),
            quotes=(sentence.quote,),
            attribute="price",
        )
        return
    invested = re.match(
        rf"(?P<object>an? (?:[a-z-]+ ){{1,4}})(?:of|worth|totall?ing) {amount}(?P<purpose> (?:in|for|on|"
        rf"into) [^,;]{{4,90}})?(?=$|[,.;])",
        clause.rest,
    )
    if invested and not find_dates(invested["purpose"] or ""):
        purpose = invested["purpose"] or ""
        noun = invested["object"].strip()
        if not (purpose or when) or not is_whole(purpose) or not is_self_contained(purpose, subject_is_theme=True):
            return
        noun = re.sub(r"^an? ", "the ", noun)
        yield Draft(
            pattern="price",
            question=analysis.unmask(f"How large was {noun} that {clause.subject} {clause.main.text}{purpose}{when}?"),
            answer=invested["amount"],
            statement=analysis.unmask(
                f"{clause.subject} {clause.main.text} {invested['object']}of {invested['amount']}{purpose}{when}."
            ),
            quotes=(sentence.quote,),
            attribute="amount",
        )
