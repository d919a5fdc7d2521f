"""The command line: python3 -m millseal_verifier."""

import argparse
import sys
import traceback
from pathlib import Path

from .age import Reading
from .bundle import read_policy_text
from .canonical import Malformed
from .transaction import Altered
from .vectors import run_vectors
from .verify import Certificate, verify_text
from .watch import watch


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="millseal_verifier", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="verify a certificate with its bundle", allow_abbrev=False)
    verify.add_argument("file", type=Path)
    verify.add_argument("--bundle", type=Path, required=True)
    verify.add_argument("--policy", type=Path, required=True)
    verify.add_argument("--mode", choices=["live", "test"], default="live")
    verify.add_argument("--max-status-age", type=int, metavar="DAYS")
    verify.add_argument("--now", help="the time of the verification, by default that of the clock")
    vectors = commands.add_parser("vectors", help="run the test vectors of a folder")
    vectors.add_argument("folder", type=Path)
    watched = commands.add_parser("watch", help="watch a log", allow_abbrev=False)
    watched.add_argument("--from", dest="start", type=Path, required=True, help="a checkpoint or a bundle of the log")
    watched.add_argument("--url", required=True, help="the address of the log, before /checkpoint")
    watched.add_argument("--key", required=True, help="the key of the log")
    watched.add_argument("--state", type=Path, help="where to keep the newest checkpoint")
    watched.add_argument("--once", action="store_true", help="check once and exit")
    watched.add_argument("--full", action="store_true", help="read every entry, and recompute the status tree")
    watched.add_argument("--every", type=float, default=60, help="seconds between two checks")
    return parser.parse_args()


def _run(arguments: argparse.Namespace) -> int:
    match arguments.command:
        case "verify":
            reading = Reading.of(arguments.now, arguments.max_status_age)
            file = Certificate.read(arguments.file.read_bytes())
            policy = read_policy_text(arguments.policy.read_bytes())
            report = verify_text(file, arguments.bundle.read_bytes(), policy, reading)
            print("\n".join(report.lines()))
            return report.exit_code(arguments.mode)
        case "vectors":
            return 0 if run_vectors(arguments.folder) else 1
    options = arguments
    return watch(options.start, options.url, options.key, options.state, options.once, options.every, options.full)


def main() -> int:
    try:
        return _run(_arguments())
    except (Malformed, Altered, OSError, UnicodeError) as fault:
        print(f"millseal_verifier: {fault}", file=sys.stderr)
    except Exception:  # A failure of the program must not have the exit code of a verdict.
        traceback.print_exc()
    return 2


sys.exit(main())
