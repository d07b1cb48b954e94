"""Personal details in what people typed: replaced by placeholders, so that the question stays.

A detail is replaced where its form makes it one: an address with an @, a key, a long number or code, a name after "my
name is"; and where the parser takes words for a person's name. What the documents have is not private.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from ragassay.models.embedded.reading.parser import BATCH, nlp

_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’-]*\w"
_PATTERNS = (
    # user and password in front of a host; the query behind a path, where sessions and tokens stand
    ("link", re.compile(r"(?<=://)[^/@\s]+@|(?<=\w)[?#][^\s\"'<>]*=[^\s\"'<>]*")),
    ("email", re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")),
    (
        "key",
        re.compile(
            r"(?i)\b(?:(?:api[ _-]?)?key|(?:access[ _-]?)?token|bearer|secret|pass(?:word|wort|code)|mot de passe)"
            r"(?:\s+is\s+|\s+ist\s+|\s*[:=]\s*)(?P<value>(?!\[)(?=\S*\d)[^\s,;]{4,})"
        ),
    ),
    (  # by the prefixes of services that people paste keys of, or 20 signs in which letters and digits take turns
        "key",
        re.compile(
            r"(?<![\w/.-])(?:(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|hf|key)[-_][\w-]{8,}|AKIA[0-9A-Z]{12,}"
            r"|eyJ[\w-]{8,}[\w.-]*|(?=[A-Za-z_+=-]*\d[\d_+=-]*[A-Za-z][A-Za-z_+=-]*\d)[\w+=-]{20,})"
        ),
    ),
    (  # and of a device; not those of every private network
        "IP address",
        re.compile(r"(?<![\w.:])(?!(?:0|10|127|192\.168)\.)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|(?:\b[0-9A-Fa-f]{1,4}:+){4,7}\w*"),
    ),
    ("address", re.compile(
        r"\b\d{1,4}[a-z]?,? (?:[A-Z][\w'’]+ ){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Close|Court|Way)\b"
        r"|\b[A-ZÄÖÜ][\w-]*(?:straße|strasse|str\.|weg|gasse|allee) ?\d+"
    )),
    # phones, accounts and cards, as they are grouped; or one word with five digits: of an order, a customer, a ticket
    ("number", re.compile(r"(?:\b[A-Z]{2}\d{2} )?(?<![\w.,-])[+(]?\d(?:[ ()/.-]{0,2}\d){6,18}(?![\w-])(?![.,]\d)")),
    ("number", re.compile(r"(?<![\w.])(?:[\w-]*\d){5}[\w-]*")),
    ("name", re.compile(
        r"(?i:\b(?:(?:my )?name is|my name's|mein name ist|ich hei(?:ß|ss)e|je m['’]appelle|me llamo)\s+"
        r"|\b(?:mr|mrs|ms|miss|dr|prof|herr|frau|mme|sra?)\b\.?\s+)"
        rf"(?P<value>{_NAME}(?:\s+{_NAME}){{0,3}})"
    )),
)  # fmt: skip
_DATE = re.compile(
    r"(?:19|20)\d\d[-./]?(?:0?[1-9]|1[0-2])[-./]?\d{1,2}(?:\D{1,2}\d{1,2}[:.]\d{2})?|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}"
)
_WORD = re.compile(r"\w+")


class Cleaner:
    """Takes personal details out of questions. known: lower-case words of the documents. removed: kind to count."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self.removed: Counter[str] = Counter()

    def cleaned(self, text: str) -> str:
        """Return a question without what is a personal detail by its form."""
        for kind, pattern in _PATTERNS:
            group = "value" if pattern.groups else 0

            def replaced(match: re.Match[str], kind: str = kind, group: int | str = group) -> str:
                if not self._is_private(kind, match[group]):
                    return match[0]
                self.removed[kind] += 1
                start, end = match.start(group) - match.start(), match.end(group) - match.start()
                return f"{match[0][:start]}[{kind}]{match[0][end:]}"

            text = pattern.sub(replaced, text)
        return text

    def without_names(self, wordings: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        """Yield questions without what the parser takes for a person's name, each with how often it was asked.

        Nothing of it is kept in the cache folder.
        """
        capital = [text for text in wordings if re.search(_NAME, text)]
        read = nlp().pipe(capital, batch_size=BATCH, disable=["tagger", "parser", "attribute_ruler", "lemmatizer"])
        named = dict(zip(capital, read, strict=True))
        for text, count in wordings.items():
            clean = text
            for entity in reversed(named[text].ents if text in named else ()):
                is_person = entity.label_ == "PERSON" and re.match(_NAME, entity.text)
                if is_person and self._is_private("name", entity.text):
                    self.removed["name"] += count
                    clean = f"{clean[: entity.start_char]}[name]{clean[entity.end_char :]}"
            yield clean, count

    def _is_private(self, kind: str, found: str) -> bool:
        """Whether what looks like a detail is one: no word that the documents have, no date and no sum."""
        words = [word.lower() for word in _WORD.findall(found)]
        if kind == "name":
            return not any(word in self._known for word in words)
        is_plain = kind == "number" and (_DATE.fullmatch(found) or (found.isdigit() and found.endswith("00")))
        return not is_plain and (kind not in ("number", "email") or not self._known.issuperset(words))
