import { Requirement } from '@millseal/contract/requirements'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { reasonOf } from '../validate/reason.ts'
import { RequirementUnreadable } from './requirement-unreadable.ts'
import { faultsOf } from './rule-faults.ts'

const mostReasons = 50

let compiled: ValidateFunction<Requirement> | undefined
const isRequirement = (value: unknown): value is Requirement => {
  compiled ??= new Ajv({ allErrors: true, strict: false }).compile<Requirement>(Requirement)
  return compiled(value)
}

/** Reads the format `requirement-1` strictly. Throws `RequirementUnreadable` with everything that is wrong. */
export const readRequirement = (value: unknown): Requirement => {
  if (!isRequirement(value)) throw unreadable((compiled?.errors ?? []).map(reasonOfSchema))
  const faults = value.rules.flatMap((rule, index) => faultsOf(rule, `/rules/${index}`))
  if (faults.length > 0) throw unreadable(faults)
  return value
}

const reasonOfSchema = (error: ErrorObject): Reason => {
  const isDecimal = error.keyword === 'pattern' && String(error.params['pattern']).includes(String.raw`\d`)
  const isNumber = error.keyword === 'type' && isLimit(error.instancePath)
  const reason = isDecimal || isNumber ? because('requirement_number_form') : reasonOf(error)
  return atPlace(error.instancePath === '' ? '/' : error.instancePath, reason)
}

const isLimit = (pointer: string): boolean => /\/(?:min|max|above|upTo|below)$/.test(pointer)

const unreadable = (reasons: readonly Reason[]): RequirementUnreadable =>
  new RequirementUnreadable(reasons.slice(0, mostReasons))
