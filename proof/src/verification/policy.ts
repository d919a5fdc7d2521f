import { type NoteKey, parseNoteKey } from '../log/note.ts'
import type { Hashing } from '../primitives.ts'

/**
 * Which logs and issuers a verifier trusts. Independent of any bundle, because keys that come with a proof prove nothing.
 */
export type TrustPolicy = {
  /** Keys of logs, from their file `vkey`. */
  readonly logs: readonly NoteKey[]
  /** Issuers known by their DID. */
  readonly issuers: readonly { readonly did: string; readonly name: string }[]
  /** Whether certificates of other issuers are rejected. */
  readonly onlyKnownIssuers: boolean
}

export class PolicyUnreadable extends Error {
  override readonly name = 'PolicyUnreadable'
}

const newestVersion = 1
const known: readonly string[] = ['policyVersion', 'logs', 'issuers', 'onlyKnownIssuers']

/** A policy that comes with certificates is never used, so a reader of files must recognise it. */
export const looksLikePolicy = (json: unknown): boolean =>
  isRecord(json) && !('formatVersion' in json) && ('logs' in json || 'policyVersion' in json)

/** Reads the JSON of a policy file: docs/bundle.md. */
export const readPolicy = (json: unknown, hashing: Hashing): TrustPolicy => {
  if (!isRecord(json)) throw new PolicyUnreadable('a policy must be a JSON object')
  const { policyVersion = newestVersion, logs = [], issuers = [], onlyKnownIssuers = false } = json
  if (policyVersion !== newestVersion)
    throw new PolicyUnreadable(
      `the policy has version ${JSON.stringify(policyVersion)}; this verifier knows version ${newestVersion}. Use a newer one`,
    )
  const unknown = Object.keys(json).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new PolicyUnreadable(`unknown field ${unknown}; a policy can have ${known.join(', ')}`)
  if (!Array.isArray(logs) || !Array.isArray(issuers) || typeof onlyKnownIssuers !== 'boolean') {
    throw new PolicyUnreadable('logs and issuers must be lists, onlyKnownIssuers must be true or false')
  }
  return {
    logs: logs.map((log: unknown) => readLog(log, hashing)),
    issuers: issuers.map(readIssuer),
    onlyKnownIssuers,
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readLog = (log: unknown, hashing: Hashing): NoteKey => {
  if (typeof log !== 'string') throw new PolicyUnreadable('/logs must contain keys as text: name+id+key')
  try {
    return parseNoteKey(log, hashing)
  } catch (error) {
    throw new PolicyUnreadable(`/logs: ${error instanceof Error ? error.message : 'not a key'}`)
  }
}

const readIssuer = (issuer: unknown): TrustPolicy['issuers'][number] => {
  if (!isRecord(issuer) || typeof issuer['did'] !== 'string' || typeof issuer['name'] !== 'string') {
    throw new PolicyUnreadable('/issuers must contain objects with did and name')
  }
  return { did: issuer['did'], name: issuer['name'] }
}
