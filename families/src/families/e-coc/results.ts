import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { Block, Field, Text } from '../../model/document.ts'
import {
  field,
  fieldsBlock,
  headed,
  joinText,
  table,
  unitColumn,
  untranslated,
} from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { shareOfElement, shareOfValue, sharesTable, unitText } from './chemistry.ts'

export const resultBlocks = (mapping: Mapping, results: JsonValue | undefined): readonly Block[] => [
  ...listAt(results, 'MaterialCertification').flatMap((test) => testBlocks(mapping, test)),
  ...listAt(results, 'ChemicalAnalysis').flatMap((analysis) => analysisBlocks(mapping, analysis)),
]

const testBlocks = (mapping: Mapping, test: JsonValue): readonly Block[] => {
  const values = listAt(test, 'TestValues')
  const isChemistry = /^chemical/i.test(textAt(test, 'NameOfTest') ?? '')
  return headed(testTitle(mapping, test), [
    ...fieldsBlock(testFields(mapping, test)),
    ...(isChemistry ? sharesTable(mapping, values.map(shareOfValue)) : valuesTable(mapping, values)),
  ])
}

const valuesTable = (mapping: Mapping, values: readonly JsonValue[]): readonly Block[] => {
  const { columns, unit } = unitColumn(
    mapping.label('Unit'),
    values.map((value) => unitText(textAt(value, 'Unit'))),
  )
  const column = (label: Text, name: string) => ({
    label,
    unit,
    cells: values.map((value) => textAt(value, name)),
  })
  const isRange = values.some((value) => {
    const to = textAt(value, 'ActualTo')
    return to !== undefined && to !== textAt(value, 'ActualFrom')
  })
  return table([
    { label: mapping.label('Property'), cells: values.map((value) => textAt(value, 'ValueName')) },
    ...columns,
    column(mapping.label('Minimum'), 'SpecMin'),
    column(mapping.label('Maximum'), 'SpecMax'),
    column(mapping.label(isRange ? 'ActualFrom' : 'Actual'), 'ActualFrom'),
    ...(isRange ? [column(mapping.label('ActualTo'), 'ActualTo')] : []),
  ])
}

const testTitle = (mapping: Mapping, test: JsonValue): Text => {
  const name = textAt(test, 'NameOfTest') ?? 'Test'
  const objects = joinText(textsAt(test, 'RefObjectIDs'), ', ')
  const title = mapping.hasLabel(name) ? mapping.label(name) : untranslated(name)
  const about = mapping.label('Object')
  if (objects === undefined) return title
  return title.map((text, index) => `${text} · ${about[index] ?? about[0] ?? ''} ${objects}`)
}

const testFields = (mapping: Mapping, test: JsonValue): readonly Field[] => {
  const passed = at(test, 'TestOK')
  return [
    ...[
      'TestStandardOrMethod',
      'NumberOfTests',
      'SampleNumber',
      'SamplePositionAcrossWidth',
      'SamplePositionAlongLength',
      'SamplePositionThroughThickness',
    ].flatMap((name) => field(mapping.label(name), textAt(test, name))),
    ...(typeof passed === 'boolean'
      ? field(mapping.label('TestOK'), mapping.label(passed ? 'Yes' : 'No').join(' / '))
      : []),
  ]
}

const analysisBlocks = (mapping: Mapping, analysis: JsonValue): readonly Block[] => {
  const values = listAt(analysis, 'Values')
  const title = joinText([textAt(analysis, 'Heat'), textAt(analysis, 'Sample')], ' · ')
  return headed(
    mapping.label('ChemicalAnalysis').map((text) => (title === undefined ? text : `${text} · ${title}`)),
    [
      ...fieldsBlock([
        ...field(mapping.label('Location'), textAt(analysis, 'Location')),
        ...field(mapping.label('NormativeRef'), joinText(textsAt(analysis, 'Standards'), ', ')),
      ]),
      ...sharesTable(mapping, values.map(shareOfElement)),
    ],
  )
}
