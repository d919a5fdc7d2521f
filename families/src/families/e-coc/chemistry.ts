import type { JsonValue } from '@millseal/proof'
import { textAt } from '../../certificate/shown.ts'
import { sharedUnit, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { Block, Row, Text } from '../../model/document.ts'

type Share = {
  readonly symbol: string
  readonly unit: string | undefined
  readonly method: string | undefined
  readonly minimum: string | undefined
  readonly maximum: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

/** An element among the values of a test. */
export const shareOfValue = (value: JsonValue): Share => ({
  symbol: textAt(value, 'ValueName') ?? '–',
  unit: unitText(textAt(value, 'Unit')),
  method: undefined,
  minimum: textAt(value, 'SpecMin'),
  maximum: textAt(value, 'SpecMax'),
  from: textAt(value, 'ActualFrom'),
  to: textAt(value, 'ActualTo'),
})

/** An element of a chemical analysis. */
export const shareOfElement = (value: JsonValue): Share => ({
  symbol: textAt(value, 'Symbol') ?? '–',
  unit: undefined,
  method: textAt(value, 'TestMethod'),
  minimum: textAt(value, 'Minimum'),
  maximum: textAt(value, 'Maximum'),
  from: textAt(value, 'ActualFrom'),
  to: textAt(value, 'ActualTo'),
})

/** One column per element, the limits above the result. */
export const sharesTable = (mapping: Mapping, shares: readonly Share[]): readonly Block[] => {
  const unit = sharedUnit(shares.map((share) => share.unit))
  const isRange = shares.some(({ from, to }) => to !== undefined && to !== from)
  const rows: readonly {
    label: Text
    of: (share: Share) => string | undefined
    emphasis: Row['emphasis']
  }[] = [
    { label: mapping.label('Method'), of: ({ method }) => method, emphasis: undefined },
    { label: mapping.label('Minimum'), of: ({ minimum }) => minimum, emphasis: 'requirement' },
    { label: mapping.label('Maximum'), of: ({ maximum }) => maximum, emphasis: 'requirement' },
    { label: mapping.label(isRange ? 'ActualFrom' : 'Actual'), of: ({ from }) => from, emphasis: 'result' },
    { label: mapping.label('ActualTo'), of: ({ to }) => (isRange ? to : undefined), emphasis: 'result' },
  ]
  const filled = rows.filter(({ of }) => shares.some((share) => of(share) !== undefined))
  const caption = mapping.label('ChemicalComposition')
  return table(
    [
      { label: mapping.label('Element'), isName: true, cells: filled.map(({ label }) => label.join(' / ')) },
      ...shares.map((share) => ({
        label: mapping.hasLabel(share.symbol) ? mapping.label(share.symbol) : [share.symbol],
        unit: unit === undefined ? share.unit : undefined,
        cells: filled.map(({ of }) => of(share)),
      })),
    ],
    {
      caption: unit === undefined ? caption : caption.map((text) => `${text} (${unit})`),
      emphasis: filled.map(({ emphasis }) => emphasis),
    },
  )
}

/** E-CoC writes these units as words. */
const unitsInWords = new Map([
  ['percent', '%'],
  ['mum', 'µm'],
])

export const unitText = (unit: string | undefined): string | undefined =>
  unit && (unitsInWords.get(unit) ?? unit)
