import type { JsonValue } from '@millseal/proof'
import { at, textAt } from '../../certificate/shown.ts'
import { joinText } from '../../mapping/blocks.ts'

/** A measured value of any version of EN 10168: C11, C43, B10. */
export type Measurement = {
  readonly property: string | undefined
  readonly value: string | undefined
  readonly minimum: string | undefined
  readonly maximum: string | undefined
  readonly unit: string | undefined
}

export const measurementAt = (value: JsonValue | undefined, ...path: readonly string[]): Measurement => {
  const found = at(value, ...path)
  return {
    property: textAt(found, 'Property'),
    // The first draft has bare numbers.
    value: textAt(found, 'Value') ?? textAt(found),
    minimum: textAt(found, 'Minimum'),
    maximum: textAt(found, 'Maximum'),
    unit: textAt(found, 'Unit'),
  }
}

/** The content of an element: plain text in older versions, a value with an operator since 0.5. */
export const shareAt = (value: JsonValue | undefined, name: string): string | undefined => {
  const found = at(value, name)
  const bare = textAt(found)
  if (bare !== undefined) return bare
  const operator = textAt(found, 'Operator')
  const number = textAt(found, 'Value')
  if (number === undefined || operator === undefined || operator === '=') return number
  return isImplied(name, operator) ? number : `${sign(operator)} ${number}`
}

const isImplied = (name: string, operator: string): boolean =>
  (name === 'Minimum' && operator === '>=') || (name === 'Maximum' && operator === '<=')

const sign = (operator: string): string => operator.replace('<=', '≤').replace('>=', '≥')

/** `≥ 235`, `≤ 630`, `235 – 630`. */
export const limitsText = ({ minimum, maximum }: Measurement): string | undefined => {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} – ${maximum}`
  return minimum === undefined
    ? joinText([maximum === undefined ? undefined : `≤ ${maximum}`])
    : `≥ ${minimum}`
}
