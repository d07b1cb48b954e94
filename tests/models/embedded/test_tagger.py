import pytest

from ragassay.models.embedded.reading.tagger import first_inflection, first_lemma, tags_of

SENTENCES = (
    "The ferry that was renamed in 1987 carries 96 passengers to Kirkvoe .",
    "Specifies the maximum number of autovacuum processes running at any one time .",
    "She undertook a thorough unblorking of the wug .",
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_tags_are_those_of_textblob(sentence: str) -> None:
    from textblob.en import parser

    words = sentence.split()
    assert tags_of(words) == [tuple(tagged) for tagged in parser.find_tags(words)]


@pytest.mark.parametrize(
    "word", "ran running undergoes built be can would lice blorking's children wolves xyzzys Aachen".split()
)
def test_lemmas_and_inflections_are_those_of_lemminflect(word: str) -> None:
    import lemminflect

    for part_of_speech in ("VERB", "NOUN"):
        expected = lemminflect.getLemma(word, part_of_speech)
        assert first_lemma(word, part_of_speech) == (expected[0] if expected else None)
    for tag in ("VBZ", "VBD", "VBN", "VBG", "NNS"):
        expected = lemminflect.getInflection(word, tag)
        assert first_inflection(word, tag) == (expected[0] if expected else None)


def test_tagging_imports_neither_textblob_nor_nltk() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from ragassay.models.embedded.reading.grammar import lemma, tokens_of\n"
        "tokens_of('A cat ran.'), lemma('ran')\n"
        "print(sorted({'textblob', 'nltk', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
