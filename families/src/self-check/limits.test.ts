import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import fc from 'fast-check'
import { readCertificate } from '../certificate/read-certificate.ts'
import { selfCheck } from './self-check.ts'

const schema = { RefSchemaUrl: 'https://schemas.example/schema.json' }
const sentencesIn = (json: object): readonly string[] =>
  selfCheck(readCertificate(Buffer.from(JSON.stringify({ ...schema, ...json })))).map(({ reason }) =>
    inEnglish(reason),
  )
const inMetals = (passport: object): readonly string[] =>
  sentencesIn({ DigitalMaterialPassport: { TransactionData: {}, ...passport } })

const whole = (from: number, to: number) => fc.integer({ min: from, max: to })
const places3 = (thousandths: number): string => (thousandths / 1000).toFixed(3)

describe('the limits that a certificate prints', () => {
  describe('for one heat of several', () => {
    type Share = { readonly of?: string; readonly value: string; readonly limits?: object }
    const analyses = (shares: readonly Share[]) =>
      inMetals({
        ChemicalAnalysis: shares.map(({ of = 'P', value, limits }, index) => ({
          HeatNumber: `H-${index + 1}`,
          Elements: [
            { PropertySymbol: of, Unit: '%', Actual: { ResultType: 'numeric', Value: value }, ...limits },
          ],
        })),
      })
    const atMost = (max: string) => ({ Maximum: { ResultType: 'numeric', Value: max } })

    test('hold for every other heat', () => {
      fc.assert(
        fc.property(whole(26, 900), whole(0, 3), (value, at) => {
          const shares = Array.from({ length: 4 }, (_, heat) => ({
            value: heat === at ? places3(value) : '0.020',
            limits: heat === (at + 1) % 4 ? atMost('0.025') : {},
          }))
          assert.deepEqual(analyses(shares), [
            `P ${places3(value)} % is above the maximum 0.025 % that this certificate prints (heat H-${at + 1})`,
          ])
        }),
      )
    })

    test('hold for no other heat if they differ, nor for another property', () => {
      const value = '0.050'
      assert.deepEqual(
        analyses([
          { value: '0.02', limits: atMost('0.025') },
          { value: '0.03', limits: atMost('0.035') },
          { value },
        ]),
        [],
      )
      assert.deepEqual(
        analyses([
          { value: '0.02', limits: atMost('0.025') },
          { of: 'S', value },
        ]),
        [],
      )
    })
  })

  const measured = (actual: object, limits: object = {}) =>
    inMetals({
      MechanicalProperties: [{ PropertySymbol: 'HRC', Unit: 'HRC', Actual: actual, ...limits }],
    })

  test('hold for both ends of a range', () => {
    const limits = { Minimum: { Value: 40 }, Maximum: { Value: 50 } }
    const range = (Minimum: number, Maximum: number) => ({ ResultType: 'range', Minimum, Maximum })
    assert.deepEqual(measured(range(41, 49), limits), [])
    assert.deepEqual(measured(range(38, 49), limits), [
      'HRC 38 HRC is below the minimum 40 HRC that this certificate prints',
    ])
    assert.deepEqual(measured(range(41, 53), limits), [
      'HRC 53 HRC is above the maximum 50 HRC that this certificate prints',
    ])
  })

  test('for one point of a series hold for it alone, and those of the series for the others', () => {
    const point = (Parameter: string, value: number, limits: object = {}) => ({
      Parameter,
      Value: { ResultType: 'numeric', Value: value },
      ...limits,
    })
    const series = (...Data: readonly object[]) => ({
      ResultType: 'array',
      ParameterName: 'Distance',
      ParameterUnit: 'mm',
      Data,
    })
    const own = { Minimum: { Value: 30 }, Maximum: { Value: 60 } }
    const all = { Minimum: { Value: 50 } }
    assert.deepEqual(measured(series(point('1.5', 58), point('5', 31, own)), all), [])
    assert.deepEqual(measured(series(point('1.5', 49), point('5', 61, own)), all), [
      'HRC 49 HRC is below the minimum 50 HRC that this certificate prints',
      'HRC 61 HRC is above the maximum 60 HRC that this certificate prints',
    ])
  })

  test('of a mean hold for no single value, of its own heat or of another', () => {
    const values = (mean?: object) => ({
      ResultType: 'multiValue',
      Values: [27, 20, 34].map((Value) => ({ Value })),
      Statistics: mean,
    })
    const limits = { Minimum: { ResultType: 'numeric', Value: 27 } }
    assert.deepEqual(measured(values({ Average: { Value: 27 } }), limits), [])
    assert.deepEqual(measured(values(), limits), [])
    const notched = (heat: string, mean?: object) => ({
      C00: heat,
      NotchedBarImpactTest: { C42: [{ Value: 20, Unit: 'J' }], C43: mean },
    })
    const certificate = {
      CommercialTransaction: {},
      Inspection: [notched('H-1', { Value: 20, Unit: 'J', Minimum: 19 }), notched('H-2')],
    }
    const json = { Certificate: certificate }
    assert.deepEqual(sentencesIn(json), [])
    certificate.Inspection[0] = notched('H-1', { Value: 20, Unit: 'J', Minimum: 27 })
    assert.equal(sentencesIn(json).length, 1)
  })
})
