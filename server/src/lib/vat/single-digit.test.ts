import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { checkVatId } from './check-vat-id.ts'
import { knownNumbers } from './known-numbers.suite.ts'

/** Where a changed digit can stay undetected: two remainders share a check digit, or a second algorithm accepts the change. */
const forgiving: Readonly<Record<string, string>> = {
  BG: 'zero represents two remainders, and persons have three algorithms',
  CZ: 'one represents two remainders, and old birth numbers have no check digit',
  EL: 'zero represents two remainders',
  GB: 'numbers since 2009 have a remainder of their own',
  LT: 'zero represents two remainders',
  LV: 'the first digit separates companies from persons, who have another algorithm',
  NL: 'companies and sole traders have different algorithms',
  PT: 'zero represents two remainders',
  RO: 'zero represents two remainders',
  XI: 'as Great Britain',
}

/** The following digits only count the registrations or branches of a company. */
const checkedLength: Readonly<Record<string, number>> = { GB: 11, NL: 11, SE: 12, XI: 11 }

const isValid = (vatId: string): boolean => checkVatId(vatId).status === 'valid'

const withLetterAt = (text: string, index: number, letter: string): string =>
  text.slice(0, index) + letter + text.slice(index + 1)

const digitIndexes = (vatId: string): number[] =>
  Array.from(vatId.slice(0, checkedLength[vatId.slice(0, 2)]), (letter, index) => ({ letter, index }))
    .filter(({ letter, index }) => index >= 2 && /\d/.test(letter))
    .map(({ index }) => index)

const changesOfOneDigit = (vatId: string): string[] =>
  digitIndexes(vatId).flatMap((index) =>
    Array.from('0123456789', (digit) => withLetterAt(vatId, index, digit)).filter((text) => text !== vatId),
  )

/** Tries check digits at the start, at the end and as the last letter. */
const withFittingCheck = (vatId: string): string | undefined => {
  const indexes = digitIndexes(vatId)
  const [first = 0, second = 0] = indexes
  const [beforeLast = 0, last = 0] = indexes.slice(-2)
  const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))
  const place = (one: number, other: number) => (pair: string) =>
    withLetterAt(withLetterAt(vatId, one, pair.charAt(0)), other, pair.charAt(1))
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => vatId.replace(/[A-Z]$/, letter))
  const numbers = vatId.startsWith('FR')
    ? pairs.map(place(first, second))
    : pairs.map(place(beforeLast, last))
  return [...letters, ...numbers].find(isValid)
}

/** Valid numbers derived from known ones. */
const validNumbers = (prefix: string): fc.Arbitrary<string> => {
  const known = (knownNumbers[prefix] ?? [])
    .map((vatId) => checkVatId(vatId).normalized ?? '')
    // Keys with letters are remainders of eleven, which two keys can share.
    .filter((vatId) => /\d{7}/.test(vatId) && !/^FR(?:[A-Z]|\d[A-Z])/.test(vatId))
  const changes = fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...'0123456789')), { maxLength: 6 })
  return fc
    .tuple(fc.constantFrom(...known), changes)
    .map(([vatId, replaced]) =>
      withFittingCheck(
        replaced.reduce((text, [index, digit]) => {
          const indexes = digitIndexes(text)
          return withLetterAt(text, indexes[index % indexes.length] ?? 2, digit)
        }, vatId),
      ),
    )
    .filter((vatId) => vatId !== undefined)
}

describe('the change of a single digit', () => {
  for (const prefix of Object.keys(knownNumbers)) {
    const exception = forgiving[prefix]
    if (exception === undefined) {
      test(`makes every valid number of ${prefix} invalid`, () => {
        fc.assert(
          fc.property(validNumbers(prefix), (vatId) => {
            assert.deepEqual(changesOfOneDigit(vatId).filter(isValid), [])
          }),
        )
      })
    } else {
      test(`makes most valid numbers of ${prefix} invalid, not all: ${exception}`, () => {
        const numbers = fc.sample(validNumbers(prefix), 100)
        const changed = numbers.flatMap(changesOfOneDigit)
        const undetected = changed.filter(isValid)
        assert.ok(changed.length > 1_000 && undetected.length < changed.length / 5, `${undetected.length}`)
      })
    }
  }

  test('in the SIREN of a French number is detected even if the key has letters', () => {
    for (const vatId of ['FRK7399859412', 'FR4Z123456782']) {
      const inSiren = changesOfOneDigit(vatId).filter((changed) => changed.slice(2, 4) === vatId.slice(2, 4))
      assert.equal(inSiren.length, 81)
      assert.deepEqual(inSiren.filter(isValid), [])
    }
  })
})
