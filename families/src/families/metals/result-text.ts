import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import { joinText } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'

/** A result of any type as one text: `≤ 0.02`, `30 – 37`, `36 / 30 / 37`, Yes. */
export const resultText = (mapping: Mapping, result: JsonValue | undefined): string | undefined => {
  switch (textAt(result, 'ResultType')) {
    case 'boolean':
      return booleanText(mapping, result)
    case 'range':
      return joinText([textAt(result, 'Minimum'), textAt(result, 'Maximum')], ' – ')
    case 'multiValue':
      return joinText(listAt(result, 'Values').map(numericText), ' / ')
    case 'array':
      return undefined
    default:
      return numericText(result)
  }
}

const numericText = (result: JsonValue | undefined): string | undefined => {
  const value = textAt(result, 'Value')
  if (value === undefined) return undefined
  const operator = textAt(result, 'Operator')?.replace('<=', '≤').replace('>=', '≥')
  const uncertainty = textAt(result, 'Uncertainty')
  return joinText([
    operator === '=' ? undefined : operator,
    value,
    uncertainty === undefined ? undefined : `± ${uncertainty}`,
  ])
}

const booleanText = (mapping: Mapping, result: JsonValue | undefined): string | undefined => {
  const value = at(result, 'Value')
  if (typeof value !== 'boolean') return undefined
  const word = mapping.label(value ? 'Yes' : 'No').join(' / ')
  return joinText([word, textAt(result, 'Description')], ': ')
}

const statistics: readonly (readonly [name: string, sign: string])[] = [
  ['StandardDeviation', 's'],
  ['Median', 'x̃'],
  ['Minimum', 'min'],
  ['Maximum', 'max'],
]

/** The statistics of several values without their mean: `s 1.58 · min 22`. */
export const statisticsText = (result: JsonValue | undefined): string | undefined =>
  joinText(
    [
      ...statistics.map(([name, sign]) => {
        const text = numericText(at(result, 'Statistics', name))
        return text === undefined ? undefined : `${sign} ${text}`
      }),
      textAt(result, 'Statistics', 'StandardDeviationType'),
      textAt(result, 'Statistics', 'Method'),
    ],
    ' · ',
  )

export const meanText = (result: JsonValue | undefined): string | undefined =>
  numericText(at(result, 'Statistics', 'Average') ?? at(result, 'Statistics', 'Mean'))
