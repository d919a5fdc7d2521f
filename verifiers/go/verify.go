package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// certificate is what is verified: a file, as the hash that the log has of it.
type certificate struct {
	kind string // json or pdf
	hash string
}

func readCertificate(path string) (certificate, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return certificate{}, err
	}
	file, err := certificateOf(content)
	if err != nil {
		return certificate{}, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

func certificateOf(content []byte) (certificate, error) {
	if isPDF(content) {
		return certificate{"pdf", hexSHA256(content)}, nil
	}
	value, err := parseJSON(content, certificateLevels)
	if err != nil {
		return certificate{}, fmt.Errorf("neither a PDF nor JSON: %w", err)
	}
	members, isObject := value.(object)
	if !isObject {
		return certificate{}, errors.New("not a certificate: the JSON is not an object")
	}
	for _, name := range []string{"formatVersion", "logs", "policyVersion"} {
		if _, exists := members[name]; exists {
			return certificate{}, fmt.Errorf("not a certificate: a bundle or policy has the member %q", name)
		}
	}
	text, err := certificateForm.canonical(value)
	if err != nil {
		return certificate{}, err
	}
	return certificate{"json", hexSHA256([]byte(text))}, nil
}

var beginsObject = regexp.MustCompile("^(?:\ufeff)?[ \\t\\n\\r]*\\{")

// isPDF accepts the mark where PDF software does: anywhere in the first KiB. JSON may have it in a string.
func isPDF(content []byte) bool {
	head := content
	if len(head) > 1024 {
		head = head[:1024]
	}
	return bytes.Contains(head, []byte("%PDF-")) && !beginsObject.Match(head)
}

// evidence is what is left of a bundle when every signature and every path in it is verified.
type evidence struct {
	checkpoint  *checkpoint
	entry       proved
	identity    *proved
	review      *proved
	knowsStatus bool
	corrections []proved
	confirmed   confirmation
}

type proved struct {
	*transaction
	time string
}

func verifyText(file certificate, text []byte, p *policy, when reading) report {
	value, err := parseJSON(text, bundleLevels)
	if err != nil {
		return unchecked(err.Error())
	}
	return verifyBundle(file, value, p, when)
}

// incompleteError means that nothing is wrong, but something is missing.
type incompleteError struct{ error }

func incomplete(format string, arguments ...any) error {
	return incompleteError{fmt.Errorf(format, arguments...)}
}

func verifyBundle(file certificate, value any, p *policy, when reading) report {
	b, err := readBundle(value)
	if err != nil {
		return unchecked(err.Error())
	}
	e, err := b.prove(file, p)
	if errors.As(err, &incompleteError{}) {
		return unchecked(err.Error())
	}
	if err != nil {
		return altered(err.Error())
	}
	return e.judge(p, e.readStatus(), when)
}

// prove is steps 2 to 4 of docs/bundle.md.
func (b *bundle) prove(file certificate, p *policy) (*evidence, error) {
	if b.format == 1 && !hasOneSigner(b.entry.transaction) {
		return nil, incomplete("this program cannot verify a transaction of several keys")
	}
	t, err := readTransaction(b.entry.transaction)
	if err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	if t.member(file.kind+"Hash") != file.hash {
		return nil, errors.New("the file is not the certificate of this bundle")
	}
	proof, err := parseProof(b.proof)
	if err != nil {
		return nil, err
	}
	if proof.hasExtra && b.format > 1 {
		return nil, errors.New("the proof has extra data, which nothing signs")
	}
	if origin := originOf(proof.signed); !p.knowsLog(origin) {
		return nil, incomplete("the policy has no log with the name %q", origin)
	}
	c, err := openCheckpoint(proof.signed, p.logs)
	if err != nil {
		return nil, err
	}
	b.entry.index, b.entry.path = proof.index, proof.path
	e, err := b.proveRecords(c)
	if err == nil {
		e.confirmed = confirmationOf(proof.signed, p)
	}
	return e, err
}

func (b *bundle) proveRecords(c *checkpoint) (*evidence, error) {
	e := &evidence{checkpoint: c}
	entry, err := c.proveRecord("the certificate", &b.entry)
	if err != nil {
		return nil, err
	}
	e.entry = *entry
	if b.hasState && !c.hasState(b.statePath) {
		return nil, errors.New("the last entry of the checkpoint does not say what the checkpoint says")
	}
	if e.identity, err = c.proveRecord("the identity", b.identity); err != nil {
		return nil, err
	}
	if e.review, err = c.proveRecord("the review", b.review); err != nil {
		return nil, err
	}
	if b.format == 1 {
		return e, nil
	}
	e.knowsStatus = c.status != nil
	if err := e.proveStatus(b); err != nil {
		return nil, err
	}
	for i := range b.corrections {
		correction, err := c.proveRecord("a correction", &b.corrections[i])
		if err == nil {
			err = checkCorrection(correction)
		}
		if err != nil {
			return nil, err
		}
		e.corrections = append(e.corrections, *correction)
	}
	return e, nil
}

func (c *checkpoint) proveRecord(what string, r *record) (*proved, error) {
	if r == nil {
		return nil, nil
	}
	t, err := readTransaction(r.transaction)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	entry := t.text
	if r.time != "" {
		entry += "\n" + r.time
	}
	if !isIncluded(entry, r.index, r.path, c.tree) {
		return nil, fmt.Errorf("%s is not in the log", what)
	}
	if r.time > c.time {
		return nil, fmt.Errorf("%s was recorded after the time of the checkpoint", what)
	}
	return &proved{t, r.time}, nil
}

// hasState tells whether the last entry is the state leaf with the values of the checkpoint.
func (c *checkpoint) hasState(path []tlog.Hash) bool {
	if c.time == "" || c.operator == "" || c.status == nil {
		return false
	}
	leaf := fmt.Sprintf("millseal-state\ntime %s\noperator %s\nstatus %d %s\n", c.time, c.operator, c.status.N, c.status.Hash)
	return isIncluded(leaf, c.tree.N-1, path, c.tree)
}

func (l leaf) text() string {
	entries := make([]string, len(l.entries))
	for i, entry := range l.entries {
		entries[i] = fmt.Sprint(entry)
	}
	return l.subject + "\n" + l.next + "\n" + strings.Join(entries, " ")
}
