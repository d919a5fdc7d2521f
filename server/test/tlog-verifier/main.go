// Checks a log that was fetched into a folder with the reference implementation of its formats, golang.org/x/mod/sumdb. Started by tests.
//
// Arguments: the folder and the key of the log. Standard input: what the log gave out, as JSON.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type given struct {
	Proofs []struct {
		Entry string
		Proof string
	}
	Consistency struct {
		OldSize int64
		OldRoot string
		Proof   []string
	}
}

type tree struct {
	size int64
	root tlog.Hash
}

func main() {
	checked, err := check(os.Args[1], os.Args[2], os.Stdin)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(checked)
}

func check(folder, vkey string, input io.Reader) (string, error) {
	var in given
	if err := json.NewDecoder(input).Decode(&in); err != nil {
		return "", err
	}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return "", err
	}
	signed, err := get(folder, "checkpoint")
	if err != nil {
		return "", err
	}
	head, err := openCheckpoint(signed, verifier)
	if err != nil {
		return "", err
	}
	records, err := checkRecords(folder, head)
	if err != nil {
		return "", err
	}
	for _, p := range in.Proofs {
		if err := checkProof(p.Entry, p.Proof, verifier); err != nil {
			return "", err
		}
	}
	if err := checkConsistency(in, head); err != nil {
		return "", fmt.Errorf("consistency: %w", err)
	}
	return fmt.Sprintf("%d records, %d proofs", records, len(in.Proofs)), nil
}

func openCheckpoint(signed []byte, verifier note.Verifier) (tree, error) {
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tree{}, fmt.Errorf("not a checkpoint: %q", opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tree{size, root}, err
}

// checkRecords rebuilds the root from the tiles, and proves every entry of every bundle under it.
func checkRecords(folder string, head tree) (int64, error) {
	reader := tlog.TileHashReader(tlog.Tree{N: head.size, Hash: head.root}, &tiles{folder, map[string][]byte{}})
	root, err := tlog.TreeHash(head.size, reader)
	if err != nil {
		return 0, err
	}
	if root != head.root {
		return 0, fmt.Errorf("the tiles have the root %v, the checkpoint %v", root, head.root)
	}
	var index int64
	for index < head.size {
		width := int64(256)
		if head.size-index < width {
			width = head.size - index
		}
		bundle, err := get(folder, "tile/entries/"+place(index/256, int(width)))
		if err != nil {
			return 0, err
		}
		for end := index + width; index < end; {
			length := int(binary.BigEndian.Uint16(bundle))
			entry := bundle[2 : 2+length]
			bundle = bundle[2+length:]
			proof, err := tlog.ProveRecord(head.size, index, reader)
			if err != nil {
				return 0, err
			}
			if err := tlog.CheckRecord(proof, head.size, head.root, index, tlog.RecordHash(entry)); err != nil {
				return 0, fmt.Errorf("entry %d: %w", index, err)
			}
			index++
		}
		if len(bundle) != 0 {
			return 0, fmt.Errorf("a bundle has %d bytes too many", len(bundle))
		}
	}
	return index, nil
}

// checkProof reads c2sp.org/tlog-proof@v1.
func checkProof(encoded, text string, verifier note.Verifier) error {
	entry, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return err
	}
	path, signed, found := strings.Cut(text, "\n\n")
	lines := strings.Split(path, "\n")
	if !found || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("not a proof: %q", text)
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range lines[2:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	head, err := openCheckpoint([]byte(signed), verifier)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, head.size, head.root, index, tlog.RecordHash(entry))
}

func checkConsistency(in given, head tree) error {
	oldRoot, err := tlog.ParseHash(in.Consistency.OldRoot)
	if err != nil {
		return err
	}
	var proof tlog.TreeProof
	for _, line := range in.Consistency.Proof {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	return tlog.CheckTree(proof, head.size, head.root, in.Consistency.OldSize, oldRoot)
}

type tiles struct {
	folder string
	read   map[string][]byte
}

func (t *tiles) Height() int { return 8 }

func (t *tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t *tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		path := fmt.Sprintf("tile/%d/%s", tile.L, place(tile.N, tile.W))
		data, known := t.read[path]
		if !known {
			var err error
			if data, err = get(t.folder, path); err != nil {
				return nil, err
			}
			t.read[path] = data
		}
		all = append(all, data)
	}
	return all, nil
}

func place(index int64, width int) string {
	path := fmt.Sprintf("%03d", index%1000)
	for index >= 1000 {
		index /= 1000
		path = fmt.Sprintf("x%03d/%s", index%1000, path)
	}
	if width < 256 {
		path = fmt.Sprintf("%s.p/%d", path, width)
	}
	return path
}

func get(folder, path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(folder, path))
}
