"""Instructions in other languages: files that fit the English texts, and models that are told in them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from ragassay.errors import UsageError
from ragassay.tasks.catalogue import TASKS
from ragassay.tasks.joint import JointTask
from ragassay.tasks.labelling import LABEL, Pair
from ragassay.tasks.pair_judgement import WITHOUT_ANSWER, pair_judgement
from ragassay.tasks.prompts import NO_OVERRIDES, PromptOverrides, in_language, messages_for, prompt_hash, system_text
from ragassay.tasks.translations import TRANSLATED, digest

GERMAN = "Die Brücke über den Fluss wurde im Jahr 1998 eröffnet und ist seitdem für Fußgänger und Radfahrer gesperrt."
CHINESE = "这座大桥于1998年通车，此后一直禁止行人和自行车通行，直到今天仍然如此。"
ENGLISH = "The bridge over the river was opened in 1998, and it has been closed to people on foot ever since."


def told(language: str, context: str) -> str:
    overrides = NO_OVERRIDES.in_language(language)
    return messages_for(LABEL, Pair(context=context, question="Seit wann?"), overrides)[0].content


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_is_of_a_text_that_is_still_said(language: str) -> None:
    file = resources.files("ragassay.tasks.translated").joinpath(f"{language}.toml")
    found = tomllib.loads(file.read_text("utf-8"))
    told_in_english = "\n".join(system_text(task) for task in TASKS.values())
    assert all(english in told_in_english for english in found["words"])
    joint = [each for each in found["prompts"] if in_language(TASKS.get(each, LABEL), language) is None]
    assert [each for each in joint if "." not in each] == []
    assert in_language(pair_judgement(WITHOUT_ANSWER), language) is not None
    for name, each in found["prompts"].items():
        task = TASKS.get(name)
        if task is not None and not isinstance(task, JointTask):
            assert each["of"] == digest(task.prompt)


def test_both_languages_have_the_same_prompts() -> None:
    has = [{name for name, task in TASKS.items() if in_language(task, code)} for code in TRANSLATED]
    assert has[0] == has[1]
    assert {"facts", "question", "label", "pair_judgement", "chunk_judgement", "answer_relevance"} <= has[0]


@pytest.mark.parametrize(
    ("language", "context", "first"),
    [
        ("en", GERMAN, "You say how"),
        ("de", ENGLISH, "Du sagst, wie"),
        ("document", GERMAN, "Du sagst, wie"),
        ("document", CHINESE, "你要判断"),
        ("document", ENGLISH, "You say how"),
        ("document", "Le pont sur la rivière est ouvert depuis 1998, et il est fermé aux piétons.", "You say how"),
    ],
)
def test_a_model_is_told_in_the_language(language: str, context: str, first: str) -> None:
    assert told(language, context).startswith(first)


def test_ones_own_prompt_stays_and_what_is_not_translated_is_english() -> None:
    own = PromptOverrides({"label": "Mine."}).in_language("de")
    assert system_text(LABEL, own).startswith("Mine.\n\nReply with one JSON")
    answer: Any = TASKS["answer"]
    assert system_text(answer, own) == system_text(answer)
    assert prompt_hash(answer, own) == prompt_hash(answer)


def test_an_unknown_language_is_said() -> None:
    with pytest.raises(UsageError, match=r"--prompt-language: .*'fr'; choose one of document, en, de, zh"):
        NO_OVERRIDES.in_language("fr")
