"""Transactions: canonical text, id and signature."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from . import ed25519
from .canonical import Malformed, ledger_text

TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
MAX_BYTES = 65_535
DID = "did:key:z"
MAX_DID_LENGTH = 64
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class Altered(Exception):
    """Something that a signature or a hash covers is not what was signed."""


@dataclass(frozen=True)
class Transaction:
    """A verified CREATE transaction with one input and one key."""

    id: str
    text: bytes
    signer: str  # the DID of the key
    key: str  # base58
    asset: dict[str, Any]

    def has_texts(self, *names: str) -> bool:
        return all(isinstance(self.asset.get(name), str) for name in names)

    def member(self, name: str) -> str:
        value = self.asset.get(name)
        return value if isinstance(value, str) else ""


def is_time(text: str) -> bool:
    """Whether this is a time in the one form of a bundle, so that times compare as text."""
    if not TIME.fullmatch(text):
        return False
    try:
        # datetime has no year 0, which is a leap year as 2000 is.
        datetime.fromisoformat(re.sub(r"\A0000", "2000", text))
    except ValueError:
        return False
    return True


def milliseconds(time: str) -> int:
    """The time as a number. The calendar repeats every 400 years; datetime has neither year 0 nor what is after 9999."""
    year = int(time[:4])
    moment = datetime.fromisoformat(f"{year % 400 + 2000}{time[4:]}") - datetime(2000, 1, 1, tzinfo=timezone.utc)
    return (year // 400 * 146_097 + moment.days) * 86_400_000 + moment // timedelta(milliseconds=1) % 86_400_000


def base58(data: bytes) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def is_did(text: str) -> bool:
    """Whether this is the DID of an Ed25519 key."""
    encoded = text.removeprefix(DID)
    if len(encoded) > MAX_DID_LENGTH or any(letter not in BASE58 for letter in encoded):
        return False
    number = 0
    for letter in encoded:
        number = number * 58 + BASE58.index(letter)
    data = number.to_bytes(MAX_DID_LENGTH, "big").lstrip(b"\0")
    is_key = len(data) == 34 and data[:2] == b"\xed\x01" and ed25519.is_strict(data[2:])
    return is_key and DID + base58(data) == text


def has_one_signer(members: dict[str, Any]) -> bool:
    match members:
        case {"inputs": [{"owners_before": [str()]}]}:
            return True
    return False


def read_transaction(members: dict[str, Any]) -> Transaction:
    try:
        return _read(members)
    except Malformed as fault:
        raise Altered(str(fault)) from None


def _read(members: dict[str, Any]) -> Transaction:
    match members:
        case {
            "id": str(claimed),
            "version": "2.0",
            "operation": "CREATE",
            "inputs": [
                {"owners_before": [str(owner)], "fulfillment": str(fulfillment), "fulfills": None, **more} as first
            ],
            "asset": {"data": (dict() | None) as asset, **others},
        } if not more and not others:
            pass
        case _:
            raise Altered("a transaction is not a CREATE of version 2.0 with one input and one key")
    unsigned = members | {"id": None}
    if hashlib.sha3_256(ledger_text(unsigned)).hexdigest() != claimed:
        raise Altered("the id of a transaction is not that of its content")
    key, signature = _parse_fulfillment(fulfillment)
    if base58(key) != owner:
        raise Altered("a transaction is signed by a key that is not its owner")
    digest = hashlib.sha3_256(ledger_text(unsigned | {"inputs": [first | {"fulfillment": None}]})).digest()
    if not ed25519.verify(key, digest, signature):
        raise Altered("the signature of a transaction is not valid")
    text = ledger_text(members)
    if len(text) > MAX_BYTES:
        raise Altered(f"a transaction has more than {MAX_BYTES} bytes")
    return Transaction(claimed, text, DID + base58(b"\xed\x01" + key), owner, asset or {})


def _parse_fulfillment(text: str) -> tuple[bytes, bytes]:
    try:
        der = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise Altered("a fulfillment is malformed") from None
    key, signature = der[4:36], der[38:]
    if der != b"\xa4\x64\x80\x20" + key + b"\x81\x40" + signature or len(der) != 102:
        raise Altered("a fulfillment is malformed")
    if base64.urlsafe_b64encode(der).rstrip(b"=").decode() != text:
        raise Altered("a fulfillment is malformed")
    return key, signature
