"""Who stands for what a checkpoint says, by the policy."""

from dataclasses import dataclass, field
from datetime import datetime, timezone

from . import ed25519
from .bundle import Policy
from .canonical import Malformed
from .log import decode_base64
from .tlog_policy import TlogPolicy, Witness

COSIGNATURE_LENGTH = 4 + 8 + 64
LAST_SECOND = 253_402_300_799  # The end of the year 9999.


@dataclass
class Confirmation:
    by: str = "operator"  # nodes, witnesses or operator
    names: list[str] = field(default_factory=list)
    before: str = ""  # empty if no quorum signed
    is_demanded: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether the policy demands a quorum that has not signed."""
        return self.is_demanded and self.by == "operator"

    def line(self) -> tuple[str, str]:
        names = ", ".join(self.names)
        match self.by:
            case "nodes":
                return "yes", f"held by independent nodes: {names!r}, before {self.before}"
            case "witnesses":
                says = "what was withdrawn is said by the operator alone"
                return "yes", f"witnessed by {names!r}, before {self.before}; {says}"
        if self.is_demanded:
            return "no", f"only the operator says so; {names!r} are no quorum of the policy"
        return "unknown", "only the operator says so; the policy demands no others"


def confirmation_of(signed: str, policy: Policy) -> Confirmation:
    """Judges the lines of a verified checkpoint."""
    cosigners = policy.cosigners
    if cosigners is None:
        return Confirmation()
    text, _, lines = signed.rpartition("\n\n")
    found: list[tuple[int, str]] = []
    for line in lines[:-1].split("\n"):
        for witness in cosigners.witnesses:
            seconds = _time_of(witness, text + "\n", line)
            if seconds is not None:
                found.append((seconds, witness.name))
    found.sort(key=lambda one: one[0])
    by_nodes = _quorum_among(found, policy.nodes, cosigners)
    if by_nodes.before:
        by_nodes.by = "nodes"
        return by_nodes
    by_all = _quorum_among(found, {witness.name for witness in cosigners.witnesses}, cosigners)
    if by_all.before:
        by_all.by = "witnesses"
    return by_all


def _time_of(witness: Witness, text: str, line: str) -> int | None:
    """The time of a line that this witness signed. Every other line counts for nothing."""
    name, _, encoded = line.removeprefix("— ").partition(" ")
    try:
        data = decode_base64(encoded)
    except Malformed:
        return None
    if name != witness.key_name or len(data) != COSIGNATURE_LENGTH or data[:4] != witness.id:
        return None
    seconds = int.from_bytes(data[4:12])
    message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
    is_valid = seconds <= LAST_SECOND and ed25519.verify(witness.key, message, data[12:])
    return seconds if is_valid else None


def _quorum_among(found: list[tuple[int, str]], asked: set[str], cosigners: TlogPolicy) -> Confirmation:
    """The first time at which these witnesses were a quorum."""
    confirmation = Confirmation(is_demanded=not cosigners.demands_nobody)
    for seconds, name in found:
        if name not in asked or name in confirmation.names:
            continue
        confirmation.names.append(name)
        if not confirmation.before and cosigners.is_quorum(set(confirmation.names)):
            # The time of a cosignature is in whole seconds.
            time = datetime.fromtimestamp(seconds + 1, timezone.utc)
            confirmation.before = time.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return confirmation
