"""What the corrections in the log say about a certificate."""

import re
from dataclasses import dataclass

from .bundle import Bundle, Leaf
from .log import Checkpoint
from .transaction import Altered, Transaction, is_did, is_time

ID = re.compile(r"[0-9a-f]{64}")
SUBJECT = re.compile(r"certificate [0-9a-f]{64}|key did:key:z[1-9A-HJ-NP-Za-km-z]{40,64}")


@dataclass(frozen=True)
class Proved:
    """A record that is verified and in the log."""

    transaction: Transaction
    time: str


@dataclass(frozen=True)
class Evidence:
    """What a bundle contains, every signature and every path verified."""

    checkpoint: Checkpoint
    entry: Proved
    identity: Proved | None
    review: Proved | None
    corrections: list[Proved] | None  # None if the bundle does not tell

    def own_identity(self) -> Transaction | None:
        """The identity, if the key of the certificate signed it for itself."""
        if self.identity is None:
            return None
        identity, signer = self.identity.transaction, self.entry.transaction.signer
        is_own = (
            identity.member("type") == "identity"
            and identity.signer == signer
            and identity.member("did") == signer
            and identity.member("publicKey") == identity.key
        )
        return identity if is_own else None


    def recovery(self) -> str:
        """The DID that may revoke the key, if the key itself named it; or empty."""
        if self.identity is None:
            return ""
        identity = self.identity.transaction
        is_right = identity.member("type") == "identity" and identity.signer == self.entry.transaction.signer
        return identity.member("recoveryDid") if is_right else ""


@dataclass(frozen=True)
class Standing:
    """Reasons; empty where there is none."""

    unknown: str = ""
    revoked: str = ""
    withdrawn: str = ""
    replaced: str = ""


class Incomplete(Exception):
    """Nothing is wrong, but something is missing."""


def check_leaves(bundle: Bundle, checkpoint: Checkpoint, certificate: Transaction) -> None:
    """The leaves must be those asked for, and the bundle must have all corrections that they list."""
    subjects = ["certificate " + certificate.id, "key " + certificate.signer] if checkpoint.status else []
    if len(bundle.status) != len(subjects):
        raise Incomplete(f"status does not have {len(subjects)} leaves, as the checkpoint demands")
    listed: set[int] = set()
    for at, (leaf, subject) in enumerate(zip(bundle.status, subjects)):
        if not checkpoint.status or not _is_well_formed(leaf) or not checkpoint.status.includes(leaf.text, leaf.index, leaf.path):
            raise Altered(f"status/{at} is not in the status tree")
        if leaf.subject == subject:
            listed.update(leaf.entries)
        elif not _is_between(leaf, subject):
            raise Altered(f"status/{at} does not answer for {subject!r}")
    if [correction.index for correction in bundle.corrections] != sorted(listed):
        raise Incomplete("corrections are not exactly those that the leaves list, in ascending order")


def _is_well_formed(leaf: Leaf) -> bool:
    """Whether an honest status tree may have such a leaf."""
    is_first = leaf.subject == ""
    return (
        (is_first or bool(SUBJECT.fullmatch(leaf.subject)))
        and (leaf.index == 0) == is_first == (not leaf.entries)
        and (not leaf.next or (bool(SUBJECT.fullmatch(leaf.next)) and leaf.subject < leaf.next))
        and leaf.entries == sorted(set(leaf.entries))
    )


def _is_between(leaf: Leaf, subject: str) -> bool:
    before, asked, after = leaf.subject.encode(), subject.encode(), leaf.next.encode()
    return before < asked and (not after or asked < after)


def check_correction(transaction: Transaction) -> None:
    """Refuses a correction that no log may contain."""
    match transaction.asset:
        case {"type": "correction", "action": "withdraw", "reason": str(reason), "transactionId": str(id), **more}:
            is_right = bool(ID.fullmatch(id))
        case {
            "type": "correction",
            "action": "replace",
            "reason": str(reason),
            "transactionId": str(id),
            "replacedBy": str(other),
            **more,
        }:
            is_right = bool(ID.fullmatch(id) and ID.fullmatch(other)) and id != other
        case {
            "type": "correction",
            "action": "revoke-key",
            "reason": str(reason),
            "did": str(did),
            "since": str(since),
            **more,
        }:
            is_right = is_did(did) and is_time(since)
        case {"type": "correction"}:
            raise Altered("a correction is malformed")
        case _:
            return
    if not is_right or more or not 1 <= len(reason) <= 500:
        raise Altered("a correction is malformed")


def read_status(evidence: Evidence) -> Standing:
    if evidence.corrections is None:
        return Standing(unknown="the bundle does not say whether the certificate was corrected")
    revocations: list[Transaction] = []
    for one in evidence.corrections:
        if one.time and _revokes(one.transaction, evidence) and not _is_stolen(one, evidence, revocations):
            revocations.append(one.transaction)
    found: dict[str, str] = {}
    for revocation in revocations:
        since = revocation.member("since")
        if not evidence.entry.time or since <= evidence.entry.time:
            found["revoked"] = f"the key is revoked since {since}: {revocation.member('reason')!r}"
    for correction in evidence.corrections:
        if not _counts(correction, evidence, revocations):
            continue
        reason = correction.transaction.member("reason")
        match correction.transaction.member("action"):
            case "withdraw":
                found["withdrawn"] = f"withdrawn: {reason!r}"
            case "replace":
                by = correction.transaction.member("replacedBy")
                found["replaced"] = f"replaced by {by!r}: {reason!r}"
    if not all(_is_allowed(correction, evidence) for correction in evidence.corrections):
        found["unknown"] = "the log lists a correction that nobody may have made"
    return Standing(**found)


def _is_allowed(correction: Proved, evidence: Evidence) -> bool:
    """Whether an honest log may list this correction for this certificate and key."""
    transaction = correction.transaction
    return bool(correction.time) and (_revokes(transaction, evidence) or _corrects(transaction, evidence))


def _corrects(transaction: Transaction, evidence: Evidence) -> bool:
    certificate = evidence.entry.transaction
    return (
        transaction.member("type") == "correction"
        and transaction.member("transactionId") == certificate.id
        and transaction.signer in (certificate.signer, evidence.checkpoint.operator)
    )


def _revokes(correction: Transaction, evidence: Evidence) -> bool:
    """Whether this is a counting revocation of the key of the certificate."""
    signer = evidence.entry.transaction.signer
    may_sign = {signer, evidence.checkpoint.operator, evidence.recovery()}
    return (
        correction.member("type") == "correction"
        and correction.member("action") == "revoke-key"
        and correction.member("did") == signer
        and correction.signer in may_sign
    )


def _counts(correction: Proved, evidence: Evidence, revocations: list[Transaction]) -> bool:
    """Whether this is a counting correction of the certificate itself."""
    if not correction.time or not _corrects(correction.transaction, evidence):
        return False
    return not _is_stolen(correction, evidence, revocations)


def _is_stolen(correction: Proved, evidence: Evidence, revocations: list[Transaction]) -> bool:
    """Whether the key of the certificate signed it after one of the revocations."""
    signer = correction.transaction.signer
    if signer == evidence.checkpoint.operator or signer != evidence.entry.transaction.signer:
        return False
    return any(correction.time >= revocation.member("since") for revocation in revocations)
