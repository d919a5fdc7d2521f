import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Block } from '../../model/document.ts'
import { joinText, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { meanText, resultText, statisticsText } from './result-text.ts'

/** One row per property or test; a series over a parameter has its own table. */
export const measurementBlocks = (
  mapping: Mapping,
  { name, values }: { name: string; values: readonly JsonValue[] },
): readonly Block[] => {
  const cells = (of: (value: JsonValue) => string | undefined) => values.map(of)
  const result = (part: string) => cells((value) => resultText(mapping, at(value, part)))
  const series = values.filter((value) => textAt(value, 'Actual', 'ResultType') === 'array')
  return [
    ...table(
      [
        { label: mapping.label('Property'), cells: cells(propertyText) },
        { label: mapping.label('Symbol'), cells: cells((value) => textAt(value, 'PropertySymbol')) },
        { label: mapping.label('Method'), cells: cells((value) => textAt(value, 'Method')) },
        { label: mapping.label('TestConditions'), cells: cells(conditionsText) },
        { label: mapping.label('Unit'), cells: cells((value) => textAt(value, 'Unit')) },
        { label: mapping.label('Minimum'), cells: result('Minimum') },
        { label: mapping.label('Maximum'), cells: result('Maximum') },
        { label: mapping.label('Target'), cells: result('Target') },
        { label: mapping.label('Actual'), cells: result('Actual') },
        { label: mapping.label('Mean'), cells: cells((value) => meanText(at(value, 'Actual'))) },
        { label: mapping.label('Interpretation'), cells: cells((value) => textAt(value, 'Interpretation')) },
        { label: mapping.label('Formula'), cells: cells((value) => textAt(value, 'Formula')) },
      ],
      { caption: mapping.label(name) },
    ),
    ...statisticsTable(mapping, values),
    ...series.flatMap((value) => seriesTable(mapping, value)),
  ]
}

const statisticsTable = (mapping: Mapping, values: readonly JsonValue[]): readonly Block[] => {
  const described = values.filter((value) => statisticsText(at(value, 'Actual')) !== undefined)
  return table(
    [
      { label: mapping.label('Property'), cells: described.map(propertyText) },
      { label: mapping.label('Symbol'), cells: described.map((value) => textAt(value, 'PropertySymbol')) },
      {
        label: mapping.label('Statistics'),
        isName: true,
        cells: described.map((value) => statisticsText(at(value, 'Actual'))),
      },
    ],
    { caption: mapping.label('Statistics') },
  )
}

const propertyText = (value: JsonValue): string | undefined =>
  textAt(value, 'PropertyName') ?? textAt(value, 'PropertyId') ?? textAt(value, 'PropertySymbol')

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

const seriesTable = (mapping: Mapping, value: JsonValue): readonly Block[] => {
  const points = listAt(value, 'Actual', 'Data')
  const result = (part: string) => points.map((point) => resultText(mapping, at(point, part)))
  const parameter = textAt(value, 'Actual', 'ParameterName')
  const title = joinText([propertyText(value), textAt(value, 'PropertySymbol')])
  return table(
    [
      {
        label: parameter === undefined ? mapping.label('Parameter') : [parameter],
        unit: textAt(value, 'Actual', 'ParameterUnit'),
        cells: points.map((point) => textAt(point, 'Parameter')),
      },
      { label: mapping.label('Minimum'), cells: result('Minimum') },
      { label: mapping.label('Maximum'), cells: result('Maximum') },
      { label: mapping.label('Target'), cells: result('Target') },
      { label: mapping.label('Actual'), unit: textAt(value, 'Unit'), cells: result('Value') },
      { label: mapping.label('Status'), cells: points.map((point) => textAt(point, 'Status')) },
    ],
    { caption: title === undefined ? undefined : [title] },
  )
}
