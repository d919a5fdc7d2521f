package main

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"
)

// confirmation is who stands for what a checkpoint says, by the policy.
type confirmation struct {
	by         string // nodes, witnesses or operator
	names      []string
	before     string // empty if no quorum signed
	isDemanded bool
}

// cosignerKey is a key of C2SP tlog-cosignature, type 0x04 (Ed25519).
type cosignerKey struct {
	name string
	id   uint32
	key  []byte
}

var (
	writtenKey = regexp.MustCompile(`^([^+]*)\+([0-9a-f]{8})\+(.*)$`)
	spaces     = regexp.MustCompile(`[\p{Z}\p{Cc}+]`)
)

const cosignatureType = 4

func parseCosignerKey(vkey string) (cosignerKey, error) {
	refused := errors.New("not the key of a cosigner")
	parts := writtenKey.FindStringSubmatch(vkey)
	if parts == nil {
		return cosignerKey{}, refused
	}
	name := parts[1]
	data, err := decodeBase64(parts[3])
	if err != nil || len(data) != 33 || data[0] != cosignatureType || name == "" || spaces.MatchString(name) {
		return cosignerKey{}, refused
	}
	hash := sha256.Sum256(append([]byte(name+"\n"), data...))
	if fmt.Sprintf("%x", hash[:4]) != parts[2] {
		return cosignerKey{}, refused
	}
	return cosignerKey{name, binary.BigEndian.Uint32(hash[:]), data[1:]}, nil
}

type cosignature struct {
	by      string // the name of the witness in the policy
	seconds uint64
}

const (
	cosignatureLength = 4 + 8 + 64
	// The end of the year 9999.
	lastSecond = 253402300799
)

// readCosignature returns the time of a line that this key signed. Every other line counts for nothing.
func (k cosignerKey) readCosignature(text, line string) (uint64, bool) {
	name, encoded, _ := strings.Cut(strings.TrimPrefix(line, "— "), " ")
	data, err := decodeBase64(encoded)
	if err != nil || name != k.name || len(data) != cosignatureLength || binary.BigEndian.Uint32(data) != k.id {
		return 0, false
	}
	seconds := binary.BigEndian.Uint64(data[4:])
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, text)
	return seconds, seconds <= lastSecond && verifyEd25519(k.key, []byte(message), data[12:])
}

// confirmationOf judges the lines of a verified checkpoint.
func confirmationOf(signed string, p *policy) confirmation {
	if p.cosigners == nil {
		return confirmation{by: "operator"}
	}
	end := strings.LastIndex(signed, "\n\n")
	text, lines := signed[:end+1], strings.Split(strings.TrimSuffix(signed[end+2:], "\n"), "\n")
	var found []cosignature
	for _, line := range lines {
		for _, w := range p.cosigners.witnesses {
			if seconds, isValid := w.key.readCosignature(text, line); isValid {
				found = append(found, cosignature{w.name, seconds})
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].seconds < found[j].seconds })
	if c := p.quorumAmong("nodes", found, p.nodes); c.before != "" {
		return c
	}
	all := map[string]bool{}
	for _, w := range p.cosigners.witnesses {
		all[w.name] = true
	}
	c := p.quorumAmong("witnesses", found, all)
	if c.before == "" {
		c.by = "operator"
	}
	return c
}

// quorumAmong finds the first time at which these witnesses were a quorum.
func (p *policy) quorumAmong(by string, found []cosignature, asked map[string]bool) confirmation {
	c := confirmation{by: by, isDemanded: p.cosigners.quorum != quorumNone}
	signed := map[string]bool{}
	for _, one := range found {
		if !asked[one.by] || signed[one.by] {
			continue
		}
		signed[one.by] = true
		c.names = append(c.names, one.by)
		if c.before == "" && p.cosigners.isQuorum(signed) {
			// The time of a cosignature is in whole seconds.
			c.before = time.Unix(int64(one.seconds)+1, 0).UTC().Format(timeLayout)
		}
	}
	return c
}

func (c confirmation) answer() answer {
	names := strings.Join(c.names, ", ")
	switch {
	case c.by == "nodes":
		return answer{"yes", fmt.Sprintf("held by independent nodes: %q, before %s", names, c.before)}
	case c.by == "witnesses":
		return answer{"yes", fmt.Sprintf("witnessed by %q, before %s; what was withdrawn is said by the operator alone", names, c.before)}
	case c.isDemanded:
		return answer{"no", fmt.Sprintf("only the operator says so; %q are no quorum of the policy", names)}
	}
	return answer{"unknown", "only the operator says so; the policy demands no others"}
}
