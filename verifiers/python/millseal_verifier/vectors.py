"""Compares vectors with what this program answers."""

from pathlib import Path
from typing import Any

from .age import MAX_AGE_DAYS, Reading
from .bundle import read_policy
from .canonical import VECTOR_LEVELS, Malformed, parse_json
from .log import decode_base64, natural
from .verify import Certificate, verify_bundle, verify_text


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
        verdict, reason = _verify(vector, file, _reading(vector))
    except Malformed as fault:
        return f"{name!r}: {fault}"
    # A vector may allow several verdicts: "altered|unchecked".
    if verdict in expected.split("|"):
        return ""
    return f"{name!r}: expected {expected}, got {verdict} ({reason})"


def _reading(vector: dict[str, Any]) -> Reading:
    """Most vectors say nothing of it: they were written on the day of their status."""
    days = vector.get("maxStatusAgeDays")
    now = vector.get("now", "2026-11-22T06:00:00.000Z")
    return Reading.of(now, MAX_AGE_DAYS if days is None else natural(days.text))


def _verify(vector: dict[str, Any], file: dict[str, Any], reading: Reading) -> tuple[str, str]:
    """Answers the question of a vector. Its files are given by their bytes where their text matters."""
    try:
        policy = read_policy(
            parse_json(decode_base64(vector["policyBytes"])) if "policyBytes" in vector else vector["policy"]
        )
        certificate = (
            Certificate.read(decode_base64(file["bytes"]))
            if "bytes" in file
            else Certificate(file["kind"], file["hash"])
        )
    except Malformed as fault:
        return "unreadable", str(fault)
    if "bundleBytes" in vector:
        report = verify_text(certificate, decode_base64(vector["bundleBytes"]), policy, reading)
    else:
        report = verify_bundle(certificate, vector["bundle"], policy, reading)
    return report.verdict, report.unchanged.reason
