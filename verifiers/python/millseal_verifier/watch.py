"""Watches a log: every checkpoint must continue those that were seen before."""

import http.client
import os
import re
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from .bundle import read_bundle
from .canonical import Malformed, parse_json
from .full import NotAllowed, read_log
from .log import Checkpoint, LogKey, Proof, Tree, node_hash, open_checkpoint
from .transaction import Altered

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
MAX_FETCHED = 1 << 25  # A bundle has 256 entries of at most 64 KiB.


class Forked(Exception):
    """Two checkpoints that the key of the log signed, and that do not fit together."""

    def __init__(self, says: str, old: Checkpoint, fresh: Checkpoint) -> None:
        super().__init__(
            f"{says}\n\nThe checkpoint of before:\n{old.signed}\nThe checkpoint of now:\n{fresh.signed}"
        )


class Unavailable(Exception):
    """The log could not be read."""


def watch(start: Path, url: str, vkey: str, state: Path | None, once: bool, every: float, full: bool) -> int:
    key = LogKey.parse(vkey)
    state = state or Path(re.sub(r"[^A-Za-z0-9.-]", "_", key.name) + ".checkpoint")
    known = [_open(start, key)]
    if state.exists():
        known.append(_open(state, key))
    log = Log(url)
    while True:
        try:
            fresh = open_checkpoint(log.fetch("checkpoint").decode("utf-8"), [key])
            for old in known:
                join(log, old, fresh)
            if full:
                check_entries(log, known[-1], fresh)
            _replace(state, fresh.signed)
            sizes = f"{fresh.tree.size} entries, consistent with the first {known[-1].tree.size}"
            print(f"{fresh.origin}: {sizes}", flush=True)
            known[1:] = [fresh]
        except Forked as fork:
            print(fork, flush=True)
            return 1
        except (Altered, Malformed, Unavailable, UnicodeDecodeError) as fault:
            print(f"millseal-verifier: {fault}", file=sys.stderr, flush=True)
            if once:
                return 5
        if once:
            return 0
        time.sleep(every)


def _open(path: Path, key: LogKey) -> Checkpoint:
    """Reads a checkpoint, or the one in a bundle."""
    content = path.read_bytes()
    try:
        if content.lstrip().startswith(b"{"):
            return open_checkpoint(Proof.parse(read_bundle(parse_json(content)).proof).signed, [key])
        return open_checkpoint(content.decode("utf-8"), [key])
    except (Altered, Malformed, UnicodeDecodeError) as fault:
        raise Malformed(f"{path}: {fault}") from None


def _replace(path: Path, content: str) -> None:
    """Writes a file that is complete after a crash: the old one or the new one."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as temporary:
        temporary.write(content)
        temporary.flush()
        os.fsync(temporary.fileno())
    os.replace(temporary.name, path)


def join(log: "Log", old: Checkpoint, fresh: Checkpoint) -> None:
    """Proves that the tree of now continues the old one."""
    if fresh.tree.size < old.tree.size:
        raise Forked("The log has shrunk.", old, fresh)
    is_same_size = fresh.tree.size == old.tree.size
    if is_same_size and fresh.tree.root != old.tree.root:
        raise Forked("The log has forked: two trees of the same size.", old, fresh)
    if old.time and fresh.time < old.time:
        raise Forked("The time of the log went backwards.", old, fresh)
    if old.operator and fresh.operator != old.operator:
        raise Forked("The log names another operator.", old, fresh)
    if old.status and (not fresh.status or fresh.status.size < old.status.size):
        raise Forked("The status tree of the log has shrunk.", old, fresh)
    if is_same_size and old.status and fresh.status != old.status:
        raise Forked("The log has forked: two status trees for the same entries.", old, fresh)
    if is_same_size or old.tree.size == 0:
        return
    nodes = Nodes(log, fresh.tree.size)
    # The proof of a size that is a power of two begins behind the old root, so that one is read, too.
    shown = Tree(old.tree.size, nodes.root(old.tree.size))
    roots = consistent_roots(nodes.consistency_proof(old.tree.size), shown, fresh.tree.size)
    if roots is None or roots[1] != fresh.tree.root:
        raise Unavailable("the tiles of the log do not prove its checkpoint")
    if roots[0] != old.tree.root:
        raise Forked("The log has forked: it does not continue what it was.", old, fresh)


def check_entries(log: "Log", old: Checkpoint, fresh: Checkpoint) -> None:
    """Proves that the checkpoint says what its entries say."""

    def bundle_at(index: int, width: int) -> bytes:
        path = tile_path(0, index).replace("tile/0/", "tile/entries/", 1)
        content = log.find(f"{path}.p/{width}") if width < TILE_WIDTH else None
        return content or log.fetch(path)

    try:
        tree, status = read_log(bundle_at, fresh.tree.size)
    except NotAllowed as fault:
        raise Forked(str(fault), old, fresh) from None
    if fresh.tree.size and tree != fresh.tree:
        raise Unavailable("the entries of the log do not prove its checkpoint")
    if fresh.status and status != fresh.status:
        raise Forked("The status tree of the log is not that of its entries.", old, fresh)


def consistent_roots(proof: list[bytes], old: Tree, size: int) -> tuple[bytes, bytes] | None:
    """The two roots that a consistency proof leads to (RFC 9162 §2.1.4.2)."""
    path = [old.root] + proof if old.size & (old.size - 1) == 0 else proof
    if not path:
        return None
    first, second = old.size - 1, size - 1
    while first & 1:
        first, second = first >> 1, second >> 1
    before = after = path[0]
    for hashed in path[1:]:
        if second == 0:
            return None
        if first & 1 or first == second:
            before, after = node_hash(hashed, before), node_hash(hashed, after)
            while not first & 1 and first:
                first, second = first >> 1, second >> 1
        else:
            after = node_hash(after, hashed)
        first, second = first >> 1, second >> 1
    return (before, after) if second == 0 else None


class Log:
    """The files of a log over HTTP."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    def fetch(self, path: str) -> bytes:
        content = self.find(path)
        if content is None:
            raise Unavailable(f"{self.url}/{path}: not found")
        return content

    def find(self, path: str) -> bytes | None:
        address = f"{self.url}/{path}"
        try:
            with urllib.request.urlopen(address, timeout=30) as response:
                return response.read(MAX_FETCHED)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise Unavailable(f"{address}: {error}") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unavailable(f"{address}: {error}") from None


