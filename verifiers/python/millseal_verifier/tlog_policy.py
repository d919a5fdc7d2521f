"""C2SP tlog-policy: which logs are known, and who must have cosigned a checkpoint."""

import hashlib
import re
from dataclasses import dataclass, field

from .canonical import Malformed
from .log import LogKey, decode_base64, is_key_name

MAX_LINES = 32  # of each kind
NONE = "none"
REFUSED = re.compile("[\x00-\x08\x0a-\x1f\x7f\ufffd\ud800-\udfff]")
THRESHOLD = re.compile(r"[1-9][0-9]{0,2}")
KEY = re.compile(r"([^+]*)\+([0-9a-f]{8})\+(.*)")
COSIGNATURE_TYPE = 4


@dataclass(frozen=True)
class Witness:
    """A cosigner. `name` is only in the policy; `key_name` is that of its key."""

    name: str
    key_name: str
    id: bytes
    key: bytes

    @staticmethod
    def parse(name: str, vkey: str) -> "Witness":
        parts = KEY.fullmatch(vkey)
        data = decode_base64(parts[3]) if parts else b""
        if not parts or not is_key_name(parts[1]) or len(data) != 33 or data[0] != COSIGNATURE_TYPE:
            raise Malformed("not the key of a cosigner")
        key_id = hashlib.sha256(parts[1].encode() + b"\n" + data).digest()[:4]
        if parts[2] != key_id.hex():
            raise Malformed("the id of the key of a cosigner is wrong")
        return Witness(name, parts[1], key_id, data[1:])


@dataclass(frozen=True)
class Group:
    name: str
    threshold: int
    members: list[str]


@dataclass
class TlogPolicy:
    logs: list[LogKey] = field(default_factory=list)
    witnesses: list[Witness] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    quorum: str = ""
    members: set[str] = field(default_factory=set)

    @staticmethod
    def parse(text: str) -> "TlogPolicy":
        policy = TlogPolicy()
        *lines, last = text.split("\n")
        for line in lines:
            policy._read_line(line)
        if last or not policy.quorum:
            raise Malformed("the tlog-policy ends without a newline or without a quorum line")
        return policy

    @property
    def demands_nobody(self) -> bool:
        return self.quorum == NONE

    def is_quorum(self, signed: set[str]) -> bool:
        """Whether these witnesses are one. A group has only members that are defined before it."""
        satisfied = set(signed)
        for group in self.groups:
            if sum(member in satisfied for member in group.members) >= group.threshold:
                satisfied.add(group.name)
        return not self.demands_nobody and self.quorum in satisfied

    def _read_line(self, line: str) -> None:
        if REFUSED.search(line):
            raise Malformed("the tlog-policy has a character that is not allowed")
        keyword, *items = [item for item in re.split("[ \t]+", line) if item] or ["#"]
        if keyword.startswith("#"):
            return
        match keyword, items:
            case "log", [vkey] | [vkey, _]:
                self._add_log(LogKey.parse(vkey))
            case "witness", [name, vkey] | [name, vkey, _]:
                self._add_witness(name, vkey)
            case "group", [name, threshold, _, *_]:
                self._add_group(name, threshold, items[2:])
            case "quorum", [name] if not self.quorum and (name == NONE or self._is_defined(name)):
                self.quorum = name
            case _:
                raise Malformed(f"the tlog-policy has a malformed line {line[:60]!r}")

    def _add_log(self, key: LogKey) -> None:
        if any(other.key == key.key for other in self.logs):
            raise Malformed("the tlog-policy has the key of a log twice")
        self._add(self.logs, key)

    def _add_witness(self, name: str, vkey: str) -> None:
        self._check_free(name)
        witness = Witness.parse(name, vkey)
        if any(other.key == witness.key for other in self.witnesses):
            raise Malformed(f"the witness {name!r} has the key of another: it would count twice")
        self._add(self.witnesses, witness)

    def _add_group(self, name: str, written: str, members: list[str]) -> None:
        self._check_free(name)
        for member in members:
            if not self._is_defined(member) or member in self.members:
                raise Malformed(f"{member!r} is not defined, or already a member of a group")
            self.members.add(member)
        words = {"any": 1, "all": len(members)}
        threshold = words.get(written) or (int(written) if THRESHOLD.fullmatch(written) else 0)
        if not 1 <= threshold <= len(members):
            raise Malformed(f"{written!r} of {len(members)} members")
        self._add(self.groups, Group(name, threshold, members))

    def _add(self, lines: list, line: object) -> None:
        lines.append(line)
        if len(lines) > MAX_LINES:
            raise Malformed(f"the tlog-policy has more than {MAX_LINES} lines of a kind")

    def _is_defined(self, name: str) -> bool:
        return any(one.name == name for one in [*self.witnesses, *self.groups])

    def _check_free(self, name: str) -> None:
        if name == NONE or self._is_defined(name):
            raise Malformed(f"the name {name!r} is taken")
