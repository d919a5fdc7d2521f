import { type Operation, operations } from '@millseal/contract'
import type { Caller } from './callers.ts'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'ignored_auth',
  'use_after_free',
  'ensure_resource_availability',
  // Only a thorough run sends methods that an operation does not have.
  'unsupported_method',
  'allow_header_conformance',
]

/** The answers to invalid data that the judge expects, and three of ours that it does not know. */
const refusals = ['400', '401', '403', '404', '405', '406', '409', '410', '413', '414', '415', '422', '429']

const text = (value: unknown): string => JSON.stringify(value)

const table = (entries: Readonly<Record<string, string>>): string =>
  `{ ${Object.entries(entries)
    .map(([name, value]) => `${text(name)} = ${text(value)}`)
    .join(', ')} }`

/** Records that exist, by the path parameter that names them. */
const idsFor = ({ path }: Operation, { ids }: Caller): Record<string, string> => {
  const noun = path.includes('/totp/') ? 'totp' : (path.split('/')[1] ?? '')
  const known: Readonly<Record<string, string | undefined>> = {
    id: ids[noun],
    identityId: ids['identities'],
    sessionId: ids['sessions'],
    userId: ids['users'],
  }
  return Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
      const value = known[name]
      return value === undefined ? [] : [[`path.${name}`, value]]
    }),
  )
}

/** In test mode, an unreachable node would make the ledger of all other operations unavailable. */
const modeFor = ({ id, admin }: Operation): string =>
  id.startsWith('nodes.') && admin === true ? 'live' : 'test'

const queryFor = (operation: Operation, { ids, vatId }: Caller): Record<string, string> => {
  const { query, mode } = operation
  const names = Object.keys(query?.properties ?? {})
  return {
    ...(mode === 'query' ? { 'query.mode': modeFor(operation) } : {}),
    ...(names.includes('vatId') ? { 'query.vatId': vatId } : {}),
    // Otherwise calls wait for an event, or for cosigners, that nothing brings.
    ...(names.includes('wait') ? { 'query.wait': '0' } : {}),
    ...(names.includes('receiver') ? { 'query.receiver': 'example.com' } : {}),
    ...(names.includes('identity') && ids['identities'] !== undefined
      ? { 'query.identity': ids['identities'] }
      : {}),
  }
}

/** Undefined if an operation needs neither a token nor values. */
const section = (operation: Operation, caller: Caller, isChained: boolean): string | undefined => {
  const company = operation.company === undefined ? undefined : caller.company
  const parameters = {
    ...(isChained ? {} : idsFor(operation, caller)),
    ...queryFor(operation, caller),
    ...(company === undefined || isChained ? {} : { 'header.company': company }),
  }
  const needsToken = operation.access === 'user' || operation.access === 'bearer'
  const headers = {
    ...(needsToken ? { Authorization: `Bearer ${caller.token}` } : {}),
    ...(company !== undefined && isChained ? { company } : {}),
  }
  const settings = [
    ...(Object.keys(headers).length > 0 ? [`headers = ${table(headers)}`] : []),
    ...(Object.keys(parameters).length > 0 ? [`parameters = ${table(parameters)}`] : []),
  ]
  if (settings.length === 0) return undefined
  return ['[[operations]]', `include-operation-id = ${text(operation.id)}`, ...settings].join('\n')
}

export type Style = {
  readonly isThorough: boolean
  /** Calls build on each other, and take the ids from answers: ids that are given here would replace those. */
  readonly isChained: boolean
}

/** A configuration file of schemathesis. */
export const configurationFor = (
  callerOf: (operation: Operation) => Caller,
  { isThorough, isChained }: Style,
): string =>
  [
    '[generation]\nallow-x00 = false',
    // Only the links of the document: the judge would guess a thousand more, and follow hardly any of ours.
    '[phases.stateful]\ninference.algorithms = []\n[phases.stateful.generation]\nmode = "positive"',
    ...(isThorough ? [] : ['[phases.coverage.generation]\nmode = "positive"']),
    '[checks]\nenabled = false',
    ...checks
      .map((name) => `[checks.${name}]\nenabled = true`)
      .map((each) =>
        each.includes('negative_data_rejection') ? `${each}\nexpected-statuses = ${text(refusals)}` : each,
      ),
    ...Object.values<Operation>(operations).flatMap((each) => section(each, callerOf(each), isChained) ?? []),
    '',
  ].join('\n')
