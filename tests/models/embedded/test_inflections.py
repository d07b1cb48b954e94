import pytest

from ragassay.models.embedded.inflections import first_inflection, first_lemma


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