class Nodes:
    """The nodes of a tree of some size, from its tiles (C2SP tlog-tiles)."""

    def __init__(self, log: Log, size: int) -> None:
        self.log, self.size = log, size
        self.tiles: dict[tuple[int, int], list[bytes]] = {}

    def consistency_proof(self, old_size: int) -> list[bytes]:
        return self._subproof(old_size, 0, self.size, True)

    def root(self, size: int) -> bytes:
        """That of the first entries."""
        return self._root(0, size)

    def _subproof(self, old: int, start: int, end: int, is_known: bool) -> list[bytes]:
        """RFC 9162 §2.1.4.1; `old` counts from `start`."""
        if old == end - start:
            return [] if is_known else [self._root(start, end)]
        half = _split(end - start)
        if old <= half:
            return self._subproof(old, start, start + half, is_known) + [self._root(start + half, end)]
        return self._subproof(old - half, start + half, end, False) + [self._root(start, start + half)]

    def _root(self, start: int, end: int) -> bytes:
        width = end - start
        if width & (width - 1) == 0:
            return self._complete(width.bit_length() - 1, start // width)
        half = _split(width)
        return node_hash(self._root(start, start + half), self._root(start + half, end))

    def _complete(self, level: int, index: int) -> bytes:
        """The node over the entries from index * 2^level on."""
        tile_level, height = divmod(level, TILE_HEIGHT)
        tile, at = divmod(index << height, TILE_WIDTH)
        hashes = self._tile(tile_level, tile)[at : at + (1 << height)]
        if len(hashes) != 1 << height:
            raise Unavailable("a tile of the log is too short")
        while len(hashes) > 1:
            hashes = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2])]
        return hashes[0]

    def _tile(self, level: int, index: int) -> list[bytes]:
        if (level, index) not in self.tiles:
            width = min(TILE_WIDTH, (self.size >> (TILE_HEIGHT * level)) - index * TILE_WIDTH)
            path = tile_path(level, index)
            # A log may delete a partial tile when it has the full one.
            content = self.log.find(f"{path}.p/{width}") if width < TILE_WIDTH else None
            content = content or self.log.fetch(path)
            self.tiles[level, index] = [content[at : at + 32] for at in range(0, width * 32, 32)]
        return self.tiles[level, index]


def tile_path(level: int, index: int) -> str:
    digits = str(index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join(["tile", str(level), *("x" + group for group in groups[:-1]), groups[-1]])


def _split(width: int) -> int:
    """The largest power of two below width."""
    return 1 << ((width - 1).bit_length() - 1)
