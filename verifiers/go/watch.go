package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

type watchOptions struct {
	from, url, key, state string
	once, full            bool
	every                 time.Duration
}

// seen is a checkpoint of the log that is verified, with its signed text.
type seen struct {
	*checkpoint
	signed string
}

// forkError is the proof that the log is not append-only: two checkpoints that its key signed.
type forkError struct {
	says       string
	old, fresh seen
}

func (e *forkError) Error() string {
	return fmt.Sprintf("%s\n\nThe checkpoint of before:\n%s\nThe checkpoint of now:\n%s", e.says, e.old.signed, e.fresh.signed)
}

func watch(options watchOptions, out io.Writer) (int, error) {
	key, err := parseLogKey(options.key)
	if err != nil {
		return exitUsage, err
	}
	if options.state == "" {
		options.state = regexp.MustCompile(`[^A-Za-z0-9.-]`).ReplaceAllString(key.Name(), "_") + ".checkpoint"
	}
	w := &watcher{key: key, url: strings.TrimSuffix(options.url, "/"), state: options.state, full: options.full}
	if err := w.load(options.from); err != nil {
		return exitUsage, err
	}
	for {
		err := w.check(out)
		var fork *forkError
		if errors.As(err, &fork) {
			fmt.Fprintln(out, fork)
			return exitDifferent, nil
		}
		if options.once {
			if err != nil {
				return exitUnchecked, err
			}
			return 0, nil
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "millseal-verifier:", err)
		}
		time.Sleep(options.every)
	}
}

type watcher struct {
	key   logKey
	url   string
	state string
	full  bool
	known []seen // the start, and the newest of an earlier run
}

// load reads the start and, if there is one, the state file.
func (w *watcher) load(from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	signed, err := checkpointIn(text)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if err := w.know(from, signed); err != nil {
		return err
	}
	text, err = os.ReadFile(w.state)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return w.know(w.state, string(text))
}

func (w *watcher) know(path, signed string) error {
	s, err := w.open(signed)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	w.known = append(w.known, s)
	return nil
}

func (w *watcher) open(signed string) (seen, error) {
	c, err := openCheckpoint(signed, []logKey{w.key})
	return seen{c, signed}, err
}

// checkpointIn returns the checkpoint of a bundle, or the text itself.
func checkpointIn(text []byte) (string, error) {
	if !strings.HasPrefix(strings.TrimSpace(string(text)), "{") {
		return string(text), nil
	}
	value, err := parseJSON(text, bundleLevels)
	if err != nil {
		return "", err
	}
	b, err := readBundle(value)
	if err != nil {
		return "", err
	}
	p, err := parseProof(b.proof)
	if err != nil {
		return "", err
	}
	return p.signed, nil
}

// check joins the checkpoint of now to all that are known, and keeps it.
func (w *watcher) check(out io.Writer) error {
	text, err := w.fetch("checkpoint")
	if err != nil {
		return err
	}
	fresh, err := w.open(string(text))
	if err != nil {
		return err
	}
	for _, old := range w.known {
		if err := w.join(old, fresh); err != nil {
			return err
		}
	}
	if w.full {
		if err := w.checkEntries(fresh); err != nil {
			return err
		}
	}
	if err := replaceFile(w.state, fresh.signed); err != nil {
		return err
	}
	joined := w.known[len(w.known)-1].tree.N
	w.known = append(w.known[:1], fresh)
	fmt.Fprintf(out, "%s: %d entries, consistent with the first %d\n", fresh.origin, fresh.tree.N, joined)
	return nil
}

func (w *watcher) join(old, fresh seen) error {
	switch {
	case fresh.tree.N < old.tree.N:
		return &forkError{"The log has shrunk.", old, fresh}
	case fresh.tree.N == old.tree.N && fresh.tree.Hash != old.tree.Hash:
		return &forkError{"The log has forked: two trees of the same size.", old, fresh}
	case old.time != "" && fresh.time < old.time:
		return &forkError{"The time of the log went backwards.", old, fresh}
	case old.operator != "" && fresh.operator != old.operator:
		return &forkError{"The log names another operator.", old, fresh}
	case old.status != nil && (fresh.status == nil || fresh.status.N < old.status.N):
		return &forkError{"The status tree of the log has shrunk.", old, fresh}
	case old.status != nil && fresh.tree.N == old.tree.N && *fresh.status != *old.status:
		return &forkError{"The log has forked: two status trees for the same entries.", old, fresh}
	case fresh.tree.N == old.tree.N || old.tree.N == 0:
		return nil
	}
	reader := tlog.TileHashReader(fresh.tree, tiles{w})
	proof, err := tlog.ProveTree(fresh.tree.N, old.tree.N, reader)
	if err != nil {
		return fmt.Errorf("the tiles of the log do not prove its checkpoint: %w", err)
	}
	if tlog.CheckTree(proof, fresh.tree.N, fresh.tree.Hash, old.tree.N, old.tree.Hash) == nil {
		return nil
	}
	// Some versions of TileHashReader do not authenticate every tile. Only a proof that leads to the tree of now,
	// but from another old one, shows a fork.
	// The proof of a size that is a power of two begins behind the old root, so that one is read, too.
	shown, err := tlog.TreeHash(old.tree.N, reader)
	if err != nil {
		return fmt.Errorf("the tiles of the log do not prove its checkpoint: %w", err)
	}
	if root, leads := newRoot(proof, tlog.Tree{N: old.tree.N, Hash: shown}, fresh.tree.N); !leads || root != fresh.tree.Hash {
		return errors.New("the tiles of the log do not prove its checkpoint")
	}
	return &forkError{"The log has forked: it does not continue what it was.", old, fresh}
}

// newRoot returns the root of the new tree that a consistency proof leads to (RFC 9162 §2.1.4.2).
func newRoot(proof tlog.TreeProof, old tlog.Tree, size int64) (root tlog.Hash, leads bool) {
	path := proof
	if old.N&(old.N-1) == 0 {
		path = append([]tlog.Hash{old.Hash}, proof...)
	}
	if len(path) == 0 {
		return tlog.Hash{}, false
	}
	first, second := old.N-1, size-1
	for ; first&1 == 1; first >>= 1 {
		second >>= 1
	}
	root = path[0]
	for _, hash := range path[1:] {
		if first&1 == 1 || first == second {
			root = tlog.NodeHash(hash, root)
			for ; first&1 == 0 && first != 0; first >>= 1 {
				second >>= 1
			}
		} else {
			root = tlog.NodeHash(root, hash)
		}
		first, second = first>>1, second>>1
	}
	return root, second == 0
}

// A bundle has 256 entries of at most 64 KiB.
const maxFetched = 1 << 25

var client = &http.Client{Timeout: 30 * time.Second}

func (w *watcher) fetch(path string) ([]byte, error) {
	address := w.url + "/" + path
	response, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("%s: %w", address, os.ErrNotExist)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, maxFetched))
}

// replaceFile writes a file that is complete after a crash: the old one or the new one.
func replaceFile(path, content string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".")
	if err != nil {
		return err
	}
	_, err = temporary.WriteString(content)
	if err == nil {
		err = temporary.Sync()
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}
