package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type object = map[string]any

// number is a number as ECMAScript writes it (RFC 8785 §3.2.2.3), but -0 is kept.
type number string

// How many objects and lists may be nested.
const (
	bundleLevels      = 68
	certificateLevels = 64
	vectorLevels      = bundleLevels + 2 // A bundle in a vector in a list.
)

const (
	byteOrderMark  = "\ufeff"
	maxSafeInteger = 1<<53 - 1
)

var (
	numberText  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)
	integerText = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
)

// parseJSON reads strict JSON (RFC 8259): no duplicate members, valid UTF-8, no lone surrogates.
// Package encoding/json accepts all of these.
// It ignores one byte order mark at the start.
func parseJSON(text []byte, levels int) (any, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the JSON is not valid UTF-8")
	}
	p := &parser{strings.TrimPrefix(string(text), byteOrderMark)}
	value, err := p.value(levels)
	if err != nil {
		return nil, err
	}
	if p.space(); p.rest != "" {
		return nil, errors.New("text after the end of the JSON")
	}
	return value, nil
}

type parser struct{ rest string }

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\n\r") }

func (p *parser) accept(token string) bool {
	if !strings.HasPrefix(p.rest, token) {
		return false
	}
	p.rest = p.rest[len(token):]
	return true
}

func (p *parser) value(levels int) (any, error) {
	p.space()
	if levels == 0 && p.rest != "" && strings.Contains("{[", p.rest[:1]) {
		return nil, errors.New("the JSON is nested too deeply")
	}
	switch {
	case p.accept("{"):
		return p.object(levels - 1)
	case p.accept("["):
		return p.list(levels - 1)
	case p.accept(`"`):
		return p.text()
	case p.accept("null"):
		return nil, nil
	case p.accept("true"):
		return true, nil
	case p.accept("false"):
		return false, nil
	}
	found := numberText.FindString(p.rest)
	if found == "" {
		return nil, errors.New("the JSON is malformed")
	}
	p.rest = p.rest[len(found):]
	return readNumber(found)
}

func (p *parser) object(levels int) (any, error) {
	members := object{}
	if p.space(); p.accept("}") {
		return members, nil
	}
	for {
		if p.space(); !p.accept(`"`) {
			return nil, errors.New("the JSON is malformed: a member needs a name")
		}
		name, err := p.text()
		if err != nil {
			return nil, err
		}
		if _, exists := members[name]; exists {
			return nil, fmt.Errorf("the JSON has the member %q twice", name)
		}
		if p.space(); !p.accept(":") {
			return nil, errors.New("the JSON is malformed: a colon is missing")
		}
		if members[name], err = p.value(levels); err != nil {
			return nil, err
		}
		if p.space(); p.accept("}") {
			return members, nil
		}
		if !p.accept(",") {
			return nil, errors.New("the JSON is malformed: a comma is missing")
		}
	}
}

func (p *parser) list(levels int) (any, error) {
	items := []any{}
	if p.space(); p.accept("]") {
		return items, nil
	}
	for {
		item, err := p.value(levels)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if p.space(); p.accept("]") {
			return items, nil
		}
		if !p.accept(",") {
			return nil, errors.New("the JSON is malformed: a comma is missing")
		}
	}
}

func (p *parser) text() (string, error) {
	var text strings.Builder
	for {
		end := strings.IndexAny(p.rest, `"\`)
		if end < 0 {
			return "", errors.New("the JSON is malformed: a string has no end")
		}
		plain := p.rest[:end]
		if strings.IndexFunc(plain, func(r rune) bool { return r < 0x20 }) >= 0 {
			return "", errors.New("the JSON has a control character in a string")
		}
		text.WriteString(plain)
		p.rest = p.rest[end:]
		if p.accept(`"`) {
			return text.String(), nil
		}
		r, err := p.escape()
		if err != nil {
			return "", err
		}
		text.WriteRune(r)
	}
}

var escapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

func (p *parser) escape() (rune, error) {
	if len(p.rest) < 2 {
		return 0, errors.New("the JSON is malformed: a string has no end")
	}
	if r, simple := escapes[p.rest[1]]; simple {
		p.rest = p.rest[2:]
		return r, nil
	}
	first, err := p.codeUnit()
	if err != nil || !utf16.IsSurrogate(first) {
		return first, err
	}
	second, err := p.codeUnit()
	if err != nil {
		return 0, err
	}
	r := utf16.DecodeRune(first, second)
	if r == utf8.RuneError {
		return 0, errors.New("the JSON has a lone surrogate in a string")
	}
	return r, nil
}

func (p *parser) codeUnit() (rune, error) {
	if len(p.rest) < 6 || !strings.HasPrefix(p.rest, `\u`) {
		return 0, errors.New("the JSON has an unknown escape or a lone surrogate in a string")
	}
	unit, err := strconv.ParseUint(p.rest[2:6], 16, 16)
	if err != nil {
		return 0, errors.New("the JSON has a malformed escape in a string")
	}
	p.rest = p.rest[6:]
	return rune(unit), nil
}

// safeInteger returns the integer that the digits write. It refuses -0 and what a double cannot hold.
func safeInteger(digits string) (int64, error) {
	value, err := strconv.ParseInt(digits, 10, 64)
	isSafe := -maxSafeInteger <= value && value <= maxSafeInteger
	if err != nil || !isSafe || !integerText.MatchString(digits) || digits == "-0" {
		return 0, fmt.Errorf("%q is not a safe integer", digits)
	}
	return value, nil
}
