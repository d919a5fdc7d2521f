import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPacketMeter } from './packet-meter.ts'

const packet = (length: number): Buffer => {
  const digits: number[] = []
  let left = length
  do {
    digits.push((left % 128) + (left >= 128 ? 128 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  return Buffer.concat([Buffer.from([0x10, ...digits]), Buffer.alloc(length, 0xff)])
}

test('packets up to the limit are accepted, however they are cut into chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(400), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 40 }),
      (lengths, cuts) => {
        const accepts = createPacketMeter(400)
        const bytes = Buffer.concat(lengths.map(packet))
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const next = at + (cuts[turn % cuts.length] ?? 1)
          assert.ok(accepts(bytes.subarray(at, next)))
          at = next
        }
      },
    ),
    { numRuns: 2_000, seed: 23 },
  )
})

test('a longer packet is refused at its header, in one chunk or byte by byte', () => {
  for (const length of [401, 16_384, 268_435_455]) {
    const header = packet(length < 20_000 ? length : 0).subarray(0, 5)
    const announced = length < 20_000 ? header : Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])
    assert.equal(createPacketMeter(400)(announced), false)
    const accepts = createPacketMeter(400)
    assert.ok([...announced].some((byte) => !accepts(Buffer.from([byte]))))
  }
})

test('a length of more than four digits is refused', () => {
  assert.equal(createPacketMeter(2 ** 40)(Buffer.from([0x10, 0x80, 0x80, 0x80, 0x80, 0x01])), false)
})
