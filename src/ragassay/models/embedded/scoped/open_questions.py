"""What one would ask next and a document leaves open: when, how many, what letters stand for, what a breach costs.

A question is asked only where no word stands near that any answer would need; the words are chosen wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragassay.models.embedded.analysis import Analysis, Sentence, is_self_contained
from ragassay.models.embedded.drafts import FRAME_WORDS, MAX_WORDS, content_words, pick
from ragassay.models.embedded.grammar import Clause, inverted, lemma, tokens_of
from ragassay.models.embedded.phrases import cut, is_whole
from ragassay.models.embedded.scoped.amounts import counted_noun, tail_of
from ragassay.models.embedded.scoped.scope import framed_sentences, source_of, subject_in_sentence, usable
from ragassay.models.embedded.scoped.sections import topic_of
from ragassay.models.embedded.tagger import is_word

_TIME = re.compile(
    r"\d{4}|\d{1,2}[:.]\d\d|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|day|week|month|year|decade|century|hour|minute|when|"
    r"while|after|before|since|until|during|ago|recent|early|earlier|late|later|now|today|then|once|soon|first|time|"
    r"date|spring|summer|autumn|winter|morning|night|at the beginning|in the end|immediately|always|every|never|daily|"
    r"weekly|monthly)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_MADE = frozenset(
    """
    build install replace repair renovate construct develop design create write publish launch introduce found organise
    organize discover invent approve test review open close order buy purchase commission establish restore redesign
    rebuild move extend expand draw translate release start add announce adopt maintain produce select choose
