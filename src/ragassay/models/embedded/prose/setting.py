"""What a passage is about, by its title and headings, and how a question says so: "when renaming spaces"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ragassay.models.embedded.prose.markup import without_markup
from ragassay.models.embedded.reading.parser import is_english, is_word
from ragassay.tasks.statements import Passage

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

TitleKind = Literal["name", "gerund", "imperative", "how_to", "document", "topic", "none"]

_NUMBER = re.compile(
    r"^(?:(?:chapter|appendix|part|section|article|step|§)\s*)?(?:[A-Z]?\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVX]+)[.:)]\s+",
    re.I,
)
_FILE = re.compile(r"[\w-]+\.(?:md|txt|html?|pdf|docx?|rst|csv|json|xml|ya?ml)", re.I)
_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
_TEMPLATE = re.compile(r"<%.*?%>|\{\{.*?\}\}")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b.*\d|^\W*[\d./-]+\W*$",
    re.I,
)
SAYS_NOTHING = frozenset(
    "untitled index readme home introduction overview about contents summary background description notes note general"
    " document page main welcome faq preface foreword appendix details information other miscellaneous conclusion"
    " examples example references usage parameters change changes log changelog platform".split()
)
"""Titles of English documents and sections that say nothing of what these are about."""
GENRES = frozenset(
    "act agreement brochure bylaws charter checklist code constitution contract framework glossary guidance"
    " guide guideline guidelines handbook judgement judgment leaflet lease letter licence license log manual"
    " memo minutes newsletter notice plan playbook policy procedure proposal protocol record regulations report"
    " specification standard statement transcript".split()
)
"""Kinds of documents, after which English asks "in the …"."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title or heading. text: without number, brackets and markup. kind: how a question can take it up."""

    text: str
    kind: TitleKind
    person: bool = False
    plural: bool = False


