package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// checkEntries reads every entry and recomputes the status tree: a log can say of a certificate what its entries do not say,
// and neither its own tree nor a witness shows that.
func (w *watcher) checkEntries(fresh seen) error {
	var leaves []tlog.Hash
	status := statusTree{of: map[string][]int64{}}
	for first := int64(0); first < fresh.tree.N; first += 1 << tileHeight {
		width := 1 << tileHeight
		if rest := fresh.tree.N - first; rest < int64(width) {
			width = int(rest)
		}
		entries, err := w.readEntries(first>>tileHeight, width)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			subject, err := correctedBy(entry)
			if err != nil {
				return &forkError{fmt.Sprintf("Entry %d is a correction that no log may contain: %v.", len(leaves), err), w.newest(), fresh}
			}
			if subject != "" {
				status.add(subject, int64(len(leaves)))
			}
			leaves = append(leaves, tlog.RecordHash(entry))
		}
	}
	if len(leaves) > 0 && rootOf(leaves) != fresh.tree.Hash {
		return errors.New("the entries of the log do not prove its checkpoint")
	}
	if fresh.status != nil && status.tree() != *fresh.status {
		return &forkError{"The status tree of the log is not that of its entries.", w.newest(), fresh}
	}
	return nil
}

func (w *watcher) newest() seen { return w.known[len(w.known)-1] }

// readEntries reads a bundle of C2SP tlog-tiles.
func (w *watcher) readEntries(index int64, width int) ([][]byte, error) {
	path := strings.Replace(tilePath(tlog.Tile{H: tileHeight, L: 0, N: index, W: width}), "tile/0/", "tile/entries/", 1)
	content, err := w.fetch(path)
	if errors.Is(err, os.ErrNotExist) {
		content, err = w.fetch(strings.SplitN(path, ".p/", 2)[0])
	}
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(entries) < width {
		if len(content) < 2 || len(content)-2 < int(binary.BigEndian.Uint16(content)) {
			return nil, errors.New("a bundle of entries of the log is too short")
		}
		end := 2 + int(binary.BigEndian.Uint16(content))
		entries, content = append(entries, content[2:end]), content[end:]
	}
	return entries, nil
}

// correctedBy returns the subject of an entry if it is a correction.
func correctedBy(entry []byte) (string, error) {
	at := bytes.LastIndexByte(entry, '\n')
	if at < 0 || !bytes.Contains(entry, []byte(`"type":"correction"`)) {
		return "", nil
	}
	value, err := parseJSON(entry[:at], bundleLevels)
	if err != nil {
		return "", err
	}
	members, _ := value.(object)
	asset, _ := members["asset"].(object)
	data, _ := asset["data"].(object)
	if data["type"] != "correction" {
		return "", nil
	}
	t, err := readTransaction(members)
	if err != nil {
		return "", err
	}
	if err := checkCorrection(&proved{transaction: t}); err != nil {
		return "", err
	}
	if t.member("action") == "revoke-key" {
		return "key " + t.member("did"), nil
	}
	return "certificate " + t.member("transactionId"), nil
}

// statusTree has the corrections of each subject, in the order in which the subjects were first corrected.
type statusTree struct {
	subjects []string
	of       map[string][]int64
}

func (s *statusTree) add(subject string, entry int64) {
	if s.of[subject] == nil {
		s.subjects = append(s.subjects, subject)
	}
	s.of[subject] = append(s.of[subject], entry)
}

func (s *statusTree) tree() tlog.Tree {
	ascending := append([]string{""}, s.subjects...)
	sort.Strings(ascending)
	next := map[string]string{}
	for i, subject := range ascending[1:] {
		next[ascending[i]] = subject
	}
	var hashes []tlog.Hash
	for _, subject := range append([]string{""}, s.subjects...) {
		l := leaf{subject: subject, next: next[subject], entries: s.of[subject]}
		hashes = append(hashes, tlog.RecordHash([]byte(l.text())))
	}
	return tlog.Tree{N: int64(len(hashes)), Hash: rootOf(hashes)}
}

// rootOf is RFC 6962 §2.1, of at least one leaf.
func rootOf(leaves []tlog.Hash) tlog.Hash {
	if len(leaves) == 1 {
		return leaves[0]
	}
	half := 1
	for half*2 < len(leaves) {
		half *= 2
	}
	return tlog.NodeHash(rootOf(leaves[:half]), rootOf(leaves[half:]))
}
