"""Checkpoints, keys and trees of a log."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from . import ed25519
from .canonical import Malformed, safe_integer
from .transaction import Altered, is_did, is_time

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


MAX_SIGNATURES = 64
OWN_LINES = {"millseal-time", "millseal-operator", "millseal-status"}


def is_key_name(name: str) -> bool:
    return re.search(r"\A[^\s+\x00-\x1f\x7f-\x9f]+\Z", name) is not None


def decode_base64(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if base64.b64encode(data).decode() != text:
        raise Malformed("base64 is malformed")
    return data


def decode_hashes(text: str) -> list[bytes]:
    data = decode_base64(text)
    if len(data) % 32:
        raise Malformed("hashes are malformed")
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def natural(written: str) -> int:
    value = safe_integer(written)
    if value < 0:
        raise Malformed(f"{written} is negative")
    return value


@dataclass(frozen=True)
class LogKey:
    name: str
    id: bytes
    key: bytes

    @staticmethod
    def parse(vkey: str) -> "LogKey":
        name, _, rest = vkey.partition("+")
        written_id, _, encoded = rest.partition("+")
        data = decode_base64(encoded)
        key_id = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
        if not is_key_name(name) or len(data) != 33 or data[0] != 1 or written_id != key_id.hex():
            raise Malformed("not the key of a log")
        return LogKey(name, key_id, data[1:])


@dataclass(frozen=True)
class Tree:
    size: int
    root: bytes

    @staticmethod
    def parse(size: str, root: str) -> "Tree":
        hashes = decode_hashes(root)
        if len(hashes) != 1:
            raise Malformed("the root of a tree is malformed")
        return Tree(natural(size), hashes[0])

    def includes(self, entry: bytes, index: int, path: list[bytes]) -> bool:
        """RFC 9162 §2.1.3.2."""
        if index >= self.size:
            return False
        node, last, hashed = index, self.size - 1, leaf_hash(entry)
        for sibling in path:
            if last == 0:
                return False
            if node & 1 or node == last:
                hashed = node_hash(sibling, hashed)
                while not node & 1 and node:
                    node, last = node >> 1, last >> 1
            else:
                hashed = node_hash(hashed, sibling)
            node, last = node >> 1, last >> 1
        return last == 0 and hashed == self.root


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


@dataclass(frozen=True)
class Checkpoint:
    """A verified checkpoint."""

    signed: str
    origin: str
    tree: Tree
    time: str  # empty if the log has no times
    operator: str  # a DID, empty if not named
    status: Tree | None

    @property
    def is_test(self) -> bool:
        """Whether this is a test log: no real material."""
        return re.search(r"/ledger/test(/[0-9]+)?\Z", self.origin) is not None


    def has_state(self, path: list[bytes]) -> bool:
        """Whether the last entry is the state leaf with the values of this checkpoint."""
        if not self.time or not self.operator or self.status is None:
            return False
        root = base64.b64encode(self.status.root).decode()
        lines = ("millseal-state", f"time {self.time}", f"operator {self.operator}", f"status {self.status.size} {root}")
        leaf = "".join(f"{line}\n" for line in lines)
        return self.tree.includes(leaf.encode(), self.tree.size - 1, path)


def open_checkpoint(signed: str, keys: list[LogKey]) -> Checkpoint:
    """Verifies a signed note with the keys of its first line."""
    text, found, signatures = signed.rpartition("\n\n")
    if not found or not signatures.endswith("\n") or CONTROL.search(signed):
        raise Altered("the checkpoint is malformed")
    text += "\n"
    origin = text.partition("\n")[0]
    if signatures.count("\n") > MAX_SIGNATURES:
        raise Altered(f"the checkpoint has more than {MAX_SIGNATURES} signatures")
    try:
        signed_by = [_verify_line(line, text, keys) for line in signatures[:-1].split("\n")]
        if origin not in signed_by:
            raise Altered("the checkpoint is not signed by the log")
        return _parse_checkpoint(signed, text.split("\n")[:-1])
    except Malformed as fault:
        raise Altered(f"the checkpoint: {fault}") from None


def _verify_line(line: str, text: str, keys: list[LogKey]) -> str | None:
    """The name of the key that signed. Signatures by others are ignored, wrong ones by a key are not."""
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    data = decode_base64(encoded)
    if dash != "—" or not is_key_name(name) or len(data) <= 4:
        raise Malformed("a signature is malformed")
    for key in keys:
        if key.name == name and key.id == data[:4]:
            if not ed25519.verify(key.key, text.encode(), data[4:]):
                raise Altered("the checkpoint has a signature of the log that is not valid")
            return name
    return None


def _parse_checkpoint(signed: str, lines: list[str]) -> Checkpoint:
    if len(lines) < 3:
        raise Malformed("lines are missing")
    values: dict[str, str] = {}
    for line in lines[3:]:
        name, is_named, value = line.partition(" ")
        if not line or (is_named and name in values and name in OWN_LINES):
            raise Malformed(f"it has an empty line, or the line {name!r} twice")
        if is_named:
            values[name] = value  # Lines of others are ignored, as C2SP tlog-checkpoint demands.
    operator = values.get("millseal-operator")
    if operator is not None and not is_did(operator):
        raise Malformed("its operator is malformed")
    time, status = values.get("millseal-time"), values.get("millseal-status")
    if time is not None and not is_time(time):
        raise Malformed("its time is malformed")
    return Checkpoint(
        signed=signed,
        origin=lines[0],
        tree=Tree.parse(lines[1], lines[2]),
        time=time or "",
        operator=operator or "",
        status=None if status is None else Tree.parse(*(status.split(" ", 1) + [""])[:2]),
    )


@dataclass(frozen=True)
class Proof:
    """A C2SP tlog-proof; its checkpoint is not verified yet."""

    index: int
    path: list[bytes]
    signed: str
    has_extra: bool

    @property
    def origin(self) -> str:
        return self.signed.partition("\n")[0]

    @staticmethod
    def parse(text: str) -> "Proof":
        head, found, signed = text.partition("\n\n")
        first, *lines = head.split("\n")
        has_extra = bool(lines) and lines[0].startswith("extra ")
        index, *encoded = lines[has_extra:] or [""]
        if not found or first != "c2sp.org/tlog-proof@v1" or not index.startswith("index "):
            raise Altered("the proof is not a tlog-proof")
        try:
            hashes = [decode_hashes(line) for line in encoded]
            if any(len(line) != 1 for line in hashes):
                raise Malformed("a line has not exactly one hash")
            return Proof(natural(index.removeprefix("index ")), [line[0] for line in hashes], signed, has_extra)
        except Malformed as fault:
            raise Altered(f"the proof: {fault}") from None
