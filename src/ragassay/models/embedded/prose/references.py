"""What the pronouns of a passage stand for, where that is certain enough, and which words point out of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ragassay.models.embedded.prose.clauses import SUBJECTS
from ragassay.models.embedded.prose.setting import Setting
from ragassay.models.embedded.prose.wording import Reference, Wording, is_joined, subtree

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SINGULAR = frozenset({"it", "its", "itself"})
PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
PERSON = frozenset({"he", "him", "his", "she", "her", "hers", "himself", "herself"})
WE = frozenset({"we", "us", "our", "ours", "ourselves"})
POSSESSIVE = frozenset({"its", "their", "his", "her", "our"})
_SPEAKER = frozenset({"i", "my", "me", "mine", "myself"})
OUTWARD = frozenset("this these those here above below aforementioned former latter hereby herein thereof".split())


_GROUPS = frozenset({"team", "company", "user", "person", "anyone", "someone", "contributor"})
"""Nouns in the singular that "they" goes back to."""


class Topic(NamedTuple):
    """What a sentence was about. rivals: other things in it that a pronoun could mean."""

    name: str
    plural: bool
    person: bool
    rivals: int


UNSURE = Topic("", plural=False, person=False, rivals=0)
"""After "The board said that the fire was out", "it" may be the board or the fire."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """references: by word. dangling: indices of words that point to something unknown. we: who speaks is unknown."""

    references: dict[int, Reference]
    dangling: frozenset[int]
    we: frozenset[int]


def resolve(
    setting: Setting, docs: Sequence[Doc], paragraphs: Sequence[int], literals: Sequence[dict[str, str]]
) -> list[Resolved]:
    """For each sentence of a passage, in order. paragraphs: the number of the paragraph each stands in."""
    resolver = _Resolver(setting)
    found = []
    previous = -1
    for doc, paragraph, named in zip(docs, paragraphs, literals, strict=True):
        if paragraph != previous:
            resolver.topic = None
        previous = paragraph
        found.append(resolver.sentence(doc, named))
    return found


class _Resolver:
    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.topic: Topic | None = None
        name = setting.name
        self.name = Topic(name.text, False, name.person, 0) if name else None
        self.surname = name.text.split()[-1] if name and name.person and " " in name.text else ""
        self.alias = self._alias()

    def _alias(self) -> str:
        """The noun that the document's first sentence says its name is: "film" for "Trinity is a 2016 film"."""
        if self.name is None or self.name.person:
            return ""
        for doc in (*self.setting.opening, *self.setting.docs):
            root = next((token for token in doc if token.dep_ == "ROOT"), None)
            if root is None or root.lemma_ != "be":
                continue
            subject = next((c for c in root.children if c.dep_ in SUBJECTS), None)
            noun = next((c for c in root.children if c.dep_ == "attr"), None)
            if subject is None or noun is None or noun.pos_ != "NOUN":
                continue
            if self.name.name.split()[-1] in {token.text for token in subject.subtree} and any(
                c.lower_ in ("a", "an", "the") for c in noun.children
            ):
                return noun.lower_
        return ""

    def sentence(self, doc: Doc, literals: dict[str, str]) -> Resolved:
        references: dict[int, Reference] = {}
        dangling: set[int] = set()
        we: set[int] = set()
        for token in doc:
            lower = token.lower_
            if lower in WE and token.pos_ in ("PRON", "DET") and token.text != "US":
                self._we(token, references, we)
            elif lower in SINGULAR | PLURAL | PERSON and token.pos_ in ("PRON", "DET"):
                self._pronoun(token, references, dangling)
            elif self._points_out(token) or (lower in _SPEAKER and token.pos_ in ("PRON", "DET")):
                dangling.add(token.i)
            elif self.surname and token.text == self.surname and not self._in_full(token):
                length = 1
                possessive = token.i + 1 < len(doc) and doc[token.i + 1].tag_ == "POS"
                references[token.i] = Reference(self.name.name if self.name else "", length + possessive, possessive)
            elif self.alias and lower == "the" and token.i + 1 < len(doc) and doc[token.i + 1].lower_ == self.alias:
                noun = doc[token.i + 1]
                if noun.head.i != noun.i and len(subtree(noun)) == 2 and noun.dep_ != "compound":
                    references[token.i] = Reference(self.name.name if self.name else "", 2)
        self._next_topic(doc, references, dangling, literals)
        return Resolved(references, frozenset(dangling), frozenset(we))

    def _we(self, token: Token, references: dict[int, Reference], we: set[int]) -> None:
        if self.setting.organisation:
            references[token.i] = Reference(self.setting.organisation, possessive=token.lower_ == "our")
        else:
            we.add(token.i)

    def _pronoun(self, token: Token, references: dict[int, Reference], dangling: set[int]) -> None:
        if self._inside(token) or self._says_nothing(token):
            return
        topic = self._antecedent(token)
        if topic is None:
            dangling.add(token.i)
            return
        possessive = token.lower_ in POSSESSIVE and token.dep_ == "poss"
        if token.lower_ == "her" and not possessive and token.dep_ == "poss":
            possessive = True
        references[token.i] = Reference(topic.name, possessive=possessive, risky=topic.rivals > 0)

    def _antecedent(self, token: Token) -> Topic | None:
        lower = token.lower_
        if self.topic is UNSURE and lower not in PERSON:
            return None
        if lower in PERSON:
            if self.name is not None and self.name.person:
                return self.name
            return self.topic if self.topic is not None and self.topic.person else None
        plural = lower in PLURAL
        if self.topic is not None and self.topic.plural == plural and not self.topic.person:
            return self.topic
        if self.name is not None and not self.name.person and not plural:
            return self.name if self.topic is None or self.topic.name == self.name.name else None
        return None

    def _inside(self, token: Token) -> bool:
        """Whether something before it in the sentence agrees with it."""
        lower = token.lower_
        if lower in POSSESSIVE and token.i == 0:
            return False
        for other in token.doc[: token.i]:
            if (
                other.pos_ not in ("NOUN", "PROPN")
                or other.dep_ in ("compound", "npadvmod", "poss")
                or other.ent_type_ in ("DATE", "TIME", "CARDINAL")
            ):
                continue
            if lower in PERSON:
                if other.ent_type_ == "PERSON":
                    return True
            elif (other.tag_ in ("NNS", "NNPS") or is_joined(other)) == (lower in PLURAL) or (
                lower in PLURAL and other.lower_ in _GROUPS
            ):
                return True
        return (
            any(t.lower_ in ("everyone", "someone", "anyone", "who") for t in token.doc[: token.i]) and lower in PLURAL
        )

    @staticmethod
    def _agrees(noun: Token, *, plural: bool) -> bool:
        return (noun.tag_ in ("NNS", "NNPS") or is_joined(noun)) == plural or (plural and noun.lower_ in _GROUPS)

    def _says_nothing(self, token: Token) -> bool:
        """Whether "it" only fills the place of a subject: "It is recommended that …"."""
        if token.lower_ != "it" or token.dep_ not in SUBJECTS:
            return False
        verb = token.head
        carriers = [verb, *(child for child in verb.children if child.dep_ in ("acomp", "attr", "oprd"))]
        return any(
            child.dep_ in ("ccomp", "xcomp", "csubj", "advcl")
            and child.i > verb.i
            and any(word.dep_ in ("mark", "aux") and word.lower_ in ("to", "that") for word in child.children)
            for carrier in carriers
            for child in carrier.children
        ) and (verb.lemma_ in ("be", "take", "seem", "make", "help") or token.dep_ == "nsubjpass")

    def _points_out(self, token: Token) -> bool:
        lower = token.lower_
        if lower in OUTWARD:
            if lower in ("those", "these") and any(c.dep_ in ("relcl", "prep", "acl") for c in token.children):
                return False
            return not (lower in ("above", "below") and any(c.dep_ == "pobj" for c in token.children))
        if lower == "that":
            return token.tag_ == "DT" and not any(c.dep_ in ("prep", "relcl") for c in token.children)
        if lower == "such":
            return not (token.i + 1 < len(token.doc) and token.doc[token.i + 1].lower_ == "as") and token.dep_ != "prep"
        if lower == "following":
            return token.pos_ != "VERB" and token.head.pos_ in ("NOUN", "PROPN") and token.dep_ in ("amod", "det")
        if lower in ("other", "others", "another", "both", "one", "ones", "similar", "neither"):
            return (
                token.dep_ in SUBJECTS | {"dobj", "pobj", "attr"}
                and token.pos_ in ("PRON", "NOUN", "ADJ", "NUM")
                and not any(c.dep_ in ("prep", "relcl") for c in token.children)
            )
        if lower == "otherwise" or (lower == "so" and token.i > 0 and token.nbor(-1).lower_ == "if"):
            return True
        if lower == "same":
            return not any(word.lower_ in ("as", "that") for word in token.doc[token.i + 1 :])
        return lower == "there" and token.dep_ == "advmod"

    def _in_full(self, token: Token) -> bool:
        """Whether the whole name stands there already, or the name of somebody else who is called so."""
        return token.i > 0 and token.doc[token.i - 1].pos_ == "PROPN" and token.doc[token.i - 1].dep_ == "compound"

    def _next_topic(
        self, doc: Doc, references: dict[int, Reference], dangling: set[int], literals: dict[str, str]
    ) -> None:
        root = next((token for token in doc if token.dep_ == "ROOT"), None)
        subject = None if root is None else next((c for c in root.children if c.dep_ in SUBJECTS), None)
        if root is None or subject is None or subject.lower_ in ("you", "i", "we", "there"):
            self.topic = None if subject is None or self.topic is None else self.topic
            return
        if subject.ent_type_ != "PERSON" and _reports(root):
            self.topic = UNSURE
            return
        rivals = sum(
            1
            for token in doc
            if token.dep_ in ("dobj", "pobj", "attr") and token.pos_ in ("NOUN", "PROPN") and token.tag_ == subject.tag_
        )
        reference = references.get(subject.i)
        if reference is not None and not reference.possessive:
            keep = self.topic if self.topic is not None and self.topic.name == reference.name else self.name
            plural = keep.plural if keep is not None else False
            person = keep.person if keep is not None else False
            self.topic = Topic(reference.name, plural, person, rivals)
            return
        words = subtree(subject)
        if any(token.i in dangling for token in words) or subject.pos_ not in ("NOUN", "PROPN") or len(words) > 10:
            self.topic = None
            return
        wording = Wording(doc, literals, references, self.setting.known_lower, self.setting.known_names)
        name = wording.write(words, asker=False)
        if self.name is not None and _names(name, self.name.name, self.surname):
            self.topic = self.name._replace(rivals=rivals)
            return
        if name.lower().startswith(("a ", "an ")):
            name = "the " + name.split(" ", 1)[1]
        plural = subject.tag_ in ("NNS", "NNPS") or is_joined(subject)
        self.topic = Topic(name, plural, subject.ent_type_ == "PERSON", rivals)


def _reports(root: Token) -> bool:
    """Whether a sentence says what somebody said, found or thinks of something else: "reported that the leak ..."."""
    clauses = (child for child in root.children if child.dep_ == "ccomp" and child.i > root.i)
    return any(
        word.dep_ in SUBJECTS and word.pos_ in ("NOUN", "PROPN") for clause in clauses for word in clause.children
    )


def _names(text: str, name: str, surname: str) -> bool:
    bare = text.removeprefix("the ").removeprefix("The ")
    return bare in (name, surname) or name.removeprefix("The ") == bare
