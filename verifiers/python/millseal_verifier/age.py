"""How old the status of a bundle may be."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from .canonical import Malformed

MAX_AGE_DAYS = 30
LONGEST_AGE_DAYS = 36500


@dataclass(frozen=True)
class Reading:
    """When a bundle is verified, and how old its status may be."""

    now: datetime
    max_age: timedelta | None  # None if the reader says none

    @staticmethod
    def of(now: str | None, days: int | None) -> "Reading":
        """Now, unless a time is given."""
        if days is not None and not 0 <= days <= LONGEST_AGE_DAYS:
            raise Malformed(f"the maximum age must be 0 to {LONGEST_AGE_DAYS} days")
        at = _parse(now) if now is not None else datetime.now(timezone.utc)
        if at is None:
            raise Malformed(f"{now!r} is not a time such as 2026-11-22T05:30:00Z")
        return Reading(at, None if days is None else timedelta(days=days))

    def is_old(self, as_of: str, allowed_days: int | None) -> bool:
        """True without a time, because nobody knows the age. A status in the future is not old: clocks differ.

        Of the ages that the reader says and that the policy allows, the shorter one counts.
        """
        at = _parse(as_of)
        allowed = None if allowed_days is None else timedelta(days=allowed_days)
        said = [age for age in (self.max_age, allowed) if age is not None]
        return at is None or self.now - at > min(said, default=timedelta(days=MAX_AGE_DAYS))


def _parse(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else None
