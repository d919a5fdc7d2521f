import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrderLine } from '@millseal/contract'
import { inEnglish } from '@millseal/contract/reasons'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { type Amount, amountsOf } from './amounts.ts'
import { checkOrder, isWithin } from './check-order.ts'
import { chooseLine, orderIn } from './choose-line.ts'
import { faultsOfLine, hashOrderLine, itemKey } from './order-line.ts'

const steel = ({
  product = {},
  transaction = {},
}: {
  readonly product?: object
  readonly transaction?: object
} = {}) =>
  readCertificate(
    Buffer.from(
      JSON.stringify({
        RefSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
        Certificate: {
          CommercialTransaction: { A07: 'PO-4749', A97: '10', ...transaction },
          ProductDescription: {
            B02: { SteelDesignation: ['S355J2+N', '1.0577+N'] },
            B08: 4,
            B09: { Form: 'Plate', Length: 6000, Width: 2000, Thickness: 20, Unit: 'mm' },
            B13: { Value: '7.536', Unit: 't' },
            ...product,
          },
        },
      }),
    ),
  )

const line: OrderLine = {
  order: 'po-4749',
  item: '00010',
  grade: 's355j2 + N',
  dimensions: '20 x 2000 × 6000',
  quantity: '30',
  unit: 't',
}

const compared = (
  change: Partial<OrderLine>,
  certificate = steel(),
  before: readonly (readonly Amount[])[] = [],
) => {
  const { verdict, lines } = checkOrder(certificate, { line: { ...line, ...change }, before })
  const worst = lines.find(({ result }) => result === verdict && result !== 'pass')
  return { verdict, of: worst?.of, said: worst?.reason && inEnglish(worst.reason), lines }
}

describe('a certificate and its order line', () => {
  test('are compared by order, item, grade, dimensions and quantity, each with its place', () => {
    const { verdict, lines } = compared({})
    assert.equal(verdict, 'pass')
    assert.deepEqual(
      lines.map(({ requirement, of, printed, limit, pointer }) => [requirement, of, printed, limit, pointer]),
      [
        ['po-4749 · 00010', 'order', 'PO-4749', 'one of po-4749', '/Certificate/CommercialTransaction/A07'],
        ['po-4749 · 00010', 'item', '10', 'one of 00010', '/Certificate/CommercialTransaction/A97'],
        [
          'po-4749 · 00010',
          'grade',
          'S355J2+N',
          'one of s355j2 + N',
          '/Certificate/ProductDescription/B02/SteelDesignation/0',
        ],
        [
          'po-4749 · 00010',
          'dimensions',
          'thickness 20 mm, width 2000 mm, length 6000 mm',
          '20 x 2000 × 6000',
          '/Certificate/ProductDescription/B09/Thickness',
        ],
        ['po-4749 · 00010', 'quantity', '7.536 t', 'max 30 t', '/Certificate/ProductDescription/B13/Value'],
      ],
    )
  })

  const cases: readonly (readonly [string, Partial<OrderLine>, ReturnType<typeof steel>, string])[] = [
    ['another order', { order: 'PO-4750' }, steel(), 'fail order: order PO-4749 is not one of PO-4750'],
    ['another item', { item: '20' }, steel(), 'fail item: order item 10 is not one of 20'],
    [
      'no item',
      {},
      steel({ transaction: { A97: undefined } }),
      'missing item: order item is not on the certificate',
    ],
    [
      'another grade',
      { grade: 'S355J2' },
      steel(),
      'fail grade: grade S355J2+N, 1.0577+N is not one of S355J2',
    ],
    ['a grade by its number', { grade: '1.0577+N' }, steel(), 'pass'],
    ['a grade beside its standard', {}, steel({ product: { B02: 'EN 10025-2 S355J2+N' } }), 'pass'],
    [
      'no grade',
      {},
      steel({ product: { B02: undefined } }),
      'missing grade: grade is not on the certificate',
    ],
    ['a size in metres', { dimensions: '0.02 x 2 x 6 m' }, steel(), 'pass'],
    ['fewer sizes than are printed', { dimensions: '20' }, steel(), 'pass'],
    [
      'another thickness',
      { dimensions: '25x2000x6000' },
      steel(),
      'fail dimensions: dimensions thickness 20 mm, width 2000 mm, length 6000 mm is not one of 25x2000x6000',
    ],
    [
      'no sizes',
      {},
      steel({ product: { B09: undefined } }),
      'missing dimensions: dimensions is not on the certificate',
    ],
    [
      'sizes without a unit',
      {},
      steel({ product: { B09: { Thickness: 20, Width: 2000, Length: 6000 } } }),
      'unknown dimensions: dimensions thickness 20, width 2000, length 6000 do not say whether they are 20 x 2000 × 6000',
    ],
    ['the same mass in kg', { quantity: '7536', unit: 'kg' }, steel(), 'pass'],
    ['too much', { quantity: '7.5' }, steel(), 'fail quantity: 7.536 t is above the ordered 7.5 t'],
    ['as many pieces', { quantity: '4', unit: 'pcs' }, steel(), 'pass'],
    [
      'too many pieces',
      { quantity: '3', unit: 'Stk' },
      steel(),
      'fail quantity: 4 is above the ordered 3 Stk',
    ],
    [
      'no quantity in this unit',
      { quantity: '10', unit: 'm' },
      steel(),
      'missing quantity: quantity is not on the certificate',
    ],
    [
      'a quantity that is no number',
      {},
      steel({ product: { B13: { Value: 'about 7', Unit: 't' } } }),
      'unknown quantity: quantity about 7 t cannot be compared in t',
    ],
  ]
  for (const [says, change, certificate, expected] of cases)
    test(`with ${says}`, () => {
      const { verdict, of, said } = compared(change, certificate)
      assert.equal(said === undefined ? verdict : `${verdict} ${of}: ${said}`, expected)
    })

  test('add up with what was accepted before, exactly', () => {
    const tonnes = (value: string, unit = 't'): readonly Amount[] => [{ of: 'mass', value, unit }]
    const { lines } = compared({}, steel(), [tonnes('22.464')])
    assert.equal(lines.at(-1)?.result, 'pass')
    assert.equal(lines.at(-1)?.compared, '30 t')
    const over = compared({}, steel(), [tonnes('22.464'), tonnes('1', 'kg')])
    assert.equal(over.verdict, 'fail')
    assert.equal(over.said, '7.536 t, with 22.465 t that was accepted before, is above the ordered 30 t')
    const unknown = compared({}, steel(), [[]])
    assert.equal(unknown.verdict, 'unknown')
    assert.match(unknown.said ?? '', /accepted before does not say how much in t$/)
    assert.equal(isWithin(line, [tonnes('15'), tonnes('15')]), true)
    assert.equal(isWithin(line, [tonnes('15'), tonnes('15.001')]), false)
    assert.equal(isWithin(line, [[]]), undefined)
  })
})

