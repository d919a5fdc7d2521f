import { createHash } from 'node:crypto'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOfGrant,
  findRecord,
  saveRecord,
  type StoredRecord,
} from './records.store.ts'

type Payload = Readonly<Record<string, unknown>>

/**
 * Where the provider keeps what must outlive a request, of one kind. Sealed, and found by hashes only: what lies in the
 * database is neither a code nor a session that anybody could use.
 */
export type SealedRecords = {
  save(id: string, payload: Payload, lifetimeSeconds: number): Promise<void>
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  /** False when it was consumed before. */
  consume(id: string): Promise<boolean>
  /** False when it was not there any more: of two that take it, one gets it. */
  remove(id: string): Promise<boolean>
  removeByGrant(grantId: string): Promise<void>
}

export type RecordDependencies = {
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
}

export const sealedRecords = (
  { database: { query }, keystore, clock }: RecordDependencies,
  kind: string,
): SealedRecords => {
  const hash = (what: string, value: string) =>
    createHash('sha256').update(`${kind}\n${what}\n${value}`).digest()
  const hashOf = (what: string, value: unknown) => (typeof value === 'string' ? hash(what, value) : undefined)
  const now = () => new Date(clock.now())
  const open = (record: StoredRecord | undefined): Payload | undefined => {
    if (record === undefined) return undefined
    const opened = Buffer.from(keystore.open(record.sealed, contextOf(record.idHash)))
    const payload = JSON.parse(opened.toString('utf8')) as Payload
    const { consumedAt } = record
    return consumedAt === undefined
      ? payload
      : { ...payload, consumed: Math.floor(consumedAt.getTime() / 1_000) }
  }
  return {
    async save(id, payload, lifetimeSeconds) {
      const idHash = hash('id', id)
      await saveRecord(query, {
        idHash,
        uidHash: hashOf('uid', payload['uid']),
        grantHash: hashOf('grant', payload['grantId']),
        sealed: keystore.seal(Buffer.from(JSON.stringify(payload)), contextOf(idHash)),
        expiresAt: new Date(clock.now() + lifetimeSeconds * 1_000),
      })
    },
    find: async (id) => open(await findRecord(query, { idHash: hash('id', id) }, now())),
    findByUid: async (uid) => open(await findRecord(query, { uidHash: hash('uid', uid) }, now())),
    consume: (id) => consumeRecord(query, hash('id', id), now()),
    remove: (id) => deleteRecord(query, hash('id', id)),
    removeByGrant: (grantId) => deleteRecordsOfGrant(query, hash('grant', grantId)),
  }
}

const contextOf = (idHash: Uint8Array): string => `oidc_records/${Buffer.from(idHash).toString('hex')}`
