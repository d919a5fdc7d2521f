import { errors, impliedErrors, type Operation, operations } from '@millseal/contract'
import type { Complaint } from './report.ts'

/**
 * Requests that conform to the document and are still refused as not valid: JSON Schema cannot express the rule, or only
 * so that the message no longer says what to do.
 */
const rules: readonly (readonly [message: RegExp, reason: string])[] = [
  [/query\/after is not among the failed jobs/, 'a page starts after a job that exists'],
  [/must be "embedded" or a URL starting with/, 'a pattern would say less'],
  [/live is not received by a hook of mode test/, 'two fields together'],
  [/query\/draft can be combined with type=html only/, 'two fields together'],
  [/query\/(?:replaces|reason) goes only together with (?:reason|replaces)/, 'two fields together'],
  [/No event has the position \d+ yet/, 'what has happened'],
  [/query\/own cannot be combined with replaces/, 'two fields together'],
  [/Send either (?:certificate or id|requirement or against)/, 'two fields together'],
  [/\/reason needs a reason/, 'two fields together'],
  [/\/item needs order/, 'two fields together'],
  [/is used twice/, 'header names differ, without regard to case'],
  [/must be the did:key of another Ed25519 key/, 'a point on the curve'],
  [/(?:replacedBy|replaces) must be another certificate/, 'a record'],
  [/is required if \/identity is missing/, 'two fields together'],
  [/\/reason is required when a company is rejected/, 'two fields together'],
  [/\/(?:since|revokeKeys) is only for a rejection/, 'two fields together'],
  [/\/since must not be in the future/, 'the clock'],
  [/\/username or \/email is required/, 'two fields together'],
  [/\/name or \/description is required/, 'two fields together'],
  [/ is given twice/, 'two fields of a form with one name (RFC 6749 §3.2)'],
  [/\/client_(?:id|secret) is required, in the body or as HTTP Basic credentials/, 'field or header'],
  [/\/address\/country never changes/, 'the stored value'],
  [/\/family must be one of/, 'families are installed'],
  [/hidden\/\d+ must be one of/, 'columns of the schema'],
]

const domainMessages = (label: string): readonly string[] => {
  const operation = Object.values<Operation>(operations).find(
    ({ method, path }) => `${method} ${path}` === label,
  )
  if (operation === undefined) return []
  return impliedErrors(operation)
    .filter((code) => code !== 'validation_failed')
    .map((code) => errors[code].message)
}

/** A refusal of valid data that the document declares for this operation, as "The VAT id is not valid". */
const isDeclared = ({ operation, message }: Complaint): boolean =>
  domainMessages(operation).some((declared) => message.startsWith(declared))

/** The page with the same address as the operation that it calls. */
const pages = ['GET /auth/login', 'HEAD /auth/login']

const isOtherMethod = ({ check, operation, status, says }: Complaint): boolean => {
  const [, path = ''] = operation.split(' ')
  if (check === 'unsupported_method') return status < 500 && pages.includes(operation)
  const [, advertised] = /Undocumented methods advertised: ([A-Z, ]+)/.exec(says) ?? []
  if (check !== 'allow_header_conformance' || advertised === undefined) return false
  return advertised.split(', ').every((one) => pages.includes(`${one.trim()} ${path}`))
}

/**
 * OpenAPI 3.1 has no schema of one event: it is of the whole answer, as generators read it, but schemathesis compares each
 * event with it.
 */
const isEventByItself = ({ check, operation, says }: Complaint): boolean =>
  check === 'response_schema_conformance' &&
  operation === 'GET /events/stream' &&
  /^SSE event violates schema: .* is not of type "string"$/m.test(says)

/** Whether the complaint is about no defect of ours. */
export const isExplained = (complaint: Complaint): boolean => {
  const { check, status, message } = complaint
  if (isOtherMethod(complaint) || isEventByItself(complaint)) return true
  if (check !== 'positive_data_acceptance' || status >= 500) return false
  return isDeclared(complaint) || rules.some(([text]) => text.test(message))
}
