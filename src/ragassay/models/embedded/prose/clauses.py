"""The clauses of a parsed sentence: subject, auxiliaries, verb, what completes it, what surrounds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragassay.models.embedded.prose.wording import subtree

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
AUXILIARIES = frozenset({"aux", "auxpass"})
CONNECTIVES = frozenset(
    "however also therefore additionally finally firstly secondly thirdly similarly then instead moreover furthermore"
    " thus hence likewise nevertheless nonetheless consequently accordingly meanwhile besides too ultimately first"
    " second third next lastly still yet so and but or plus as such indeed overall".split()
)
"""English adverbs and conjunctions that tie a sentence to the one before it."""
CONNECTIVE_PHRASES = frozenset(
    (
        "for example|for instance|in addition|in other words|as a result|in fact|of course|in particular"
        "|as such|in turn|on the other hand|at the same time|as well|in general|in this case|in that case"
        "|after all|by the way|in short|as always|in the meantime|on top of that|as mentioned|as an example"
        "|in the end|at first|at least|in contrast|by contrast|to this end|to that end|in essence|in practice"
    ).split("|")
)
INCLUDING = frozenset({"including", "like", "such", "e.g.", "i.e.", "especially", "particularly", "preferably"})


@dataclass(slots=True)
class Clause:
    """One verb with its subject, in a sentence that may hold several.

    subject: its words in order; empty for an imperative. head: its main word.
    auxiliaries: in order, the first conjunct's where a later one shares them.
    chain: the verb and the verbs that complete it ("need", "to contact"), with verbs directly joined by "and".
    members: all words of the clause, without those of other clauses, asides and connectives.
    fronted: phrases before the subject, each in order. examples: words after "such as" and "including", which belong to
    an answer, but not to a question.
    """

    doc: Doc
    verb: Token
    subject: list[Token]
    head: Token | None
    auxiliaries: list[Token]
    chain: list[Token]
    members: list[Token]
    fronted: list[list[Token]]
    first: bool
    examples: frozenset[int] = frozenset()

    @property
    def imperative(self) -> bool:
        return self.head is None

    @property
    def second_person(self) -> bool:
        """Whether the reader is its subject, by "you" or by an imperative."""
        return self.head is None or self.head.lower_ == "you"

    @property
    def modal(self) -> str:
        """must, can, should, need to, …; empty where there is none."""
        for auxiliary in self.auxiliaries:
            if auxiliary.tag_ == "MD":
                return auxiliary.lemma_.lower() if auxiliary.lower_ not in ("ca", "wo") else auxiliary.lower_
        return f"{self.verb.lemma_} to" if self.verb.lemma_ in ("need", "have") and len(self.chain) > 1 else ""

    @property
    def passive(self) -> bool:
        return any(auxiliary.dep_ == "auxpass" for auxiliary in self.auxiliaries)

    @property
    def negated(self) -> bool:
        return any(c.dep_ == "neg" for link in self.chain for c in link.children) or any(
            c.lower_ in ("no", "never", "only", "neither", "nobody", "nothing") for c in self.members
        )

    def complements(self) -> Iterator[Token]:
        """Heads of the phrases after the verb, along the chain of verbs."""
        links = {link.i for link in self.chain}
        members = {token.i for token in self.members}
        for link in self.chain:
            for child in link.children:
                if child.i > self.verb.i and child.i not in links and child.i in members and child.dep_ not in _INNER:
                    yield child

    def adverbials(self) -> Iterator[Token]:
        """Heads of the phrases before the subject, then of those after the verb."""
        fronted = {token.i for phrase in self.fronted for token in phrase}
        for child in self.verb.children:
            if child.i in fronted and child.dep_ in ("prep", "advcl", "npadvmod", "advmod"):
                yield child
        yield from self.complements()

    def phrase(self, head: Token) -> list[Token]:
        """The words under a head that belong to this clause, without the mark at its end."""
        members = {token.i for token in self.members} | {token.i for phrase in self.fronted for token in phrase}
        members |= self.examples
        under = {token.i for token in subtree(head)} & members
        # A comma right between two of its words is one of them, even where the parse hangs it on the verb.
        commas = {i + 1 for i in under if i + 2 in under and i + 1 in members and self.doc[i + 1].text == ","}
        tokens = [self.doc[i] for i in sorted(under | commas)]
        while tokens and tokens[-1].is_punct and tokens[-1].text not in ('"', "”", ")", "%"):
            tokens.pop()
        while tokens and tokens[0].is_punct and tokens[0].text not in ('"', "“", "(", "'"):
            tokens.pop(0)
        return tokens


_INNER = frozenset({"aux", "auxpass", "neg", "punct", "cc", "prt", "mark", "conj", "preconj"})


def clauses(doc: Doc) -> list[Clause]:
    """The main clauses of a sentence: that of its root, and of verbs joined to it."""
    roots = [token for token in doc if token.dep_ == "ROOT"]
    if len(roots) != 1 or roots[0].pos_ not in ("VERB", "AUX"):
        return []
    root = roots[0]
    verbs = [root, *_joined(root)]
    tight = [verb for verb in verbs[1:] if _is_tight(verbs[0], verb)]
    verbs = [verb for verb in verbs if verb not in tight]
    made: list[Clause] = []
    for verb in verbs:
        clause = _clause(doc, verb, tight if verb is root else [], [v for v in verbs if v != verb], made)
        if clause is not None:
            made.append(clause)
    return made


def _joined(verb: Token) -> Iterator[Token]:
    for child in verb.children:
        if child.dep_ == "conj" and child.pos_ in ("VERB", "AUX"):
            yield child
            yield from _joined(child)


def _is_tight(first: Token, other: Token) -> bool:
    """Whether two verbs share what follows: "write and test the code"."""
    if any(child.dep_ in SUBJECTS for child in other.children) or other.i <= first.i:
        return False
    return all(token.dep_ in ("cc", "punct", "advmod", "conj") for token in first.doc[first.i + 1 : other.i])


def _clause(
    doc: Doc, verb: Token, tight: Sequence[Token], others: Sequence[Token], before: Sequence[Clause]
) -> Clause | None:
    apart: set[int] = set()
    for other in others:
        if other.i > verb.i and any(other.i == token.i for token in verb.subtree):
            apart |= {token.i for token in other.subtree}
            apart |= {child.i for child in other.head.children if child.dep_ == "cc" and child.i < other.i}
    head = next((c for c in verb.children if c.dep_ in SUBJECTS and c.i not in apart), None)
    auxiliaries = [c for c in verb.children if c.dep_ in AUXILIARIES and c.i < verb.i and c.lower_ != "to"]
    shared = head is None and bool(before)
    if shared:
        first = before[0]
        head = first.head
        if not auxiliaries and verb.tag_ in ("VB", "VBN", "VBG"):
            auxiliaries = list(first.auxiliaries)
    if verb.i > 0 and doc[verb.i - 1].text == "-" and not doc[verb.i - 1].whitespace_:
        return None
    if shared and verb.tag_ == "VBN" and not any(a.lemma_ in ("be", "have", "get") for a in auxiliaries):
        return None
    if head is not None and verb.tag_ == "VBZ" and not auxiliaries and head.lower_ in ("you", "we", "i", "they"):
        return None
    if head is None and (verb.tag_ not in ("VB", "VBP") or auxiliaries or not _opens(verb)):
        return None
    if any(child.dep_ == "mark" or (child.tag_ in _ASKING and child.i < verb.i) for child in verb.children):
        return None
    own = [token for token in subtree(verb) if token.i not in apart]
    examples: set[int] = set()
    asides = aside_words(own, examples)
    subject = [t for t in subtree(head) if t.i not in asides and t.i not in apart] if head is not None else []
    while subject and subject[-1].is_punct and subject[-1].text not in ('"', "”", ")"):
        subject.pop()
    if head is not None and any(token.pos_ in ("VERB", "AUX") and token.dep_ == "ROOT" for token in subject):
        return None
    if subject and subject[0].i > 0 and doc[subject[0].i - 1].dep_ == "det" and doc[subject[0].i - 1].head == verb:
        subject.insert(0, doc[subject[0].i - 1])
    if head is not None and not subject:
        return None  # all of it is an aside
    subject_words = {token.i for token in subject}
    begins = verb.i if shared or head is None else min(subject_words | {verb.i})
    fronted = [_phrase_of(child, apart) for child in verb.children if child.i < begins and _may_front(child)]
    fronted = [phrase for phrase in fronted if phrase and not _is_connective(phrase)]
    left = {
        token.i
        for child in verb.children
        if child.i < begins and not (shared and child.dep_ in ("aux", "auxpass", "neg", "advmod"))
        for token in child.subtree
    }
    left -= subject_words
    members = [
        token
        for token in own
        if token.i not in asides
        and token.i not in left
        and token.i not in subject_words
        and not (token.lower_ in CONNECTIVES and token.dep_ == "advmod" and token.head == verb)
        and not (token.dep_ == "cc" and token.i < verb.i and token.head == verb)
    ]
    members = _without_connective_phrases(members, verb)
    while members and (members[-1].dep_ == "cc" or (members[-1].pos_ == "ADV" and members[-1].dep_ == "conj")):
        members.pop()
    while members and members[-1].is_punct and members[-1].text not in ('"', "”", ")", "%"):
        members.pop()
    return Clause(
        doc,
        verb,
        subject,
        head,
        auxiliaries,
        _chain(verb, tight),
        members,
        fronted if not shared else [],
        not before,
        frozenset(examples),
    )


_ASKING = frozenset({"WDT", "WP", "WRB", "WP$"})


def _opens(verb: Token) -> bool:
    """Whether a verb without a subject stands where an imperative does: first, or after an adverbial."""
    before = [child for child in verb.children if child.i < verb.i]
    return all(
        child.dep_ in ("advcl", "prep", "npadvmod", "advmod", "punct", "intj", "cc", "neg", "aux", "prt", "dep")
        for child in before
    )


def _chain(verb: Token, tight: Sequence[Token]) -> list[Token]:
    chain, at = [verb, *tight], verb
    while True:
        following = next((c for c in at.children if c.dep_ == "xcomp" and c.pos_ == "VERB" and c.i > at.i), None)
        if following is None or len(chain) > 4:
            return chain
        chain.append(following)
        at = following


def _may_front(child: Token) -> bool:
    return child.dep_ in ("advcl", "prep", "npadvmod", "advmod")


def _phrase_of(child: Token, apart: set[int]) -> list[Token]:
    tokens = [token for token in subtree(child) if token.i not in apart]
    while tokens and tokens[-1].is_punct and tokens[-1].text not in ('"', "”"):
        tokens.pop()
    while tokens and tokens[0].is_punct:
        tokens.pop(0)
    return tokens


def _is_connective(phrase: Sequence[Token]) -> bool:
    text = " ".join(token.lower_ for token in phrase)
    return text in CONNECTIVE_PHRASES or (len(phrase) == 1 and (text in CONNECTIVES or phrase[0].dep_ == "advmod"))


def _without_connective_phrases(members: list[Token], verb: Token) -> list[Token]:
    dropped: set[int] = set()
    for child in verb.children:
        if child.dep_ in ("prep", "advmod"):
            phrase = [token for token in child.subtree if not token.is_punct]
            if " ".join(token.lower_ for token in phrase) in CONNECTIVE_PHRASES:
                dropped |= {token.i for token in phrase}
    return [token for token in members if token.i not in dropped]


def _in_list(token: Token, words: Sequence[Token]) -> bool:
    """Whether what looks like an apposition is a member of a list: "songs by A, B and C"."""
    joined = any(word.dep_ in ("cc", "conj") for word in words)
    return joined or any(child.dep_ in ("appos", "conj") and child.i > token.i for child in token.head.children)


def aside_words(tokens: Sequence[Token], examples: set[int]) -> set[int]:
    """Words that only add: what stands after a comma as relative clause, apposition, example or participle.

    examples: gets those of them that give examples.
    """
    aside: set[int] = set()
    for token in tokens:
        words = subtree(token)
        start = words[0].i
        comma = start > 0 and token.doc[start - 1].text in (",", "–", "—", "-", "(")
        adds = token.dep_ in ("relcl", "appos", "acl", "parataxis") or words[0].lower_ in INCLUDING
        adds = adds or (words[0].lower_ == "as" and token.tag_ == "VBN")
        adds = adds or (
            token.dep_ in ("acomp", "amod")
            and token.i > token.head.i
            and token.head.dep_ == "ROOT"
            and words[0].i == start
        )
        participle = (
            token.dep_ == "advcl"
            and token.tag_ in ("VBG", "VBN")
            and token.i > token.head.i
            and (words[0] == token or (words[0].dep_ == "advmod" and words[0].head == token))
        )
        if token.dep_ == "appos" and _in_list(token, words):
            continue
        if participle and (
            token.head.tag_ == token.tag_
            or any(
                other.tag_ == token.tag_ and other.i != token.i and other.dep_ in ("conj", "advcl", "pcomp")
                for other in tokens
                if other.head == token.head and other.dep_ != "conj"
            )
        ):
            continue
        comma = comma or words[0].lower_ in ("e.g.", "i.e.")
        if comma and (adds or participle) and token.i > token.head.i:
            aside |= {word.i for word in words} | {start - 1}
            if words[0].lower_ in INCLUDING:
                examples |= {word.i for word in words} | {start - 1}
            after = words[-1].i + 1
            if after < len(token.doc) and token.doc[after].text in (",", "–", "—", ")"):
                aside.add(after)
    return aside