class Setting:
    """Everything around the sentences of one passage.

    docs: their parses. opening: the parses of the document's first sentences, if they stand elsewhere.
    title_docs: the parses of title, headings and theme, by what ``plain_title`` makes of them.
    """

    def __init__(
        self,
        passage: Passage,
        theme: str,
        docs: Sequence[Doc],
        title_docs: Mapping[str, Doc],
        opening: Sequence[Doc] = (),
    ) -> None:
        self.passage = passage
        self.theme = theme
        self.docs = docs
        self.title_docs = title_docs
        self.opening = opening
        before = "" if passage.text.startswith(passage.opening) else f"{passage.opening}\n"
        self.plain = without_markup(f"{before}{passage.text}")

    @cached_property
    def known_lower(self) -> frozenset[str]:
        """Words that stand in lower case somewhere in the passage."""
        return frozenset(word for word in _WORD.findall(self.plain) if word.islower())

    @cached_property
    def known_names(self) -> frozenset[str]:
        """Words with a capital inside a sentence."""
        return frozenset(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", self.plain))

    @cached_property
    def titles(self) -> list[Title]:
        """Title, theme, and headings from the outermost in, those that say something."""
        found: list[Title] = []
        for text in (self.passage.title, *self.passage.section, self.theme):
            clean = plain_title(text)
            if clean and all(clean.lower() != title.text.lower() for title in found):
                title = self._title(clean)
                if title.kind != "none":
                    found.append(title)
        return found

    @cached_property
    def name(self) -> Title | None:
        """The title, where it is the name of what the document is about."""
        first = plain_title(self.passage.title)
        return next((title for title in self.titles if title.kind == "name" and title.text == first), None)

    @cached_property
    def human(self) -> bool:
        """Whether the passage says "he" or "she"."""
        return bool(re.search(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|Mr|Mrs|Ms|Dr)\b", self.plain))

    @cached_property
    def people(self) -> frozenset[str]:
        """The last words of the names of people: of full names, and of single ones where the passage says he or she."""
        human = self.human
        found = {
            ent.root.text
            for doc in self.docs
            for ent in doc.ents
            if ent.label_ == "PERSON"
            and ent.root.pos_ == "PROPN"
            and (human or (len(ent) > 1 and ent.text.replace(" ", "").replace(".", "").isalpha()))
        }
        if self.name is not None and self.name.person:
            found.add(self.name.text.split()[-1])
        return frozenset(found)

    @cached_property
    def organisation(self) -> str:
        """Who "we" is; empty where the document does not say."""
        if self.passage.collection:
            return self.passage.collection
        for pattern in _ORGANISATIONS:
            match = pattern.search(f"{self.passage.title}. {self.plain}")
            if match and match.group(1).split()[0].lower() not in self.known_lower | _NO_NAMES:
                return match.group(1).strip(" .,")
        return ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of the words of the titles."""
        return frozenset(stem(word) for title in self.titles for word in _WORD.findall(title.text) if len(word) > 3)

    def _title(self, text: str) -> Title:
        words = _WORD.findall(text)
        lower = [word.lower() for word in words]
        if not words or _FILE.fullmatch(text) or all(word in SAYS_NOTHING for word in lower) or _DATE.search(text):
            return Title(text, "none")
        if self._is_sentence(text):
            return Title(text, "none")
        if lower[:2] == ["how", "to"]:
            return Title(self.lowered(text)[7:], "how_to") if len(words) > 2 else Title(text, "none")
        if self._is_name(text):
            return Title(text, "name", person=self._is_person(text))
        if ": " in text or {"this", "here", "these"} & set(lower) or text[-1] in "?!…" or len(words) > 9:
            return Title(text, "none")
        if lower[0] in ("why", "what", "who", "when", "where", "which", "is", "are", "do", "does", "can", "should"):
            return Title(text, "none")
        if self._is_imperative(text):
            return Title(self.lowered(text), "imperative")
        head = _head_word(lower)
        if head in GENRES and " and " not in text and lower[0] not in ("your", "our", "my"):
            return Title(self.lowered(text), "document")
        if self._is_gerund(text, lower):
            return Title(self.lowered(text), "gerund")
        return Title(
            self.lowered(text),
            "topic",
            plural=head.endswith("s") and not head.endswith("ss"),
        )

    def _is_sentence(self, text: str) -> bool:
        """Whether a title has a finite verb with a subject."""
        doc = self.title_docs.get(text)
        return doc is not None and any(
            token.tag_ in ("VBZ", "VBP", "VBD", "MD")
            and any(c.dep_ in ("nsubj", "nsubjpass") for c in (*token.children, *token.head.children))
            for token in doc
        )

    def _is_gerund(self, text: str, lower: Sequence[str]) -> bool:
        """Whether a title says what one does: "renaming spaces", but not "opening hours"."""
        first = lower[0]
        if not first.endswith("ing") or len(lower) < 2 or lower[1] in ("of", "and", "for") or self._is_in_text(text):
            return False
        return not is_word(first, "noun", "adj") or not is_word(lower[1].removesuffix("s"), "noun")

    def _is_in_text(self, text: str) -> bool:
        """Whether the words of a title stand in a sentence as they are: "programming languages"."""
        return any(text.lower() in doc.text.lower() for doc in self.docs)

    def _is_imperative(self, text: str) -> bool:
        doc = self.title_docs.get(text)
        if doc is None or len(doc) < 2:
            return False
        first = doc[0]
        if first.lower_ in _ORDERS or any(
            c.dep_ in ("det", "poss") for child in first.children for c in child.children if child.dep_ == "dobj"
        ):
            return True
        seen = [token.tag_[:2] for each in self.docs for token in each if token.lower_ == first.lower_]
        if not is_word(first.lower_, "verb"):
            return False
        thing = next((child for child in first.children if child.dep_ == "dobj"), None)
        if seen.count("NN") > seen.count("VB") or (
            thing is not None and thing.tag_ == "NN" and thing.i == 1 and is_word(first.lower_, "noun")
        ):
            return False
        return (
            first.dep_ == "ROOT"
            and first.tag_ in ("VB", "VBP")
            and any(
                child.dep_ in ("dobj", "prep", "advmod", "prt", "acomp") and child.i > 0 for child in first.children
            )
        )

    def _is_name(self, text: str) -> bool:
        if self.passage.title and plain_title(self.passage.title) != text:
            return False
        if "_" in text or text.count(",") > 1 or _head_word(text.lower().split()) in GENRES:
            return False
        words = text.split()
        small = [word for word in words[1:] if word.islower() and word not in _SMALL]
        if small and all(is_english(word) for word in small):
            return False  # 'Voice and tone', but not 'Asemonea murphyae'
        exact = len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", self.plain))
        lowered = text.lower()
        lower = 0 if lowered == text else self.plain.count(lowered)
        if lower or not any(word[:1].isupper() for word in words):
            return False
        if all(is_english(word.lower()) for word in words) and not re.search(
            rf"(?<=[a-z,] ){re.escape(text)}", self.plain
        ):
            defined = re.search(
                rf"(?<!\w){re.escape(text)} (?:\([^()]*\) )?(?:is|was|are|were) (?:an?|the|one)\b", self.plain
            )
            named = all(word[:1].isupper() or word in _SMALL for word in words)
            return len(words) > 1 and (exact > 1 or (defined is not None and named))
        if exact:
            inner = [word for word in words if word[:1].isupper() and word.lower() not in self.known_lower]
            return bool(inner)
        last = words[-1].strip("'’")
        return (
            len(words) > 1
            and last[:1].isupper()
            and last.lower() not in self.known_lower
            and bool(re.search(rf"(?<!\w){re.escape(last)}(?!\w)", self.plain))
        )

    def _is_person(self, text: str) -> bool:
        last = text.rsplit(maxsplit=1)[-1]
        labels = [ent.label_ for doc in self.docs for ent in doc.ents if ent.text.rstrip("'’s").endswith(last)]
        pronouns = len(re.findall(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b", self.plain))
        things = len(re.findall(r"\b(?:It|Its)\b", self.plain))
        persons = labels.count("PERSON")
        if pronouns > things and "," not in text:
            return True
        return persons > len(labels) / 2 and not any(is_english(word.lower()) for word in _WORD.findall(text)[1:])

    def lowered(self, text: str) -> str:
        """A title in the case of running text: a word keeps its capitals if it has them inside sentences, too."""
        words = text.split(" ")
        if any(word.islower() and len(word) > 3 and word not in _SMALL for word in words[1:]):
            return " ".join([self._lowered_word(words[0]), *words[1:]])
        return " ".join(self._lowered_word(word) for word in words)

    def _lowered_word(self, word: str) -> str:
        core = word.strip("\"'“”‘’(),:")
        if "-" in core and all(part.istitle() or part.islower() for part in core.split("-") if part):
            return word.lower()
        if not core[:1].isupper() or core[1:] != core[1:].lower() or any(c.isdigit() for c in core):
            return word
        lower = core.lower()
        if lower not in self.known_lower and not is_english(lower):
            return word if lower not in _SMALL else word.lower()
        if lower in self.known_lower or not re.search(rf"(?<=[a-z,] ){re.escape(core)}\b", self.plain):
            return word.lower() if not self._tagged_name(core) else word
        return word

    def _tagged_name(self, core: str) -> bool:
        tags = [token.tag_ for doc in self.docs for token in doc if token.text == core]
        return bool(tags) and all(tag in ("NNP", "NNPS") for tag in tags)


_ORDERS = frozenset("get make find keep take give choose write create add build send become learn know".split())
"""English verbs that begin no compound noun, though some are nouns, too."""
_SMALL = frozenset(
    "the a an and or of for in on to with from at by as into your our my its their you we it how when if not is are be"
    " this that using".split()
)
_NAME = r"((?:[A-Z][\w.&-]*|[a-z]+\.[a-z]+)(?: (?:of |for |the )*[A-Z][\w.&-]*){0,3})"
_ORGANISATIONS = (
    re.compile(rf"\b[Aa]t {_NAME}, (?:we|our)\b"),
    re.compile(rf"\b[Ww]e,? (?:at|of) {_NAME}"),
    re.compile(rf"\b[Hh]ere at {_NAME}"),
    re.compile(rf"\b(?:[Ww]e are|[Ww]e're|[Ww]e, (?:the )?){_NAME}"),
    re.compile(rf"\b[Oo]ur (?:company|organi[sz]ation|firm|charity|school), {_NAME}"),
    re.compile(rf"\b(?:[Ww]elcome to|[Ww]orking at|[Ll]ife at|[Jj]oining) {_NAME}"),
    re.compile(rf"^{_NAME}['’]s? (?:employee|staff|team|company)?\s*(?:handbook|policy|guide|playbook)\b", re.I),
    re.compile(rf"^{_NAME} (?:customer notice|change ?log|release notes|employee handbook|privacy policy|handbook)\b"),
)
_NO_NAMES = frozenset("the a an this our your my it we i you these those each any all some if in at on".split())


def plain_title(text: str) -> str:
    """Without number, brackets, markup and templates."""
    text = _BRACKET.sub(" ", _TEMPLATE.sub("", without_markup(text))).replace("`", "")
    text = _NUMBER.sub("", text.strip())
    return re.sub(r"\s+", " ", text).strip(" .:-–—*_")


def as_sentence(title: str) -> str:
    """A title as it is parsed: words in title case in lower case, as in a sentence."""
    return " ".join(
        word.lower() if word[:1].isupper() and word[1:] == word[1:].lower() and len(word) > 1 else word
        for word in title.split()
    )


def stem(word: str) -> str:
    """What a word shares with its other forms, roughly: enough to see whether a question names its theme."""
    word = word.lower().rstrip("'’s")
    for ending in ("ing", "ies", "ed", "es", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _head_word(lower: Sequence[str]) -> str:
    """The head of a noun phrase in a title: the last word before a preposition."""
    cut = next(
        (
            at
            for at, word in enumerate(lower)
            if at and word in ("of", "for", "in", "on", "to", "with", "from", "and", "about")
        ),
        None,
    )
    return lower[(cut or len(lower)) - 1]


def tokens_of(docs: Iterable[Doc]) -> Iterable[Token]:
    return (token for doc in docs for token in doc)
