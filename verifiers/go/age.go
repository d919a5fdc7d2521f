package main

import (
	"fmt"
	"strconv"
	"time"
)

const (
	day            = 24 * time.Hour
	maxAgeDays     = 30
	longestAgeDays = 36500
)

// reading is when a bundle is verified, and how old its status may be.
type reading struct {
	now    time.Time
	maxAge time.Duration
	isSaid bool // whether the reader said a maximum age
}

// ageNotSaid is the maximum age of a reader who says none.
const ageNotSaid = -1

// limitedBy uses the age that the policy accepts, unless the reader said a shorter one.
func (r reading) limitedBy(days *int64) reading {
	if days == nil {
		return r
	}
	if allowed := time.Duration(*days) * day; !r.isSaid || allowed < r.maxAge {
		r.maxAge = allowed
	}
	return r
}

// readingOf is now, unless a time is given.
func readingOf(now string, days int64) (reading, error) {
	isSaid := days != ageNotSaid
	if !isSaid {
		days = maxAgeDays
	}
	if days < 0 || days > longestAgeDays {
		return reading{}, fmt.Errorf("the maximum age must be 0 to %d days", longestAgeDays)
	}
	at := time.Now()
	if now != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, now); err != nil {
			return reading{}, fmt.Errorf("%q is not a time such as 2026-11-22T05:30:00Z", now)
		}
	}
	return reading{at, time.Duration(days) * day, isSaid}, nil
}

// isOld is true for a status without a time, whose age nobody knows. One in the future is not old: clocks differ.
func (r reading) isOld(asOf string) bool {
	at, err := time.Parse(time.RFC3339, asOf)
	return err != nil || r.now.Sub(at) > r.maxAge
}

// readingFrom reads the arguments of the command line.
func readingFrom(now, days string) (reading, error) {
	if days == "" {
		return readingOf(now, ageNotSaid)
	}
	count, err := strconv.ParseInt(days, 10, 64)
	if err != nil || count < 0 {
		return reading{}, fmt.Errorf("%q is not a number of days", days)
	}
	return readingOf(now, count)
}
