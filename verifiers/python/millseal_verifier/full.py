"""Reads every entry of a log and recomputes its status tree.

A log can say of a certificate what its entries do not say, and neither its own tree nor a witness shows that.
"""

from .bundle import Leaf
from .canonical import Malformed, parse_json
from .log import Tree, leaf_hash, node_hash
from .status import check_correction
from .transaction import Altered, read_transaction

TILE_WIDTH = 256


class NotAllowed(Exception):
    """An entry that no log may contain."""


def read_log(bundle_at, size: int) -> tuple[Tree, Tree]:
    """The tree of the entries, and the status tree that they imply. `bundle_at` returns a bundle of C2SP tlog-tiles."""
    leaves: list[bytes] = []
    corrections: dict[str, list[int]] = {}
    for first in range(0, size, TILE_WIDTH):
        for entry in _entries(bundle_at(first // TILE_WIDTH, min(TILE_WIDTH, size - first)), min(TILE_WIDTH, size - first)):
            try:
                subject = _corrected_by(entry)
            except (Altered, Malformed) as fault:
                raise NotAllowed(f"Entry {len(leaves)} is a correction that no log may contain: {fault}.") from None
            if subject:
                corrections.setdefault(subject, []).append(len(leaves))
            leaves.append(leaf_hash(entry))
    return Tree(size, _root(leaves)), _status(corrections)


def _entries(bundle: bytes, width: int) -> list[bytes]:
    entries, at = [], 0
    while len(entries) < width:
        end = at + 2 + int.from_bytes(bundle[at : at + 2], "big")
        if len(bundle) < max(end, at + 2):
            raise Malformed("a bundle of entries of the log is too short")
        entries.append(bundle[at + 2 : end])
        at = end
    return entries


def _corrected_by(entry: bytes) -> str:
    """The subject of an entry, if it is a correction."""
    text, has_time, _ = entry.rpartition(b"\n")
    if not has_time or b'"type":"correction"' not in entry:
        return ""
    match parse_json(text):
        case {"asset": {"data": {"type": "correction"}}} as members:
            transaction = read_transaction(members)
            check_correction(transaction)
            if transaction.member("action") == "revoke-key":
                return "key " + transaction.member("did")
            return "certificate " + transaction.member("transactionId")
    return ""


def _status(corrections: dict[str, list[int]]) -> Tree:
    """The leaves are in the order in which their subjects were first corrected."""
    ascending = ["", *sorted(corrections)]
    following = dict(zip(ascending, ascending[1:]))
    subjects = ["", *corrections]
    leaves = [
        Leaf(subject, following.get(subject, ""), corrections.get(subject, []), at, [])
        for at, subject in enumerate(subjects)
    ]
    return Tree(len(leaves), _root([leaf_hash(leaf.text) for leaf in leaves]))


def _root(leaves: list[bytes]) -> bytes:
    """RFC 6962 §2.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else b""
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return node_hash(_root(leaves[:half]), _root(leaves[half:]))
