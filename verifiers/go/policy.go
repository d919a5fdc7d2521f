package main

import (
	"fmt"
	"os"
)

type policy struct {
	logs             []logKey
	issuers          map[string]string // name by DID
	onlyKnownIssuers bool
}

func readPolicyFile(path string) (*policy, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return readPolicyText(text)
}

func readPolicyText(text []byte) (*policy, error) {
	value, err := parseJSON(text, bundleLevels)
	if err != nil {
		return nil, fmt.Errorf("the policy: %w", err)
	}
	return readPolicy(value)
}

func readPolicy(value any) (*policy, error) {
	var fault error
	r := read("the policy", value, &fault, "policyVersion", "logs", "issuers", "onlyKnownIssuers")
	p := &policy{issuers: map[string]string{}}
	if r.has("policyVersion") && r.natural("policyVersion") != 1 {
		r.fail("the policy has another version than 1")
	}
	if r.has("logs") {
		p.readLogs(r)
	}
	if r.has("issuers") {
		for _, item := range r.list("issuers") {
			members, _ := item.(object)
			issuer := reader{"an issuer of the policy", members, &fault}
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
	return p, fault
}

func (p *policy) readLogs(r reader) {
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
