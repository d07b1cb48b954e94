"""Questions whose complete answer has several units: lists, steps, pairs of facts, groups of keys, short sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.analysis import THEME, Analysis, ListedItems, balanced, is_self_contained
from ragassay.models.embedded.drafts import Draft, capitalised, content_words, pick
from ragassay.models.embedded.grammar import inflect, inverted, lemma, lower_first, tokens_of
from ragassay.models.embedded.structure_facts import Parameter, key_question, parameters_of, plain_keys
from ragassay.text import sentences

MAX_ANSWER_WORDS = 110

_SECTIONS = {
    "plot": ("What is the plot of {}?", "What happens in {}?"),
    "premise": ("What is the premise of {}?",),
    "synopsis": ("What is {} about?",),
    "reception": ("How was {} received?", "What was the reception of {}?"),
    "critical reception": ("How did critics receive {}?", "What did critics make of {}?"),
    "early life": ("What is known about the early life of {}?",),
    "early life and education": ("What is known about the early life and education of {}?",),
    "personal life": ("What is known about the personal life of {}?",),
    "education": ("What education did {} receive?",),
    "death": ("What were the circumstances of the death of {}?",),
    "legacy": ("What is the legacy of {}?",),
    "etymology": ("What is the origin of the name of {}?",),
    "geography": ("What is the geography of {} like?",),
    "climate": ("What is the climate of {} like?",),
    "distribution": ("Where is {} found?",),
    "distribution and habitat": ("Where does {} occur, and in what habitat?",),
    "habitat": ("In what habitat does {} live?",),
    "ecology": ("What is known about the ecology of {}?",),
    "symptoms": ("What are the symptoms of {}?",),
    "cause": ("What caused {}?",),
    "causes": ("What are the causes of {}?",),
    "impact": ("What was the impact of {}?",),
    "aftermath": ("What was the aftermath of {}?",),
    "background": ("What is the background to {}?",),
    "purpose": ("What is the purpose of {}?",),
    "scope": ("What is the scope of {}?", "What does {} cover?"),
    "eligibility": ("Who is eligible under {}?",),
    "what happened": ("What happened in {}?",),
    "responsibilities": ("What are the responsibilities of {}?",),
    "record keeping": ("What records are kept under {}?",),
}
_PERSONAL_SECTIONS = {"early life", "early life and education", "personal life", "education", "death"}


def summary_drafts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    theme = analysis.profile.theme
    if theme:
        yield from _known_sections(analysis)
        yield from _key_groups(analysis)
        yield from _joined_facts(analysis, facts)
        yield from _cast_list(analysis)
    yield from _lists(analysis)
    yield from _enumerations(analysis)
    yield from _option_pairs(analysis)
    yield from _meaning_with_default(analysis)
    yield from _accepted_values(analysis)
    yield from _faq(analysis)


def _joined(items: Sequence[str]) -> str:
    stripped = [item.rstrip(" .;,") for item in items]
    separator = "; " if any("," in item or len(item.split()) > 6 for item in stripped) else ", "
    return separator.join(stripped)


def _known_sections(analysis: Analysis) -> Iterator[Draft]:
    """The text of a short section under a heading whose question is known."""
    by_heading: dict[str, list[str]] = defaultdict(list)
    for sentence in analysis.sentences:
        by_heading[sentence.section].append(sentence.quote)
    for heading, quotes in by_heading.items():
        wordings = _SECTIONS.get(heading.lower().strip())
        if wordings is None or (heading.lower() in _PERSONAL_SECTIONS and not analysis.profile.is_person):
            continue
        words = sum(len(quote.split()) for quote in quotes)
        if (
            not 2 <= len(quotes) <= 5
            or not 25 <= words <= MAX_ANSWER_WORDS
            or not all(quote.rstrip()[-1:] in '.”"' and balanced(quote) for quote in quotes)
        ):
            continue
        if not analysis.passage.text.rstrip().endswith((".", '"', "”")) or re.match(
            r"(?:This|These|However|But|And|It|They|Such|Also)\b", quotes[0]
        ):
            continue
        if any(item.section == heading for item in analysis.lists):
            continue
        answer = re.sub(r"\s+", " ", " ".join(quotes))
        question = pick(wordings, analysis.profile.theme).format(analysis.profile.theme)
        yield Draft("section", question, answer, answer, tuple(quotes), heading.lower())


def _key_groups(analysis: Analysis) -> Iterator[Draft]:
    """Two or three keys of one record, asked together."""
    groups: dict[tuple[int, str], list[tuple[str, str, str]]] = defaultdict(list)
    for entry, owner in plain_keys(analysis):
        question = key_question(entry, owner)
        ending, finding = f" of {owner}?", f"What does the record of {owner} say about the "
        if question and len(entry.text.split()) <= 8 and question.startswith(finding):
            groups[entry.group, f"record of {owner}"].append(
                (question.removeprefix(finding).rstrip("?"), entry.text, entry.quote)
            )
        elif (
            question
            and re.match(r"(?:What|Who) (?:is|are) the ", question)
            and question.endswith(ending)
            and len(entry.text.split()) <= 8
        ):
            key = question.split(" the ", 1)[1].removesuffix(ending)
            groups[entry.group, owner].append((key, entry.text, entry.quote))
    for (_, owner), entries in groups.items():
        size = 3 if len(owner.split()) <= 4 else 2
        for first in range(0, len(entries) - 1, size):
            chosen = entries[first : first + size]
            words = [word for key, _, _ in chosen for word in key.split()]
            if len(chosen) < 2 or len(set(words)) < len(words):
                continue
            keys = [key for key, _, _ in chosen]
            named = f"{', '.join(keys[:-1])} and {keys[-1]}"
            answer = "; ".join(f"{capitalised(key)}: {value.rstrip('.')}" for key, value, _ in chosen)
            quotes = tuple(quote for _, _, quote in chosen)
            if owner.startswith("record of "):
                named = f"{', the '.join(keys[:-1])} and the {keys[-1]}"
                question = f"What does the {owner} say about the {named}?"
            else:
                question = f"What are the {named} of {owner}?"
            about = owner.removeprefix("record of ")
            yield Draft(
                pattern="key_group",
                question=question,
                answer=answer,
                statement=f"{capitalised(owner)}: {answer}.",
                quotes=quotes,
                attribute=named,
                about=about if about != analysis.profile.theme else "",
            )


def _joined_facts(analysis: Analysis, facts: Sequence[Draft]) -> Iterator[Draft]:
    """'When and where was X born?', 'Who directed X, and when was it released?': two facts of one theme."""
    theme = analysis.profile.theme
    whens = [
        fact for fact in facts if fact.pattern == "when" and fact.event is not None and fact.event.subject_is_theme
    ]
    wheres = [fact for fact in facts if fact.pattern == "where" and theme in fact.question]
    makers = [fact for fact in facts if fact.pattern == "made_by" and theme in fact.question]
    for where in wheres:
        for when in whens:
            if (
                when.question.split(" ", 1)[1].rstrip("?").split(theme)[0].strip().endswith(("was", "were"))
                and when.attribute.split()[0] == "bear"
                and "born" in where.question
            ):
                yield _pair("when_where", f"When and where was {theme} born?", when, where)
    for maker in makers:
        for when in whens:
            if maker.attribute not in when.attribute and when.event is not None and len(when.event.asked.split()) <= 9:
                yield _pair("who_when", f"{maker.question.rstrip('?')}, and when {when.event.asked}?", maker, when)
                break
    events = list(
        {
            when.event.told: when for when in whens if when.event is not None and len(when.event.asked.split()) <= 12
        }.values()
    )
    for first, second in zip(events[::2], events[1::2], strict=False):
        if first.event and second.event and first.answer != second.answer and first.event.told != second.event.told:
            yield _pair("two_dates", f"{first.question.rstrip('?')}, and when {second.event.asked}?", first, second)


def _pair(pattern: str, question: str, first: Draft, second: Draft) -> Draft:
    answer = (
        f"{first.answer} and {second.answer}, respectively"
        if pattern == "two_dates"
        else f"{first.answer}; {second.answer}"
        if pattern != "when_where"
        else f"{first.answer}, {second.answer[:1].lower()}{second.answer[1:]}"
    )
    return Draft(
        pattern,
        question,
        answer,
        f"{first.statement} {second.statement}",
        tuple(dict.fromkeys(first.quotes + second.quotes)),
        "pair",
    )


def _cast_list(analysis: Analysis) -> Iterator[Draft]:
    theme = analysis.profile.theme
    lines = re.findall(
        r"^[^\w\n]*([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3} as [A-Z][\w.'’ -]+?)(?:[,:;(]|$| – | - )",
        analysis.passage.text,
        re.MULTILINE,
    )
    if 3 <= len(lines) <= 12:
        yield Draft(
            "cast_list",
            pick(
                (
                    "Who are the main cast members of {} and whom do they play?",
                    "Which actors appear in {}, and in which roles?",
                ),
                theme,
            ).format(theme),
            "; ".join(lines),
            f"The cast of {theme}: {'; '.join(lines)}.",
            tuple(lines),
            "cast",
        )


_FOLLOWING = re.compile(r"\bthe following (?P<what>[a-z][a-z -]*?)(?: (?:are|is|will be|may be|can be) [a-z ]+)?:?$")


def _lists(analysis: Analysis) -> Iterator[Draft]:
    for listed in analysis.lists:
        items = [re.sub(r"\s+", " ", item).strip() for item in listed.items]
        words = sum(len(item.split()) for item in items)
        if (
            not 2 <= len(items) <= 10
            or words > MAX_ANSWER_WORDS
            or any(len(item.split()) > 30 or not balanced(item) for item in items)
        ):
            continue
        if (
            any(item.endswith(":") for item in items)
            or sum(other.section == listed.section for other in analysis.lists) > 1
        ):
            continue  # parts of a longer list
        if len({item.lower() for item in items}) < len(items) or sum(len(item.split()) for item in items) < 4:
            continue
        question = _list_question(listed, analysis)
        if question:
            pattern = "steps" if listed.ordered else "list"
            yield Draft(
                pattern,
                question,
                _joined(items),
                f"{question.rstrip('?')}: {_joined(items)}.",
                tuple(listed.items),
                listed.section.lower(),
            )


def _list_question(listed: ListedItems, analysis: Analysis) -> str | None:
    theme = analysis.profile.theme
    heading = re.sub(r"^[\d.]+ ", "", listed.section).strip(" :")
    intro = re.sub(r"\s+", " ", listed.intro).strip()
    if intro.endswith(":") and (question := _intro_question(intro, analysis)):
        return question
    if (
        not heading
        or len(heading.split()) > 8
        or not theme
        or re.match(
            r"(?:see also|external links|references|notes|further reading|sources|bibliography|links|works cited|contents|examples?|notable people|gallery)$",
            heading,
            re.IGNORECASE,
        )
    ):
        return None
    tokens = tokens_of(heading[0].lower() + heading[1:])
    text = heading if any(token.is_name for token in tokens[1:]) else heading.lower()
    guide = re.match(r"the guide to (.+)$", theme)
    if listed.ordered or tokens[0].tag == "VBG":
        if not _are_instructions(listed.items):
            return None
        text = plain_heading(heading, analysis.passage.text)
        if guide and (text in {"procedure", "steps", "process", "instructions", "method"} or re.match(r"how to", text)):
            return f"What are the steps for {guide[1]}?"
        if tokens[0].tag == "VBG" and lemma(tokens[0].text) != tokens[0].text:
            return (
                f"How do you {lemma(tokens[0].text)} {text.split(' ', 1)[1] if ' ' in text else ''}{_under(theme, text)}?".replace(
                    "  ", " "
                )
                if _under(theme, text) is not None
                else None
            )
        if re.match(r"how to ", text):
            return f"How do you {text[7:]}{_under(theme, text)}?" if _under(theme, text) is not None else None
        if text in {"procedure", "steps", "process", "instructions", "method"}:
            return f"What are the steps of {theme}?"
        return None
    last = tokens[-1]
    if text in {
        "responsibilities",
        "features",
        "members",
        "awards",
        "follow-up actions",
        "actions",
        "benefits",
        "requirements",
        "facilities",
        "services",
        "duties",
        "exceptions",
        "routes",
        "contents",
        "advantages",
        "disadvantages",
        "limitations",
        "symptoms",
        "courses",
        "departments",
        "destinations",
        "corrective actions",
        "lessons",
        "rules",
        "albums",
        "singles",
        "films",
        "publications",
        "track listing",
    }:
        noun = {"actions": "follow-up actions"}.get(text, text)
        if theme.endswith(("policy", "procedure")):
            return f"Which {noun} are set out in {theme}?"
        return pick(("What are the {} of {}?", "Which {} are listed for {}?"), theme).format(noun, theme)
    if (
        last.tag == "NNS"
        and len(tokens) <= 4
        and " and " not in text
        and " on " not in text
        and text not in theme.lower()
        and analysis.theme_is_a_name
        and tokens[0].tag not in {"VB", "VBZ", "VBG", "WRB", "WP"}
    ):
        return f"Which {text} are listed for {theme}?"
    return None


def _under(theme: str, heading: str) -> str | None:
    """What makes a heading's question clear by itself: nothing if the heading is long, the rules it stands in, or None."""
    if theme.lower() in heading.lower() or len(content_words(heading)) >= 4:
        return ""
    if re.search(r"policy|procedure|guide|rules|manual|handbook", theme):
        return f" according to {theme}"
    return f" with {theme}" if re.search(r"[_\d]", theme) else None


