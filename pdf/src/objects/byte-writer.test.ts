import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ByteWriter } from './byte-writer.ts'
import { number } from './source.ts'

const written = (write: (output: ByteWriter) => void): string => {
  const output = new ByteWriter(1)
  write(output)
  return Buffer.from(output.written).toString('latin1')
}

describe('a writer of bytes', () => {
  test('writes numbers as their source has them', () => {
    const numbers = fc.oneof(
      fc.double({ min: -1_000, max: 1_000, noNaN: true }),
      fc.integer({ min: -100_000, max: 100_000 }).map((hundredths) => hundredths / 100),
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(numbers), (values) => {
        assert.equal(
          written((output) => output.numbers(...values)),
          values.map(number).join(' '),
        )
      }),
      { numRuns: 1_000 },
    )
    assert.equal(
      written((output) => output.numbers(0, -0.001, 0.1, 9.99, 10, 595.28, 841.895, 21_474_836.47)),
      '0 0 0.1 9.99 10 595.28 841.9 21474836.47',
    )
  })

  test('writes integers, and keeps what was written when it grows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 31 - 1)), (values) => {
        const all = written((output) => {
          for (const value of values) {
            output.integer(value)
            output.source(' ')
            output.bytes(Uint8Array.of(65, 66))
          }
        })
        assert.equal(all, values.map((value) => `${value} AB`).join(''))
      }),
    )
    for (const value of [0, 9, 10, 99, 100, 2 ** 31 - 1])
      assert.equal(
        written((output) => output.integer(value)),
        String(value),
      )
  })
})
