"""Numbers about a sentence and about a draft, for the two learned models. No number tells a source or a topic."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.clauses import SUBJECTS
from ragassay.models.embedded.prose.forms import FORMS
from ragassay.models.embedded.prose.setting import Setting, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from ragassay.models.embedded.prose.drafting import Written
    from ragassay.models.embedded.prose.references import Resolved
    from ragassay.models.embedded.prose.whole_sentences import WholeSentence

ENTITIES = ("PERSON", "ORG", "GPE", "DATE", "MONEY", "CARDINAL", "PERCENT")
TAGS = ("VB", "VBZ", "VBP", "VBD", "VBN", "VBG", "MD")
QUESTION_WORDS = (
    "what",
    "which",
    "who",
    "when",
    "where",
    "why",
    "how",
    "how many",
    "how much",
    "how long",
    "how often",
)
LEADS = (
    "what should i do",
    "what happens",
    "under what condition",
    "by when",
    "what can i",
    "can i",
    "do i",
    "how do i",
)
FRAMES = ("name", "gerund", "imperative", "how_to", "document", "topic")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_FUNCTION = frozenset({"DET", "PRON", "ADP", "AUX", "PART", "CCONJ", "SCONJ", "PUNCT", "SPACE", "SYM"})


def _root(doc: Doc) -> Token | None:
    return next((token for token in doc if token.dep_ == "ROOT"), None)


def sentence_features(
    sentence: WholeSentence, doc: Doc, resolved: Resolved, setting: Setting, n_sentences: int, index: int
) -> dict[str, float]:
    """What a sentence says about whether it is worth a question. index: its number among those of the passage."""
    words = [token for token in doc if not token.is_punct]
    n_words = len(words)
    content = [token for token in words if token.pos_ not in _FUNCTION]
    root = _root(doc)
    labels = {entity.label_ for entity in doc.ents}
    lower = {token.lower_ for token in doc}
    stems = {stem(token.text) for token in content}
    found: dict[str, float] = {
        "words": min(n_words, 40) / 40,
        "short": n_words < 7,
        "long": n_words > 32,
        "content_share": len(content) / max(1, n_words),
        "first": index == 0,
        "last": index == n_sentences - 1,
        "position": index / max(1, n_sentences - 1),
        "few": n_sentences < 5,
        "n_sentences": min(n_sentences, 30) / 30,
        "paragraph_start": sentence.place == 0,
        "in_list": sentence.in_list,
        "completed": bool(sentence.lead_in),
        "dangling": min(len(resolved.dangling), 3) / 3,
        "dangling_subject": any(token.i in resolved.dangling and token.dep_ in SUBJECTS for token in doc),
        "resolved": bool(resolved.references),
        "we": bool(resolved.we),
        "you": bool({"you", "your"} & lower),
        "i": bool({"i", "my", "me"} & lower),
        "theme": min(len(stems & setting.words), 3) / 3,
        "digits": any(token.like_num for token in doc),
        "modal": any(token.tag_ == "MD" for token in doc),
        "must": bool({"must", "should", "shall", "need", "required", "cannot"} & lower),
        "may": bool({"may", "might", "could", "can"} & lower),
        "negative": any(token.dep_ == "neg" for token in doc),
        "condition": bool({"if", "when", "unless", "until", "once"} & lower),
        "reason": bool({"because", "since", "therefore", "so"} & lower),
        "only": bool({"only", "every", "all", "always", "never", "each"} & lower),
        "question": "?" in doc.text,
        "exclamation": "!" in doc.text,
        "quotes": '"' in doc.text or "“" in doc.text,
        "colon": ":" in doc.text or ";" in doc.text,
        "literal": "Literal" in doc.text,
        "entities": min(len(doc.ents), 5) / 5,
        "names": min(sum(token.pos_ == "PROPN" for token in doc), 6) / 6,
        "conjunctions": min(sum(token.dep_ == "cc" for token in doc), 4) / 4,
        "definition": root is not None and root.lemma_ == "be" and any(c.dep_ == "attr" for c in root.children),
        "be": root is not None and root.lemma_ == "be",
        "have": root is not None and root.lemma_ == "have",
        "imperative": root is not None and root.tag_ == "VB" and not any(c.dep_ in SUBJECTS for c in root.children),
        "there": any(token.dep_ == "expl" for token in doc),
        "points": bool({"see", "below", "above", "following", "example"} & lower),
        "connective": bool(doc) and doc[0].pos_ in ("CCONJ", "ADV", "SCONJ", "INTJ"),
        "pronoun_start": bool(doc) and doc[0].pos_ == "PRON",
        "no_verb": root is None or root.pos_ not in ("VERB", "AUX"),
        "purpose": any(token.dep_ == "advcl" and token.tag_ == "VB" for token in doc),
        "passive": any(token.dep_ == "auxpass" for token in doc),
        "past": root is not None and root.tag_ == "VBD",
    }
    found.update({f"entity_{label.lower()}": label in labels for label in ENTITIES})
    found.update({f"root_{tag.lower()}": root is not None and root.tag_ == tag for tag in TAGS})
    return {name: float(value) for name, value in found.items()}


def draft_features(draft: Written, setting: Setting) -> dict[str, float]:
    """What a draft says about whether a strict reader takes it as it stands."""
    question, answer, doc, clause = draft.question, draft.answer, draft.doc, draft.clause
    asked = draft.question_tokens
    lower = question.lower()
    bare = lower if not draft.frame else lower.rsplit(", ", 1)[-1]
    n_words, n_answer = len(question.split()), len(answer.split())
    content = [token for token in asked if token.pos_ not in _FUNCTION]
    labels = {token.ent_type_ for token in asked if token.ent_type_}
    answer_words = draft.answer_tokens
    used = {token.i for token in asked} | {token.i for token in answer_words}
    counted = [token for token in doc if not token.is_punct]
    root = _root(doc)
    gap = draft.asked.gap
    found: dict[str, float] = {
        "words": n_words / 20,
        "short": n_words < 7,
        "long": n_words > 20,
        "very_long": n_words > 25,
        "answer_words": min(n_answer, 30) / 15,
        "answer_short": n_answer < 2,
        "answer_long": n_answer > 15,
        "content": min(len(content), 10) / 10,
        "little_content": len(content) < 3,
        "unresolved": draft.unresolved,
        "outward": draft.outward,
        "risky": draft.risky,
        "we": draft.we,
        "i": bool(re.search(r"\b(?:i|my|me)\b", lower)),
        "anchored": draft.anchored,
        "framed": bool(draft.frame),
        "bare_definites": _bare_definites(asked, setting.words),
        "rest_commas": question.count(",") - bool(draft.frame and ", " in question),
        "ends_preposition": bool(asked) and asked[-1].dep_ in ("prep", "prt"),
        "coverage": len(used) / max(1, len(counted)),
        "depth": min(_depth(gap), 5) / 5,
        "answer_share": n_answer / max(1, n_answer + n_words),
        "answer_name": any(token.pos_ == "PROPN" for token in answer_words),
        "answer_number": any(token.like_num for token in answer_words),
        "answer_definite": answer.lower().startswith(("the ", "your ", "its ", "their ")),
        "answer_indefinite": answer.lower().startswith(("a ", "an ")),
        "answer_clause": any(token.dep_ in SUBJECTS for token in answer_words),
        "answer_conjuncts": any(token.dep_ == "conj" for token in answer_words),
        "answer_plural": gap.tag_ == "NNS",
        "question_names": min(sum(token.pos_ == "PROPN" for token in asked), 4) / 4,
        "question_number": any(token.like_num for token in asked),
        "question_pronouns": sum(token.lower_ in ("it", "they", "them", "its", "their") for token in asked),
        "question_conjuncts": sum(token.dep_ == "conj" for token in asked),
        "question_clauses": sum(token.dep_ in ("advcl", "relcl", "ccomp", "acl") for token in asked),
        "second_clause": not clause.first,
        "n_clauses": sum(token.dep_ in SUBJECTS for token in doc) / 4,
        "subject_words": min(len(clause.subject), 12) / 12,
        "no_subject": clause.imperative,
        "you_subject": clause.second_person,
        "modal": bool(clause.modal),
        "permission": clause.modal in ("can", "may", "could", "might"),
        "duty": clause.modal in ("must", "should", "shall", "need to", "have to"),
        "past": clause.verb.tag_ == "VBD",
        "passive": clause.passive,
        "be": clause.verb.lemma_ == "be",
        "light": clause.verb.lemma_ in ("have", "do", "make", "take", "get", "give", "include", "provide", "use"),
        "negated": clause.negated,
        "fronted": bool(clause.fronted),
        "in_list": draft.sentence.in_list,
        "completed": bool(draft.sentence.lead_in),
        "root_odd": root is None or root.pos_ not in ("VERB", "AUX"),
        "dep_odd": sum(token.dep_ == "dep" for token in doc),
        "parataxis": any(token.dep_ in ("parataxis", "ccomp") and token.i < clause.verb.i for token in doc),
        "colon": ":" in doc.text or ";" in doc.text or "–" in doc.text,
        "quotes": '"' in question or "“" in question,
        "slash": "/" in question,
        "literal": any(token.text.startswith("Literal") for token in asked),
        "capitals_inside": _odd_capitals(question),
        "sentence_words": min(len(counted), 40) / 40,
        "generic": bool(re.search(r"\b(?:some|many|several|things?|various|often|usually|it|there)\b", bare)),
    }
    found.update({f"form_{name}": draft.form == name for name in FORMS})
    found.update({f"frame_{kind}": draft.frame == kind for kind in FRAMES})
    found.update({f"asks_{word.replace(' ', '_')}": bare.startswith(word + " ") for word in QUESTION_WORDS})
    found.update({f"lead_{lead.replace(' ', '_')}": bare.startswith(lead + " ") for lead in LEADS})
    found.update({f"entity_{label.lower()}": label in labels for label in ENTITIES})
    return {name: float(value) for name, value in found.items()}


def _bare_definites(asked: Collection[Token], known: Collection[str]) -> int:
    """Nouns with "the" and nothing that tells which, other than words of the title."""
    count = 0
    for token in asked:
        if token.pos_ != "NOUN" or stem(token.text) in known:
            continue
        children = [child for child in token.children if child.i in {other.i for other in asked}]
        if any(child.lower_ == "the" for child in children) and len(children) == 1:
            count += 1
    return count


def _depth(token: Token) -> int:
    depth = 0
    while token.head != token and depth < 8:
        token = token.head
        depth += 1
    return depth


def _odd_capitals(question: str) -> bool:
    """Whether a common word in the middle has a capital, as in a heading run into the sentence."""
    return bool(re.search(r"[a-z,] (?:The|A|An|If|When|This|You|Your|For|In|To|How|What)\b", question))
