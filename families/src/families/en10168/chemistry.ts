import type { JsonValue } from '@millseal/proof'
import { at, entriesAt, textAt } from '../../certificate/shown.ts'
import type { Block, Row, Text } from '../../model/document.ts'
import { type ColumnDraft, sharedUnit, table, untranslated } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { shareAt } from './measurement.ts'
import { byCode } from './statements.ts'

type Share = {
  readonly code: string
  readonly symbol: string
  readonly unit: string | undefined
  readonly actual: string | undefined
  readonly minimum: string | undefined
  readonly maximum: string | undefined
}

type Analysis = {
  readonly heat: string
  readonly process: string | undefined
  readonly shares: readonly Share[]
}

/** One column per element, one row per heat, the limits above them. */
export const chemistryTable = (mapping: Mapping, inspections: readonly JsonValue[]): readonly Block[] => {
  const usual = usualUnit(mapping.json)
  const analyses = inspections
    .map((inspection, index) => analysisOf(inspection, index, usual))
    .filter(({ shares }) => shares.length > 0)
  if (analyses.length === 0) return []
  return requirementGroups(analyses).flatMap((group) => groupTable(mapping, group))
}

/** Shares without a unit are per cent; the drafts 0.0.x did not say so. */
const usualUnit = (json: JsonValue): string | undefined =>
  /\/v0\.0\.\d/.test(textAt(json, 'RefSchemaUrl') ?? '') ? undefined : '%'

const analysisOf = (inspection: JsonValue, index: number, usual: string | undefined): Analysis => {
  const composition = at(inspection, 'ChemicalComposition')
  return {
    heat: textAt(inspection, 'C00') ?? String(index + 1),
    process: textAt(composition, 'C70'),
    shares: entriesAt(composition)
      .filter(([code, share]) => /^C\d+$/.test(code) && textAt(share, 'Symbol') !== undefined)
      .toSorted(([a], [b]) => byCode(a, b))
      .map(([code, share]) => ({
        code,
        symbol: textAt(share, 'Symbol') ?? code,
        unit: textAt(share, 'Unit') ?? usual,
        actual: shareAt(share, 'Actual'),
        minimum: shareAt(share, 'Minimum'),
        maximum: shareAt(share, 'Maximum'),
      })),
  }
}

/** Heats with the same limits share a table, so that the limits appear once. */
const requirementGroups = (analyses: readonly Analysis[]): readonly (readonly Analysis[])[] => {
  const groups = new Map<string, Analysis[]>()
  for (const analysis of analyses) {
    const key = JSON.stringify(
      analysis.shares.map((share) => [columnKey(share), share.minimum, share.maximum]),
    )
    groups.set(key, [...(groups.get(key) ?? []), analysis])
  }
  return [...groups.values()]
}

const columnKey = ({ code, symbol, unit }: Share): string => `${code}\u0000${symbol}\u0000${unit ?? ''}`

const groupTable = (mapping: Mapping, analyses: readonly Analysis[]): readonly Block[] => {
  const shares = analyses[0]?.shares ?? []
  const unit = sharedUnit(shares.map((share) => share.unit))
  const limits = [
    { name: 'Minimum', of: (share: Share) => share.minimum },
    { name: 'Maximum', of: (share: Share) => share.maximum },
  ].filter(({ of }) => shares.some((share) => of(share) !== undefined))
  const rowLabels: Text = [
    ...limits.map(({ name }) => mapping.label(name).join(' / ')),
    ...analyses.map(({ heat }) => heat),
  ]
  const columns: ColumnDraft[] = shares.map((share, index) => ({
    label: untranslated(share.symbol),
    code: share.code,
    unit: unit === undefined ? share.unit : undefined,
    cells: [...limits.map(({ of }) => of(share)), ...analyses.map(({ shares: own }) => own[index]?.actual)],
  }))
  const emphasis: Row['emphasis'][] = limits.map(() => 'requirement')
  const caption = mapping.label('ChemicalComposition')
  return table([{ label: mapping.label('C00'), code: 'C00', isName: true, cells: rowLabels }, ...columns], {
    caption: unit === undefined ? caption : caption.map((text) => `${text} (${unit})`),
    emphasis,
  })
}

/** What the table has no column for: the steelmaking process and the formulas of calculated values. */
export const chemistryFields = (
  inspections: readonly JsonValue[],
): { process: readonly string[]; formulas: readonly string[] } => ({
  process: unique(inspections.map((inspection) => textAt(inspection, 'ChemicalComposition', 'C70'))),
  formulas: unique(
    inspections.flatMap((inspection) =>
      entriesAt(inspection, 'ChemicalComposition').map(([, share]) => textAt(share, 'Formula')),
    ),
  ),
})

const unique = (texts: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(texts.filter((text) => text !== undefined)),
]
