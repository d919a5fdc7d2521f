package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxPolicyLines limits the lines of each kind.
const maxPolicyLines = 32

// tlogPolicy is a C2SP tlog-policy: which logs are known, and who must have cosigned a checkpoint.
type tlogPolicy struct {
	logs      []logKey
	witnesses []witness
	groups    []group
	quorum    string
	isMember  map[string]bool
}

type witness struct {
	name string
	key  cosignerKey
}

type group struct {
	name      string
	threshold int
	members   []string
}

const quorumNone = "none"

func parseTlogPolicy(text string) (*tlogPolicy, error) {
	p := &tlogPolicy{isMember: map[string]bool{}}
	lines := strings.Split(text, "\n")
	for i, line := range lines[:len(lines)-1] {
		if err := p.readLine(line); err != nil {
			return nil, fmt.Errorf("line %d of the tlog-policy: %w", i+1, err)
		}
	}
	if lines[len(lines)-1] != "" || p.quorum == "" {
		return nil, errors.New("the tlog-policy ends without a newline or without a quorum line")
	}
	return p, nil
}

func (p *tlogPolicy) readLine(line string) error {
	if !utf8.ValidString(line) || strings.IndexFunc(line, isRefusedInPolicy) >= 0 {
		return errors.New("a character that is not allowed")
	}
	items := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(items) == 0 || strings.HasPrefix(items[0], "#") {
		return nil
	}
	switch items[0] {
	case "log":
		return p.readLog(items[1:])
	case "witness":
		return p.readWitness(items[1:])
	case "group":
		return p.readGroup(items[1:])
	case "quorum":
		return p.readQuorum(items[1:])
	}
	return fmt.Errorf("the keyword %q is not known", items[0])
}

func isRefusedInPolicy(r rune) bool {
	return r < 0x20 && r != '\t' || r == 0x7f || r == utf8.RuneError
}

func (p *tlogPolicy) readLog(items []string) error {
	if len(items) != 1 && len(items) != 2 {
		return errors.New("expected: log <vkey> [<url>]")
	}
	key, err := parseLogKey(items[0])
	if err != nil {
		return err
	}
	for _, other := range p.logs {
		if string(other.key) == string(key.key) {
			return errors.New("the key of the log is already in another line")
		}
	}
	p.logs = append(p.logs, key)
	return checkRoom(len(p.logs))
}

func (p *tlogPolicy) readWitness(items []string) error {
	if len(items) != 2 && len(items) != 3 {
		return errors.New("expected: witness <name> <vkey> [<url>]")
	}
	if err := p.checkFree(items[0]); err != nil {
		return err
	}
	key, err := parseCosignerKey(items[1])
	if err != nil {
		return err
	}
	for _, other := range p.witnesses {
		if string(other.key.key) == string(key.key) {
			return fmt.Errorf("the witness %q has the key of the witness %q", items[0], other.name)
		}
	}
	p.witnesses = append(p.witnesses, witness{items[0], key})
	return checkRoom(len(p.witnesses))
}

func (p *tlogPolicy) readGroup(items []string) error {
	if len(items) < 3 {
		return errors.New("expected: group <name> any|all|<number> <member> …")
	}
	if err := p.checkFree(items[0]); err != nil {
		return err
	}
	g := group{name: items[0], members: items[2:]}
	for _, member := range g.members {
		if !p.isDefined(member) || p.isMember[member] {
			return fmt.Errorf("%q is not defined, or already a member of a group", member)
		}
		p.isMember[member] = true
	}
	g.threshold = thresholdOf(items[1], len(g.members))
	if g.threshold < 1 || g.threshold > len(g.members) {
		return fmt.Errorf("%q of %d members", items[1], len(g.members))
	}
	p.groups = append(p.groups, g)
	return checkRoom(len(p.groups))
}

var writtenThreshold = regexp.MustCompile(`^[1-9][0-9]{0,2}$`)

func thresholdOf(written string, members int) int {
	switch {
	case written == "any":
		return 1
	case written == "all":
		return members
	case !writtenThreshold.MatchString(written):
		return 0
	}
	threshold, _ := strconv.Atoi(written)
	return threshold
}

func (p *tlogPolicy) readQuorum(items []string) error {
	if len(items) != 1 || p.quorum != "" || items[0] != quorumNone && !p.isDefined(items[0]) {
		return errors.New("expected one line: quorum <name>")
	}
	p.quorum = items[0]
	return nil
}

func (p *tlogPolicy) isDefined(name string) bool {
	for _, g := range p.groups {
		if g.name == name {
			return true
		}
	}
	return p.hasWitness(name)
}

func (p *tlogPolicy) hasWitness(name string) bool {
	for _, w := range p.witnesses {
		if w.name == name {
			return true
		}
	}
	return false
}

func (p *tlogPolicy) checkFree(name string) error {
	if name == quorumNone || p.isDefined(name) {
		return fmt.Errorf("the name %q is taken", name)
	}
	return nil
}

func checkRoom(count int) error {
	if count > maxPolicyLines {
		return fmt.Errorf("more than %d lines of a kind", maxPolicyLines)
	}
	return nil
}

// isQuorum tells whether these witnesses are one. A group has only members that are defined before it.
func (p *tlogPolicy) isQuorum(signed map[string]bool) bool {
	satisfied := map[string]bool{}
	for name := range signed {
		satisfied[name] = true
	}
	for _, g := range p.groups {
		count := 0
		for _, member := range g.members {
			if satisfied[member] {
				count++
			}
		}
		if count >= g.threshold {
			satisfied[g.name] = true
		}
	}
	return p.quorum != quorumNone && satisfied[p.quorum]
}
