"""Transliterates names to Latin letters for C identifiers.

Accents are dropped; Greek and Cyrillic letters, Japanese kana and Korean syllables become the Latin letters for their
sounds. Letters of other scripts, which have no unique reading (Chinese) or would need larger tables, become their code
points: U8D70.
"""
from __future__ import annotations

import re
import unicodedata

_GREEK = "a v g d e z i th i k l m n x o p r s s t y f ch ps o"  # from alpha, with both sigmas
_CYRILLIC = ("a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya "  # from U+0430
             "ye yo dj gj ye dz i yi j lj nj c kj i u dz")
_LATIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
          "ı": "i", "ŋ": "ng", "ŧ": "t", "ə": "e"}
_SOUNDS = _LATIN | {chr(first + at): sound.strip("_") for first, sounds in ((0x3B1, _GREEK), (0x430, _CYRILLIC))
                    for at, sound in enumerate(sounds.split())} | {"ґ": "g", "ў": "u", "ー": ""}
_SYLLABLE = re.compile(r"(?:HANGUL SYLLABLE|(?:HIRAGANA|KATAKANA) LETTER(?: SMALL)?) ([A-Z]+)\Z")
_SMALL_TU = "っッ"  # doubles the next consonant; ignored


def latin(text: str) -> str:
    """Returns the text in Latin letters, with code points between underscores for letters without a transliteration.
    Other characters than letters and digits do not change."""
    return "".join(map(_latin_letter, unicodedata.normalize("NFC", text)))


def code_points(text: str) -> str:
    """Returns a name for a text without letters: u2192 for an arrow. Lower case keeps it one word."""
    return "_".join(f"u{ord(letter):04x}" for letter in text)


def _latin_letter(letter: str) -> str:
    """Returns the transliteration of a character."""
    if letter in _SMALL_TU:
        return ""
    if syllable := _SYLLABLE.match(unicodedata.name(letter, "")):
        return syllable[1].lower()
    plain = "".join(c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c))
    if plain.isascii() or not plain.isalnum():
        return plain
    if len(plain) > 1 or plain != letter and letter.lower() not in _SOUNDS:
        return "".join(map(_latin_letter, plain))
    if (sound := _SOUNDS.get(letter.lower())) is not None:
        return sound.capitalize() if letter != letter.lower() else sound
    digit = unicodedata.digit(letter, None)
    return f"_{code_points(letter)}_" if digit is None else str(digit)
