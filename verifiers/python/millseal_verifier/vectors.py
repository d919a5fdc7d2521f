"""Compares vectors with what this program answers."""

from pathlib import Path
from typing import Any

from .bundle import read_policy
from .canonical import Malformed, parse_json
from .verify import Certificate, verify_bundle


def run_vectors(folder: Path) -> bool:
    """Whether all answers are those of the vectors; prints each difference."""
    count = differences = 0
    for path in sorted(folder.glob("*.json")):
        for vector in parse_json(path.read_bytes()):
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
            "file": {"kind": str(kind), "hash": str(hashed)},
            "bundle": bundle,
            "policy": policy,
            "verdict": str(expected),
        }:
            pass
        case _:
            return "a vector is malformed"
    try:
        report = verify_bundle(Certificate(kind, hashed), bundle, read_policy(policy))
    except Malformed as fault:
        return f"{name!r}: {fault}"
    # A vector may allow several verdicts: "altered|unchecked".
    if report.verdict in expected.split("|"):
        return ""
    return f"{name!r}: expected {expected}, got {report.verdict} ({report.unchanged.reason})"
