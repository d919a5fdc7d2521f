package main

import (
	"crypto/ed25519"
	"encoding/hex"
)

// Values of y, little-endian without the sign of x, of the points of small order: 0, 1, -1 and two of order 8.
var smallOrder = map[string]bool{
	"0000000000000000000000000000000000000000000000000000000000000000": true,
	"0100000000000000000000000000000000000000000000000000000000000000": true,
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f": true,
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05": true,
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a": true,
}

// verifyEd25519 is stricter than package ed25519, which already compares R as bytes and refuses a large s:
// neither the key nor R may have a small order or an encoding that is not canonical.
func verifyEd25519(key, message, signature []byte) bool {
	if len(key) != ed25519.PublicKeySize || len(signature) != ed25519.SignatureSize {
		return false
	}
	return isStrictPoint(key) && isStrictPoint(signature[:32]) && ed25519.Verify(key, message, signature)
}

func isStrictPoint(encoded []byte) bool {
	y := append([]byte{}, encoded...)
	y[31] &= 0x7f
	return isBelowPrime(y) && !smallOrder[hex.EncodeToString(y)]
}

// isBelowPrime tells whether y < 2^255 - 19.
func isBelowPrime(y []byte) bool {
	if y[31] != 0x7f || y[0] < 0xed {
		return true
	}
	for _, b := range y[1:31] {
		if b != 0xff {
			return true
		}
	}
	return false
}
