package main

import (
	"fmt"
	"os"
	"regexp"
)

type policy struct {
	logs             []logKey
	issuers          map[string]string // name by DID
	onlyKnownIssuers bool
	cosigners        *tlogPolicy     // nil if the policy demands nobody
	nodes            map[string]bool // names of witnesses that check every entry
	maxAgeDays       *int64
}

func readPolicyFile(path string) (*policy, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readPolicyText(text)
}

var startsAsObject = regexp.MustCompile("^(?:\ufeff)?[ \\t\\n\\r]*\\{")

// readPolicyText reads JSON, or the bare text of a tlog-policy.
func readPolicyText(text []byte) (*policy, error) {
	if !startsAsObject.Match(text) {
		return readPolicy(object{"policyVersion": number("2"), "log": string(text)})
	}
	value, err := parseJSON(text, bundleLevels)
	if err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	return readPolicy(value)
}

func readPolicy(value any) (*policy, error) {
	var fault error
	members, _ := value.(object)
	version := reader{"the policy", members, &fault}
	if version.has("policyVersion") && version.natural("policyVersion") == 2 {
		r := read("the policy", value, &fault, "policyVersion", "log", "nodes", "issuers", "onlyKnownIssuers", "maxStatusAge", "authorities")
		return readPolicyMembers(r, (*policy).readVersion2)
	}
	r := read("the policy", value, &fault, "policyVersion", "logs", "issuers", "onlyKnownIssuers")
	if r.has("policyVersion") && r.natural("policyVersion") != 1 {
		r.fail("the policy has another version than 1 and 2")
	}
	return readPolicyMembers(r, (*policy).readVersion1)
}

func readPolicyMembers(r reader, readLogs func(*policy, reader)) (*policy, error) {
	p := &policy{issuers: map[string]string{}, nodes: map[string]bool{}}
	readLogs(p, r)
	if r.has("issuers") {
		for _, item := range r.list("issuers") {
			members, _ := item.(object)
			issuer := reader{"an issuer of the policy", members, r.fault}
			did, name := issuer.text("did"), issuer.text("name")
			if _, exists := p.issuers[did]; !exists {
				p.issuers[did] = name
			}
		}
	}
	if r.has("onlyKnownIssuers") {
		only, isBool := r.members["onlyKnownIssuers"].(bool)
		if p.onlyKnownIssuers = only; !isBool {
			r.fail("the policy: onlyKnownIssuers is not true or false")
		}
	}
	return p, *r.fault
}

const maxAuthorities = 8

func (p *policy) readVersion2(r reader) {
	if r.has("log") {
		var err error
		if p.cosigners, err = parseTlogPolicy(r.text("log")); err != nil {
			r.fail("the policy: %v", err)
		} else {
			p.logs = p.cosigners.logs
		}
	}
	if r.has("nodes") {
		for _, item := range r.list("nodes") {
			name, _ := item.(string)
			if p.cosigners == nil || !p.cosigners.hasWitness(name) {
				r.fail("the policy: nodes has the name %q, which no witness line has", name)
			}
			p.nodes[name] = true
		}
	}
	if r.has("maxStatusAge") {
		days := r.natural("maxStatusAge")
		if p.maxAgeDays = &days; days > longestAgeDays {
			r.fail("the policy: maxStatusAge is more than %d days", longestAgeDays)
		}
	}
	if r.has("authorities") {
		p.readAuthorities(r)
	}
}

// readAuthorities looks only at the form: this program does not check time stamps.
func (p *policy) readAuthorities(r reader) {
	list := r.list("authorities")
	if len(list) > maxAuthorities {
		r.fail("the policy has more than %d authorities", maxAuthorities)
	}
	for _, item := range list {
		authority := read("an authority of the policy", item, r.fault, "name", "root")
		authority.text("name")
		if _, err := decodeBase64(authority.text("root")); err != nil {
			authority.fail("%v", err)
		}
	}
}

func (p *policy) readVersion1(r reader) {
	if !r.has("logs") {
		return
	}
	known := map[string]bool{}
	for _, item := range r.list("logs") {
		vkey, _ := item.(string)
		key, err := parseLogKey(vkey)
		if err != nil {
			r.fail("the policy: %v", err)
		} else if !known[vkey] {
			known[vkey] = true
			p.logs = append(p.logs, key)
		}
	}
}

func (p *policy) knowsLog(origin string) bool {
	for _, key := range p.logs {
		if key.Name() == origin {
			return true
		}
	}
	return false
}
