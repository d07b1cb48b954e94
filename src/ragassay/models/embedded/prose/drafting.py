"""From the parsed sentences of a passage to drafts of questions, each with what a ranker wants to know of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import Clause, clauses
from ragassay.models.embedded.prose.forms import FORMS, Asked, Form
from ragassay.models.embedded.prose.framing import framed
from ragassay.models.embedded.prose.references import Resolved
from ragassay.models.embedded.prose.setting import Setting
from ragassay.models.embedded.prose.whole_sentences import WholeSentence
from ragassay.models.embedded.prose.wording import Wording, is_joined, sentence_case

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

FILLED = frozenset({"time", "why", "what_do"})
"""Forms that go with an "it" that only fills the place of the subject."""
LONGEST_QUESTION = 30
SHORTEST_QUESTION = 4
"""Words."""
_BROKEN = re.compile(r"[\[\]{}<>|\\]|\.\.|\(\s*\)|[;:]|\b(\w+) \1\b(?<!that that)|(?<!\w)['’]s\b|\bi\.?e\b|^\W", re.I)
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Written:
    """One draft before it is judged. unresolved: words that point to something unknown, in question and answer."""

    question: str
    answer: str
    statement: str
    form: str
    clause: Clause
    asked: Asked
    sentence: WholeSentence
    doc: Doc
    unresolved: int
    outward: int
    risky: int
    we: int
    frame: str
    anchored: bool
    question_tokens: list[Token] = field(default_factory=list)
    answer_tokens: list[Token] = field(default_factory=list)


def written(
    setting: Setting,
    sentence: WholeSentence,
    doc: Doc,
    resolved: Resolved,
    literals: dict[str, str],
    forms: Mapping[str, Form] = FORMS,
) -> Iterator[Written]:
    """All drafts of one sentence in the given forms, unfiltered but for what cannot be a question."""
    if not len(doc) or doc[0].lower_ in ("how", "what", "why", "who", "where", "which"):
        return
    wording = Wording(doc, literals, resolved.references, setting.known_lower, setting.known_names)
    seen: set[str] = set()
    for clause in clauses(doc):
        for form in forms.values():
            for asked in form.make(clause):
                draft = (
                    None
                    if asked is None
                    else _write(setting, sentence, doc, resolved, wording, clause, form.name, asked)
                )
                if draft is not None and draft.question not in seen:
                    seen.add(draft.question)
                    yield draft


def _write(
    setting: Setting,
    sentence: WholeSentence,
    doc: Doc,
    resolved: Resolved,
    wording: Wording,
    clause: Clause,
    form: str,
    asked: Asked,
) -> Written | None:
    head = clause.head
    if head is not None and head.lower_ == "it" and head.i not in resolved.references and form not in FILLED:
        return None
    if form == "subject" and len(asked.answer) == 2 and clause.subject[0].lower_ in ("the", "that", "your"):
        return None
    named: set[str] = set()
    text = wording.write(_agreeing(asked.question, clause, wording), asker=True, named=named, forms=asked.forms)
    text = re.sub(r"^(?:what|which|who|when|where|why|how) ,", lambda match: match.group().rstrip(" ,"), text)
    if not text:
        return None
    question = sentence_case(text) + "?"
    if not question[0].isupper():
        question = question[:1].upper() + question[1:] if question[:1].isalpha() else question
    answer = wording.write(_agreeing(asked.answer, clause, wording), asker=False, named=set(named))
    n_words = len(question.split())
    if not answer or not SHORTEST_QUESTION <= n_words <= LONGEST_QUESTION or _BROKEN.search(question) or ";" in answer:
        return None
    if _hangs(asked.answer) or (_hangs(asked.question[-1:]) and not isinstance(asked.question[-1], str)):
        return None
    if "?" in doc.text or not _balanced(question) or not _balanced(answer):
        return None
    if "us" in text.split() or _leaks(question, answer, asked):
        return None
    question_tokens = [piece for piece in asked.question if not isinstance(piece, str)]
    answer_tokens = [piece for piece in asked.answer if not isinstance(piece, str)]
    if _cuts_word(answer_tokens) or any(_is_dash(token) for token in (*question_tokens, *answer_tokens)):
        return None
    in_question = {token.i for token in question_tokens}
    used = in_question | {token.i for token in answer_tokens}
    dangling = resolved.dangling & in_question
    lost = _lost(question_tokens, asked, resolved)
    local = (
        setting.name is not None
        and bool(clause.subject)
        and clause.subject[0].lower_ == "the"
        and not named
        and not any(token.pos_ == "PROPN" for token in clause.subject)
    )
    anchored = (
        not local
        and _anchored(question_tokens, wording, named, setting.name is None and bool(setting.titles))
        and _says_enough(question_tokens)
    )
    defined = form in ("what_is", "meaning") and not local and _is_term(clause)
    frame = framed(question, answer, setting, anchored or defined)
    if not frame.question:
        return None
    statement = _without_connector(wording.write(list(doc), asker=False))
    return Written(
        question=frame.question,
        answer=answer if answer_tokens and answer_tokens[0].text in wording.literals else _answer_case(answer),
        statement=sentence_case(statement.rstrip("!")) + ".",
        form=form,
        clause=clause,
        asked=asked,
        sentence=sentence,
        doc=doc,
        unresolved=len(dangling) + lost,
        outward=len(resolved.dangling & used - in_question),
        risky=sum(1 for index, reference in resolved.references.items() if index in used and reference.risky),
        we=len(resolved.we & in_question),
        frame=frame.kind,
        anchored=anchored,
        question_tokens=question_tokens,
        answer_tokens=answer_tokens,
    )


_CONNECTOR = re.compile(
    r"(?:however|therefore|thus|hence|consequently|accordingly|nevertheless|nonetheless|instead|otherwise|similarly"
    r"|likewise|furthermore|moreover|additionally|finally|also|for (?:example|instance|this reason|that reason)"
    r"|in (?:addition|fact|particular|other words|this case|that case|such cases|contrast|short|summary)"
    r"|as (?:a result|such|an example|well)|to (?:that|this) end|at the same time|on the other hand|of course|that said"
    r"|note that),? (?=\S)",
    re.I,
)
"""Words that tie a sentence to the one before it, which a reader of the answer does not see."""


def _without_connector(statement: str) -> str:
    found = _CONNECTOR.match(statement)
    return statement if found is None or not found.group().rstrip().endswith(",") else statement[found.end() :]


def _agreeing(pieces: Sequence[Token | str], clause: Clause, wording: Wording) -> list[Token | str]:
    """With "does" for "do" where a name in the singular takes the place of "we"."""
    pieces = [
        piece
        for piece in pieces
        if isinstance(piece, str)
        or not (piece.dep_ == "advmod" and piece.lower_ in _TYING and piece.head.pos_ in ("VERB", "AUX"))
    ]
    head = clause.head
    if head is None or head.lower_ != "we" or head.i not in wording.references:
        return pieces
    singular = {"do": "does", "are": "is", "were": "was", "have": "has"}
    return [singular.get(piece, piece) if isinstance(piece, str) else piece for piece in pieces]


def _cuts_word(tokens: Sequence[Token]) -> bool:
    """Whether a hyphen or a stroke joins the first or the last word to one outside."""
    if not tokens:
        return False
    doc, first, last = tokens[0].doc, tokens[0].i, tokens[-1].i
    before = first > 0 and doc[first - 1].text in _JOINTS and not doc[first - 1].whitespace_
    after = last + 1 < len(doc) and doc[last + 1].text in _JOINTS and not doc[last].whitespace_
    return before or after


_JOINTS = frozenset({"-", "/", "–"})


def _is_dash(token: Token) -> bool:
    """Whether it stands between two parts of a sentence."""
    return (
        token.text in ("-", "–", "—", "--")
        and bool(token.whitespace_)
        and (token.i == 0 or bool(token.nbor(-1).whitespace_))
    )


def _hangs(pieces: Sequence[Token | str]) -> bool:
    """Whether words end in an article or a conjunction."""
    last = next((piece for piece in reversed(pieces) if not isinstance(piece, str)), None)
    return (
        last is not None
        and (last.pos_ in ("DET", "CCONJ", "SCONJ") or last.tag_ in ("DT", "PRP$", "TO"))
        and last.dep_ != "nsubj"
    )


def _balanced(text: str) -> bool:
    return text.count('"') % 2 == 0 and text.count("“") == text.count("”") and text.count("(") == text.count(")")


_TYING = frozenset(
    "also however therefore thus then instead furthermore moreover additionally finally too probably simply just really"
    " actually".split()
)


def _leaks(question: str, answer: str, asked: Asked) -> bool:
    """Whether the answer stands in the question, or nothing in the answer is new."""
    if answer.lower() in question.lower():
        return True
    if asked.whole:
        return False
    words = {word.lower() for word in _WORD.findall(question)} | _EMPTY
    return all(word.lower() in words for word in _WORD.findall(answer))


_NO_ANTECEDENTS = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL"})
_HUMAN = frozenset({"he", "she", "his", "her", "him", "they", "them", "their"})


_EMPTY = frozenset("the a an your my its their his her our this that these those of and or for to in on by".split())


def _lost(question_tokens: Sequence[Token], asked: Asked, resolved: Resolved) -> int:
    """Pronouns of the question whose antecedent went away with the answer."""
    lost = 0
    present = {token.i for token in question_tokens}
    for token in question_tokens:
        if token.lower_ not in (
            "it",
            "its",
            "they",
            "them",
            "their",
            "he",
            "she",
            "his",
            "her",
            "itself",
            "themselves",
        ):
            continue
        if token.i in resolved.references or token.i in resolved.dangling:
            continue
        plural = token.lower_ in ("they", "them", "their", "themselves")
        agreeing = [
            other
            for other in token.doc[: token.i]
            if other.pos_ in ("NOUN", "PROPN", "PRON")
            and other.dep_ != "compound"
            and other.ent_type_ not in _NO_ANTECEDENTS | (frozenset() if token.lower_ in _HUMAN else {"PERSON"})
            and (other.tag_ in ("NNS", "NNPS") or is_joined(other) or other.lower_ in ("everyone", "someone")) == plural
        ]
        core = [other for other in agreeing if other.dep_ in ("nsubj", "nsubjpass", "dobj", "attr")] or agreeing
        if core and core[0].i not in present:
            lost += 1
    return lost


def _is_term(clause: Clause) -> bool:
    """Whether what is defined is a name or a term of two words or more, which needs no theme."""
    telling = [token for token in clause.subject if token.pos_ in ("NOUN", "PROPN", "ADJ")]
    return len(telling) > 1 or any(token.pos_ == "PROPN" for token in telling)


def _says_enough(question_tokens: Sequence[Token]) -> bool:
    """Whether a question has more to search for than one name."""
    telling = [t for t in question_tokens if t.pos_ in ("NOUN", "PROPN", "ADJ", "NUM") and t.dep_ != "compound"]
    return len(telling) > 1 or any(t.pos_ == "VERB" and t.lemma_ not in LIGHT for t in question_tokens)


LIGHT = frozenset(
    "have do make take get give include provide use offer need contain support require involve be".split()
)
"""English verbs that say little by themselves."""


def _anchored(question_tokens: Sequence[Token], wording: Wording, named: set[str], topical: bool) -> bool:
    """Whether the question names something by a name or a technical word.

    topical: whether the document is about a topic; the name of a place then does not tell which.
    """
    if named:
        return True
    for token in question_tokens:
        if token.text in wording.literals:
            return True
        if topical and token.ent_type_ in ("GPE", "LOC", "NORP"):
            continue
        if (
            token.ent_type_ in ("PERSON", "ORG", "GPE", "FAC", "WORK_OF_ART", "EVENT", "LAW", "PRODUCT", "LOC")
            and token.pos_ == "PROPN"
        ):
            return True
        if token.pos_ == "PROPN" and token.i > 0 and token.text[:1].isupper():
            return True
        if re.search(r"\w[A-Z_]|\w\d|[A-Z]{2}", token.text) and (not topical or len(token.text) > 3):
            return True
    return False


def _answer_case(answer: str) -> str:
    return sentence_case(f"{answer}." if re.search(r"\b[A-Z]\.[A-Z]$", answer) else answer)
