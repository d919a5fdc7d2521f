import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRequirement } from './read-requirement.ts'
import { RequirementUnreadable } from './requirement-unreadable.ts'
import { hashRequirement, resolveRequirement } from './resolve.ts'

const refused = (value: unknown): string => {
  try {
    readRequirement(value)
  } catch (error) {
    if (error instanceof RequirementUnreadable) return error.message
    throw error
  }
  return assert.fail('was read')
}
const rule = { of: 'C', max: '0.20', unit: '%' }
const refusedRule = (changes: object): string => refused({ name: 'R', rules: [{ ...rule, ...changes }] })

describe('a requirement', () => {
  test('is read as it is', () => {
    const requirement = {
      $schema: 'https://millseal.org/schemas/requirement-1.schema.json',
      name: 'Bar for shafts',
      basis: ['annex 4'],
      includes: ['House rules'],
      rounding: 'exact',
      document: ['3.1', '3.2'],
      order: '4500',
      heats: ['H1'],
      rules: [
        rule,
        { anyOf: [rule, { of: 'Al', min: '0.020', unit: '%' }] },
        {
          of: 'KV',
          unit: 'J',
          at: '-20 °C',
          mean: { min: '27' },
          each: { min: '19' },
          atMost: { count: 1, below: '27' },
        },
        {
          of: 'ReH',
          min: '355',
          unit: 'N/mm²',
          when: { thickness: { above: '3', upTo: '16' } },
          ifMissing: 'pass',
        },
        { of: '/Certificate/Validation/Z02', oneOf: ['2026-01-31'] },
        { of: 'Moisture', max: '0.5' },
      ],
    }
    assert.deepEqual(readRequirement(requirement), requirement)
  })

  test('is refused with the field that is wrong', () => {
    assert.match(refused([]), /must be an object/)
    assert.match(refused({ name: 'R' }), /"rules"/)
    assert.match(refused({ name: 'R', rules: [] }), /^\/rules /)
    assert.match(refused({ name: 'R', rules: [rule], grade: 'S355' }), /must not contain "grade"/)
    assert.match(refusedRule({ maximum: '0.2' }), /^\/rules\/0 must not contain "maximum"/)
    assert.match(refusedRule({ max: 0.2 }), /^\/rules\/0\/max must be a decimal as text/)
    assert.match(refusedRule({ max: '0,20' }), /^\/rules\/0\/max must be a decimal as text/)
    assert.match(refusedRule({ rounding: 'up' }), /^\/rules\/0\/rounding must be one of "halfEven"/)
    assert.match(refusedRule({ of: undefined }), /^\/rules\/0 needs "of"/)
    assert.match(refusedRule({ anyOf: [rule, rule] }), /^\/rules\/0 needs "of", or "anyOf" alone/)
    assert.match(refusedRule({ of: 'MN' }), /^\/rules\/0\/of is written Mn/)
    assert.match(refusedRule({ unit: undefined }), /^\/rules\/0\/unit C needs a unit: %, ppm/)
    assert.match(refusedRule({ unit: 'MPa' }), /^\/rules\/0\/unit is not a unit of C/)
    assert.match(refusedRule({ calculated: true }), /^\/rules\/0\/calculated only CEV/)
    assert.match(refusedRule({ min: '0.30' }), /^\/rules\/0\/max is empty: 0.30 is not below 0.20/)
    assert.match(
      refusedRule({ when: { mass: { upTo: '3' } } }),
      /^\/rules\/0\/when\/mass must name a dimension/,
    )
    assert.match(
      refusedRule({ when: { thickness: { above: '16', upTo: '16' } } }),
      /^\/rules\/0\/when\/thickness\/upTo is empty/,
    )
    assert.match(refusedRule({ of: '/Certificate/X' }), /^\/rules\/0 of a JSON pointer/)
    assert.match(
      refused({ name: 'R', rules: [{ anyOf: [rule, { ...rule, unit: 'J' }] }] }),
      /^\/rules\/0\/anyOf\/1\/unit is not a unit of C/,
    )
  })

  test('does not guess what Re and CE mean, and says the choice', () => {
    assert.match(
      refusedRule({ of: 'Re' }),
      /^\/rules\/0\/of "Re" has several meanings: .*ReH, ReL, Rp0\.2.*rhenium/,
    )
    assert.match(refusedRule({ of: 'CE' }), /^\/rules\/0\/of "CE" has several meanings: .*CEV.*Ce/)
  })

  test('says all that is wrong at once, up to 50 times', () => {
    const rules = Array.from({ length: 100 }, () => ({ of: 'Re', max: '1' }))
    assert.equal(refused({ name: 'R', rules }).split('; ').length, 50)
  })
})

describe('a requirement with others that it includes', () => {
  const named = (name: string, includes: readonly string[] = [], max = '0.20') =>
    readRequirement({ name, includes, rules: [{ ...rule, max }] })
  const known = (...all: readonly ReturnType<typeof named>[]) => {
    const byName = new Map(all.map((one) => [one.name, one]))
    return async (name: string) => byName.get(name)
  }

  test('is itself and each of them once, and has a hash of its own', async () => {
    const [grade, house, order] = [
      named('grade', ['house']),
      named('house'),
      named('order', ['grade', 'house']),
    ]
    const resolved = await resolveRequirement(order, known(grade, house))
    assert.deepEqual(
      resolved.requirements.map(({ name }) => name),
      ['order', 'grade', 'house'],
    )
    assert.match(resolved.hash, /^[0-9a-f]{64}$/)
    assert.notEqual(resolved.hash, hashRequirement(order))
  })

  test('has another hash as soon as one of them changes, and the same for the same text', async () => {
    const order = named('order', ['grade'])
    const hashWith = async (max: string) =>
      (await resolveRequirement(order, known(named('grade', [], max)))).hash
    assert.equal(await hashWith('0.20'), await hashWith('0.20'))
    assert.notEqual(await hashWith('0.20'), await hashWith('0.2'))
  })

  test('is refused if one is not known, or includes itself', async () => {
    const order = named('order', ['grade'])
    await assert.rejects(resolveRequirement(order, known()), /\/includes\/0 .*grade/)
    const circular = named('grade', ['order'])
    await assert.rejects(resolveRequirement(order, known(order, circular)), /order includes itself/)
  })

  test('is refused if it brings together too many', async () => {
    const many = Array.from({ length: 40 }, (_, index) => named(`r${index}`, [`r${index + 1}`]))
    await assert.rejects(resolveRequirement(named('r', ['r0']), known(...many)), /more than 20/)
  })
})