describe('the order line of a certificate', () => {
  const item = (number: string | undefined): OrderLine => ({
    order: 'PO-4749',
    ...(number && { item: number }),
  })
  const chosen = (lines: readonly OrderLine[], named = orderIn(steel())) => {
    const { line: found, instead } = { line: undefined, instead: undefined, ...chooseLine(lines, named) }
    const said = instead?.reason === undefined ? '' : `${instead.result}: ${inEnglish(instead.reason)}`
    return { found, said }
  }

  test('is the one with its item, or the only one if one of them names no item', () => {
    assert.deepEqual(chosen([item('20'), item('010')]).found, item('010'))
    assert.deepEqual(chosen([item(undefined)]).found, item(undefined))
    assert.deepEqual(chosen([item('20')], { order: 'PO-4749' }).found, item('20'))
  })

  test('is said to be missing or unknown, and never guessed', () => {
    const several = [item('10'), item('20')]
    assert.match(chosen([]).said, /^unknown: order PO-4749 is not among/)
    assert.match(chosen([item('20')]).said, /^unknown: order PO-4749 has no item 10/)
    assert.match(chosen(several, { order: 'PO-4749' }).said, /^unknown: .* several items/)
    assert.match(chosen(several, {}).said, /^missing: order is not on the certificate/)
  })

  test('has a hash that does not depend on the order of its members, and a usable content', () => {
    assert.equal(hashOrderLine({ item: '1', order: 'A' }), hashOrderLine({ order: 'A', item: '1' }))
    assert.deepEqual(['10', '010', '0', '00', 'A-01'].map(itemKey), ['10', '10', '0', '0', 'a-01'])
    const faults = (change: Partial<OrderLine>) =>
      faultsOfLine({ ...line, ...change }).map(({ member }) => member)
    assert.deepEqual(faults({}), [])
    assert.deepEqual(faults({ dimensions: 'big' }), ['dimensions'])
    assert.deepEqual(faults({ unit: 'boxes' }), ['unit'])
    const { unit: _, ...unitless } = line
    assert.deepEqual(
      faultsOfLine(unitless).map(({ member }) => member),
      ['unit'],
    )
  })
})

test('every family with an order names it and its item', () => {
  for (const { name, samples } of families) {
    const certificate = readCertificate(Buffer.from(JSON.stringify(samples[0])))
    const { order, item } = orderIn(certificate)
    if (name === 'forestry') continue
    assert.deepEqual([order, item], ['PO-7', '10'], name)
    if (name !== 'en10168') assert.notDeepEqual(amountsOf(certificate), [], name)
  }
})
