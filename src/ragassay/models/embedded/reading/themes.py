"""Who or what a document is about, in the words in which a question names it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragassay.models.embedded.reading.grammar import Token, ing, tokens_of
from ragassay.records import Block
from ragassay.tasks.statements import Passage
from ragassay.text import sentences

PERSON_NOUNS = re.compile(
    r"(?:(?<!e)er|or|ist|ian|man|woman)$|^(?:politician|poet|king|queen|prince|chef|model|pilot|"
    r"monk|nun|priest|coach|judge|bishop|saint|"
    r"actress|hostess|princess|duchess|countess|baroness|marchioness|empress|abbess|governess|stewardess|waitress|"
    r"heiress|priestess|poetess|seamstress|songstress|authoress|mistress|headmistress|"
    r"engineer|volunteer|pioneer|mountaineer|auctioneer|pamphleteer|puppeteer|balladeer|buccaneer|"
    r"detective|representative|native|operative|fugitive|relative|"
    r"assistant|accountant|consultant|lieutenant|sergeant|commandant|attendant|merchant|servant|participant|"
    r"contestant|descendant|immigrant|adjutant|defendant|tenant|claimant|"
    r"president|student|agent|resident|superintendent|correspondent|regent|patient|dissident|adolescent|client)$"
)
"""Nouns for people. Most that end in -ess, -ent, -ant, -ive or -eer are none (business, management, plant, archive)."""

TITLE_PARENTHESIS = re.compile(r"^(?P<name>.+?) \((?P<kind>[^()]+)\)$")

_GENERIC_TITLE = re.compile(
    r"^(?:index|readme|home|overview|introduction|untitled|document|notes?|page|contents|"
    r"data|text|file|about|faq|"
    r"frequently asked questions|glossary|history|summary|description|examples?|usage|see also|"
    r"further information|options|parameters|preface|synopsis|name|general|general information|miscellaneous|"
    r"chapter \w+|appendix \w+|part \w+|section [\d.]+)$",
    re.IGNORECASE,
)

_SPORTS = frozenset(
    """
    football hockey cricket tennis rugby basketball baseball soccer golf swimming rowing athletics handball
    volleyball chess racing boxing badminton
