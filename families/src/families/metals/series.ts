import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import { type ColumnDraft, joinText, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { Block, Row, Text } from '../../model/document.ts'
import { resultText } from './result-text.ts'

export const propertyText = (value: JsonValue): string | undefined =>
  textAt(value, 'PropertyName') ?? textAt(value, 'PropertyId') ?? textAt(value, 'PropertySymbol')

type Line = {
  readonly name: Text
  readonly emphasis: Row['emphasis']
  readonly cells: readonly (string | undefined)[]
}

/** Results over a parameter: hardenability over the distance, inclusions by class. */
type Series = {
  readonly title: string
  readonly unit: string | undefined
  readonly parameter: Text
  readonly parameterUnit: string | undefined
  readonly parameters: readonly string[]
  readonly lines: readonly Line[]
}

/** Beyond this, a table with one row per value is easier to read than several blocks side by side. */
const maxColumns = 40

/** One column per value of the parameter. Series over the same values share a table. */
export const seriesTables = (mapping: Mapping, values: readonly JsonValue[]): readonly Block[] => {
  const groups = new Map<string, Series[]>()
  for (const value of values) {
    if (textAt(value, 'Actual', 'ResultType') !== 'array') continue
    const series = seriesOf(mapping, value)
    const key = JSON.stringify([series.parameter, series.parameterUnit, series.parameters, series.unit])
    groups.set(key, [...(groups.get(key) ?? []), series])
  }
  return [...groups.values()].flatMap(seriesTable)
}

const seriesTable = (group: readonly Series[]): readonly Block[] => {
  const [first] = group
  if (first === undefined) return []
  const isAlone = group.length === 1
  const lines = group.flatMap(({ title, lines: own }) =>
    own.map((line) => ({ ...line, name: isAlone ? line.name : [`${title} · ${line.name.join(' / ')}`] })),
  )
  const head = { label: first.parameter, unit: first.parameterUnit }
  const unit = first.unit === undefined ? undefined : `(${first.unit})`
  const caption = isAlone ? (joinText([first.title, unit]) ?? '') : unit
  const options = caption === undefined ? {} : { caption: [caption] }
  if (first.parameters.length > maxColumns) {
    return table(
      [{ ...head, cells: first.parameters }, ...lines.map(({ name, cells }) => ({ label: name, cells }))],
      options,
    )
  }
  const columns: readonly ColumnDraft[] = first.parameters.map((parameter, index) => ({
    label: [parameter],
    cells: lines.map(({ cells }) => cells[index]),
  }))
  const names = { ...head, isName: true, cells: lines.map(({ name }) => name.join(' / ')) }
  return table([names, ...columns], { ...options, emphasis: lines.map(({ emphasis }) => emphasis) })
}

const seriesOf = (mapping: Mapping, value: JsonValue): Series => {
  const actual = at(value, 'Actual')
  const points = listAt(actual, 'Data')
  // Version 0.0.1 has two lists in place of points.
  const older = textsAt(actual, 'Values')
  const part = (name: string, emphasis: Row['emphasis']): Line => ({
    name: mapping.label(name === 'Value' ? 'Actual' : name),
    emphasis,
    cells: points.map((point) => resultText(mapping, at(point, name))),
  })
  const lines: readonly Line[] = [
    ...['Minimum', 'Maximum', 'Target'].map((name) => part(name, 'requirement')),
    older.length > 0
      ? { name: mapping.label('Actual'), emphasis: 'result', cells: older }
      : part('Value', 'result'),
    {
      name: mapping.label('Status'),
      emphasis: undefined,
      cells: points.map((point) => textAt(point, 'Status')),
    },
  ]
  const parameter = textAt(actual, 'ParameterName')
  return {
    title: joinText([propertyText(value), textAt(value, 'PropertySymbol')]) ?? '',
    unit: textAt(value, 'Unit'),
    parameter: parameter === undefined ? mapping.label('Parameter') : [parameter],
    parameterUnit: textAt(actual, 'ParameterUnit'),
    parameters:
      older.length > 0
        ? older.map((_, index) => textsAt(actual, 'Parameters')[index] ?? String(index + 1))
        : points.map((point) => textAt(point, 'Parameter') ?? '–'),
    lines: lines.filter(({ cells }) => cells.some((cell) => cell !== undefined)),
  }
}

/** Version 0.0.1 has results that are tables themselves. */
export const structuredTables = (values: readonly JsonValue[]): readonly Block[] =>
  values.flatMap((value) => {
    const rows = listAt(value, 'Actual', 'DataPoints')
    const units = listAt(value, 'Actual', 'ParameterUnits')
    const title = joinText([propertyText(value), textAt(value, 'PropertySymbol')])
    return table(
      textsAt(value, 'Actual', 'Parameters').map((name, index) => ({
        label: [name],
        unit: textAt(units[index]),
        cells: rows.map((row) => textAt(listAt(row)[index])),
      })),
      title === undefined ? {} : { caption: [title] },
    )
  })
