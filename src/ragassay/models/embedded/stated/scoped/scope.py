"""Whether a question says by itself what it asks of, and the document as its frame where it does not.

Most sentences of most documents are not about the theme but about something that only the document makes clear: "The
deposit is returned within 28 days." Asked within the frame of their document they are clear: "According to the lease,
...", "When setting up a printer, ...". Nobody frames a question that is clear, and nobody quotes a title in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ragassay.models.embedded.prose.framing import gerund
from ragassay.models.embedded.reading.analysis import THEME, Analysis, Sentence, is_self_contained
from ragassay.models.embedded.reading.clarity import is_clear
from ragassay.models.embedded.reading.framing import as_reader
from ragassay.models.embedded.reading.grammar import Clause, lower_first
from ragassay.models.embedded.reading.outline import is_instruction
from ragassay.models.embedded.reading.parser import is_english, parse
from ragassay.models.embedded.reading.tagger import is_word
from ragassay.models.embedded.reading.themes import bare, is_generic
from ragassay.models.embedded.stated.drafts import FRAME_WORDS, MAX_WORDS, Draft, capitalised
from ragassay.text import sentences

_MOST_WORDS = 11
"""Words of a title that a question can carry beside what it asks."""
_MOST_WORDS_ASKED = 24
_KIND_OF_DOCUMENT = re.compile(
    r"\b(?:policy|policies|minutes|lease|agreement|contract|faq|handbook|manual|guide|report|review|catalogue|"
    r"constitution|charter|manifesto|guidelines|rules|terms|regulations|statutes|procedure|price list|checklist|"
    r"strategy|standard|brochure|notice|plan|overview|schedule|timetable|register)$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:what|how|why|when|where|who|which|is|are|do|does|can)\b", re.IGNORECASE)
_HAS_DETERMINER = re.compile(r"(?:the|a|an|our|your|my)\b|[A-Z]\w*['’]s ", re.IGNORECASE)


def is_document(theme: str) -> bool:
    """Whether a theme is something written, that one can speak according to: 'the schedule 2025–26', “Minutes”."""
    return theme.startswith("“") or _KIND_OF_DOCUMENT.search(theme.rstrip(" 0123456789–/-")) is not None


def source_of(analysis: Analysis) -> str:
    """What a question calls its document: 'the Remote Work Policy', '“Debian Releases”'; '' where it has no short name.

    A title that says what kind of document it is reads as a noun; any other one is quoted.
    """
    theme = analysis.profile.theme
    if not theme or len(theme.split()) > _MOST_WORDS or is_generic(theme):
        return ""
    if theme.startswith("“") or (theme.startswith("the ") and _KIND_OF_DOCUMENT.search(theme)):
        return theme
    title = bare(analysis.passage.title)
    if title.isupper() and " " in title:
        title = capitalised(theme.removeprefix("the "))  # a theme has lost the capitals of a shouted title
    name = title if theme.removeprefix("the ").lower() in title.lower() and len(title.split()) <= _MOST_WORDS else theme
    if _KIND_OF_DOCUMENT.search(name) and not re.search(r"[:;,(?]", name) and not _ASKS.match(name):
        return name if _HAS_DETERMINER.match(name) else f"the {name}"
    if name.startswith("the guide to "):
        return name
    if name == theme and name.startswith("the ") and 0 < len(title.split()) <= _MOST_WORDS:
        name = title  # 'the deprecated CDN service' is no document: its title is “CDN service (deprecated)”
    return f"“{name}”" if not re.search(r"[“”\"]", name) else ""


def scoped(analysis: Analysis, draft: Draft, *, of_all: bool = False) -> Iterator[Draft]:
    """The draft, its question framed by its document if it is not clear without; nothing where no frame can be had.

    Questions of scoped rules begin in lower case. One that names its theme already needs no frame. of_all: whether it
    asks about all that the document has of a kind, and so has to name the document, by a quoted title if need be.
    """
    theme = analysis.profile.theme
    source = source_of(analysis)
    is_named = theme.lower() in draft.question.lower() and (
        analysis.theme_is_a_name or source.startswith("the ") or _THING.search(draft.question) is not None
    )
    if theme and is_named:
        question = draft.question
        if source.startswith("the ") and not theme.startswith("the "):
            question = re.sub(rf"\b(?:the )?{re.escape(theme)}", lambda _: source, question)
        yield replace(draft, question=capitalised(question))
        return
    if is_clear(draft.question) and not of_all:
        yield replace(draft, question=capitalised(draft.question), stands_alone=True)
        return
    question = f"According to {source}, {draft.question}" if of_all and source else framed(source, draft.question)
    if (
        question
        and len(question.split()) <= MAX_WORDS + FRAME_WORDS
        and len(draft.question.split()) <= _MOST_WORDS_ASKED
    ):
        yield replace(draft, question=question, stands_alone=True)


def framed(source: str, question: str) -> str:
    """A question within its document; empty where a title would have to be quoted for it.

    'According to the lease, ...'; 'When setting up a printer, ...', of the page “Set up a printer”.
    """
    if source.startswith("the "):
        return f"According to {source}, {question}"
    title = source.strip("“”")
    is_plain = " " in title and not re.search(r"[:;.,!?]|^\w+ (?:and|or) ", title)
    return f"When {as_reader(gerund(lower_first(title)))}, {question}" if is_plain and is_instruction(title) else ""


_VAGUE = re.compile(
    r"^(?:the|an?|each|every|any|all) (?:(?:first|second|third|last|next|other|new|old|same|whole|entire|current|"
    r"default|latter|former|given|specified|following|previous|resulting|corresponding|main|only) )*"
    r"(?:effects?|results?|numbers?|reasons?|cases?|problems?|methods?|amounts?|process|figures?|values?|things?|"
    r"ones?|users?|rest|others?|options?|commands?|files?|arguments?|parameters?|programs?|functions?|strings?|flags?|"
    r"variables?|fields?|points?|aim|goal|idea|example|list|table|section|chapter|document|text|step|line|name|way|"
    r"difference|latter|former|output|input|system|tool|solution|question|answer|most|first|second|third|last|"
    r"situation|approach|release|query|packages?|machine|page|directory|person|study|test|image|server|issue|change|latest|above|entry|item|type|set|group|part|version|feature|term|word)$",
    re.IGNORECASE,
)
_POINTING = frozenset(
    """
    this that these those it he she they we you i one each some such other others many most all both another none half
    everything everyone anyone anything nothing something someone people few several what which who there