def plain_heading(heading: str, text: str) -> str:
    """A heading in sentence case: each word as the text writes it inside sentences, acronyms as they are."""
    words = []
    for word in heading.split():
        lower = len(re.findall(rf"(?<=[a-z,] ){re.escape(word.lower())}\b", text))
        same = len(re.findall(rf"(?<=[a-z,] ){re.escape(word)}\b", text))
        keep = (word.isupper() and len(word) > 1) or re.search(r"[_\d]|[a-z][A-Z]", word) or same > lower
        words.append(word if keep else word.lower())
    return " ".join(words)


def _are_instructions(items: Sequence[str]) -> bool:
    """Whether four fifths of the items begin with a verb in the imperative."""
    firsts = [item.split()[0].strip(",.:").lower() for item in items if item.split()]
    told = [
        word
        for word in firsts
        if lemma(word) == word and tokens_of(f"to {word} it")[1].tag in {"VB", "VBP", "NN"} and word not in _NO_VERB
    ]
    return len(told) * 5 >= len(items) * 4


_NO_VERB = frozenset(
    "the a an all any each every no not it this that these those if when you your we our in on at for from by with and or current is are was one two".split()
)


def _intro_question(intro: str, analysis: Analysis) -> str | None:
    """'X supports the following formats:' becomes 'Which formats does X support?'."""
    masked = intro.rstrip(": ")
    for name in analysis.profile.names:
        masked = re.sub(rf"(?<![\w-])(?:[Tt]he )?{re.escape(name)}(?![\w-])", THEME, masked)
    match = _FOLLOWING.search(masked)
    from ragassay.models.embedded.grammar import clause_of

    clause = clause_of(f"{masked}.")
    if clause is None or not match or clause.front or not clause.rest.endswith(match.group().rstrip(":")):
        return None
    what = match["what"].strip()
    before = clause.rest[: -len(match.group().rstrip(":"))].strip()
    if (
        before.endswith((",", " with", " in", " of", " for", " to", " by", " on", " as"))
        or tokens_of(f"the {what}")[-1].tag != "NNS"
        or THEME not in clause.subject
        or not is_self_contained(f"{clause.subject} {before}", subject_is_theme=True)
    ):
        return None
    subject = lower_first(clause.subject)
    return analysis.unmask(f"Which {what} {inverted(clause, subject, before)}?")


