import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encodeDer } from '../ledger/der.ts'
import { attempt, writeAgain } from './der.fixture.ts'
import { readDer } from './der.ts'
import { StampRefused } from './stamp-refused.ts'

void describe('the reader of DER', () => {
  void it('accepts only what is the same when it is written again', () => {
    const value: fc.Arbitrary<Uint8Array> = fc.letrec<{ value: Uint8Array }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc
          .tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 0x0c, 0x80), fc.uint8Array({ maxLength: 4 }))
          .map(([tag, content]) => encodeDer(tag, content)),
        fc
          .tuple(fc.constantFrom(0x30, 0x31, 0xa0), fc.array(tie('value'), { maxLength: 3 }))
          .map(([tag, parts]) => encodeDer(tag, ...parts)),
      ),
    })).value
    const altered = fc.tuple(value, fc.nat(), fc.nat({ max: 255 })).map(([bytes, at, octet]) => {
      const copy = Uint8Array.from(bytes)
      if (at % 3 !== 0) copy[at % copy.length] = octet
      return copy
    })
    let accepted = 0
    fc.assert(
      fc.property(altered, (bytes) => {
        const read = attempt(() => readDer(bytes))
        if (read instanceof StampRefused) return
        accepted += 1
        assert.deepEqual(writeAgain(read), bytes)
      }),
      { numRuns: 20_000 },
    )
    assert.ok(accepted > 1_000, `${accepted} accepted`)
  })

  void it('refuses a structure that is too deep', () => {
    let bytes: Uint8Array = new Uint8Array(0)
    for (let depth = 0; depth < 5_000; depth += 1) bytes = encodeDer(0x30, bytes)
    assert.throws(() => readDer(bytes), StampRefused)
  })
})
