import { joinText, table, untranslated } from '../../mapping/blocks.ts'
import type { Block } from '../../model/document.ts'

/** A free statement: SupplementaryInformation, non-destructive tests, other tests. */
export type Statement = {
  readonly code: string
  readonly key: string
  readonly value: string | undefined
  readonly unit: string | undefined
  readonly method: string | undefined
  readonly interpretation: string | undefined
  readonly type: string | undefined
}

/** Statements whose keys differ only in their end: `Jominy J1.5`, `Jominy J3`; `Purity A thin`, `Purity A thick`. */
export type StatementSeries = {
  readonly name: string
  readonly points: readonly { readonly at: string; readonly statement: Statement }[]
}

const leastPoints = 3
const longestValue = 12

/** Series of at least three statements with short values; all others stay as they are. */
export const splitSeries = (
  statements: readonly Statement[],
): { readonly single: readonly Statement[]; readonly series: readonly StatementSeries[] } => {
  const groups = new Map<string, { at: string; statement: Statement }[]>()
  for (const statement of statements) {
    const { name, at } = partsOf(statement.key)
    const { unit, method, interpretation, value = '' } = statement
    if (name === '' || value === '' || value.length > longestValue || !/\d/.test(value)) continue
    const key = JSON.stringify([name, unit, method, interpretation])
    groups.set(key, [...(groups.get(key) ?? []), { at, statement }])
  }
  const series = [...groups.values()]
    .filter((points) => points.length >= leastPoints)
    .map((points) => ({ name: partsOf(points[0]?.statement.key ?? '').name, points }))
  const inSeries = new Set(series.flatMap(({ points }) => points.map(({ statement }) => statement)))
  return { single: statements.filter((statement) => !inSeries.has(statement)), series }
}

/** `Jominy J1.5 mm` → Jominy and J1.5 mm; `J 9` → J and 9. */
const partsOf = (key: string): { name: string; at: string } => {
  const [, name = '', at = ''] = /^(\p{L}+)[\s:=-]*(.+)$/u.exec(key) ?? []
  return { name, at }
}

/** One row, one column per point. */
export const seriesTable = ({ name, points }: StatementSeries): readonly Block[] => {
  const [first] = points
  if (first === undefined) return []
  const { unit, method, interpretation } = first.statement
  return table(
    [
      {
        label: untranslated(name),
        unit,
        isName: true,
        cells: [joinText([method, interpretation], ' · ') ?? ''],
      },
      ...points.map(({ at, statement: { code, value } }) => ({
        label: untranslated(at),
        code,
        cells: [value],
      })),
    ],
    { caption: untranslated(joinText([name, unit === undefined ? undefined : `(${unit})`]) ?? name) },
  )
}
