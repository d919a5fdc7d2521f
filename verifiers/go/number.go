package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// readNumber refuses a number that no double holds exactly: two documents would have one hash.
func readNumber(literal string) (number, error) {
	value, err := strconv.ParseFloat(literal, 64)
	written := ecmaScript(value)
	isUnsafe := integerText.MatchString(literal) && math.Abs(value) > maxSafeInteger
	if err != nil || isUnsafe || significant(literal) != significant(written) {
		return "", fmt.Errorf("the number %.40s cannot be held exactly", literal)
	}
	return number(written), nil
}

// ecmaScript writes a double as ECMAScript does, but -0 with its sign.
func ecmaScript(value float64) string {
	if value == 0 {
		return map[bool]string{false: "0", true: "-0"}[math.Signbit(value)]
	}
	sign := ""
	if value < 0 {
		sign, value = "-", -value
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', -1, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		return "" // An infinity.
	}
	return sign + layOut(strings.Replace(mantissa, ".", "", 1), power)
}

// layOut places the decimal point of d.ddd × 10^exponent.
func layOut(digits string, exponent int) string {
	count, point := len(digits), exponent+1
	switch {
	case count <= point && point <= 21:
		return digits + strings.Repeat("0", point-count)
	case 0 < point && point <= 21:
		return digits[:point] + "." + digits[point:]
	case -6 < point && point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	}
	fraction := ""
	if count > 1 {
		fraction = "." + digits[1:]
	}
	return fmt.Sprintf("%s%se%+d", digits[:1], fraction, exponent)
}

// decimal is 0.digits × 10^exponent, with neither leading nor trailing zeros in the digits.
type decimal struct {
	digits   string
	exponent int
}

func significant(literal string) decimal {
	mantissa, power, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(literal, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	digits := strings.TrimLeft(all, "0")
	if digits == "" {
		return decimal{}
	}
	exponent, _ := strconv.Atoi(power) // A power out of range is no double anyway.
	return decimal{strings.TrimRight(digits, "0"), exponent + len(whole) - (len(all) - len(digits))}
}