_COORDINATED = re.compile(r"^(?P<items>[^,;:]{2,60}(?:, [^,;:]{2,60})+,? and [^,;:]{2,70})$")
_HOLDING = {
    "consist": "What does {} consist of?",
    "comprise": "What does {} comprise?",
    "include": "What does {} include?",
    "contain": "What does {} contain?",
    "border": "What does {} border?",
    "offer": "What does {} offer?",
    "provide": "What does {} provide?",
    "produce": "What does {} produce?",
    "cover": "What does {} cover?",
    "serve": "What does {} serve?",
    "require": "What does {} require?",
    "support": "What does {} support?",
    "operate": "What does {} operate?",
}


def _enumerations(analysis: Analysis) -> Iterator[Draft]:
    """'X consists of a, b and c.': three or more units joined in one sentence."""
    for sentence in analysis.sentences:
        clause = sentence.clause if THEME in sentence.masked and len(sentence.masked.split()) <= 45 else None
        if (
            clause is None
            or clause.subject != THEME
            or clause.auxiliaries
            or clause.lemma not in _HOLDING
            or clause.front
        ):
            continue
        rest = clause.rest.removeprefix("of ") if clause.lemma == "consist" else clause.rest
        match = _COORDINATED.match(rest)
        if not match or not is_self_contained(rest, subject_is_theme=False) or len(rest.split()) < 5:
            continue
        past = clause.main.tag == "VBD"
        question = _HOLDING[clause.lemma].format(analysis.profile.theme)
        if past:
            question = question.replace("What does", "What did")
        yield Draft(
            "enumeration",
            question,
            capitalised(analysis.unmask(rest)),
            capitalised(analysis.unmask(f"{THEME} {clause.main.text} {clause.rest}.")),
            (sentence.quote,),
            clause.lemma,
        )


