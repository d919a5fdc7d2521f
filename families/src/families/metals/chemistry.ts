import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Block, Row } from '../../model/document.ts'
import { field, fieldsBlock, joinText, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { named } from '../../mapping/transaction-fields.ts'
import { resultText } from './result-text.ts'

/** One column per element, the limits above the result. */
export const chemistryBlocks = (mapping: Mapping, analysis: JsonValue | undefined): readonly Block[] => {
  const elements = listAt(analysis, 'Elements')
  const parts = ['Minimum', 'Maximum', 'Target', 'Actual'].filter((part) =>
    elements.some((element) => resultText(mapping, at(element, part)) !== undefined),
  )
  const formulas = elements.flatMap((element) => {
    const formula = textAt(element, 'Formula')
    return formula === undefined ? [] : [`${symbolOf(element)} = ${formula}`]
  })
  const emphasis: Row['emphasis'][] = parts.map((part) => (part === 'Actual' ? 'result' : 'requirement'))
  return [
    ...fieldsBlock(
      named(mapping, analysis, [
        'HeatNumber',
        'MeltingProcess',
        'CastingMethod',
        'CastingDate',
        'SampleLocation',
        'SampleType',
        'AnalysisStandard',
      ]),
    ),
    ...table(
      [
        { label: [''], cells: parts.map((part) => mapping.label(part).join(' / ')) },
        ...elements.map((element) => ({
          label: [symbolOf(element)],
          unit: textAt(element, 'Unit'),
          cells: parts.map((part) => resultText(mapping, at(element, part))),
        })),
      ],
      { emphasis },
    ),
    ...fieldsBlock([
      ...details.flatMap((name) => field(mapping.label(name), detailText(elements, name))),
      ...field(mapping.label('Formula'), joinText(formulas, '; ')),
    ]),
  ]
}

const details = ['Method', 'TestConditions', 'PropertiesStandard', 'SampleRef', 'Interpretation']

/** One text if it applies to all elements, else each text with the elements it applies to. */
const detailText = (elements: readonly JsonValue[], name: string): string | undefined => {
  const symbols = new Map<string, string[]>()
  for (const element of elements) {
    const text = textAt(element, name)
    if (text !== undefined) symbols.set(text, [...(symbols.get(text) ?? []), symbolOf(element)])
  }
  const [only] = symbols.keys()
  if (symbols.size === 1 && symbols.get(only ?? '')?.length === elements.length) return only
  return joinText(
    [...symbols].map(([text, of]) => `${of.join(', ')}: ${text}`),
    '; ',
  )
}

const symbolOf = (element: JsonValue): string =>
  textAt(element, 'PropertySymbol') ?? textAt(element, 'PropertyName') ?? textAt(element, 'PropertyId') ?? '–'
