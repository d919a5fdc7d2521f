"""Verifies a bundle and answers the four questions about its certificate."""

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from .age import Reading
from .alphabets import remark_on
from .bundle import Bundle, Policy, Record, read_bundle
from .canonical import CERTIFICATE_LEVELS, Malformed, certificate_text, parse_json
from .confirmation import Confirmation, confirmation_of
from .log import Checkpoint, Proof, open_checkpoint
from .status import Evidence, Incomplete, Proved, Standing, check_correction, check_leaves, read_status
from .transaction import Altered, has_one_signer, is_time, milliseconds, read_transaction

OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\n\r]*\{")
NOT_OF_CERTIFICATES = {"formatVersion", "logs", "policyVersion"}
CLOCK_TOLERANCE_MS = 60_000
EXIT_CODES = {"genuine": 0, "altered": 1, "revoked": 4, "withdrawn": 4, "replaced": 4, "unchecked": 5, "oldStatus": 6}


@dataclass(frozen=True)
class Answer:
    value: str  # yes, no or unknown
    reason: str


NOT_ASKED = Answer("unknown", "the bundle was not verified")


@dataclass(frozen=True)
class Report:
    verdict: str
    unchanged: Answer
    issuer: Answer = NOT_ASKED
    time: Answer = NOT_ASKED
    status: Answer = NOT_ASKED
    is_old: bool = False
    confirmed: Confirmation | None = None

    def lines(self) -> list[str]:
        answers = {"unchanged": self.unchanged, "issuer": self.issuer, "time": self.time, "status": self.status}
        lines = [self.verdict] + [f"{name:9}  {one.value:7}  {one.reason}" for name, one in answers.items()]
        if self.confirmed is not None:
            value, reason = self.confirmed.line()
            lines.append(f"confirmed  {value:7}  {reason}")
        return lines

    def exit_code(self, mode: str) -> int:
        """The exit code of `millseal verify`."""
        if self.verdict == "test" and mode == "test" and self.issuer.value == self.status.value == "yes":
            if self.confirmed is not None and self.confirmed.is_missing:
                return 3
            return EXIT_CODES["oldStatus" if self.is_old else "genuine"]
        return EXIT_CODES.get(self.verdict, 3)


@dataclass(frozen=True)
class Certificate:
    """A file, as the hash that the log has of it."""

    kind: str  # json or pdf
    hash: str

    @staticmethod
    def read(content: bytes) -> "Certificate":
        # PDF software accepts the mark anywhere in the first KiB. JSON may have it in a string.
        if b"%PDF-" in content[:1024] and not OBJECT.match(content[:1024]):
            return Certificate("pdf", hashlib.sha256(content).hexdigest())
        value = parse_json(content, CERTIFICATE_LEVELS)
        if not isinstance(value, dict):
            raise Malformed("not a certificate: the JSON is not an object")
        if found := NOT_OF_CERTIFICATES & value.keys():
            raise Malformed(f"not a certificate: a bundle or policy has the member {min(found)!r}")
        return Certificate("json", hashlib.sha256(certificate_text(value)).hexdigest())


def verify_text(file: Certificate, content: bytes, policy: Policy, reading: Reading) -> Report:
    try:
        value = parse_json(content)
    except Malformed as fault:
        return _unchecked(str(fault))
    return verify_bundle(file, value, policy, reading)


def verify_bundle(file: Certificate, value: Any, policy: Policy, reading: Reading) -> Report:
    try:
        evidence = _prove(read_bundle(value), file, policy)
    except (Malformed, Incomplete) as fault:
        return _unchecked(str(fault))
    except Altered as fault:
        return Report("altered", Answer("no", str(fault)))
    confirmed = confirmation_of(evidence.checkpoint.signed, policy)
    return _judge(evidence, policy, read_status(evidence), reading, confirmed)


def _unchecked(reason: str) -> Report:
    return Report("unchecked", Answer("unknown", reason))


def _prove(bundle: Bundle, file: Certificate, policy: Policy) -> Evidence:
    """Steps 2 to 4 of docs/bundle.md."""
    if bundle.format == 1 and not has_one_signer(bundle.entry.transaction):
        raise Incomplete("this program cannot verify a transaction of several keys")
    if read_transaction(bundle.entry.transaction).member(file.kind + "Hash") != file.hash:
        raise Altered("the file is not the certificate of this bundle")
    proof = Proof.parse(bundle.proof)
    if proof.has_extra and bundle.format > 1:
        raise Altered("the proof has extra data, which nothing signs")
    if all(key.name != proof.origin for key in policy.logs):
        raise Incomplete(f"the policy has no log with the name {proof.origin!r}")
    checkpoint = open_checkpoint(proof.signed, policy.logs)
    record = Record(bundle.entry.transaction, bundle.entry.time, proof.index, proof.path)
    entry = _prove_record("the certificate", record, checkpoint)
    if bundle.state_path is not None and not checkpoint.has_state(bundle.state_path):
        raise Altered("the last entry of the checkpoint does not say what the checkpoint says")
    identity = _prove_record("the identity", bundle.identity, checkpoint) if bundle.identity else None
    review = _prove_record("the review", bundle.review, checkpoint) if bundle.review else None
    if bundle.format == 1:
        return Evidence(checkpoint, entry, identity, review, corrections=None)
    check_leaves(bundle, checkpoint, entry.transaction)
    corrections = [_prove_record("a correction", record, checkpoint) for record in bundle.corrections]
    for correction in corrections:
        check_correction(correction.transaction)
    return Evidence(checkpoint, entry, identity, review, corrections if checkpoint.status else None)


def _prove_record(what: str, record: Record, checkpoint: Checkpoint) -> Proved:
    transaction = read_transaction(record.transaction)
    entry = transaction.text + (b"\n" + record.time.encode() if record.time else b"")
    if not checkpoint.tree.includes(entry, record.index, record.path):
        raise Altered(f"{what} is not in the log")
    if record.time > checkpoint.time:
        raise Altered(f"{what} was recorded after the time of the checkpoint")
    return Proved(transaction, record.time)


def _judge(
    evidence: Evidence, policy: Policy, standing: Standing, reading: Reading, confirmed: Confirmation
) -> Report:
    issuer = _judge_issuer(evidence, policy)
    as_of = evidence.checkpoint.time
    is_old = reading.is_old(as_of, policy.max_age_days)
    status = _judge_status(standing)
    if is_old and status.value == "yes":
        status = Answer("yes", f"{status.reason}, as of {as_of!r}, which is too long ago: ask again")
    if standing.revoked:
        verdict = "revoked"
    elif standing.withdrawn:
        verdict = "withdrawn"
    elif standing.replaced:
        verdict = "replaced"
    elif issuer.value == "no":
        verdict = "refused"
    elif evidence.checkpoint.is_test:
        verdict = "test"
    elif issuer.value == "unknown":
        verdict = "unknownIssuer"
    elif status.value == "unknown":
        verdict = "unknownStatus"
    elif confirmed.is_missing:
        verdict = "unconfirmed"
    elif is_old:
        verdict = "oldStatus"
    else:
        verdict = "genuine"
    time = evidence.entry.time
    return Report(
        verdict=verdict,
        unchanged=Answer("yes", f"in the log {evidence.checkpoint.origin!r}"),
        issuer=issuer,
        time=Answer("yes", f"recorded at {time}") if time else Answer("unknown", "the entry has no time"),
        status=status,
        is_old=is_old,
        confirmed=confirmed,
    )


def _judge_issuer(evidence: Evidence, policy: Policy) -> Answer:
    signer = evidence.entry.transaction.signer
    if signer in policy.issuers:
        name = policy.issuers[signer]
        return Answer("yes", f"{name!r}, an issuer of the policy{remark_on(name)}")
    if policy.only_known_issuers:
        return Answer("no", f"{signer} is not an issuer of the policy")
    identity = evidence.own_identity()
    if evidence.review is None or identity is None:
        return Answer("unknown", f"{signer} was not reviewed")
    review = evidence.review.transaction
    vat_id = review.member("vatId")
    if (
        review.member("type") != "review"
        or review.signer != evidence.checkpoint.operator
        or review.member("did") != signer
        or vat_id != identity.member("vatId")
        or not _is_dated_before(review.member("reviewedAt"), evidence.review.time)
        or not review.has_texts("company", "vatId", "reviewedAt", "evidence")
        or not identity.has_texts("company", "vatId")
    ):
        return Answer("unknown", f"{signer} has no valid review")
    company = review.member("company")
    is_own = evidence.checkpoint.operator == signer
    itself = ". The operator of this service is the issuer itself: no one else reviewed it." if is_own else ""
    return Answer("yes", f"{company!r} (VAT id {vat_id!r}), reviewed by the operator of the log{remark_on(str(company))}{itself}")


def _is_dated_before(reviewed_at: str, recorded_at: str) -> bool:
    """Whether a review says that it was made before its entry was recorded. The clocks of a log may differ by a minute."""
    if not is_time(reviewed_at) or not recorded_at:
        return is_time(reviewed_at)
    return milliseconds(reviewed_at) <= milliseconds(recorded_at) + CLOCK_TOLERANCE_MS


def _judge_status(standing: Standing) -> Answer:
    if reason := standing.revoked or standing.withdrawn or standing.replaced:
        return Answer("no", reason)
    if standing.unknown:
        return Answer("unknown", standing.unknown)
    return Answer("yes", "not withdrawn, not replaced, key not revoked")