def _option_pairs(analysis: Analysis) -> Iterator[Draft]:
    """Two options of one command, or two settings of one section: what each does."""
    explained: list[tuple[Parameter, str, str]] = []
    for parameter in parameters_of(analysis):
        if parameter.meaning is not None:
            verb, rest = parameter.meaning
            explained.append((parameter, inflect(verb, "VBZ"), rest))
    for (first, verb1, rest1), (second, verb2, rest2) in zip(explained[::2], explained[1::2], strict=False):
        if first.kind != second.kind or len((rest1 + rest2).split()) > 40:
            continue
        owner = f" of {first.owner}" if first.owner else ""
        names = f"{first.name} and {second.name}"
        question = f"What do the {names} {first.kind}s{owner} do?"
        answer = f"{first.name} {verb1} {rest1}; {second.name} {verb2} {rest2}"
        quotes = tuple(
            quote for p in (first, second) for quote in (p.entry.name_quote, next(iter(sentences(p.entry.text))))
        )
        yield Draft("parameter_pair", question, answer, answer + ".", quotes, "meaning")


def _meaning_with_default(analysis: Analysis) -> Iterator[Draft]:
    """'What does X set, and what is its default value?'"""
    for parameter in parameters_of(analysis):
        if parameter.meaning is None or parameter.default is None or parameter.meaning[0] == "report":
            continue
        verb, rest = parameter.meaning
        value, sentence = parameter.default
        first = next(iter(sentences(parameter.entry.text)))
        if first == sentence:
            continue
        phrase = parameter.phrase
        answer = f"It {inflect(verb, 'VBZ')} {rest}; the default is {value}"
        yield Draft(
            "meaning_and_default",
            f"What does {phrase} do, and what is the default value?",
            answer,
            f"{phrase} {inflect(verb, 'VBZ')} {rest}. The default value of {phrase} is {value}.",
            (parameter.entry.name_quote, first, sentence),
            "meaning",
        )


