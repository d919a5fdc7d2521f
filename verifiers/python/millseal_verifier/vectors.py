"""Compares vectors with what this program answers."""

from pathlib import Path
from typing import Any

from .age import Reading
from .bundle import read_policy, read_policy_text
from .canonical import VECTOR_LEVELS, Malformed, parse_json
from .log import decode_base64, natural
from .verify import Answer, Certificate, Report, verify_bundle, verify_text


def run_vectors(folder: Path) -> bool:
    """Whether all answers are those of the vectors; prints each difference."""
    count = differences = 0
    for path in sorted(folder.glob("*.json")):
        for vector in parse_json(path.read_bytes(), VECTOR_LEVELS):
            count += 1
            if difference := _compare(vector):
                differences += 1
                print(f"{path.name}: {difference}")
    print(f"{count} vectors, {differences} differences")
    return count > 0 and differences == 0


def _compare(vector: Any) -> str:
    match vector:
        case {
            "name": str(name),
            "file": dict(file),
            "verdict": str(expected),
        }:
            pass
        case _:
            return "a vector is malformed"
    try:
        report = _verify(vector, file, _reading(vector))
    except Malformed as fault:
        return f"{name!r}: {fault}"
    # A vector may allow several verdicts: "altered|unchecked".
    if report.verdict not in expected.split("|"):
        return f"{name!r}: expected {expected}, got {report.verdict} ({report.unchanged.reason})"
    confirmed = report.confirmed
    if "confirmedBy" in vector and confirmed is not None:
        if (confirmed.by, confirmed.before) != (vector["confirmedBy"], vector.get("before", "")):
            return f"{name!r}: confirmed by {confirmed.by} before {confirmed.before!r}"
    return ""


def _reading(vector: dict[str, Any]) -> Reading:
    """Most vectors say nothing of it: they were written on the day of their status."""
    days = vector.get("maxStatusAgeDays")
    now = vector.get("now", "2026-11-22T06:00:00.000Z")
    return Reading.of(now, None if days is None else natural(days.text))


def _verify(vector: dict[str, Any], file: dict[str, Any], reading: Reading) -> Report:
    """Answers the question of a vector. Its files are given by their bytes where their text matters."""
    try:
        policy = (
            read_policy_text(decode_base64(vector["policyBytes"]))
            if "policyBytes" in vector
            else read_policy(vector["policy"])
        )
        certificate = (
            Certificate.read(decode_base64(file["bytes"]))
            if "bytes" in file
            else Certificate(file["kind"], file["hash"])
        )
    except Malformed as fault:
        return Report("unreadable", Answer("unknown", str(fault)))
    if "bundleBytes" in vector:
        return verify_text(certificate, decode_base64(vector["bundleBytes"]), policy, reading)
    return verify_bundle(certificate, vector["bundle"], policy, reading)
