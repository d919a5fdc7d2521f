package main

import (
	"fmt"
	"io"
	"time"
)

type answer struct {
	value  string // yes, no or unknown
	reason string
}

type report struct {
	verdict                         string
	unchanged, issuer, time, status answer
	isOld                           bool
	confirmed                       confirmation
}

var notAsked = answer{"unknown", "the bundle was not verified"}

func unchecked(reason string) report {
	return report{"unchecked", answer{"unknown", reason}, notAsked, notAsked, notAsked, false, confirmation{}}
}

func altered(reason string) report {
	return report{"altered", answer{"no", reason}, notAsked, notAsked, notAsked, false, confirmation{}}
}

// judge answers the four questions about a bundle that is unchanged and complete.
func (e *evidence) judge(p *policy, s standing, when reading) report {
	r := report{
		unchanged: answer{"yes", fmt.Sprintf("in the log %q", e.checkpoint.origin)},
		issuer:    e.judgeIssuer(p),
		time:      answer{"yes", "recorded at " + e.entry.time},
		status:    s.answer(),
		isOld:     when.limitedBy(p.maxAgeDays).isOld(e.checkpoint.time),
		confirmed: e.confirmed,
	}
	if r.isOld && r.status.value == "yes" {
		r.status.reason += fmt.Sprintf(", as of %q, which is too long ago: ask again", e.checkpoint.time)
	}
	if e.entry.time == "" {
		r.time = answer{"unknown", "the entry has no time"}
	}
	switch {
	case s.revoked != "":
		r.verdict = "revoked"
	case s.withdrawn != "":
		r.verdict = "withdrawn"
	case s.replaced != "":
		r.verdict = "replaced"
	case r.issuer.value == "no":
		r.verdict = "refused"
	case e.checkpoint.isTest():
		r.verdict = "test"
	case r.issuer.value == "unknown":
		r.verdict = "unknownIssuer"
	case r.status.value == "unknown":
		r.verdict = "unknownStatus"
	case r.isUnconfirmed():
		r.verdict = "unconfirmed"
	case r.isOld:
		r.verdict = "oldStatus"
	default:
		r.verdict = "genuine"
	}
	return r
}

// isUnconfirmed tells whether the policy demands a quorum that has not signed.
func (r report) isUnconfirmed() bool { return r.confirmed.isDemanded && r.confirmed.by == "operator" }

func (e *evidence) judgeIssuer(p *policy) answer {
	signer := e.entry.signer
	if name, known := p.issuers[signer]; known {
		return answer{"yes", fmt.Sprintf("%q, an issuer of the policy", name) + remarkOn(name)}
	}
	if p.onlyKnownIssuers {
		return answer{"no", signer + " is not an issuer of the policy"}
	}
	review, identity := e.review, e.ownIdentity()
	if review == nil || identity == nil {
		return answer{"unknown", signer + " was not reviewed"}
	}
	vatID := review.member("vatId")
	if review.member("type") != "review" || !e.isOperator(review.signer) || review.member("did") != signer ||
		identity.member("vatId") != vatID ||
		!review.isDatedBefore() || !review.hasTexts("company", "vatId", "reviewedAt", "evidence") || !identity.hasTexts("company", "vatId") {
		return answer{"unknown", signer + " has no valid review"}
	}
	company := review.member("company")
	reason := fmt.Sprintf("%q (VAT id %q), reviewed by the operator of the log", company, vatID) + remarkOn(company)
	if e.isOperator(signer) {
		reason += ". The operator of this service is the issuer itself: no one else reviewed it."
	}
	return answer{"yes", reason}
}

// clockTolerance is how much the clocks of an operator's machines may differ.
const clockTolerance = time.Minute

// isDatedBefore tells whether a review says that it was made before its entry was recorded.
func (review *proved) isDatedBefore() bool {
	reviewedAt := review.member("reviewedAt")
	if !isTime(reviewedAt) || review.time == "" {
		return isTime(reviewedAt)
	}
	made, _ := time.Parse(timeLayout, reviewedAt)
	recorded, _ := time.Parse(timeLayout, review.time)
	return !made.After(recorded.Add(clockTolerance))
}

func (s standing) answer() answer {
	for _, reason := range []string{s.revoked, s.withdrawn, s.replaced} {
		if reason != "" {
			return answer{"no", reason}
		}
	}
	if s.unknown != "" {
		return answer{"unknown", s.unknown}
	}
	return answer{"yes", "not withdrawn, not replaced, key not revoked"}
}

func (r report) print(out io.Writer) {
	fmt.Fprintln(out, r.verdict)
	for _, line := range []struct {
		question string
		answer
	}{{"unchanged", r.unchanged}, {"issuer", r.issuer}, {"time", r.time}, {"status", r.status}} {
		fmt.Fprintf(out, "%-9s  %-7s  %s\n", line.question, line.value, line.reason)
	}
	if r.confirmed.by != "" {
		confirmed := r.confirmed.answer()
		fmt.Fprintf(out, "%-9s  %-7s  %s\n", "confirmed", confirmed.value, confirmed.reason)
	}
}

// exitCode is that of `millseal verify`.
func (r report) exitCode(mode string) int {
	switch r.verdict {
	case "genuine":
		return 0
	case "altered":
		return 1
	case "revoked", "withdrawn", "replaced":
		return 4
	case "unchecked":
		return exitUnchecked
	case "oldStatus":
		return exitOld
	case "test":
		if mode != "test" || r.issuer.value != "yes" || r.status.value != "yes" || r.isUnconfirmed() {
			return 3
		}
		if r.isOld {
			return exitOld
		}
		return 0
	}
	return 3
}
