import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import { joinText } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'

/** A result of any type as one text: `≤ 0.02`, `30 – 37`, `36 / 30 / 37`, Passed. */
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
  const word = mapping.label(value ? 'Passed' : 'Failed').join(' / ')
  return joinText([word, textAt(result, 'Description')], ': ')
}

const statistics: readonly (readonly [name: string, sign: string])[] = [
  ['StandardDeviation', 's'],
  ['Median', 'x̃'],
  ['Minimum', 'min'],
  ['Maximum', 'max'],
]

/** The statistics of a property, without its mean and what is beside them: a limit or a value. `s 1.58 · x̃ 22.5`. */
export const statisticsText = (property: JsonValue): string | undefined => {
  const result = at(property, 'Actual')
  const limits = [at(property, 'Minimum'), at(property, 'Maximum')].map(numericText)
  const beside = [...limits, ...listAt(result, 'Values').map(numericText)]
  return joinText(
    [
      ...statistics.map(([name, sign]) => {
        const text = numericText(at(result, 'Statistics', name))
        return text === undefined || beside.includes(text) ? undefined : `${sign} ${text}`
      }),
      textAt(result, 'Statistics', 'StandardDeviationType'),
      textAt(result, 'Statistics', 'Method'),
    ],
    ' · ',
  )
}

export const meanText = (result: JsonValue | undefined): string | undefined =>
  numericText(at(result, 'Statistics', 'Average') ?? at(result, 'Statistics', 'Mean'))