""".split()
)


def names_something(subject: str) -> bool:
    """Whether a noun phrase says what it means within its document: 'the annual rent', not 'the option' or 'they'."""
    words = subject.split()
    return (
        bool(words)
        and len(words) <= 12
        and re.match(r"[\w`'\"“$<.-]", subject) is not None
        and words[0].lower() not in _POINTING
        and not _VAGUE.match(subject)
        and not re.match(rf"{THEME} [a-z]|(?:its|their|his|her) ", subject)  # 'the Rulers command' lost its article
        and is_self_contained(subject, subject_is_theme=True)
    )


_THINGS = (
    r"command|filter|dialog|dialogue|tool|function|program|utility|menu|submenu|window|module|library|plug-in|plugin|"
    r"device|product"
)
_THING = re.compile(rf"\bthe (?:{_THINGS}) ", re.IGNORECASE)
_THIS = re.compile(r"^This (?P<noun>[a-z][a-z-]+)(?= (?:[a-z]+s|is|was|has|can|will|may|must|shall|should|[a-z]+ed)\b)")


def framed_sentences(analysis: Analysis) -> Iterator[Sentence]:
    """The sentences of the running text, 'This policy' in the Travel Policy and 'This filter' on its page named."""
    title = analysis.passage.title.lower().split()
    for sentence in analysis.sentences:
        match = _THIS.match(sentence.masked)
        if match and match["noun"] in title:
            yield replace(sentence, masked=_THIS.sub(THEME, sentence.masked))
        elif match and re.fullmatch(_THINGS, match["noun"]) and sentence.quote[:50] in analysis.passage.opening:
            yield replace(sentence, masked=_THIS.sub(f"The {match['noun']} {THEME}", sentence.masked))
        else:
            yield sentence


def subject_in_sentence(clause: Clause, analysis: Analysis) -> str:
    """The subject as it stands inside a sentence: 'Adults' as 'adults', 'Fire drills' as 'fire drills', 'Tom' as it is.

    A word that the passage writes with a capital inside sentences keeps it.
    """
    first, *others = clause.subject_tokens
    if first.text.startswith(("Xlit", THEME)):
        return clause.subject
    is_plain = first.tag == "VBG" or (not others and first.tag in {"NN", "NNS"})
    if others and others[0].tag in {"NN", "NNS"} and others[0].text.islower():
        is_plain = is_word(first.lower)
    is_name = _is_name_inside(first.text, analysis)
    if is_plain and first.text[1:].islower() and not is_name:
        return clause.subject[:1].lower() + clause.subject[1:]
    return lower_first(clause.subject)


_NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART", "LANGUAGE", "LAW"})
"""Kinds of entities that have capitals: the parser's others are dates and amounts."""


