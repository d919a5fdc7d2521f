import { jsonReason } from '@millseal/contract/reasons'
import type { JsonError } from '@millseal/proof'
import { Problem } from './problem.ts'

/** What is wrong in a body or a file that is not JSON, with the line and column. */
export const malformedJson = (error: JsonError): Problem => {
  const { code, values } = jsonReason(error)
  const placed = error.pointer === '' ? values : { ...values, label: error.pointer }
  return new Problem('malformed_json', { reasons: [{ code, values: placed }] })
}
