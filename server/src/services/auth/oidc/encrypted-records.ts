import { createHash } from 'node:crypto'
import type { AuthDependencies } from '../dependencies.ts'
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
 * The provider's records of one kind that outlive a request. They are stored encrypted and found by hashes, so the
 * database contains no code and no session that could be used.
 */
export type EncryptedRecords = {
  save(id: string, payload: Payload, lifetimeSeconds: number): Promise<void>
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  /** False if the record was consumed before. */
  consume(id: string): Promise<boolean>
  /** False if the record was deleted before; of two concurrent calls, one gets true. */
  delete(id: string): Promise<boolean>
  deleteByGrant(grantId: string): Promise<void>
}

export const encryptedRecords = (
  { database: { query }, keystore, clock }: AuthDependencies,
  kind: string,
): EncryptedRecords => {
  const hash = (part: string, value: string) =>
    createHash('sha256').update(`${kind}\n${part}\n${value}`).digest()
  const hashOf = (part: string, value: unknown) => (typeof value === 'string' ? hash(part, value) : null)
  const now = () => new Date(clock.now())
  const decrypt = (record: StoredRecord | undefined): Payload | undefined => {
    if (record === undefined) return undefined
    const plain = Buffer.from(keystore.decrypt(record.encryptedPayload, contextOf(record.idHash)))
    const payload = JSON.parse(plain.toString('utf8')) as Payload
    const { consumedAt } = record
    return consumedAt === null ? payload : { ...payload, consumed: Math.floor(consumedAt.getTime() / 1_000) }
  }
  return {
    async save(id, payload, lifetimeSeconds) {
      const idHash = hash('id', id)
      await saveRecord(query, {
        idHash,
        uidHash: hashOf('uid', payload['uid']),
        grantHash: hashOf('grant', payload['grantId']),
        encryptedPayload: keystore.encrypt(Buffer.from(JSON.stringify(payload)), contextOf(idHash)),
        expiresAt: new Date(clock.now() + lifetimeSeconds * 1_000),
      })
    },
    find: async (id) => decrypt(await findRecord(query, { idHash: hash('id', id) }, now())),
    findByUid: async (uid) => decrypt(await findRecord(query, { uidHash: hash('uid', uid) }, now())),
    consume: (id) => consumeRecord(query, hash('id', id), now()),
    delete: (id) => deleteRecord(query, hash('id', id)),
    deleteByGrant: (grantId) => deleteRecordsOfGrant(query, hash('grant', grantId)),
  }
}

const contextOf = (idHash: Uint8Array): string => `oidc_records/${Buffer.from(idHash).toString('hex')}`
