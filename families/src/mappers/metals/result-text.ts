import type { JsonValue } from '@millseal/proof'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import { joinText } from '../blocks.ts'
import type { Mapping } from '../mapping.ts'

/** A result of any kind as one text: `≤ 0.02`, `30 – 37`, `36 / 30 / 37`, Yes. */
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

/** The mean of several values, and how many there were besides in statistics. */
export const meanText = (result: JsonValue | undefined): string | undefined =>
  numericText(at(result, 'Statistics', 'Average'))