def parsed_subject(sentence: Sentence, clause: Clause, analysis: Analysis) -> str | None:
    """The subject as it stands inside a sentence; None where the parser takes another part of the sentence for it.

    'South of the river the vans are without signal': the vans. A word with a capital that is no name loses it, and
    what only its first mention says enough of is called as there (``named_fully``).
    """
    (doc,) = parse([sentence.masked])
    found = [token for token in doc if token.dep_ in {"nsubj", "nsubjpass"} and token.head.dep_ == "ROOT"]
    if (
        len(found) != 1
        or found[0].tag_ == "CD"
        or doc[found[0].left_edge.i : found[0].right_edge.i + 1].text != clause.subject
    ):
        return None
    first = doc[0]
    if first.text[1:2].isupper() or first.ent_type_ in _NAMES:
        return clause.subject
    if first.tag_ in {"NNP", "NNPS"}:  # the parser takes many a first word for a name
        is_name = not is_english(first.lower_) or doc[1].text[:1].isupper() or _is_name_inside(first.text, analysis)
    else:
        is_name = first.tag_.startswith("NN") and not is_english(first.lower_)
    subject = clause.subject if is_name else clause.subject[:1].lower() + clause.subject[1:]
    return named_fully(subject, sentence, analysis)


def _is_name_inside(word: str, analysis: Analysis) -> bool:
    """Whether the passage writes a word with a capital inside sentences."""
    return re.search(rf"[a-z,] {re.escape(word)}\b", analysis.passage.text) is not None


_MOST_WORDS_OF_MENTION = 8
_TELLING = frozenset({"amod", "compound", "prep", "nmod", "poss"})
"""What a mention has beside its noun that says which thing it is."""


def named_fully(subject: str, sentence: Sentence, analysis: Analysis) -> str:
    """'the trip' as 'the trip to the canal museum', where the passage has introduced it so.

    Only where one mention before the sentence has the same noun and more beside it, in words that need no context.
    """
    words = subject.split()
    if len(words) != 2 or words[0] != "the" or THEME in subject:
        return subject
    noun = words[1]
    before, place, _ = analysis.passage.text.partition(sentence.quote[:60])
    if not place or not re.search(rf"\b{re.escape(noun)}\b", before):
        return subject
    mentions: dict[str, str] = {}
    for doc in parse(sentences(before)[-_SENTENCES_BACK:]):
        for chunk in doc.noun_chunks:
            head = chunk.root
            beside = [child for child in head.children if child.dep_ in _TELLING]
            beside += [token for token in doc[head.i + 1 : head.i + 2] if token.dep_ == "prep"]  # of it, or of the verb
            if head.text != noun or not beside or (chunk[0].pos_ == "DET" and chunk[0].lower_ not in _ARTICLES):
                continue
            start = head.left_edge.i + (doc[head.left_edge.i].pos_ == "DET")
            told = doc[start : max(head.i, *(child.right_edge.i for child in beside)) + 1].text
            mentions[told.lower()] = told
    (told, *others) = mentions.values() or ("",)
    is_clear = told and not others and len(told.split()) <= _MOST_WORDS_OF_MENTION
    if not is_clear or re.search(r"[,;:()\d]", told) or not is_self_contained(told, subject_is_theme=False):
        return subject
    return f"the {told}"


_SENTENCES_BACK = 12
_ARTICLES = frozenset({"a", "an", "the"})


def phrase_in_sentence(phrase: str, analysis: Analysis) -> str:
    """A noun phrase from the start of a sentence as it stands inside one: 'Admission' as 'admission'."""
    word = phrase.split(maxsplit=1)[0]
    is_name = _is_name_inside(word, analysis)
    if word[1:].islower() and is_word(word.lower()) and not is_name:
        return phrase[:1].lower() + phrase[1:]
    return lower_first(phrase)


def usable(sentence: Sentence) -> Clause | None:
    """The clause of a plain sentence whose subject names something; None for all others."""
    words = len(sentence.masked.split())
    if not 5 <= words <= 40 or sentence.quote.rstrip()[-1:] not in '."”':
        return None
    clause = sentence.clause
    if clause is None or clause.subject_tokens[0].lower in _POINTING:
        return None
    return clause if clause.subject == THEME or names_something(clause.subject) else None
