import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import fc from 'fast-check'
import { inEnglish } from '@millseal/contract/reasons'
import { checkVatId } from './check-vat-id.ts'
import { knownNumbers } from './known-numbers.suite.ts'

const union = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

const normalizedOf = (vatId: string): string => {
  const checked = checkVatId(vatId)
  if (checked.status !== 'valid') assert.fail(`${vatId}: ${inEnglish(checked.reason)}`)
  return checked.normalized
}

describe('VAT ids of', () => {
  test('every member of the EU, Northern Ireland, Great Britain, Switzerland and Norway are known', () => {
    assert.deepEqual(Object.keys(knownNumbers).toSorted(), [...union, 'XI', 'GB', 'CH', 'NO'].toSorted())
  })

  for (const [prefix, vatIds] of Object.entries(knownNumbers)) {
    test(`${prefix} that are printed in public are valid`, () => {
      assert.ok(vatIds.length >= 3)
      for (const vatId of vatIds) {
        const normalized = normalizedOf(vatId)
        assert.ok(normalized.startsWith(prefix))
        assert.ok(normalized.length <= limits.vatId.maxLength && normalized.length >= limits.vatId.minLength)
        assert.ok(vatId.length <= limits.vatIdInput.maxLength)
      }
    })
  }
})

describe('a VAT id', () => {
  test('of Greece has EL for its register and GR for its country, whichever was written', () => {
    const checks = ['GR094259216', 'EL094259216', 'gr 094.259.216'].map(checkVatId)
    for (const checked of checks) {
      assert.deepEqual(checked, {
        status: 'valid',
        country: 'GR',
        normalized: 'EL094259216',
        register: { country: 'EL', number: '094259216' },
      })
    }
  })

  test('of Northern Ireland belongs to a company of the United Kingdom', () => {
    const checked = checkVatId('XI 517 3565 42')
    assert.ok(checked.status === 'valid')
    assert.equal(checked.country, 'GB')
    assert.deepEqual(checked.register, { country: 'XI', number: '517356542' })
  })

  test('has one canonical spelling for every language, old form and punctuation', () => {
    const spellings: Readonly<Record<string, readonly string[]>> = {
      CHE107787577: ['CHE-107.787.577 MWST', 'che107787577tva', 'CHE 107 787 577 IVA', 'CHE-107.787.577'],
      NO995525828MVA: ['NO 995 525 828', 'no995525828mva', 'NO-995.525.828 MVA'],
      BE0444503092: ['BE 444.503.092', 'BE0444503092', 'be 0444 503 092'],
      ATU74488404: [' atu 744\u00a0884\u201104 ', 'AT U74488404', 'ATU7448.8404'],
      EL094051189: ['EL94051189', 'GR 094051189'],
    }
    for (const [normalized, written] of Object.entries(spellings)) {
      for (const vatId of written) assert.equal(normalizedOf(vatId), normalized)
    }
  })

  test('that is malformed, has wrong check digits, or is of an unknown country gets a different status', () => {
    const expectations = {
      malformed: [
        '',
        'AT',
        'ATU7448840',
        'U74488404',
        '12345678',
        'DE12345678X',
        'FRIO334175221',
        'CHE107787577MWSTMWST',
        'NO995525828MVAMVA',
        'NL001241643B00',
      ],
      checksum: [
        'ATU74488405',
        'DE129274203',
        'BE0417497107',
        'IT00159560367',
        'CHE-107.787.578 IVA',
        'CY10259033Z',
      ],
      country_unknown: ['QQ12345678', 'US123456789', 'EU372000052'],
    }
    for (const [status, vatIds] of Object.entries(expectations)) {
      for (const vatId of vatIds) assert.equal(checkVatId(vatId).status, status, vatId)
    }
  })

  test('of only zeros is never valid', () => {
    for (const vatIds of Object.values(knownNumbers)) {
      for (const vatId of vatIds.map(normalizedOf).filter((text) => /\d{7}/.test(text))) {
        assert.notEqual(checkVatId(vatId.replaceAll(/\d/g, '0')).status, 'valid', vatId)
      }
    }
  })

  test('that becomes ASCII only in upper case, or contains hidden characters, is refused', () => {
    for (const vatId of [
      '\u017fe556703748501',
      'DE\u0661\u0662\u0669274202',
      'DE129274202\u0000',
      'DE\u200b129274202',
    ]) {
      assert.equal(checkVatId(vatId).status, 'malformed', JSON.stringify(vatId))
    }
  })

  test('is never repeated in the reason of its refusal', () => {
    for (const vatId of ['ATU74488405', 'ATU744', 'QQ12345678', 'x'.repeat(99), '<script>']) {
      const { reason } = checkVatId(vatId)
      assert.ok(reason !== undefined && !inEnglish(reason).includes(vatId))
    }
  })
})

describe('any input', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(fc.constantFrom(...Object.keys(knownNumbers), 'GR'), fc.stringMatching(/^[A-Z0-9+*. -]{0,16}$/))
      .map((parts) => parts.join('')),
    fc.constantFrom(...Object.values(knownNumbers).flat()),
  )

  test('is answered without an exception and without endless backtracking', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { status } = checkVatId(text)
        assert.ok(['valid', 'malformed', 'checksum', 'country_unknown'].includes(status))
      }),
      { numRuns: 5_000 },
    )
    for (const text of [' '.repeat(1e6), `DE${'0'.repeat(1e6)}`, 'CHE'.repeat(1e5), '-'.repeat(32)])
      checkVatId(text)
  })

  test('has a normal form that normalizes to itself with the same status', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { status, normalized } = checkVatId(text)
        if (normalized === undefined) return
        const again = checkVatId(normalized)
        assert.equal(again.normalized, normalized)
        assert.equal(again.status, status)
      }),
      { numRuns: 5_000 },
    )
  })

  test('is accepted regardless of case, spaces, dots and dashes', () => {
    const known = fc.constantFrom(...Object.values(knownNumbers).flat().map(normalizedOf))
    const separator = fc.constantFrom('', '', '', ' ', '.', '-')
    fc.assert(
      fc.property(
        known,
        fc.array(separator, { minLength: 14, maxLength: 14 }),
        fc.boolean(),
        (vatId, between, lower) => {
          const written = Array.from(vatId, (letter, index) => letter + (between[index] ?? '')).join('')
          assert.deepEqual(checkVatId(lower ? written.toLowerCase() : written), checkVatId(vatId))
        },
      ),
    )
  })
})
