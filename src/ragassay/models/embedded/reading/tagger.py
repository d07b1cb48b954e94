"""Part-of-speech tags and inflections from the tables that textblob and lemminflect ship, without what they import.

``import textblob`` brings nltk and, where it is installed, scipy: a second or more, of which tagging uses nothing.
lemminflect parses the whole of its tables before the first word; here a line is parsed when its word is asked for.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from ragassay.errors import ModelError

_DEFAULT_TAGS = ("NN", "NNP", "CD")
"""Of unknown words: common, capitalised, number (as ``textblob.en`` has it)."""


def tags_of(words: Sequence[str]) -> list[tuple[str, str]]:
    """(word, Penn tag) of each word of a sentence, as ``textblob.en.parser.find_tags`` gives them."""
    return [(word, tag) for word, tag in _tagger()(words)]


@cache
def _tagger() -> Callable[[Sequence[str]], Any]:
    spec = find_spec("textblob")  # located, not imported
    if spec is None or not spec.submodule_search_locations:
        raise ModelError("textblob's part-of-speech tagger is missing; run `pip install textblob`")
    folder = Path(next(iter(spec.submodule_search_locations)))
    module_spec = spec_from_file_location("ragassay_pattern_tagger", folder / "_text.py")
    if module_spec is None or module_spec.loader is None:
        raise ModelError(f"textblob has no tagger in {folder}; run `pip install --force-reinstall textblob`")
    module = module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    tables = {name: str(folder / "en" / f"en-{name}.txt") for name in ("lexicon", "morphology", "context", "entities")}
    lexicon = module.Lexicon(
        path=tables["lexicon"],
        morphology=tables["morphology"],
        context=tables["context"],
        entities=tables["entities"],
        language="en",
    )
    return module.Parser(lexicon=lexicon, default=_DEFAULT_TAGS, language="en").find_tags  # type: ignore[no-any-return]


def is_word(word: str) -> bool:
    """Whether lemminflect's dictionary has a word, which is in lower case."""
    return _lemmatizer()._getLemmaDict().get(word, None) is not None


def first_lemma(word: str, part_of_speech: str) -> str | None:
    """The first lemma of a word as ``VERB`` or ``NOUN``, as ``lemminflect.getLemma`` gives it."""
    found = _lemmatizer().getLemma(word, part_of_speech)
    return str(found[0]) if found else None


def first_inflection(lemma: str, tag: str) -> str | None:
    """The first form of a lemma for a Penn tag, as ``lemminflect.getInflection`` gives it."""
    found = _inflector().getInflection(lemma, tag)
    return str(found[0]) if found else None


class _Lines:
    """A table of lemminflect by word, each line parsed when it is first asked for.

    parse: a line to its forms by key. fixed: entries that come before those of the table.
    """

    def __init__(
        self, path: str, parse: Callable[[str], dict[str, tuple[str, ...]]], fixed: Mapping[str, Any] | None = None
    ) -> None:
        self._parse = parse
        self._fixed = fixed or {}
        self._lines: dict[str, list[str]] = {}
        for line in gzip.decompress(Path(path).read_bytes()).decode("utf-8").splitlines():
            self._lines.setdefault(line.partition(",")[0], []).append(line)

    def get(self, word: str, default: object) -> object:
        """The entry of a word, or ``default``."""
        if word in self._fixed or word not in self._lines:
            return self._fixed.get(word, default)
        entry: dict[str, tuple[str, ...]] = {}
        for line in self._lines[word]:
            entry.update(self._parse(line))
        return entry


@cache
def _lemmatizer() -> Any:
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec, categoryToUPos
    from lemminflect.core.Lemmatizer import Lemmatizer

    def parse(line: str) -> dict[str, tuple[str, ...]]:
        _, category, forms = LemmaLUCodec.fromString(line)
        return {categoryToUPos(category): forms}

    class LazyLemmatizer(Lemmatizer):  # type: ignore[misc] # lemminflect has no types
        def _getLemmaDict(self) -> _Lines:  # noqa: N802 - lemminflect's name
            if not hasattr(self, "lines"):
                self.lines = _Lines(self.lemma_lu_fn, parse)
            return self.lines

    return LazyLemmatizer()


@cache
def _inflector() -> Any:
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.core.Inflections import Inflections

    def parse(line: str) -> dict[str, tuple[str, ...]]:
        forms: dict[str, tuple[str, ...]] = InflectionLUCodec.fromString(line)[2]
        return forms

    class LazyInflections(Inflections):  # type: ignore[misc] # lemminflect has no types
        def _getInflDict(self) -> _Lines:  # noqa: N802 - lemminflect's name
            if not hasattr(self, "lines"):
                self.lines = _Lines(self.infl_lu_fn, parse, InflectionLUCodec.updateForAuxMod({}))
            return self.lines

    return LazyInflections()
