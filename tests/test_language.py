"""Languages by script and by words."""

from __future__ import annotations

import pytest

from ragassay.language import detect_language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The ferry leaves the harbour at noon and is back by the evening of the same day."),
        (
            "en",
            "Sergey Malov (Russian: Сергей Малов) is one of the violinists of the orchestra that was founded in 1983.",
        ),
        ("de", "Die Fähre verlässt den Hafen um zwölf Uhr und kommt am selben Abend wieder zurück."),
        ("fr", "Le bateau quitte le port à midi et revient le soir même avec tous les passagers."),
        ("es", "El barco sale del puerto al mediodía y vuelve la misma tarde con los pasajeros."),
        ("zh", "公司成立于2001年，注册地为上海。"),
        ("ja", "東京は日本の首都です。"),
        ("ko", "서울은 대한민국의 수도입니다."),
        ("ru", "Паром отправляется из гавани в полдень и возвращается вечером того же дня."),
        # the first sample is Chinese: 480 signs; the page is not: 2 820 other letters
        ("en", f"{'姓名住址' * 120}\n{'The examples above are those of the form that is filled in. ' * 60}"),
        ("zh", f"{'公司成立于上海，注册资本为五千万元。' * 40} Marrowick Line {'公司有员工三百人。' * 40}"),
        (  # half translated, and the beginning in English: 29 English function words, 42 Spanish ones
            "es",
            "This chapter is about the start of the system and of its services. "
            + "El arranque del sistema es la fase en que se cargan los programas para el usuario. " * 6
            + "The text of this part is not yet translated and is that of the original for now. " * 2,
        ),
        ("und", "Hi there"),
        ("und", "12 | 34 | 56"),
        ("und", ""),
    ],
)
def test_language(language, text):
    assert detect_language(text) == language
