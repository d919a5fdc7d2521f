package main

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// bundle is a proof bundle whose form is right; nothing in it is verified yet.
type bundle struct {
	format      int64
	entry       record
	proof       string
	identity    *record
	review      *record
	status      []leaf
	corrections []record
	hasState    bool
	statePath   []tlog.Hash
}

type record struct {
	transaction object
	time        string // empty if the entry has none
	index       int64
	path        []tlog.Hash
}

type leaf struct {
	subject, next string
	entries       []int64
	index         int64
	path          []tlog.Hash
}

// reader reads members of an object and remembers the first fault.
type reader struct {
	at      string
	members object
	fault   *error
}

// read opens an object that may have the members named, and no others.
func read(at string, value any, fault *error, names ...string) reader {
	r := reader{at, nil, fault}
	members, isObject := value.(object)
	if !isObject {
		r.fail("%s is not an object", at)
		return r
	}
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for name := range members {
		if !known[name] {
			r.fail("%s has an unknown member %q", at, name)
		}
	}
	r.members = members
	return r
}

func (r reader) fail(format string, arguments ...any) {
	if *r.fault == nil {
		*r.fault = fmt.Errorf(format, arguments...)
	}
}

func (r reader) has(name string) bool {
	_, exists := r.members[name]
	return exists
}

func (r reader) text(name string) string {
	text, isText := r.members[name].(string)
	if !isText {
		r.fail("%s: %s is not a string", r.at, name)
	}
	return text
}

func (r reader) time(name string) string {
	if !r.has(name) {
		return ""
	}
	text := r.text(name)
	if !isTime(text) {
		r.fail("%s: %s is not a time", r.at, name)
	}
	return text
}

func (r reader) object(name string) object {
	members, isObject := r.members[name].(object)
	if !isObject {
		r.fail("%s: %s is not an object", r.at, name)
	}
	return members
}

func (r reader) list(name string) []any {
	items, isList := r.members[name].([]any)
	if !isList {
		r.fail("%s: %s is not a list", r.at, name)
	}
	return items
}

func (r reader) natural(name string) int64 { return r.naturalOf(name, r.members[name]) }

func (r reader) naturalOf(name string, value any) int64 {
	written, _ := value.(number)
	n, err := safeInteger(string(written))
	if err != nil || n < 0 {
		r.fail("%s: %s is not a natural number", r.at, name)
	}
	return n
}

// maxPathLength is the longest path in a tree whose size is a safe integer.
const maxPathLength = 53

func (r reader) path() []tlog.Hash {
	hashes, err := decodeHashes(r.text("path"))
	if err != nil || len(hashes) > maxPathLength {
		r.fail("%s: path is not base64 of hashes", r.at)
	}
	return hashes
}

func readBundle(value any) (*bundle, error) {
	var fault error
	version, _ := value.(object)
	b := &bundle{}
	b.format = reader{"the bundle", version, &fault}.natural("formatVersion")
	switch {
	case fault != nil:
	case b.format == 1:
		b.readFormat1(value, &fault)
	case b.format == 2:
		b.readMembers(value, &fault)
	case b.format == 3:
		b.readMembers(value, &fault, "state", "stamps", "countersignatures")
		b.readFormat3(value, &fault)
	default:
		fault = fmt.Errorf("format %d is not known", b.format)
	}
	return b, fault
}

// readFormat1 ignores the copies that nothing signs.
func (b *bundle) readFormat1(value any, fault *error) {
	members, _ := value.(object)
	r := reader{"the bundle", members, fault}
	if members["algorithm"] != "sha256" {
		r.fail("the bundle does not use sha256")
	}
	b.entry = record{transaction: r.object("transaction")}
	b.proof = r.text("tlogProof")
}

// readMembers reads the members of format 2, which format 3 has too.
func (b *bundle) readMembers(value any, fault *error, more ...string) {
	r := read("the bundle", value, fault, append(more,
		"formatVersion", "entry", "proof", "identity", "review", "status", "corrections")...)
	entry := read("entry", r.members["entry"], fault, "transaction", "time")
	b.entry = record{transaction: entry.object("transaction"), time: entry.time("time")}
	b.proof = r.text("proof")
	if r.has("identity") {
		b.identity = readRecord("identity", r.members["identity"], fault)
	}
	if r.has("review") {
		b.review = readRecord("review", r.members["review"], fault)
	}
	for i, item := range r.list("status") {
		b.status = append(b.status, readLeaf(fmt.Sprintf("status/%d", i), item, fault))
	}
	for i, item := range r.list("corrections") {
		b.corrections = append(b.corrections, *readRecord(fmt.Sprintf("corrections/%d", i), item, fault))
	}
}

// readFormat3 looks only at the form of stamps and countersignatures, which this program does not check.
func (b *bundle) readFormat3(value any, fault *error) {
	members, _ := value.(object)
	r := reader{"the bundle", members, fault}
	for _, name := range []string{"stamps", "countersignatures"} {
		for _, part := range r.list(name) {
			if _, isObject := part.(object); !isObject {
				r.fail("the bundle: %s has a part that is not an object", name)
			}
		}
	}
	if r.has("state") {
		b.hasState = true
		b.statePath = read("state", members["state"], fault, "path").path()
	}
}

func readRecord(at string, value any, fault *error) *record {
	r := read(at, value, fault, "transaction", "time", "index", "path")
	return &record{r.object("transaction"), r.time("time"), r.natural("index"), r.path()}
}

func readLeaf(at string, value any, fault *error) leaf {
	r := read(at, value, fault, "subject", "next", "entries", "index", "path")
	l := leaf{subject: r.text("subject"), next: r.text("next"), index: r.natural("index"), path: r.path()}
	for _, item := range r.list("entries") {
		l.entries = append(l.entries, r.naturalOf("entries", item))
	}
	return l
}