_VALUES = re.compile(
    r"\b(?:Valid|Possible|Allowed|Legal|Supported|Accepted|Available|Permitted) (?:values|settings|options|levels|choices|modes) are:? (?P<values>[^.;:]+ (?:and|or) [^.;:]+)[.;]"
)


def _accepted_values(analysis: Analysis) -> Iterator[Draft]:
    """'Valid values are a, b and c.'"""
    for parameter in parameters_of(analysis):
        match = _VALUES.search(parameter.entry.text)
        values = re.sub(r"\s+", " ", match["values"]).strip() if match else ""
        if match and values.count(",") >= 1 and len(values.split()) <= 40 and balanced(values):
            yield Draft(
                "accepted_values",
                pick(("Which values does {} accept?", "What are the possible values of {}?"), parameter.name).format(
                    parameter.phrase
                ),
                values,
                f"The possible values of {parameter.phrase} are {values}.",
                (parameter.entry.name_quote, match.group()),
                "values",
            )


def _faq(analysis: Analysis) -> Iterator[Draft]:
    """A heading that is a question, with the short answer below it: somebody has asked already."""
    by_heading: dict[str, list[str]] = defaultdict(list)
    for sentence in analysis.sentences:
        if sentence.section.endswith("?"):
            by_heading[sentence.section].append(sentence.quote)
    for heading, quotes in by_heading.items():
        words = sum(len(quote.split()) for quote in quotes)
        names_something = bool(re.search(r"(?<=\w )[A-Z]", heading)) or len(content_words(heading)) >= 5
        if (
            2 <= len(quotes) <= 5
            and names_something
            and words <= MAX_ANSWER_WORDS
            and len(set(content_words(heading)) - {"may", "i", "can", "my", "you", "there", "if"}) >= 3
            and not re.search(r"\b(?:it|they|this|that|these)\b", heading, re.IGNORECASE)
        ):
            answer = re.sub(r"\s+", " ", " ".join(quotes))
            yield Draft("faq", heading, answer, answer, tuple(quotes), "faq")
