import { createPublicKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Setting<T> = {
  readonly name: string
  readonly about: string
  /** The default, as written in the environment and shown in the help. */
  readonly fallback: string
  /** Throws an Error that describes valid values. */
  readonly read: (value: string) => T
}

export const setting = <T>(declared: Setting<T>): Setting<T> => declared

export const wholeNumber = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new Error(`a whole number from ${min} to ${max}`)
  return number
}

/** 0 means no limit. */
export const perDay = (value: string): number => wholeNumber(0, 1_000_000_000)(value) || Infinity

export const url =
  (...protocols: string[]) =>
  (value: string): string | undefined => {
    if (value === '') return undefined
    const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ')
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new Error(`a URL starting with ${wanted}`)
    return value.replace(/\/$/, '')
  }
export const someOf =
  <V extends string>(values: readonly V[]) =>
  (value: string): readonly V[] => {
    const chosen = value.split(',').map((part) => part.trim())
    const found = values.filter((known) => chosen.includes(known))
    if (found.length !== chosen.length)
      throw new Error(`one or more of ${values.join(', ')}, separated by commas`)
    return found
  }
export const onOrOff = (value: string): boolean => {
  if (value !== 'on' && value !== 'off') throw new Error('on or off')
  return value === 'on'
}
export const list = (value: string): readonly string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Networks that proxies call by these names. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

export const networks = (value: string): readonly string[] => {
  const all = list(value).flatMap((entry) => namedNetworks[entry] ?? [entry])
  if (!all.every((entry) => isIP(entry) !== 0 || ipaddr.isValidCIDR(entry)))
    throw new Error('addresses like 10.0.0.5 and networks like 10.0.0.0/8, separated by commas')
  return all
}

/** What headers, labels, paths and pages can show. */
export const line = (value: string): string => {
  if (value === '' || value.length > 1_000 || /\p{Cc}/u.test(value))
    throw new Error('1 to 1,000 characters on one line')
  return value
}
export const optionalLine = (value: string): string | undefined => (value === '' ? undefined : line(value))
export const hostName = (value: string): string => {
  if (isIP(value) === 0 && !/^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i.test(value))
    throw new Error('an IP address or a host name')
  return value
}
export const headerToken = (value: string): string | undefined => {
  if (!/^[\u0021-\u007e]{0,1000}$/.test(value))
    throw new Error('letters, digits and punctuation without spaces')
  return text(value)
}
export const text = (value: string): string | undefined => (value === '' ? undefined : value)

/** SubjectPublicKeyInfo in base64 without PEM lines, as SendGrid shows it. */
export const publicKeyP256 = (value: string): KeyObject | undefined => {
  if (value === '') return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // The error below covers this too.
  }
  throw new Error('a P-256 public key in base64, as the mail provider shows it')
}
