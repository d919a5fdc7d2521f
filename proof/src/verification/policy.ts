import { type NoteKey, parseNoteKey } from '../log/note.ts'
import type { Primitives } from '../primitives.ts'

/**
 * Whom a verifier trusts, decided before and apart from any bundle: keys that come with a proof prove nothing.
 */
export type TrustPolicy = {
  /** Logs, as their file `vkey` names them. */
  readonly logs: readonly NoteKey[]
  /** Issuers known by their DID. */
  readonly issuers: readonly { readonly did: string; readonly name: string }[]
  /** Whether a certificate of anybody else is refused. */
  readonly onlyKnownIssuers: boolean
}

export class PolicyUnreadable extends Error {
  override readonly name = 'PolicyUnreadable'
}

const known: readonly string[] = ['logs', 'issuers', 'onlyKnownIssuers']

/** From the JSON of a policy file: `{"logs": ["name+id+key"], "issuers": [{"did", "name"}], "onlyKnownIssuers": true}`. */
export const readPolicy = (json: unknown, primitives: Pick<Primitives, 'sha256'>): TrustPolicy => {
  if (!isRecord(json)) throw new PolicyUnreadable('A policy is a JSON object')
  const unknown = Object.keys(json).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new PolicyUnreadable(`there is no ${unknown} in a policy, which has ${known.join(', ')}`)
  const { logs = [], issuers = [], onlyKnownIssuers = false } = json
  if (!Array.isArray(logs) || !Array.isArray(issuers) || typeof onlyKnownIssuers !== 'boolean') {
    throw new PolicyUnreadable('logs and issuers are lists, onlyKnownIssuers is true or false')
  }
  return {
    logs: logs.map((log: unknown) => readLog(log, primitives)),
    issuers: issuers.map(readIssuer),
    onlyKnownIssuers,
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readLog = (log: unknown, primitives: Pick<Primitives, 'sha256'>): NoteKey => {
  if (typeof log !== 'string') throw new PolicyUnreadable('/logs holds keys as text: name+id+key')
  try {
    return parseNoteKey(log, primitives)
  } catch (error) {
    throw new PolicyUnreadable(`/logs: ${error instanceof Error ? error.message : 'not a key'}`)
  }
}

const readIssuer = (issuer: unknown): TrustPolicy['issuers'][number] => {
  if (!isRecord(issuer) || typeof issuer['did'] !== 'string' || typeof issuer['name'] !== 'string') {
    throw new PolicyUnreadable('/issuers holds objects with did and name')
  }
  return { did: issuer['did'], name: issuer['name'] }
}
