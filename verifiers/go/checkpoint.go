package main

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type checkpoint struct {
	origin   string
	tree     tlog.Tree
	time     string     // empty if the log has no times
	operator string     // a DID, empty if not named
	status   *tlog.Tree // nil if the log has no status tree
}

// logKey is a key of a log that verifies as strictly as docs/bundle.md demands.
type logKey struct {
	note.Verifier
	vkey string
	key  []byte
}

func (k logKey) Verify(message, signature []byte) bool {
	return verifyEd25519(k.key, message, signature)
}

func parseLogKey(vkey string) (logKey, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return logKey{}, fmt.Errorf("%q is not the key of a log", vkey)
	}
	parts := strings.SplitN(vkey, "+", 3)
	if hasControl(parts[0]) || parts[1] != fmt.Sprintf("%08x", verifier.KeyHash()) {
		return logKey{}, fmt.Errorf("%q is not the key of a log", vkey)
	}
	key, err := decodeBase64(parts[2])
	if err != nil {
		return logKey{}, err
	}
	return logKey{verifier, vkey, key[1:]}, nil
}

// hasControl finds the control characters that package note accepts in a name.
func hasControl(name string) bool { return strings.IndexFunc(name, unicode.IsControl) >= 0 }

// originOf reads the first line of a note, before anything is verified.
func originOf(signed string) string {
	origin, _, _ := strings.Cut(signed, "\n")
	return origin
}

// openCheckpoint verifies a signed checkpoint with the keys of its origin.
func openCheckpoint(signed string, keys []logKey) (*checkpoint, error) {
	origin := originOf(signed)
	var verifiers []note.Verifier
	for _, key := range keys {
		if key.Name() == origin {
			verifiers = append(verifiers, key)
		}
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifiers...))
	if err != nil {
		return nil, errors.New("the checkpoint is not signed by the log")
	}
	if err := checkSignatures(signed, opened.Text, keys); err != nil {
		return nil, err
	}
	return parseCheckpoint(opened.Text)
}

const maxSignatures = 64

// checkSignatures verifies every line of a known key. note.Open skips all but the first of a key.
func checkSignatures(signed, text string, keys []logKey) error {
	lines := strings.Split(strings.TrimSuffix(signed[len(text)+1:], "\n"), "\n")
	if len(lines) > maxSignatures {
		return fmt.Errorf("the checkpoint has more than %d signatures", maxSignatures)
	}
	for _, line := range lines {
		name, encoded, _ := strings.Cut(strings.TrimPrefix(line, "— "), " ")
		data, err := decodeBase64(encoded)
		if err != nil {
			return err
		}
		if hasControl(name) {
			return fmt.Errorf("the checkpoint has a signature of the malformed name %q", name)
		}
		for _, key := range keys {
			isKnown := key.Name() == name && len(data) > 4 && key.KeyHash() == binary.BigEndian.Uint32(data)
			if isKnown && !key.Verify([]byte(text), data[4:]) {
				return errors.New("the checkpoint has a signature of the log that is not valid")
			}
		}
	}
	return nil
}

func parseCheckpoint(text string) (*checkpoint, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 3 {
		return nil, errors.New("the checkpoint is malformed")
	}
	tree, err := parseTree(lines[1], lines[2])
	if err != nil {
		return nil, err
	}
	c := &checkpoint{origin: lines[0], tree: tree}
	return c, c.parseExtensions(lines[3:])
}

var ownLines = map[string]bool{"millseal-time": true, "millseal-operator": true, "millseal-status": true}

// parseExtensions ignores lines that it does not know, as C2SP tlog-checkpoint demands.
func (c *checkpoint) parseExtensions(lines []string) error {
	values := map[string]string{}
	for _, line := range lines {
		name, value, isNamed := strings.Cut(line, " ")
		if _, twice := values[name]; line == "" || isNamed && twice && ownLines[name] {
			return fmt.Errorf("the checkpoint has an empty line, or the line %q twice", name)
		}
		if isNamed {
			values[name] = value
		}
	}
	var exists bool
	if c.time, exists = values["millseal-time"]; exists && !isTime(c.time) {
		return errors.New("the time of the checkpoint is malformed")
	}
	if c.operator, exists = values["millseal-operator"]; exists && !isDID(c.operator) {
		return errors.New("the operator of the checkpoint is malformed")
	}
	if value, exists := values["millseal-status"]; exists {
		size, root, _ := strings.Cut(value, " ")
		status, err := parseTree(size, root)
		if err != nil {
			return err
		}
		c.status = &status
	}
	return nil
}

var testLog = regexp.MustCompile(`/ledger/test(/[0-9]+)?$`)

// isTest tells whether this is a test log: no real material.
func (c *checkpoint) isTest() bool { return testLog.MatchString(c.origin) }

func parseTree(size, root string) (tlog.Tree, error) {
	n, err := safeInteger(size)
	if err != nil || n < 0 {
		return tlog.Tree{}, errors.New("the size of a tree is malformed")
	}
	hashes, err := decodeHashes(root)
	if err != nil || len(hashes) != 1 {
		return tlog.Tree{}, errors.New("the root of a tree is malformed")
	}
	return tlog.Tree{N: n, Hash: hashes[0]}, nil
}

// tlogProof is a C2SP tlog-proof; its checkpoint is not verified yet.
type tlogProof struct {
	index    int64
	path     []tlog.Hash
	signed   string
	hasExtra bool
}

func parseProof(text string) (*tlogProof, error) {
	head, signed, found := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || lines[0] != "c2sp.org/tlog-proof@v1" {
		return nil, errors.New("the proof is not a tlog-proof")
	}
	p := &tlogProof{signed: signed}
	lines = lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		p.hasExtra = true
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return nil, errors.New("the proof has no index")
	}
	var err error
	p.index, err = safeInteger(strings.TrimPrefix(lines[0], "index "))
	if err != nil || p.index < 0 {
		return nil, errors.New("the index of the proof is malformed")
	}
	for _, line := range lines[1:] {
		hashes, err := decodeHashes(line)
		if err != nil || len(hashes) != 1 {
			return nil, errors.New("a hash of the proof is malformed")
		}
		p.path = append(p.path, hashes[0])
	}
	return p, nil
}

// decodeHashes reads base64 of hashes of 32 bytes each.
func decodeHashes(text string) ([]tlog.Hash, error) {
	data, err := decodeBase64(text)
	if err != nil || len(data)%tlog.HashSize != 0 {
		return nil, errors.New("hashes are malformed")
	}
	hashes := make([]tlog.Hash, len(data)/tlog.HashSize)
	for i := range hashes {
		copy(hashes[i][:], data[i*tlog.HashSize:])
	}
	return hashes, nil
}

// decodeBase64 refuses what package base64 ignores: line breaks, and bits without data.
func decodeBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(data) != text {
		return nil, errors.New("base64 is malformed: " + strconv.Quote(text))
	}
	return data, nil
}

// isIncluded tells whether data is the entry at index of the tree.
func isIncluded(data string, index int64, path []tlog.Hash, tree tlog.Tree) bool {
	return tlog.CheckRecord(path, tree.N, tree.Hash, index, tlog.RecordHash([]byte(data))) == nil
}
