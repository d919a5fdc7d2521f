import { withoutUndefined } from '@millseal/families'
import type { RegisterNumber } from '../../lib/vat/check-vat-id.ts'
import type { UnknownReason, VatAnswer } from '../../ports/vat-registry/vat-registry.ts'
import { readAddress } from './vies-address.ts'

/** The documented errors of VIES. Any other error means `unavailable`. */
const reasons: ReadonlyMap<string, UnknownReason> = new Map([
  ['INVALID_INPUT', 'refused'],
  ['INVALID_REQUESTER_INFO', 'refused'],
  ['VAT_BLOCKED', 'refused'],
  ['IP_BLOCKED', 'refused'],
  ['TIMEOUT', 'timeout'],
  ['GLOBAL_MAX_CONCURRENT_REQ', 'busy'],
  ['GLOBAL_MAX_CONCURRENT_REQ_TIME', 'busy'],
  ['MS_MAX_CONCURRENT_REQ', 'busy'],
  ['MS_MAX_CONCURRENT_REQ_TIME', 'busy'],
])

const retryAfterSeconds: Readonly<Record<UnknownReason, number>> = {
  not_covered: 24 * 60 * 60,
  offline: 24 * 60 * 60,
  refused: 60 * 60,
  malformed_answer: 5 * 60,
  unavailable: 5 * 60,
  timeout: 60,
  busy: 60,
}

const maxTextLength = 500

export const unknown = (reason: UnknownReason, detail?: string): VatAnswer =>
  withoutUndefined({
    status: 'unknown' as const,
    reason,
    detail: detail !== undefined && /^[A-Z0-9 _-]{1,64}$/.test(detail) ? detail : undefined,
    retryAfterSeconds: retryAfterSeconds[reason],
  })

type Body = Readonly<Record<string, unknown>>

/** Reads an answer of VIES. An answer that is not completely understood means `unknown`. */
export const readAnswer = (status: number, text: string, asked: RegisterNumber, now: Date): VatAnswer => {
  const body = parse(text)
  const error = body === undefined ? undefined : errorOf(body)
  if (error !== undefined) return unknown(reasons.get(error) ?? 'unavailable', error)
  if (status !== 200) return unknown(status === 429 ? 'busy' : 'unavailable', `HTTP ${status}`)
  if (body === undefined || typeof body['valid'] !== 'boolean' || !isAbout(body, asked)) {
    return unknown('malformed_answer')
  }
  if (!body['valid']) return { status: 'not_registered', checkedAt: now }
  const name = textOf(body['name'])
  const address = textOf(body['address'])
  const requestId = textOf(body['requestIdentifier'])
  return withoutUndefined({
    status: 'registered' as const,
    name: name?.replaceAll(/\s+/g, ' '),
    address: address === undefined ? undefined : readAddress(address, asked.country),
    requestId,
    checkedAt: now,
  })
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (text: string): Body | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isBody(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** VIES reports errors in both ways, sometimes together with `valid: false`, which then has no meaning. */
const errorOf = (body: Body): string | undefined => {
  const { errorWrappers, userError, actionSucceed } = body
  const [first]: readonly unknown[] = Array.isArray(errorWrappers) ? errorWrappers : []
  if (isBody(first)) return codeOf(first['error'])
  if (actionSucceed === false || first !== undefined) return codeOf(undefined)
  if (userError === undefined || userError === null || userError === '') return undefined
  const verdict = body['valid'] === true ? 'VALID' : 'INVALID'
  return userError === verdict ? undefined : codeOf(userError)
}

const codeOf = (value: unknown): string => (typeof value === 'string' ? value : 'NO CODE')

/** An answer about a different number, for example from a cache, is not valid. */
const isAbout = (body: Body, asked: RegisterNumber): boolean =>
  body['countryCode'] === asked.country && body['vatNumber'] === asked.number

/** Dashes mean that a country does not publish the data. Line breaks are kept, other control characters are removed. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const text = value
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{C}\n]/gu, ' ')
    .slice(0, maxTextLength)
    .trim()
  return /^-*$/.test(text) ? undefined : text
}