""".split()
)

_TAKES_ARTICLE = re.compile(
    r"(?:Church|Battle|Embassy|University|House|Museum|Cathedral|Temple|Bank|Department|Ministry|Republic|"
    r"Order|Treaty|Siege|Palace|Castle|Monastery|"
    r"Abbey|Bishop|Diocese|Mayor|Faculty|Institute|School|College|Society|Association|Federation|Ministry|"
    r"Office|Court|Port|Isle|Gulf|Bay|Kingdom|"
    r"Duchy|Province|Council|Bureau|Union|Academy|Hospital|Library|Port|Mosque|Shrine|Chapel) of "
)

_COMPANY = re.compile(r"\w (?:Company|Corporation)$")


def theme_of(passage: Passage) -> str | None:
    """The theme of a document, or None where nothing names it unmistakably.

    Source: Know Your RAG (COLING 2025), statement extraction, step 1.
    The title without its parenthesis, which comes first as a qualifier where it is a common noun ('the album
    Panorama'); failing that a 'Name:'-like key; failing that the subject of the opening sentence.
    """
    title = _without_site(bare(passage.title), passage.collection)
    if _is_number_of_a_file(title, passage.text):
        title = ""
    title = re.sub(r"^In the (?=[A-Z][a-z]+ of )", "the ", title)
    if (
        title
        and not _GENERIC_TITLE.match(title)
        and len(title.split()) <= 9
        and not title.lower().startswith(("list of ", "lists of "))
    ):
        return _titled(title, passage.text)
    return _named_by_keys(passage) or _subject_of_opening(passage.opening or passage.text)


def _is_number_of_a_file(title: str, text: str) -> bool:
    """Whether a title that a record was given is a file's name and a number: 'page 12', 'news items 189'."""
    return re.fullmatch(r"[\w .-]+ \d+", title) is not None and title.lower() not in text.lower()


_LONG_TITLE = 11


def quoted_title(passage: Passage) -> str | None:
    """The title in quotation marks, for a document whose title names nothing but itself: '“Board meeting, 6 May”'."""
    title = bare(passage.title)
    main, colon, _ = title.partition(": ")
    if colon and len(title.split()) > _LONG_TITLE:
        title = main
    if not 2 <= len(title.split()) <= _LONG_TITLE or _GENERIC_TITLE.match(title) or re.search(r"[“”\"]", title):
        return None
    if _is_number_of_a_file(title, passage.text):
        return None
    return f"“{title}”" if re.search(r"[A-Za-z]{3}", title) else None


def head_of(theme: str) -> str:
    """What a theme is, before its first preposition: 'the linkspan failure' at Oskay Terminal."""
    return re.split(r" (?:of|at|on|in|to|for|by|from|with|between) ", theme)[0]


def is_generic(title: str) -> bool:
    """Whether a title names no document: 'FAQ', 'Overview', also in quotation marks."""
    return _GENERIC_TITLE.match(title.strip("“”")) is not None


def bare(title: str) -> str:
    """The title without the name of the site after a bar, and without loose punctuation."""
    return re.sub(r"\s+", " ", title).split(" | ")[0].strip(" .:-–—#")


def _without_site(title: str, collection: str) -> str:
    """'cargo build - The Cargo Book' as 'cargo build': what follows the dash names the whole collection."""
    page, dash, site = title.rpartition(" - ") if " - " in title else title.rpartition(" — ")
    return page if dash and collection and collection.lower() in site.lower() else title


CODED = re.compile(r"^(?P<code>[A-Z]{1,5}-?\d[\w-]*): (?P<name>.+)$")


def _spoken(title: str, text: str) -> str:
    """A title as one says it in a sentence: without its code, capitals of headings undone, 'How to pay' as 'paying'."""
    coded = CODED.match(title)
    name = coded["name"] if coded else title
    if name.isupper() and " " in name and (coded or name not in without_heading(text, name)):
        name = _lowered(name, text)
    if match := re.match(r"How to (?P<verb>[a-z]+) (?P<rest>.+)$", name, re.IGNORECASE):
        return f"the guide to {ing(match['verb'].lower())} {match['rest']}"
    words = name.split()
    if coded or _is_plain_phrase(words):
        first = words[0] if words[0].isupper() or _is_name_in(words[0], text) else words[0].lower()
        return f"the {' '.join([first, *words[1:]])}"
    return name


def _is_plain_phrase(words: list[str]) -> bool:
    """'Annual leave policy': a noun phrase in sentence case that ends in a word for a kind of page or event."""
    last = next((word for word in reversed(words) if not re.search(r"\d", word)), "")
    return len(words) > 1 and last.islower() and bool(PAGE_NOUN.match(last))


PAGE_NOUN = re.compile(
    r"(?:policy|policies|procedure|process|plan|incident|agreement|scheme|system|guide|programme|program|"
    r"overview|reference|schedule|report|"
    r"review|handbook|timetable|rates|settings|rules|guidelines|standard|standards|catalogue|contract|charter|"
    r"budget|strategy|checklist|fire|"
    r"failure|outage|collision|breach|leak|fault|shortage|accident|terminal|depot|office|warehouse|site)$"
)


def is_page_or_name(theme: str) -> bool:
    """Whether 'in <theme>' reads well: in the fleet overview, in the Gannet Viaduct; not in the support."""
    words = theme.removeprefix("the ").split()
    last = next((word for word in reversed(words) if not re.search(r"\d", word)), "")
    return bool(PAGE_NOUN.match(last)) or any(word[0].isupper() for word in words)


def _is_name_in(word: str, text: str) -> bool:
    """Whether the text writes the word with a capital inside sentences."""
    inside = len(re.findall(rf"(?<=[a-z,] ){re.escape(word)}\b", text))
    lower = len(re.findall(rf"(?<=[a-z,] ){re.escape(word.lower())}\b", text))
    return inside > lower


def _lowered(name: str, text: str) -> str:
    """A title in capitals, each word as the text writes it most often."""
    words = []
    for word in name.split():
        forms = [
            form
            for form in re.findall(rf"(?<=[a-z,.] ){re.escape(word)}\b", text, re.IGNORECASE)
            if not form.isupper() or len(form) < 3
        ]
        words.append(max(sorted(set(forms)), key=forms.count) if forms else word.lower())
    return " ".join(words)


def _is_headline(title: str, text: str) -> bool:
    """'MV Bluefin returns on 16 August': a sentence about something, which names nothing that the text calls so."""
    if len(title.split()) < 4 or CODED.match(title) or re.match(r"How to ", title, re.IGNORECASE):
        return False
    if title in without_heading(text, title):
        return False
    if _NEWS.match(title) or _ENDS_IN_A_DAY.search(title):
        return True
    tokens = tokens_of(title)
    return any(
        token.text.islower()
        and (token.tag in {"VBZ", "VBD", "MD"} or (token.text in _HEADLINE_VERBS and _is_finite(tokens, place)))
        for place, token in enumerate(tokens)
    )


_NEWS = re.compile(r"(?:New|Trial|Changes?|Notice|Reminder|Update) ")

_ENDS_IN_A_DAY = re.compile(
    r" [0-3]?\d (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?$"
)

_HEADLINE_VERBS = frozenset(
    """
    acquires adds appoints becomes begins buys celebrates closes completes ends enters expands extends gets goes
    hires joins launches leaves loses makes moves names opens plans raises receives reopens resumes returns sails
    sells signs starts stops takes visits welcomes wins
""".split()
)


def _is_finite(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word that the tagger took for a plural is the verb of a headline: after a name, before no noun."""
    following = tokens[place + 1].tag if place + 1 < len(tokens) else "IN"
    return place > 0 and tokens[place - 1].is_name and following not in {"NN", "NNS"}


def _titled(title: str, text: str) -> str | None:
    match = TITLE_PARENTHESIS.match(title)
    if not match:
        if _is_headline(title, text):
            return None
        spoken = _spoken(title, text)
        return spoken if spoken != title else _with_article(title, text)
    name, kind = match["name"], match["kind"]
    words = kind.split()
    if words and words[-1] in _SPORTS:
        return title
    if (
        "," not in kind
        and words
        and words[-1].islower()
        and words[-1].isalpha()
        and not re.match(r"(?:born|died|d\.|b\.)", kind)
    ):
        return f"the {kind} {name}"
    head = kind.split(",")[0].strip()
    if "," in kind and head.islower() and PERSON_NOUNS.search(head.split()[-1]):
        return f"the {head} {name}"
    article = "the " if name in text and _with_article(name, text) == f"the {name}" else ""
    return f"{article}{name} ({kind})" if "," not in kind else f"{article}{name}"


def _with_article(name: str, text: str) -> str:
    """The name with 'the' where the text puts it there more often than not."""
    if re.match(r"(?:the|a|an) ", name, re.IGNORECASE) or name.startswith("the "):
        return name  # "The Silence in Between": the article belongs to the name
    text = without_heading(text, name)
    # a pattern costs more to compile than the text to read: where the name does not occur at all, none is made
    found = re.findall(rf"(\b[Tt]he )?\b{re.escape(name)}\b(?!['’\w])", text) if name in text else []
    lower = name.lower()
    lower_found = (
        re.findall(rf"\b([Tt]he |[Aa]n? )?{re.escape(lower)}\b", text) if name != lower and lower in text else []
    )
    if len(lower_found) > len(found) and not _is_identifier(name):
        determined = sum(1 for article in lower_found if article.lower() == "the ")
        return f"the {lower}" if determined * 2 > len(lower_found) else lower
    if found:
        with_the = sum(1 for article in found if article)
        if with_the and _COMPANY.search(name):
            return f"the {name}"
        return (
            f"the {name}"
            if with_the * 2 > len(found) or (with_the * 2 == len(found) and _TAKES_ARTICLE.match(name))
            else name
        )
    if (re.match(r"[12]\d{3}\b", name) and " " in name) or _TAKES_ARTICLE.match(name) or _COMPANY.search(name):
        return f"the {name}"
    return name


def _is_identifier(name: str) -> bool:
    return bool(re.search(r"[_\d]|^[A-Z ]+$", name))


def _named_by_keys(passage: Passage) -> str | None:
    values: dict[str, str] = {}
    for key, value in key_values(passage.text, passage.blocks):
        if value:
            values.setdefault(key.lower(), value)  # the first name is the subject's; later ones are of others
    if not values and passage.opening:
        values = {
            match[1].strip().lower(): match[2].strip()
            for match in re.finditer(
                r"^[^\w\n]*([A-Z][A-Za-z ]{2,30}):\**\s*(\S.{0,80})$", passage.opening, re.MULTILINE
            )
        }
    name = next((value for key, value in values.items() if key in {"name", "title"} or key.endswith(" name")), None)
    if name is None or len(name.split()) > _MOST_WORDS_OF_NAME:
        return None
    return None if re.fullmatch(r"(?:[A-Z]\. ?)+[A-Z][\w'-]+", name) else name  # an initial and a surname: anybody


_MOST_WORDS_OF_NAME = 6


def key_values(text: str, blocks: tuple[Block, ...]) -> list[tuple[str, str]]:
    """The ``Key: value`` lines of a text, in order."""
    pairs = []
    key: Block | None = None
    for block in blocks:
        if block.kind == "key":
            key = block
        elif block.kind == "value" and key is not None and (key.group, key.row) == (block.group, block.row):
            pairs.append((text[key.start : key.end].strip(" :"), text[block.start : block.end].strip()))
            key = None
    return pairs


_NO_SUBJECT = frozenset(
    """
    That Those Here You They He She I On At For To From By With What Which Who Where When Why How All Some Many Most
    Each Both Such Another Other
""".split()
)
"""Words that name nothing where they are the whole subject: 'Here are some answers', 'What is the difference'."""


def _subject_of_opening(text: str) -> str | None:
    first = next((line for line in sentences(text) if len(line) > 30), "")
    match = re.match(
        r"(?:The )?((?:[A-Z][\w&.-]*|of|and|the|for)(?: (?:[A-Z][\w&.-]*|of|and|the|"
        r"for)){0,6}?)(?:, [a-z][^.;:]{5,120}?,|,?(?: \([^)]*\))?) (?:is|was|are|were|has) ",
        first,
    )
    return (
        match[1]
        if match
        and match[1][0].isupper()
        and match[1].split()[0] not in {"This", "These", "It", "There", "We", "If", "In"}
        and match[1] not in _NO_SUBJECT
        else None
    )


def without_heading(text: str, title: str) -> str:
    """The text without the lines that only repeat the title: a heading says nothing of how the text names its theme."""
    if title not in text:
        return text
    return "\n".join(line for line in text.split("\n") if line.strip(" #=*-–—.:\t") != title)
