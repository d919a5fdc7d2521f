import { because } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import { isObject } from '../certificate/read-certificate.ts'
import { at, textAt } from '../certificate/shown.ts'
import { escapePointer } from '../registry/sub-schemas.ts'
import type { Finding } from '../validate/finding.ts'

const maxFindings = 20

/** Finds values outside the limits beside them, in any family: `{Value, Minimum}`, `{Actual, Minimum}`. */
export const findingsOutOfLimits = (json: JsonValue | undefined): readonly Finding[] => {
  const findings: Finding[] = []
  const visit = (value: JsonValue | undefined, pointer: string): void => {
    if (findings.length >= maxFindings || typeof value !== 'object' || value === null) return
    if (isObject(value)) findings.push(...compare(value, pointer))
    for (const [key, inner] of Object.entries(value)) visit(inner, `${pointer}/${escapePointer(key)}`)
  }
  visit(json, '')
  return findings.slice(0, maxFindings)
}

const compare = (value: { [key: string]: JsonValue }, pointer: string): readonly Finding[] => {
  const name = Object.hasOwn(value, 'Actual') ? 'Actual' : 'Value'
  const actual = numberAt(value, name)
  if (actual === undefined) return []
  const [minimum, maximum] = [numberAt(value, 'Minimum'), numberAt(value, 'Maximum')]
  return [
    ...(minimum !== undefined && actual < minimum
      ? [{ pointer: `${pointer}/${name}`, reason: because('below_minimum', { actual, limit: minimum }) }]
      : []),
    ...(maximum !== undefined && actual > maximum
      ? [{ pointer: `${pointer}/${name}`, reason: because('above_maximum', { actual, limit: maximum }) }]
      : []),
  ]
}

/** A number, a text that is a number, or the number of a result without an operator such as `<`. */
const numberAt = (value: JsonValue, name: string): number | undefined => {
  const found = at(value, name)
  const operator = textAt(found, 'Operator')
  if (name === 'Actual' && operator !== undefined && operator !== '=') return undefined
  const text = textAt(found) ?? textAt(found, 'Value')
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}
