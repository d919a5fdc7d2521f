"""Strict JSON, and the two canonical forms of it."""

import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Callable

MAX_SAFE_INTEGER = 2**53 - 1
# How many objects and lists may be nested.
BUNDLE_LEVELS = 68
CERTIFICATE_LEVELS = LEDGER_LEVELS = 64
VECTOR_LEVELS = BUNDLE_LEVELS + 2  # A bundle in a vector in a list.
BYTE_ORDER_MARK = "\ufeff"
ZERO = re.compile(r"-?[0.]+(?:[eE]|\Z)")
INTEGER = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)


class Malformed(Exception):
    """A text that is not what it has to be."""


@dataclass(frozen=True)
class Number:
    """A number as ECMAScript writes it (RFC 8785 §3.2.2.3), but -0 is kept."""

    text: str


def parse_json(content: bytes, levels: int = BUNDLE_LEVELS) -> Any:
    """Reads JSON, without duplicate members, lone surrogates, NaN and Infinity. Ignores one byte order mark."""
    try:
        text = content.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
        if text.startswith(BYTE_ORDER_MARK):
            raise ValueError("a second byte order mark")
        value = json.loads(
            text,
            object_pairs_hook=_members,
            parse_int=_read_number,
            parse_float=_read_number,
            parse_constant=_refuse_constant,
        )
        _check(value, levels)
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Malformed(f"malformed JSON: {error}") from None
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Malformed("malformed JSON: an object has a member twice")
    return members


def _refuse_constant(name: str) -> None:
    raise Malformed(f"malformed JSON: {name} is not a number")


def _check(value: Any, levels: int) -> None:
    if levels == 0 and isinstance(value, (list, dict)):
        raise Malformed("malformed JSON: nested too deeply")
    if isinstance(value, str):
        value.encode("utf-8")  # A lone surrogate is a UnicodeEncodeError, which is a ValueError.
    elif isinstance(value, list):
        for item in value:
            _check(item, levels - 1)
    elif isinstance(value, dict):
        for name, item in value.items():
            name.encode("utf-8")
            _check(item, levels - 1)


def _read_number(literal: str) -> Number:
    """Refuses a number that no double holds exactly: two documents would have one hash."""
    value = float(literal)
    if INTEGER.fullmatch(literal) and abs(value) > MAX_SAFE_INTEGER:
        raise Malformed(f"the number {literal[:40]} cannot be held exactly")
    try:
        is_exact = ZERO.match(literal) or math.isfinite(value) and Decimal(literal) == Decimal(repr(value))
    except ArithmeticError:
        is_exact = False
    if not is_exact:
        raise Malformed(f"the number {literal[:40]} cannot be held exactly")
    return Number(_ecmascript(value))


def safe_integer(digits: str) -> int:
    """The integer that the digits write, but not -0, nor one that a double cannot hold."""
    if len(digits) > 17 or digits == "-0" or not INTEGER.fullmatch(digits):
        raise Malformed(f"{digits[:40]} is not a safe integer")
    value = int(digits)
    if abs(value) > MAX_SAFE_INTEGER:
        raise Malformed(f"{digits} is not a safe integer")
    return value


def ledger_text(value: Any) -> bytes:
    """The canonical text of a transaction."""
    return _canonical(value, _ledger_number, str.encode, "X", LEDGER_LEVELS).encode()


def certificate_text(value: Any) -> bytes:
    """The canonical JSON of a certificate (RFC 8785)."""
    return _canonical(value, _certificate_number, _utf16, "x", CERTIFICATE_LEVELS).encode()


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be")


def _canonical(
    value: Any, number: Callable[[Number], str], order: Callable[[str], bytes], digits: str, levels: int
) -> str:
    def write(value: Any, level: int) -> str:
        if level >= levels and isinstance(value, (list, dict)):
            raise Malformed(f"nested deeper than {levels} levels")
        match value:
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case Number():
                return number(value)
            case str():
                return _string(value, digits)
            case list():
                return "[" + ",".join(write(item, level + 1) for item in value) + "]"
            case dict():
                names = sorted(value, key=order)
                members = (_string(name, digits) + ":" + write(value[name], level + 1) for name in names)
                return "{" + ",".join(members) + "}"
        raise TypeError(type(value))

    return write(value, 0)


SHORT = {'"': r"\"", "\\": r"\\", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
ESCAPED = re.compile(r'["\\\x00-\x1f]')


def _string(text: str, digits: str) -> str:
    def escape(found: re.Match[str]) -> str:
        character = found[0]
        return SHORT.get(character) or rf"\u00{ord(character):02{digits}}"

    return '"' + ESCAPED.sub(escape, text) + '"'


def _ledger_number(number: Number) -> str:
    return str(safe_integer(number.text))


def _certificate_number(number: Number) -> str:
    return "0" if number.text == "-0" else number.text


def _ecmascript(value: float) -> str:
    sign = "-" if math.copysign(1, value) < 0 else ""
    if value == 0:
        return sign + "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return sign + _lay_out(digits.rstrip("0"), point)


def _lay_out(digits: str, point: int) -> str:
    """Writes 0.ddd × 10^point."""
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
