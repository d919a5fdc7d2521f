import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RequirementChoice } from '@millseal/contract'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { applyRules } from './apply-rules.ts'

/** Round bar of EN 10025-2 S355J2 by Example Mill, order PO-7, item 10. */
const sample = families.find(({ name }) => name === 'en10168')?.samples[0]
const applied = (...rules: readonly Omit<RequirementChoice, 'requirement'>[]) =>
  applyRules(
    rules.map((rule, at) => ({ requirement: `R${at + 1}`, ...rule })),
    readCertificate(Buffer.from(JSON.stringify(sample))),
  )

describe('a rule says which requirement applies', () => {
  const matching: readonly Omit<RequirementChoice, 'requirement'>[] = [
    {},
    { supplier: 'example  MILL' },
    { order: 'po-7', item: '0010' },
    { order: 'PO-*' },
    { grade: '*S355J2' },
    { grade: 'EN 10025-2*' },
    { product: '*bar*' },
    { supplier: '*mill', order: '*7*', item: '10', grade: '*S355*', product: 'R*d*r' },
  ]
  for (const rule of matching)
    test(`if all of its texts match: ${JSON.stringify(rule)}`, () => assert.deepEqual(applied(rule), ['R1']))

  const others: readonly Omit<RequirementChoice, 'requirement'>[] = [
    { supplier: 'Example' },
    { order: 'PO-70' },
    { item: '20' },
    { grade: 'S355J2' },
    { grade: '*S355J2+N*' },
    { product: '*bar*bar' },
    { product: 'round bar*round bar' },
    { supplier: 'Example Mill', order: 'PO-8' },
  ]
  for (const rule of others)
    test(`and not if one does not: ${JSON.stringify(rule)}`, () => assert.deepEqual(applied(rule), []))

  test('with the highest priority; several of the same are all named, and decide nothing', () => {
    assert.deepEqual(applied({ order: 'PO-7' }, { grade: '*S355*', priority: 5 }, {}), ['R2'])
    assert.deepEqual(applied({ order: 'PO-7' }, { grade: '*S355*' }), ['R1', 'R2'])
    assert.deepEqual(applied({ order: 'PO-8', priority: 9 }, {}), ['R2'])
  })

  test('and its time does not explode with its stars', () => {
    assert.deepEqual(applied({ product: `${'*a'.repeat(90)}*` }), [])
  })
})
