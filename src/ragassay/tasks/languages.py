"""Names of languages, for telling a language model which one to write in."""

from __future__ import annotations

_NAMES = """
af Afrikaans, am Amharic, an Aragonese, ar Arabic, as Assamese, az Azerbaijani, be Belarusian, bg Bulgarian, bn Bengali,
br Breton, bs Bosnian, ca Catalan, cs Czech, cy Welsh, da Danish, de German, dz Dzongkha, el Greek, en English,
eo Esperanto, es Spanish, et Estonian, eu Basque, fa Persian, fi Finnish, fo Faroese, fr French, ga Irish, gl Galician,
gu Gujarati, he Hebrew, hi Hindi, hr Croatian, ht Haitian Creole, hu Hungarian, hy Armenian, id Indonesian,
is Icelandic, it Italian, ja Japanese, jv Javanese, ka Georgian, kk Kazakh, km Khmer, kn Kannada, ko Korean, ku Kurdish,
ky Kyrgyz, la Latin, lb Luxembourgish, lo Lao, lt Lithuanian, lv Latvian, mg Malagasy, mk Macedonian, ml Malayalam,
mn Mongolian, mr Marathi, ms Malay, mt Maltese, nb Norwegian, ne Nepali, nl Dutch, nn Norwegian Nynorsk, no Norwegian,
oc Occitan, or Odia, pa Punjabi, pl Polish, ps Pashto, pt Portuguese, qu Quechua, ro Romanian, ru Russian,
rw Kinyarwanda, se Northern Sami, si Sinhala, sk Slovak, sl Slovenian, sq Albanian, sr Serbian, sv Swedish, sw Swahili,
ta Tamil, te Telugu, th Thai, tl Tagalog, tr Turkish, ug Uyghur, uk Ukrainian, ur Urdu, vi Vietnamese, vo Volapük,
wa Walloon, xh Xhosa, zh Chinese, zu Zulu
"""
_BY_CODE: dict[str, str] = {
    code: name for code, _, name in (entry.strip().partition(" ") for entry in _NAMES.split(","))
}


def language_name(code: str) -> str:
    """English name of a language by its ISO 639-1 code; empty where it is not known."""
    return _BY_CODE.get(code, "")
