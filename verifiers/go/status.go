package main

import (
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// proveStatus checks that the leaves are those asked for, and that the bundle has all corrections they list.
func (e *evidence) proveStatus(b *bundle) error {
	var subjects []string
	if e.knowsStatus {
		subjects = []string{"certificate " + e.entry.id, "key " + e.entry.signer}
	}
	if len(b.status) != len(subjects) {
		return incomplete("status does not have %d leaves, as the checkpoint demands", len(subjects))
	}
	listed := map[int64]bool{}
	for i, subject := range subjects {
		l := b.status[i]
		if !l.isWellFormed() || !isIncluded(l.text(), l.index, l.path, *e.checkpoint.status) {
			return fmt.Errorf("status/%d is not in the status tree", i)
		}
		if l.subject == subject {
			for _, entry := range l.entries {
				listed[entry] = true
			}
		} else if !(l.subject < subject && (l.next == "" || subject < l.next)) {
			return fmt.Errorf("status/%d does not answer for %q", i, subject)
		}
	}
	previous := int64(-1)
	for _, c := range b.corrections {
		if !listed[c.index] || c.index <= previous {
			return incomplete("corrections that the leaves do not list, or not in ascending order")
		}
		previous = c.index
	}
	if len(b.corrections) < len(listed) {
		return incomplete("corrections that the leaves list are missing")
	}
	return nil
}

var subjectText = regexp.MustCompile(`^(certificate [0-9a-f]{64}|key did:key:z[1-9A-HJ-NP-Za-km-z]{40,64})$`)

// isWellFormed refuses a leaf that no honest status tree has.
func (l leaf) isWellFormed() bool {
	isFirst := l.subject == ""
	if isFirst != (l.index == 0) || isFirst != (len(l.entries) == 0) || !isFirst && !subjectText.MatchString(l.subject) {
		return false
	}
	if l.next != "" && (!subjectText.MatchString(l.next) || l.next <= l.subject) {
		return false
	}
	for i := 1; i < len(l.entries); i++ {
		if l.entries[i] <= l.entries[i-1] {
			return false
		}
	}
	return true
}

var transactionIDText = regexp.MustCompile(`^[0-9a-f]{64}$`)

// checkCorrection refuses a correction that no log may contain.
func checkCorrection(c *proved) error {
	if c.member("type") != "correction" {
		return nil
	}
	members := map[string]bool{"type": true, "action": true, "reason": true}
	isRight := true
	switch c.member("action") {
	case "replace":
		members["replacedBy"] = true
		isRight = transactionIDText.MatchString(c.member("replacedBy")) && c.member("replacedBy") != c.member("transactionId")
		fallthrough
	case "withdraw":
		members["transactionId"] = true
		isRight = isRight && transactionIDText.MatchString(c.member("transactionId"))
	case "revoke-key":
		members["did"], members["since"] = true, true
		isRight = isDID(c.member("did")) && isTime(c.member("since"))
	default:
		isRight = false
	}
	length := utf8.RuneCountInString(c.member("reason"))
	if !isRight || length < 1 || length > 500 || len(c.asset) != len(members) {
		return errors.New("a correction is malformed")
	}
	for name := range c.asset {
		if !members[name] {
			return errors.New("a correction is malformed")
		}
	}
	return nil
}

// standing is what the corrections say about the certificate.
type standing struct {
	unknown                      string // why the status is not known
	revoked, withdrawn, replaced string // why
}

func (e *evidence) readStatus() standing {
	if !e.knowsStatus {
		return standing{unknown: "the bundle does not say whether the certificate was corrected"}
	}
	revocations := e.revocations()
	s := standing{}
	for _, r := range revocations {
		if since := r.member("since"); r.member("did") == e.entry.signer && (e.entry.time == "" || since <= e.entry.time) {
			s.revoked = fmt.Sprintf("the key is revoked since %s: %q", since, r.member("reason"))
		}
	}
	for _, c := range e.corrections {
		if !e.countsForCertificate(c, revocations) {
			continue
		}
		switch c.member("action") {
		case "withdraw":
			s.withdrawn = fmt.Sprintf("withdrawn: %q", c.member("reason"))
		case "replace":
			s.replaced = fmt.Sprintf("replaced by %q: %q", c.member("replacedBy"), c.member("reason"))
		}
	}
	for _, c := range e.corrections {
		if !e.isAllowed(c) {
			s.unknown = "the log lists a correction that nobody may have made"
		}
	}
	return s
}

// isAllowed tells whether an honest log may list this correction for this certificate and key.
func (e *evidence) isAllowed(c proved) bool {
	return c.time != "" && (e.revokes(c) || e.corrects(c))
}

func (e *evidence) revokes(c proved) bool {
	mayRevoke := c.signer == e.entry.signer || e.isOperator(c.signer) || (e.recovery() != "" && c.signer == e.recovery())
	return c.member("type") == "correction" && c.member("action") == "revoke-key" &&
		c.member("did") == e.entry.signer && mayRevoke
}

func (e *evidence) corrects(c proved) bool {
	return c.member("type") == "correction" && c.member("transactionId") == e.entry.id &&
		(c.signer == e.entry.signer || e.isOperator(c.signer))
}

// revocations returns the counting revoke-key corrections of the signer's key: not those that the key signed after an earlier one.
func (e *evidence) revocations() []proved {
	var found []proved
	for _, c := range e.corrections {
		if c.time != "" && e.revokes(c) && !e.isStolen(c, found) {
			found = append(found, c)
		}
	}
	return found
}

func (e *evidence) countsForCertificate(c proved, revocations []proved) bool {
	if c.time == "" || !e.corrects(c) {
		return false
	}
	return !e.isStolen(c, revocations)
}

// isStolen tells whether the key of the certificate signed the correction after one of the revocations.
func (e *evidence) isStolen(c proved, revocations []proved) bool {
	if e.isOperator(c.signer) || c.signer != e.entry.signer {
		return false
	}
	for _, r := range revocations {
		if c.time >= r.member("since") {
			return true
		}
	}
	return false
}

func (e *evidence) isOperator(did string) bool { return e.checkpoint.operator == did }

// ownIdentity returns the identity if the key of the certificate signed it for itself.
func (e *evidence) ownIdentity() *proved {
	i := e.identity
	if i == nil || i.member("type") != "identity" || i.signer != e.entry.signer || i.member("did") != i.signer ||
		i.member("publicKey") != i.key {
		return nil
	}
	return i
}

// recovery returns the DID that may revoke the key, if the key itself named it.
func (e *evidence) recovery() string {
	if i := e.identity; i != nil && i.member("type") == "identity" && i.signer == e.entry.signer {
		return i.member("recoveryDid")
	}
	return ""
}
