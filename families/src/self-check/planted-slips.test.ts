import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import fc from 'fast-check'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { builders, certificateOf, type Content, type Limited, right } from './invented.fixture.ts'
import { selfCheck } from './self-check.ts'

const findingsIn = (json: unknown) => selfCheck(readCertificate(Buffer.from(JSON.stringify(json))))
const sentencesIn = (json: unknown): readonly string[] =>
  findingsIn(json).map(({ reason }) => inEnglish(reason))
const codesIn = (json: unknown): readonly string[] => findingsIn(json).map(({ reason }) => reason.code)

const places3 = (thousandths: number): string => (thousandths / 1000).toFixed(3)
const whole = (from: number, to: number) => fc.integer({ min: from, max: to })

/** Each kind of slip, and the families that have a place for what it needs. Timber has none for any. */
const kinds: readonly {
  readonly code: string
  readonly slips: fc.Arbitrary<Partial<Content>>
  readonly unlike?: readonly string[]
}[] = [
  {
    code: 'own_maximum',
    slips: whole(26, 900).map((value) => ({ limited: { ...right.limited, value: places3(value) } })),
  },
  {
    code: 'own_minimum',
    slips: whole(0, 9).map((value) => ({ limited: { ...right.limited, value: places3(value) } })),
  },
  {
    code: 'own_mean',
    slips: whole(1, 50).map((by) => ({ series: { ...right.series, mean: String(62 + by) } })),
    unlike: ['coa', 'e-coc'],
  },
  {
    code: 'own_formula',
    slips: whole(2, 50).map((by) => ({ equivalent: (0.4 + by / 100).toFixed(2) })),
    unlike: ['coa'],
  },
  { code: 'own_sum', slips: whole(99, 200).map((iron) => ({ iron: `${iron}.5` })), unlike: ['coa'] },
  {
    code: 'own_strength',
    slips: whole(1, 369).map((rm) => ({ strength: { rm: String(rm), yield: '370' } })),
  },
  {
    code: 'own_heat_unlisted',
    slips: whole(4, 99).map((heat) => ({
      heats: { listed: right.heats.listed, tested: [...right.heats.tested, `X-${heat}`] },
    })),
    unlike: ['coa', 'metals'],
  },
  {
    code: 'own_heat_untested',
    slips: whole(0, 2).map((left) => ({
      heats: { listed: right.heats.listed, tested: right.heats.tested.filter((_, at) => at !== left) },
    })),
    unlike: ['coa', 'metals'],
  },
  {
    code: 'date',
    slips: whole(2, 28).map((day) => ({
      dates: { issued: '2026-02-01', made: `2026-02-${String(day).padStart(2, '0')}` },
    })),
  },
  {
    code: 'own_mass',
    slips: whole(23, 900).map((mass) => ({ mass: String(mass) })),
    unlike: ['coa'],
  },
  { code: 'own_declaration', slips: fc.constant({ declaration: undefined }) },
]

describe('the self-check', () => {
  for (const name of Object.keys(builders)) {
    test(`finds nothing in a certificate of ${name} that adds up`, () => {
      assert.deepEqual(sentencesIn(certificateOf(name, right)), [])
    })

    for (const { code, slips, unlike } of kinds.filter((kind) => !kind.unlike?.includes(name)))
      test(`finds every slip ${code} in ${name}, and no other`, () => {
        fc.assert(
          fc.property(slips, (slip) => {
            const found = new Set(codesIn(certificateOf(name, { ...right, ...slip })))
            assert.deepEqual(
              [...found].map((one) => (one.endsWith('_date') ? 'date' : one)),
              [code],
            )
            assert.equal(unlike?.includes(name) ?? false, false)
          }),
          { numRuns: 30 },
        )
      })
  }

  test('has a certificate of each family that has such values', () => {
    const others = families.map(({ name }) => name).filter((name) => !Object.hasOwn(builders, name))
    assert.deepEqual(others, ['forestry'])
  })

  const limited = (share: Partial<Limited> & { symbol?: string; operator?: string }) => {
    const content = certificateOf('metals', right)
    const element = {
      PropertySymbol: share.symbol ?? 'P',
      Unit: '%',
      Actual: { Value: share.value, Operator: share.operator },
      Minimum: share.min === undefined ? undefined : { Value: share.min },
      Maximum: share.max === undefined ? undefined : { Value: share.max },
    }
    const passport = { TransactionData: {}, ChemicalAnalysis: { HeatNumber: '175509', Elements: [element] } }
    return sentencesIn({ ...content, DigitalMaterialPassport: passport })
  }

  test('says what is outside its own limits in one sentence', () => {
    assert.deepEqual(limited({ value: '0.030', max: '0.025' }), [
      'P 0.030 % is above the maximum 0.025 % that this certificate prints (heat 175509)',
    ])
    assert.deepEqual(limited({ value: '0.010', min: '0.020' }), [
      'P 0.010 % is below the minimum 0.020 % that this certificate prints (heat 175509)',
    ])
  })

  test('passes what is below the limit of detection', () => {
    const operator = '<'
    for (const limits of [{ max: '0.006' }, { max: '0.004' }, { min: '0.006' }])
      assert.deepEqual(limited({ value: '0.005', operator, ...limits }), [])
  })

  test('rounds a value to the places of its limit, unless the limit may have lost its zeros', () => {
    assert.deepEqual(limited({ symbol: 'F1', value: '354.6', min: '355' }), [])
    assert.deepEqual(limited({ value: '0.0254', max: '0.025' }), [])
    assert.equal(limited({ value: '0.24', max: '0.2' }).length, 1)
    assert.equal(limited({ symbol: 'F1', value: '354.4', min: '355' }).length, 1)
  })

  test('checks every heat of several inspections', () => {
    const slip = certificateOf('en10168', { ...right, limited: { ...right.limited, value: '0.030' } })
    assert.deepEqual(
      findingsIn(slip).map(({ heat }) => heat),
      ['H-2'],
    )
  })

  test('takes no samples or pieces for heats', () => {
    const heats = (listed: readonly string[], tested: readonly string[]) =>
      sentencesIn(certificateOf('en10168', { ...right, heats: { listed, tested } }))
    assert.deepEqual(heats(['7282841'], ['175508']), [])
    assert.deepEqual(heats(['175508'], ['175508', '175508/2']), [])
    assert.deepEqual(heats(['P-1', 'P-2', 'P-3', 'P-4', 'P-5'], ['P-1', 'P-4']), [])
  })

  test('answers within its limit for a certificate of a thousand slips', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      PropertySymbol: 'P',
      Actual: { Value: `0.${'9'.repeat(40)}${index}` },
      Maximum: { Value: '0.025' },
    }))
    const passport = { TransactionData: {}, ChemicalAnalysis: { Elements: many } }
    const json = { RefSchemaUrl: 'https://schemas.example/schema.json', DigitalMaterialPassport: passport }
    assert.equal(findingsIn(json).length, 50)
  })
})
