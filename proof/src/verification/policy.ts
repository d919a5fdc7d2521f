import { tryDecodeBase64 } from '../encoding/base64.ts'
import { type JsonValue, readJson } from '../json/read.ts'
import { type NoteKey, parseNoteKey } from '../log/note.ts'
import { parseTlogPolicy, type TlogPolicy } from '../log/tlog-policy.ts'
import type { Hashing } from '../primitives.ts'
import { deepestBundle } from './bundle.ts'

/**
 * Which logs, cosigners and issuers a verifier trusts. Independent of any bundle, because keys that come with a proof prove nothing.
 */
export type TrustPolicy = {
  /** Keys of logs, from their file `vkey`. */
  readonly logs: readonly NoteKey[]
  /** Who must have signed a checkpoint beside its log. Undefined in version 1. */
  readonly cosigners?: TlogPolicy | undefined
  /** Names of cosigners that check every entry before they sign. */
  readonly nodes?: readonly string[]
  /** Issuers known by their DID. */
  readonly issuers: readonly { readonly did: string; readonly name: string }[]
  /** Whether certificates of other issuers are rejected. */
  readonly onlyKnownIssuers: boolean
  /** For how many days a status counts, at most. */
  readonly maxStatusAge?: number | undefined
  /** Authorities for time stamps, with the certificate of the root of each in DER. */
  readonly authorities?: readonly { readonly name: string; readonly root: Uint8Array }[]
}

export class PolicyUnreadable extends Error {
  override readonly name = 'PolicyUnreadable'
}

const members: Readonly<Record<number, readonly string[]>> = {
  1: ['policyVersion', 'logs', 'issuers', 'onlyKnownIssuers'],
  2: ['policyVersion', 'log', 'nodes', 'issuers', 'onlyKnownIssuers', 'maxStatusAge', 'authorities'],
}
const mostAuthorities = 8
const mostDays = 36_500

/** A policy that comes with certificates is never used, so a reader of files must recognise it. */
export const looksLikePolicy = (json: unknown): boolean =>
  isRecord(json) && !('formatVersion' in json) && ('logs' in json || 'policyVersion' in json)

/** The JSON of a policy file, which may be the bare text of a C2SP tlog-policy. Throws `JsonError` or `PolicyUnreadable`. */
export const parsePolicyFile = (bytes: Uint8Array): JsonValue => {
  const start = new TextDecoder().decode(bytes).trimStart()
  if (start.startsWith('{')) return readJson(bytes, { maxDepth: deepestBundle })
  const log = because('', () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  return { policyVersion: 2, log }
}

/** Reads the JSON of a policy: docs/bundle.md. */
export const readPolicy = (json: unknown, hashing: Hashing): TrustPolicy => {
  if (!isRecord(json)) throw new PolicyUnreadable('a policy must be a JSON object')
  const { policyVersion = 1 } = json
  const known = typeof policyVersion === 'number' ? members[policyVersion] : undefined
  if (known === undefined)
    throw new PolicyUnreadable(
      `the policy has version ${JSON.stringify(policyVersion)}; this verifier knows versions 1 and 2. Use a newer one`,
    )
  const unknown = Object.keys(json).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new PolicyUnreadable(`unknown field ${unknown}; a policy can have ${known.join(', ')}`)
  const { onlyKnownIssuers = false } = json
  if (typeof onlyKnownIssuers !== 'boolean')
    throw new PolicyUnreadable('onlyKnownIssuers must be true or false')
  const shared = { issuers: listIn(json, 'issuers').map(readIssuer), onlyKnownIssuers }
  if (policyVersion === 2) return { ...shared, ...readVersion2(json, hashing) }
  return { ...shared, logs: listIn(json, 'logs').map((log) => readLog(log, hashing)) }
}

type Json = Readonly<Record<string, unknown>>

const readVersion2 = (json: Json, hashing: Hashing): Omit<TrustPolicy, 'issuers' | 'onlyKnownIssuers'> => {
  const cosigners = readCosigners(json['log'], hashing)
  const nodes = listIn(json, 'nodes').map((name) => {
    if (typeof name !== 'string' || !cosigners?.witnesses.some((one) => one.name === name))
      throw new PolicyUnreadable('nodes must contain names of witness lines of log')
    return name
  })
  const authorities = listIn(json, 'authorities').map(readAuthority)
  if (authorities.length > mostAuthorities)
    throw new PolicyUnreadable(`authorities can have at most ${mostAuthorities}`)
  return {
    logs: cosigners?.logs.map(({ key }) => key) ?? [],
    cosigners,
    nodes,
    maxStatusAge: readDays(json['maxStatusAge']),
    authorities,
  }
}

const readCosigners = (text: unknown, hashing: Hashing): TlogPolicy | undefined => {
  if (text === undefined) return undefined
  if (typeof text !== 'string') throw new PolicyUnreadable('log must be the text of a tlog-policy')
  return because('log: ', () => parseTlogPolicy(text, hashing))
}

const readDays = (days: unknown): number | undefined => {
  if (days === undefined) return undefined
  const isWhole = typeof days === 'number' && Number.isInteger(days) && !Object.is(days, -0)
  if (isWhole && days >= 0 && days <= mostDays) return days
  throw new PolicyUnreadable(`maxStatusAge must be a number of days from 0 to ${mostDays}`)
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listIn = (json: Json, name: string): readonly unknown[] => {
  const { [name]: list = [] } = json
  if (!Array.isArray(list)) throw new PolicyUnreadable(`${name} must be a list`)
  return list
}

const because = <T>(where: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new PolicyUnreadable(`${where}${error instanceof Error ? error.message : 'not readable'}`)
  }
}

const readLog = (log: unknown, hashing: Hashing): NoteKey => {
  if (typeof log !== 'string') throw new PolicyUnreadable('/logs must contain keys as text: name+id+key')
  return because('/logs: ', () => parseNoteKey(log, hashing))
}

const readIssuer = (issuer: unknown): TrustPolicy['issuers'][number] => {
  if (!isRecord(issuer) || typeof issuer['did'] !== 'string' || typeof issuer['name'] !== 'string') {
    throw new PolicyUnreadable('/issuers must contain objects with did and name')
  }
  return { did: issuer['did'], name: issuer['name'] }
}

const readAuthority = (authority: unknown): (TrustPolicy['authorities'] & object)[number] => {
  const { name, root, ...more } = isRecord(authority) ? authority : {}
  const bytes = typeof root === 'string' ? tryDecodeBase64(root) : undefined
  if (typeof name !== 'string' || bytes === undefined || Object.keys(more).length > 0)
    throw new PolicyUnreadable('/authorities must contain objects with only name and root, in base64')
  return { name, root: bytes }
}
