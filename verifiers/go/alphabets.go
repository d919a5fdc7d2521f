package main

import (
	"strings"
	"unicode"
)

// alike has Cyrillic and Greek letters that look like Latin ones, small or as capitals.
const alike = "авеікмнорстухѕјьαβεζηικμνορτυχ"

// mixesAlphabets is the rule of docs/bundle.md about names.
func mixesAlphabets(name string) bool {
	latin, foreign, other := false, false, false
	for _, letter := range name {
		if !unicode.In(letter, unicode.Lu, unicode.Ll, unicode.Lt) {
			continue
		}
		if unicode.Is(unicode.Latin, letter) {
			latin = true
			continue
		}
		foreign = true
		other = other || !strings.ContainsRune(alike, unicode.ToLower(letter))
	}
	return foreign && (latin || !other)
}

// remarkOn follows a name.
func remarkOn(name string) string {
	if mixesAlphabets(name) {
		return ", a name with letters of several alphabets: compare the VAT id"
	}
	return ""
}