""".split()
)


def wide_open_questions(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """(pattern, question) of what the passage leaves open about its own statements and sections."""
    source = source_of(analysis)
    if not source:
        return
    text = f"{analysis.passage.opening}\n{analysis.passage.text}"
    found = [
        *_of_statements(analysis, text),
        *_of_topics(analysis, source, text),
        *_of_abbreviations(analysis, text),
        *_of_groups(analysis, text),
    ]
    for pattern, question in found:
        framed = f"According to {source}, {analysis.unmask(question)}"
        if len(framed.split()) <= MAX_WORDS + FRAME_WORDS:
            yield pattern, framed


def _of_statements(analysis: Analysis, text: str) -> Iterator[tuple[str, str]]:
    for sentence in framed_sentences(analysis):
        clause = usable(sentence)
        if clause is None or clause.front or clause.is_copula or clause.lemma not in _MADE:
            continue
        rest = cut(clause.rest)
        subject = subject_in_sentence(clause, analysis)
        if len(rest.split()) > 10 or (rest and not is_whole(rest)) or len(content_words(f"{subject} {rest}")) < 2:
            continue
        if not is_self_contained(f"{subject} {rest}", subject_is_theme=False):
            continue
        yield from _of_clause(sentence, clause, subject, rest, text)


def _of_clause(sentence: Sentence, clause: Clause, subject: str, rest: str, text: str) -> Iterator[tuple[str, str]]:
    related = _related(sentence.quote, clause, text)
    first = clause.auxiliaries[0].lower if clause.auxiliaries else ""
    is_past = first in {"was", "were"} or (not first and clause.main.tag == "VBD")
    asked = inverted(clause, subject, rest)
    if is_past and not _TIME.search(related) and not _YEAR.search(text):
        yield "open_when", f"when {asked}?"


def _related(quote: str, clause: Clause, text: str) -> str:
    """The sentence with all other lines and sentences of the text that use its verb, or two of its words."""
    stem = clause.lemma[:5]
    words = {lemma(word)[:6] for word in content_words(quote)}
    parts = [quote]
    for part in re.split(r"(?<=[.!?])\s+|\n", text):
        other = {lemma(word)[:6] for word in content_words(part)}
        if part and part not in quote and (stem in part.lower() or len(words & other) >= 2):
            parts.append(part)
    return " ".join(parts)


_TOPIC_QUESTIONS: tuple[tuple[str, str, str], ...] = (
    # pattern, what must not stand in the text, the question
    (
        "open_penalty",
        r"penalt|\bfine[sd]?\b|disciplin|sanction|consequen|breach|dismiss|terminat|violat|forfeit|withh|charged?\b|"
        r"deduct|interest|reject|revok|block|exclu",
        "what is the penalty for breaking the rules on {}?",
    ),
    (
        "open_exceptions",
        r"except|unless|not apply|does not|do not|however|only\b|exempt|waive|apart from|other than|\bnot\b",
        "what exceptions are there to the rules on {}?",
    ),
    (
        "open_contact",
        r"contact|e-?mail|@|phone|\bcall\b|\bdesk\b|support|\bask\b|write to|report(?:ed)? to|team\b|office\b",
        "whom should one contact with questions about {}?",
    ),
    (
        "open_since",
        r"version|releas|since|introduc|new|earlier|previous|\b(?:19|20)\d\d\b|\d\.\d|added|histor|chang|no longer",
        "since which version has {} been available?",
    ),
)
_RULES = re.compile(
    r"\b(?:policy|policies|rules|guidelines|agreement|lease|contract|regulations|terms of|terms and conditions|"
    r"code of)\b(?=\W*$| (?:of|on|for) | [-–(]|[:,])",
    re.IGNORECASE,
)
_DUTY = re.compile(r"\b(?:must|shall|may not|has to|have to|required|allowed|permitted|entitled)\b")
_NO_RULE = re.compile(
    r"^(?:purpose|scope|eligibility|review|term|terms|governing law|definitions?|parties|premises|background|aims?|"
    r"introduction|contact|signatures?|rewards?|response times|changes|updates?)$"
)
_SOFTWARE = re.compile(
    r"\b(?:software|command|install|click|menu|dialog|server|file|package|option|plug-?in|layer|config\w*)\b", re.I
)


def _of_topics(analysis: Analysis, source: str, text: str) -> Iterator[tuple[str, str]]:
    """Questions about the headings of a passage, each of one kind, and each kind of one heading."""
    passage = analysis.passage
    headings = [passage.text[block.start : block.end].strip() for block in passage.blocks if block.kind == "heading"]
    topics = [topic for heading in dict.fromkeys(headings) if (topic := topic_of(heading, analysis))]
    topics = [each for each in topics if each.lower() not in source.lower() and len(each.split()) <= 5]
    of_rules = _RULES.search(source) is not None and len(_DUTY.findall(text)) >= 2
    of_software = len(_SOFTWARE.findall(text)) >= 3
    start = sum(passage.text[:200].encode())  # which kind of question is put to which heading is left to chance
    kinds = [kind for kind in _TOPIC_QUESTIONS if not re.search(kind[1], text, re.IGNORECASE)]
    for place, (pattern, _, question) in enumerate(kinds):
        is_version = pattern == "open_since"
        fit = [
            each for each in topics if _fits(each, is_version=is_version) and (of_software if is_version else of_rules)
        ]
        if fit:
            topic = fit[(start + place) % len(fit)]
            named = f"the {topic}" if is_version and topic[:1].islower() else topic
            yield pattern, question.format(named)


_TECHNICAL = re.compile(
    r"[A-Z]{2}|_|\b(?:option|command|mode|file|plug-?in|support|format|driver|package|server|tool|filter|dialog|script|"
    r"interface|system|module|library|function|protocol|client|daemon|editor|manager|engine|menu|extension|cache)$"
)


def _fits(topic: str, *, is_version: bool) -> bool:
    tokens = tokens_of(topic)
    if is_version:
        return (
            tokens[-1].tag == "NN"
            and tokens[0].tag != "VBG"
            and len(tokens) >= 2
            and _TECHNICAL.search(topic) is not None
        )
    return not _NO_RULE.match(topic.lower())


_ABBREVIATION = re.compile(r"(?<![\w<$/.\[_-])[A-Z]{3,5}(?![\w/_=>-]|\.\w)")
_KNOWN_TO_ALL = frozenset(
    """
    USA DVD URL PDF FAQ GMT UTC HTML HTTP HTTPS PNG JPEG JPG GIF XML CSV BBC NATO USB RAM CPU CET ISBN ASCII TODO
    README JSON GNU SUSE IBM UNIX POSIX INFO WARN BOTH
