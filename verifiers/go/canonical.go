package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
)

// dialect is what the two canonical forms of JSON differ in.
type dialect struct {
	hexDigits string
	less      func(a, b string) bool
	number    func(n number) (string, error)
	maxLevels int
}

// ledgerForm is the form of transactions; certificateForm is RFC 8785.
var (
	ledgerForm = dialect{
		hexDigits: "0123456789ABCDEF",
		less:      func(a, b string) bool { return a < b },
		number:    ledgerNumber,
		maxLevels: 64,
	}
	certificateForm = dialect{
		hexDigits: "0123456789abcdef",
		less:      lessUTF16,
		number:    certificateNumber,
		maxLevels: certificateLevels,
	}
)

func (d dialect) canonical(value any) (string, error) {
	var text strings.Builder
	err := d.write(&text, value, 0)
	return text.String(), err
}

func (d dialect) write(text *strings.Builder, value any, levels int) error {
	switch v := value.(type) {
	case nil:
		text.WriteString("null")
	case bool:
		text.WriteString(strconv.FormatBool(v))
	case string:
		d.writeString(text, v)
	case number:
		written, err := d.number(v)
		if err != nil {
			return err
		}
		text.WriteString(written)
	case []any:
		return d.writeList(text, v, levels)
	case object:
		return d.writeObject(text, v, levels)
	default:
		return fmt.Errorf("%T is not JSON", value)
	}
	return nil
}

func (d dialect) writeList(text *strings.Builder, items []any, levels int) error {
	if levels >= d.maxLevels {
		return fmt.Errorf("nested deeper than %d levels", d.maxLevels)
	}
	text.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			text.WriteByte(',')
		}
		if err := d.write(text, item, levels+1); err != nil {
			return err
		}
	}
	text.WriteByte(']')
	return nil
}

func (d dialect) writeObject(text *strings.Builder, members object, levels int) error {
	if levels >= d.maxLevels {
		return fmt.Errorf("nested deeper than %d levels", d.maxLevels)
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return d.less(names[i], names[j]) })
	text.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			text.WriteByte(',')
		}
		d.writeString(text, name)
		text.WriteByte(':')
		if err := d.write(text, members[name], levels+1); err != nil {
			return err
		}
	}
	text.WriteByte('}')
	return nil
}

var shortEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`,
}

func (d dialect) writeString(text *strings.Builder, s string) {
	text.WriteByte('"')
	for _, r := range s {
		if short, exists := shortEscapes[r]; exists {
			text.WriteString(short)
		} else if r < 0x20 {
			text.WriteString(`\u00`)
			text.WriteByte(d.hexDigits[r>>4])
			text.WriteByte(d.hexDigits[r&15])
		} else {
			text.WriteRune(r)
		}
	}
	text.WriteByte('"')
}

// lessUTF16 compares by UTF-16 code units, as RFC 8785 §3.2.3 demands.
func lessUTF16(a, b string) bool {
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

func ledgerNumber(n number) (string, error) {
	value, err := safeInteger(string(n))
	return strconv.FormatInt(value, 10), err
}

func certificateNumber(n number) (string, error) {
	if n == "-0" {
		return "0", nil
	}
	return string(n), nil
}
