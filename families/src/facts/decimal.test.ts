import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compare, decimalText, over, rational, readDecimal, roundTo, zero } from './decimal.ts'

const read = (text: string): string | undefined => {
  const found = readDecimal(text)
  return found === undefined ? undefined : decimalText(found)
}

describe('a decimal', () => {
  test('keeps the zeros of its text', () => {
    const texts = ['355.0', '0', '0.030', '-20', '-0.5', '+3', '007', '0,15', '12345678901234567890.1']
    const expected = ['355.0', '0', '0.030', '-20', '-0.5', '3', '7', '0.15', '12345678901234567890.1']
    assert.deepEqual(texts.map(read), expected)
  })

  test('with a power of ten is the same number', () => {
    assert.deepEqual(['1e-05', '2.50E1', '3e2'].map(read), ['0.00001', '25.0', '300'])
  })

  test('is none for what is no number, and for a comma that may separate thousands', () => {
    const texts = ['', '<0.005', '1.2.3', '1/2', 'ß.15', '.5', '5.', 'NaN', '1,234', '1e999', '9'.repeat(61)]
    assert.deepEqual(
      texts.map(read),
      texts.map(() => undefined),
    )
    assert.equal(read('0,234'), '0.234')
  })

  test('is rounded once, from the exact fraction', () => {
    const third = over(rational({ digits: 2n, places: 0 }), rational({ digits: -3n, places: 0 }))
    assert.ok(third !== undefined && third.bottom > 0n)
    assert.equal(decimalText(roundTo(third, 4, 'halfEven')), '-0.6667')
    assert.equal(over(third, zero), undefined)
    const halves = ['0.25', '0.35', '-0.25', '0.05', '2.5']
    const rounded = (rounding: 'halfEven' | 'halfUp') =>
      halves.map((text) => {
        const decimal = readDecimal(text) ?? assert.fail()
        return decimalText(roundTo(rational(decimal), decimal.places - 1, rounding))
      })
    assert.deepEqual(rounded('halfEven'), ['0.2', '0.4', '-0.2', '0.0', '2'])
    assert.deepEqual(rounded('halfUp'), ['0.3', '0.4', '-0.3', '0.1', '3'])
  })

  test('is compared by its value, not by its zeros', () => {
    const [one, other] = ['0.020', '0.02'].map((text) => rational(readDecimal(text) ?? assert.fail()))
    assert.equal(compare(one ?? zero, other ?? zero), 0)
  })
})