""".split()
)


_STANDS_FOR = (
    "what does the abbreviation {} stand for?",
    "what is {} short for?",
    "which words does the abbreviation {} stand for?",
    "what is the full form of {}?",
)


def _of_abbreviations(analysis: Analysis, text: str) -> Iterator[tuple[str, str]]:
    """'What does the abbreviation LTS stand for?', where nothing in the passage spells it out."""
    prose = " ".join(sentence.quote for sentence in analysis.sentences)
    found = dict.fromkeys(_ABBREVIATION.findall(prose))
    for short in sorted(found, key=lambda each: (-prose.count(each), each)):
        if (
            short in _KNOWN_TO_ALL
            or is_word(short.lower())
            or short in analysis.passage.title
            or _is_spelled_out(short, text)
        ):
            continue
        is_stand_in = len(set(short)) < 3 or re.search(
            rf"\bwhere {short}\b|\b{short} (?:is|accounts?|shares|stock)\b", text
        )
        if is_stand_in:
            continue
        shouted = re.search(rf"[A-Z]{{3,}} {short}\b|\b{short} [A-Z]{{3,}}|['\"`]{short}|\$ *{short}", text)
        if shouted is None and not re.search(rf"(?i:\b(?!{short}\b){short}\b)", text):
            yield "open_abbreviation", pick(_STANDS_FOR, analysis.passage.title + short).format(short)
            return


def _is_spelled_out(short: str, text: str) -> bool:
    """Whether the text may say what the letters stand for: in brackets beside it, or by words with these initials."""
    if re.search(rf"\({short}s?\)|\b{short}s? \(|\b{short}\b[^.]*\b(?:stands? for|short for|abbreviat|acronym)", text):
        return True
    if re.search(rf"\b{short.lower()}[a-z]", text):
        return True  # VAC for a vacation
    spread = r"[\W_]+(?:(?:of|and|the|for|in)[\W_]+)?".join(rf"{letter}[a-z]+" for letter in short.lower())
    return re.search(rf"\b{spread}", text, re.IGNORECASE) is not None


_SEVERAL = re.compile(r"(?:several|many|numerous|a number of|various|multiple) (?=[a-z])")


def _of_groups(analysis: Analysis, text: str) -> Iterator[tuple[str, str]]:
    """'Exactly how many departments did the fire affect?', where the text says 'several'."""
    for sentence in framed_sentences(analysis):
        clause = usable(sentence) if _SEVERAL.search(sentence.masked) else None
        match = _SEVERAL.match(clause.rest) if clause is not None and not clause.is_copula else None
        if (
            clause is None
            or match is None
            or re.search(r":|\b(?:such as|including|like|e\.g|for example)\b|\(", clause.rest)
        ):
            continue
        noun = counted_noun(clause.rest[match.end() :])
        tail = tail_of(clause.rest[match.end() + len(noun) :]) if noun else None
        subject = subject_in_sentence(clause, analysis)
        last = noun.split()[-1] if noun else ""
        if tail is None or not is_self_contained(f"{subject} {noun} {tail}", subject_is_theme=False):
            continue
        counted = (
            rf"(?:\d[\d,.]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|both)) (?:[\w-]+ ){{0,2}}{last}\b"
        )
        if not re.search(counted, text, re.IGNORECASE) and text.count(last) <= 3:
            yield "open_count", f"exactly how many {noun} {inverted(clause, subject, tail)}?"
