"""The rule of docs/bundle.md about names with letters of several alphabets."""

import unicodedata

# Cyrillic and Greek letters that look like Latin ones, small or as capitals.
_ALIKE = "авеікмнорстухѕјьαβεζηικμνορτυχ"


def _is_latin(letter: str) -> bool:
    return "LATIN " in unicodedata.name(letter, "") or letter in "\u212a\u212b"  # Kelvin and Angstrom


def mixes_alphabets(name: str) -> bool:
    letters = [letter for letter in name if unicodedata.category(letter) in ("Lu", "Ll", "Lt")]
    foreign = [letter for letter in letters if not _is_latin(letter)]
    if not foreign:
        return False
    return len(foreign) < len(letters) or all(letter.lower() in _ALIKE for letter in foreign)


def remark_on(name: str) -> str:
    return ", a name with letters of several alphabets: compare the VAT id" if mixes_alphabets(name) else ""
