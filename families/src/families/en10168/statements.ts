import type { JsonValue } from '@millseal/proof'
import { entriesAt, textAt } from '../../certificate/shown.ts'
import type { Block, Field } from '../../model/document.ts'
import { field, fieldsBlock, joinText, table, unitColumn, untranslated } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { seriesTable, splitSeries, type Statement } from './series.ts'

export const statementsAt = (
  value: JsonValue | undefined,
  ...path: readonly string[]
): readonly Statement[] =>
  entriesAt(value, ...path)
    .map(([code, statement]) => ({
      code,
      key: textAt(statement, 'Key') ?? code,
      value: textAt(statement, 'Value'),
      unit: textAt(statement, 'Unit'),
      method: textAt(statement, 'Method'),
      interpretation: textAt(statement, 'Interpretation'),
      type: textAt(statement, 'Type'),
    }))
    .toSorted((a, b) => byCode(a.code, b.code))

/** Sorts A10 before A100. */
export const byCode = (a: string, b: string): number => {
  const [left, right] = [codeNumber(a), codeNumber(b)]
  return left - right || Number(a > b) - Number(a < b)
}

const codeNumber = (code: string): number => Number(/^[A-Z](\d+(?:\.\d+)?)/.exec(code)?.[1] ?? 0)

const isPicture = ({ type, value }: Statement): boolean =>
  type === 'image' || (value?.startsWith('data:image/') ?? false)

export const statementFields = (statements: readonly Statement[]): readonly Field[] =>
  statements
    .filter((statement) => !isPicture(statement))
    .flatMap(({ code, key, value, unit, method, interpretation }) =>
      field(untranslated(key), joinText([value, method, interpretation], ' · ') ?? '–', {
        code: key === code ? undefined : code,
        unit: method === undefined && interpretation === undefined ? unit : undefined,
      }),
    )

/** Statements that are pictures (Z09, for example), each with its key as caption. */
export const statementPictures = (
  mapping: Mapping,
  from: { statements: readonly Statement[]; pointer: string },
): readonly Block[] =>
  from.statements.filter(isPicture).map(({ code, key, value }) => ({
    kind: 'picture',
    picture: mapping.picture(value ?? '', {
      pointer: `${from.pointer}/${code}/Value`,
      alternative: untranslated(key),
    }),
    caption: untranslated(key),
  }))

/** The statements with their series as tables and the others as one table. */
export const statementTable = (
  mapping: Mapping,
  from: { name: string; statements: readonly Statement[] },
): readonly Block[] => {
  const { single, series } = splitSeries(from.statements)
  const { columns, unit } = unitColumn(
    mapping.label('Unit'),
    single.map((statement) => statement.unit),
  )
  const column = (name: string, of: (statement: Statement) => string | undefined) => ({
    label: mapping.label(name),
    cells: single.map(of),
  })
  return [
    ...table(
      [
        { label: [''], cells: single.map(({ code }) => code) },
        column('Test', ({ key }) => key),
        column('Method', ({ method }) => method),
        { ...column('Value', ({ value }) => value), unit },
        ...columns,
        column('Interpretation', ({ interpretation }) => interpretation),
      ],
      { caption: mapping.label(from.name) },
    ),
    ...series.flatMap(seriesTable),
  ]
}

/** The fields and the statements, and tables for series such as the hardness at several distances. */
export const statementBlocks = (
  statements: readonly Statement[],
  fields: readonly Field[],
): readonly Block[] => {
  const { single, series } = splitSeries(statements)
  return [...fieldsBlock([...fields, ...statementFields(single)]), ...series.flatMap(seriesTable)]
}
