"""The form of bundles and policies. Nothing here is verified yet."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from .age import LONGEST_AGE_DAYS
from .canonical import Malformed, Number, parse_json
from .log import LogKey, decode_base64, decode_hashes, natural
from .tlog_policy import TlogPolicy
from .transaction import is_time


# The longest path in a tree whose size is a safe integer.
MAX_PATH_LENGTH = 53
FORMAT_2 = "formatVersion entry proof identity review status corrections"


@dataclass(frozen=True)
class Record:
    transaction: dict[str, Any]
    time: str = ""  # empty if the entry has none
    index: int = 0
    path: list[bytes] = field(default_factory=list)


@dataclass(frozen=True)
class Leaf:
    subject: str
    next: str
    entries: list[int]
    index: int
    path: list[bytes]

    @property
    def text(self) -> bytes:
        return "\n".join((self.subject, self.next, " ".join(map(str, self.entries)))).encode()


@dataclass(frozen=True)
class Bundle:
    format: int
    entry: Record
    proof: str
    identity: Record | None = None
    review: Record | None = None
    status: list[Leaf] = field(default_factory=list)
    corrections: list[Record] = field(default_factory=list)
    state_path: list[bytes] | None = None


@dataclass(frozen=True)
class Policy:
    logs: list[LogKey]
    issuers: dict[str, str]  # name by DID
    only_known_issuers: bool
    cosigners: TlogPolicy | None = None  # None if the policy demands nobody
    nodes: set[str] = field(default_factory=set)  # names of witnesses that check every entry
    max_age_days: int | None = None


class _Members:
    """The members of an object, read with the types that they must have."""

    def __init__(self, at: str, value: Any, known: str | None = None) -> None:
        if not isinstance(value, dict):
            raise Malformed(f"{at} is not an object")
        for name in value if known is not None else ():
            if name not in known.split():
                raise Malformed(f"{at} has an unknown member {name!r}")
        self.at, self.members = at, value

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def get(self, name: str, kind: type) -> Any:
        value = self.members.get(name)
        if not isinstance(value, kind):
            raise Malformed(f"{self.at}: {name} is missing or has the wrong type")
        return value

    def text(self, name: str) -> str:
        return self.get(name, str)

    def natural(self, name: str) -> int:
        return natural(self.get(name, Number).text)

    def path(self) -> list[bytes]:
        hashes = decode_hashes(self.text("path"))
        if len(hashes) > MAX_PATH_LENGTH:
            raise Malformed(f"{self.at}: the path is too long")
        return hashes

    def time(self, name: str) -> str:
        if name not in self:
            return ""
        if not is_time(self.text(name)):
            raise Malformed(f"{self.at}: {name} is not a time")
        return self.text(name)


def read_bundle(value: Any) -> Bundle:
    if not isinstance(value, dict) or not isinstance(value.get("formatVersion"), Number):
        raise Malformed("formatVersion is missing or not a number")
    match value["formatVersion"].text:
        case "1":
            return _read_format_1(value)
        case "2":
            return _read_members(value, 2, FORMAT_2)
        case "3":
            bundle = _read_members(value, 3, f"{FORMAT_2} state stamps countersignatures")
            return replace(bundle, state_path=_read_format_3(value))
    raise Malformed(f"format {value['formatVersion'].text[:20]} is not known")


def _read_format_1(value: Any) -> Bundle:
    """Ignores the copies that nothing signs."""
    members = _Members("the bundle", value)
    if value.get("algorithm") != "sha256":
        raise Malformed("the bundle does not use sha256")
    return Bundle(1, Record(members.get("transaction", dict)), members.text("tlogProof"))


def _read_members(value: Any, version: int, known: str) -> Bundle:
    members = _Members("the bundle", value, known)
    entry = _Members("entry", members.get("entry", dict), "transaction time")
    return Bundle(
        format=version,
        entry=Record(entry.get("transaction", dict), entry.time("time")),
        proof=members.text("proof"),
        identity=_read_record("identity", members.get("identity", dict)) if "identity" in members else None,
        review=_read_record("review", members.get("review", dict)) if "review" in members else None,
        status=[_read_leaf(f"status/{at}", item) for at, item in enumerate(members.get("status", list))],
        corrections=[
            _read_record(f"corrections/{at}", item) for at, item in enumerate(members.get("corrections", list))
        ],
    )


def _read_format_3(value: Any) -> list[bytes] | None:
    """Looks only at the form of stamps and countersignatures, which this program does not check."""
    members = _Members("the bundle", value)
    for name in ("stamps", "countersignatures"):
        if not all(isinstance(part, dict) for part in members.get(name, list)):
            raise Malformed(f"{name} is not a list of objects")
    return _Members("state", members.get("state", dict), "path").path() if "state" in members else None


def _read_record(at: str, value: Any) -> Record:
    members = _Members(at, value, "transaction time index path")
    return Record(
        transaction=members.get("transaction", dict),
        time=members.time("time"),
        index=members.natural("index"),
        path=members.path(),
    )


def _read_leaf(at: str, value: Any) -> Leaf:
    members = _Members(at, value, "subject next entries index path")
    entries = members.get("entries", list)
    if not all(isinstance(entry, Number) for entry in entries):
        raise Malformed(f"{at}: entries is not a list of integers")
    return Leaf(
        subject=members.text("subject"),
        next=members.text("next"),
        entries=[natural(entry.text) for entry in entries],
        index=members.natural("index"),
        path=members.path(),
    )


SHARED = "policyVersion issuers onlyKnownIssuers"
MAX_AUTHORITIES = 8
STARTS_AS_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\n\r]*\{")


def read_policy_text(content: bytes) -> Policy:
    """JSON, or the bare text of a tlog-policy."""
    if STARTS_AS_OBJECT.match(content):
        return read_policy(parse_json(content))
    try:
        return read_policy({"policyVersion": Number("2"), "log": content.decode()})
    except UnicodeDecodeError:
        raise Malformed("the policy is not UTF-8") from None


def read_policy(value: Any) -> Policy:
    version = _Members("the policy", value)
    match version.natural("policyVersion") if "policyVersion" in version else 1:
        case 1:
            members = _Members("the policy", value, f"{SHARED} logs")
            logs = members.get("logs", list) if "logs" in members else []
            if not all(isinstance(vkey, str) for vkey in logs):
                raise Malformed("the policy: logs is not a list of keys")
            return Policy([LogKey.parse(vkey) for vkey in logs], *_read_shared(members))
        case 2:
            return _read_policy_2(_Members("the policy", value, f"{SHARED} log nodes maxStatusAge authorities"))
    raise Malformed("the policy has another version than 1 and 2")


def _read_shared(members: _Members) -> tuple[dict[str, str], bool]:
    issuers = [
        _Members("an issuer of the policy", item)
        for item in (members.get("issuers", list) if "issuers" in members else [])
    ]
    return (
        {issuer.text("did"): issuer.text("name") for issuer in reversed(issuers)},  # The first counts.
        members.get("onlyKnownIssuers", bool) if "onlyKnownIssuers" in members else False,
    )


def _read_policy_2(members: _Members) -> Policy:
    cosigners = TlogPolicy.parse(members.text("log")) if "log" in members else None
    nodes = members.get("nodes", list) if "nodes" in members else []
    names = [witness.name for witness in cosigners.witnesses] if cosigners else []
    if not all(isinstance(node, str) and node in names for node in nodes):
        raise Malformed("the policy: nodes has a name that no witness line has")
    days = members.natural("maxStatusAge") if "maxStatusAge" in members else None
    if days is not None and days > LONGEST_AGE_DAYS:
        raise Malformed(f"the policy: maxStatusAge is more than {LONGEST_AGE_DAYS} days")
    if "authorities" in members:
        _check_authorities(members.get("authorities", list))
    logs = cosigners.logs if cosigners else []
    return Policy(logs, *_read_shared(members), cosigners, set(nodes), days)


def _check_authorities(authorities: list[Any]) -> None:
    """Looks only at the form: this program does not check time stamps."""
    if len(authorities) > MAX_AUTHORITIES:
        raise Malformed(f"the policy has more than {MAX_AUTHORITIES} authorities")
    for item in authorities:
        authority = _Members("an authority of the policy", item, "name root")
        authority.text("name")
        decode_base64(authority.text("root"))
