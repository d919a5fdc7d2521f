package main

import (
	"encoding/binary"
	"math/bits"
)

const sha3Rate = 136

var roundConstants = [24]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

// sha3Sum256 is SHA3-256 of FIPS 202. The standard library has it only since Go 1.24.
func sha3Sum256(message []byte) [32]byte {
	padded := append([]byte{}, message...)
	padded = append(padded, 0x06)
	for len(padded)%sha3Rate != 0 {
		padded = append(padded, 0)
	}
	padded[len(padded)-1] |= 0x80
	var state [25]uint64
	for ; len(padded) > 0; padded = padded[sha3Rate:] {
		for i := 0; i < sha3Rate/8; i++ {
			state[i] ^= binary.LittleEndian.Uint64(padded[8*i:])
		}
		keccak(&state)
	}
	var sum [32]byte
	for i := 0; i < 4; i++ {
		binary.LittleEndian.PutUint64(sum[8*i:], state[i])
	}
	return sum
}

// keccak is Keccak-f[1600]; the lane (x, y) is state[x+5*y].
func keccak(state *[25]uint64) {
	for _, constant := range roundConstants {
		var parity [5]uint64
		for x := range parity {
			parity[x] = state[x] ^ state[x+5] ^ state[x+10] ^ state[x+15] ^ state[x+20]
		}
		for i := range state {
			state[i] ^= parity[(i+4)%5] ^ bits.RotateLeft64(parity[(i+1)%5], 1)
		}
		// ρ and π: lane (x, y) goes to (y, 2x+3y), rotated by a triangular number.
		x, y, lane := 1, 0, state[1]
		for t := 1; t <= 24; t++ {
			x, y = y, (2*x+3*y)%5
			state[x+5*y], lane = bits.RotateLeft64(lane, t*(t+1)/2), state[x+5*y]
		}
		for row := 0; row < 25; row += 5 {
			var before [5]uint64
			copy(before[:], state[row:row+5])
			for x := range before {
				state[row+x] = before[x] ^ (^before[(x+1)%5] & before[(x+2)%5])
			}
		}
		state[0] ^= constant
	}
}
