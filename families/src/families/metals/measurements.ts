import type { JsonValue } from '@millseal/proof'
import { at, textAt } from '../../certificate/shown.ts'
import type { Block } from '../../model/document.ts'
import { joinText, table, unitColumn } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { meanText, resultText, statisticsText } from './result-text.ts'
import { propertyText, seriesTables, structuredTables } from './series.ts'

/** One row per property or test; a series over a parameter has its own table. */
export const measurementBlocks = (
  mapping: Mapping,
  { name, values }: { name: string; values: readonly JsonValue[] },
): readonly Block[] => {
  const cells = (of: (value: JsonValue) => string | undefined) => values.map(of)
  const result = (part: string) => cells((value) => resultText(mapping, at(value, part)))
  const { columns, unit } = unitColumn(
    mapping.label('Unit'),
    cells((value) => textAt(value, 'Unit')),
  )
  return [
    ...table(
      [
        { label: mapping.label('Property'), cells: cells(propertyText) },
        { label: mapping.label('Symbol'), cells: cells((value) => textAt(value, 'PropertySymbol')) },
        { label: mapping.label('Method'), cells: cells((value) => textAt(value, 'Method')) },
        { label: mapping.label('TestConditions'), cells: cells(conditionsText) },
        ...columns,
        { label: mapping.label('Minimum'), unit, cells: result('Minimum') },
        { label: mapping.label('Maximum'), unit, cells: result('Maximum') },
        { label: mapping.label('Target'), unit, cells: result('Target') },
        { label: mapping.label('Actual'), unit, cells: result('Actual') },
        { label: mapping.label('Mean'), unit, cells: cells((value) => meanText(at(value, 'Actual'))) },
        { label: mapping.label('Interpretation'), cells: cells((value) => textAt(value, 'Interpretation')) },
        { label: mapping.label('Formula'), cells: cells((value) => textAt(value, 'Formula')) },
      ],
      { caption: mapping.label(name) },
    ),
    ...statisticsTable(mapping, values),
    ...seriesTables(mapping, values),
    ...structuredTables(values),
  ]
}

const statisticsTable = (mapping: Mapping, values: readonly JsonValue[]): readonly Block[] => {
  const described = values.filter((value) => statisticsText(value) !== undefined)
  return table(
    [
      { label: mapping.label('Property'), cells: described.map(propertyText) },
      { label: mapping.label('Symbol'), cells: described.map((value) => textAt(value, 'PropertySymbol')) },
      {
        label: mapping.label('Statistics'),
        isName: true,
        cells: described.map(statisticsText),
      },
    ],
    { caption: mapping.label('Statistics') },
  )
}

const conditionsText = (value: JsonValue): string | undefined => {
  const specimen = at(value, 'SpecimenSpecification')
  const location = textAt(specimen, 'CustomLocation') ?? textAt(specimen, 'Location')
  return joinText(
    [
      textAt(value, 'TestConditions'),
      joinText([textAt(specimen, 'Identifier'), location, textAt(specimen, 'Orientation')]),
    ],
    '; ',
  )
}
