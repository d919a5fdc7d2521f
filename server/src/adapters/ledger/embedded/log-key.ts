import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mode } from '@millseal/contract'
import { formatNoteKey, type NoteKey, noteKey, type NoteSigner } from '@millseal/proof'
import type { Selectable } from 'kysely'
import { nodePrimitives } from '@millseal/proof/node'
import type { Clock } from '../../../ports/clock/clock.ts'
import { type Database, type Query } from '../../../ports/database/database.ts'
import type { LedgerLogs } from '../../../ports/database/tables.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readIfPresent, replaceDurably } from './durable-files.ts'

export type LogKeyDependencies = {
  readonly mode: Mode
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
}

type LogRow = Selectable<LedgerLogs>

/** The identity of the log: created once, and never changed. */
export type LogKey = {
  /** Rejects with `LedgerUnavailable` before the log was created. */
  read(): Promise<NoteKey>
  /** Creates the key if there is none, and writes the public key beside the tiles. */
  ensure(origin: string, folder: string): Promise<NoteSigner>
}

export const createLogKey = (deps: LogKeyDependencies): LogKey => {
  const { mode, database, keystore } = deps
  let known: NoteKey | undefined
  return {
    async read() {
      if (known !== undefined) return known
      const row = await findLog(database.query, mode)
      if (row === undefined) throw new LedgerUnavailable(`The ${mode} ledger has not been started yet`)
      known = keyOf(row)
      return known
    },
    async ensure(origin, folder) {
      const row = (await findLog(database.query, mode)) ?? (await createLog(deps, origin))
      const key = keyOf(row)
      await placeKey(folder, key)
      const der = Buffer.from(keystore.decrypt(row.encryptedKey, contextOf(mode)))
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      der.fill(0)
      return { key, sign: (message) => sign(null, message, privateKey) }
    },
  }
}

/** In the form that verifiers read. Undefined before the log was created. */
export const findLogKey = async (query: Query, mode: Mode): Promise<string | undefined> => {
  const row = await findLog(query, mode)
  return row === undefined ? undefined : formatNoteKey(keyOf(row))
}

const keyOf = ({ origin, publicKey }: Pick<LogRow, 'origin' | 'publicKey'>): NoteKey =>
  noteKey(origin, new Uint8Array(publicKey), nodePrimitives)

const placeKey = async (folder: string, key: NoteKey): Promise<void> => {
  const wanted = `${formatNoteKey(key)}\n`
  const there = (await readIfPresent(join(folder, 'vkey')))?.toString('utf8')
  if (there === wanted) return
  if (there !== undefined) {
    throw new LedgerDamaged(
      `The folder contains the log ${there.trim()}, but the database has the key of ${wanted.trim()}`,
    )
  }
  await mkdir(folder, { recursive: true })
  await replaceDurably(join(folder, 'vkey'), Buffer.from(wanted))
}

const contextOf = (mode: Mode): string => `ledger_logs/${mode}`

const findLog = (query: Query, mode: Mode): Promise<LogRow | undefined> =>
  query.selectFrom('ledgerLogs').selectAll().where('mode', '=', mode).executeTakeFirst()

/** Two processes may do this at once: the first key is used. */
const createLog = async (
  { mode, database, keystore, clock }: LogKeyDependencies,
  origin: string,
): Promise<LogRow> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const encrypted = keystore.encrypt(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(mode))
  await database.query
    .insertInto('ledgerLogs')
    .values({
      mode,
      origin,
      publicKey: Buffer.from(x, 'base64url'),
      encryptedKey: Buffer.from(encrypted),
      createdAt: new Date(clock.now()),
    })
    .onConflict((conflict) => conflict.column('mode').doNothing())
    .execute()
  const row = await findLog(database.query, mode)
  if (row === undefined) throw new Error('The new log is missing from the database')
  return row
}
