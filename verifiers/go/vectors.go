package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// runVectors compares all vectors of a folder with what this program answers.
func runVectors(folder string, out io.Writer) (int, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) == 0 {
		return exitUsage, fmt.Errorf("%s has no vectors", folder)
	}
	count, differences := 0, 0
	for _, path := range paths {
		list, err := readVectors(path)
		if err != nil {
			return exitUsage, fmt.Errorf("%s: %w", path, err)
		}
		for _, item := range list {
			count++
			if difference := compare(item); difference != "" {
				differences++
				fmt.Fprintf(out, "%s: %s\n", filepath.Base(path), difference)
			}
		}
	}
	fmt.Fprintf(out, "%d vectors, %d differences\n", count, differences)
	if differences > 0 || count == 0 {
		return exitDifferent, nil
	}
	return 0, nil
}

func readVectors(path string) ([]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	value, err := parseJSON(text, vectorLevels)
	if err != nil {
		return nil, err
	}
	list, isList := value.([]any)
	if !isList {
		return nil, errors.New("not a list of vectors")
	}
	return list, nil
}

// verifyVector answers the question of a vector. Its files are given by their bytes where their text matters.
func (r reader) verifyVector(when reading) report {
	p, err := r.policy()
	if err != nil {
		return unreadable(err)
	}
	file := read("file", r.members["file"], r.fault, "kind", "hash", "bytes")
	var given certificate
	if file.has("bytes") {
		if given, err = certificateOf(file.bytes("bytes")); err != nil {
			return unreadable(err)
		}
	} else {
		given = certificate{file.text("kind"), file.text("hash")}
	}
	if r.has("bundleBytes") {
		return verifyText(given, r.bytes("bundleBytes"), p, when)
	}
	return verifyBundle(given, r.members["bundle"], p, when)
}

// reading is that of the vector; most say nothing of it and were written on the day of their status.
func (r reader) reading() (reading, error) {
	now, days := "2026-11-22T06:00:00.000Z", int64(ageNotSaid)
	if r.has("now") {
		now = r.text("now")
	}
	if r.has("maxStatusAgeDays") {
		days = r.natural("maxStatusAgeDays")
	}
	return readingOf(now, days)
}

func unreadable(err error) report {
	return report{verdict: "unreadable", unchanged: answer{"unknown", err.Error()}}
}

func (r reader) policy() (*policy, error) {
	if r.has("policyBytes") {
		return readPolicyText(r.bytes("policyBytes"))
	}
	return readPolicy(r.members["policy"])
}

func (r reader) bytes(name string) []byte {
	data, err := decodeBase64(r.text(name))
	if err != nil {
		r.fail("%s: %s is not base64", r.at, name)
	}
	return data
}

// compare returns what differs, or nothing. A vector may allow several verdicts: "altered|unchecked".
func compare(vector any) string {
	var fault error
	r := read("a vector", vector, &fault, "name", "file", "bundle", "bundleBytes", "policy", "policyBytes", "verdict",
		"now", "maxStatusAgeDays", "confirmedBy", "before")
	name, verdict := r.text("name"), r.text("verdict")
	when, err := r.reading()
	if fault == nil {
		fault = err
	}
	result := r.verifyVector(when)
	if fault != nil {
		return fmt.Sprintf("%q is malformed: %v", name, fault)
	}
	if r.has("confirmedBy") && fault == nil {
		before := ""
		if r.has("before") {
			before = r.text("before")
		}
		if got := result.confirmed; got.by != r.text("confirmedBy") || got.before != before {
			return fmt.Sprintf("%q: confirmed by %s before %q", name, got.by, got.before)
		}
	}
	for _, allowed := range strings.Split(verdict, "|") {
		if result.verdict == allowed {
			return ""
		}
	}
	return fmt.Sprintf("%q: expected %s, got %s (%s)", name, verdict, result.verdict, result.unchanged.reason)
}
