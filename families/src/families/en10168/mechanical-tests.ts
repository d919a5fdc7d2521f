import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Block, Row } from '../../model/document.ts'
import { type ColumnDraft, joinText, sharedUnit, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { limitsText, type Measurement, measurementAt } from './measurement.ts'
import { statementsAt, statementTable } from './statements.ts'

type TestShape = {
  readonly name: string
  readonly texts: readonly string[]
  readonly measured: readonly string[]
  /** The field with one value per specimen: C31, C42. */
  readonly series?: string
}

const shapes: readonly TestShape[] = [
  { name: 'TensileTest', texts: ['C10'], measured: ['C11', 'C12', 'C13'] },
  { name: 'HardnessTest', texts: ['C30'], measured: ['C32'], series: 'C31' },
  { name: 'NotchedBarImpactTest', texts: ['C40'], measured: ['C41', 'C43'], series: 'C42' },
]

/** One table per kind of test, one row per inspection. */
export const mechanicalTests = (mapping: Mapping, inspections: readonly JsonValue[]): readonly Block[] => [
  ...shapes.flatMap((shape) => testTable(mapping, { shape, inspections })),
  ...inspections.flatMap((inspection) => otherTests(mapping, inspection)),
]

const otherTests = (mapping: Mapping, inspection: JsonValue): readonly Block[] => {
  const statements = statementsAt(inspection, 'OtherMechanicalTests')
  return statementTable(mapping, { name: 'OtherMechanicalTests', statements })
}

const testTable = (
  mapping: Mapping,
  { shape, inspections }: { shape: TestShape; inspections: readonly JsonValue[] },
): readonly Block[] => {
  const tested = inspections
    .map((inspection, index) => ({
      heat: textAt(inspection, 'C00') ?? String(index + 1),
      test: at(inspection, shape.name),
    }))
    .filter(({ test }) => test !== undefined)
  if (tested.length === 0) return []
  const tests = tested.map(({ test }) => test)
  const limits = sharedLimits(shape, tests)
  const blank = limits === undefined ? [] : [undefined]
  const heading = limits === undefined ? [] : [mapping.label('Requirement').join(' / ')]
  const columns: ColumnDraft[] = [
    {
      label: mapping.label('C00'),
      code: 'C00',
      isName: true,
      cells: [...heading, ...tested.map(({ heat }) => heat)],
    },
    ...shape.texts.map((code) => ({
      label: mapping.label(code),
      code,
      cells: [...blank, ...tests.map((test) => textAt(test, code))],
    })),
    ...shape.measured.flatMap((code) => [
      ...(code === 'C43' || code === 'C32' ? seriesColumns(mapping, { shape, tests, blank }) : []),
      measuredColumn(mapping, { code, tests, limit: limits?.get(code), hasLimits: limits !== undefined }),
    ]),
    ...supplementColumns(tests, blank),
  ]
  const emphasis: Row['emphasis'][] = limits === undefined ? [] : ['requirement']
  return table(columns, { caption: mapping.label(shape.name), emphasis })
}

/** The limits that all rows of a column share, by code; undefined if there are none. */
const sharedLimits = (
  { measured }: TestShape,
  tests: readonly (JsonValue | undefined)[],
): ReadonlyMap<string, string> | undefined => {
  const found = new Map<string, string>()
  for (const code of measured) {
    const texts = new Set(tests.map((test) => limitsText(measurementAt(test, code))))
    const [only] = texts
    if (texts.size === 1 && only !== undefined) found.set(code, only)
  }
  return found.size === 0 ? undefined : found
}

const measuredColumn = (
  mapping: Mapping,
  input: {
    code: string
    tests: readonly (JsonValue | undefined)[]
    limit: string | undefined
    hasLimits: boolean
  },
): ColumnDraft => {
  const { code, tests, limit, hasLimits } = input
  const values = tests.map((test) => measurementAt(test, code))
  const unit = sharedUnit(values.map((value) => value.unit))
  const property = new Set(values.map((value) => value.property))
  const [only] = property
  const cell = (value: Measurement): string | undefined => {
    if (value.value === undefined) return undefined
    const own = limit === undefined ? limitsText(value) : undefined
    return joinText([
      value.value,
      unit === undefined ? value.unit : undefined,
      own === undefined ? undefined : `(${own})`,
    ])
  }
  return {
    label: mapping.label(code),
    code,
    unit: joinText([property.size === 1 ? only : undefined, unit], ' · '),
    cells: [...(hasLimits ? [limit] : []), ...values.map(cell)],
  }
}

const seriesColumns = (
  mapping: Mapping,
  input: {
    shape: TestShape
    tests: readonly (JsonValue | undefined)[]
    blank: readonly undefined[]
  },
): readonly ColumnDraft[] => {
  const { shape, tests, blank } = input
  const code = shape.series
  if (code === undefined) return []
  const series = tests.map((test) => listAt(test, code).map((value) => measurementAt(value)))
  const width = Math.max(0, ...series.map((values) => values.length))
  const unit = sharedUnit(series.flat().map((value) => value.unit))
  return Array.from({ length: width }, (_, index) => ({
    label: index === 0 ? mapping.label(code).map((text) => `${text} 1`) : [String(index + 1)],
    code: index === 0 ? code : undefined,
    unit,
    cells: [...blank, ...series.map((values) => values[index]?.value)],
  }))
}

const supplementColumns = (
  tests: readonly (JsonValue | undefined)[],
  blank: readonly undefined[],
): readonly ColumnDraft[] => {
  const rows = tests.map((test) => statementsAt(test, 'SupplementaryInformation'))
  const names = new Map(rows.flat().map(({ code, key }) => [code, key]))
  return [...names].map(([code, key]) => {
    const found = rows.map((row) => row.find((statement) => statement.code === code))
    const unit = sharedUnit(found.map((statement) => statement?.unit))
    return { label: [key], code, unit, cells: [...blank, ...found.map((statement) => statement?.value)] }
  })
}
