import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Mode } from '@millseal/contract'
import { formatNoteKey, type NoteKey, noteKey, type NoteSigner } from '@millseal/proof'
import type { Selectable } from 'kysely'
import { nodePrimitives } from '@millseal/proof/node'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Query, Transaction } from '../../../ports/database/database.ts'
import type { LedgerLogs } from '../../../ports/database/tables.ts'
import type { Files, ReadableFiles } from '../../../ports/files/files.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'

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
  /** Creates the key if there is none. */
  ensure(origin: string): Promise<NoteSigner>
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
    async ensure(origin) {
      const row = (await findLog(database.query, mode)) ?? (await createLog(deps, origin))
      const key = keyOf(row)
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

const keyOf = ({ origin, publicKey }: LogRow): NoteKey =>
  noteKey(origin, new Uint8Array(publicKey), nodePrimitives)

/** Throws `LedgerDamaged` if the folder is that of another log. */
export const assertFolderOf = async (files: ReadableFiles, key: NoteKey): Promise<void> => {
  const found = await readPlacedKey(files)
  if (found === undefined || found === formatNoteKey(key)) return
  throw new LedgerDamaged(
    `The folder contains the log ${found}, but the database has the key of ${formatNoteKey(key)}`,
  )
}

/** Whether the files can be those of the log in the database, by its key; a log without entries may have none yet. */
export const isLogOf = async (
  query: Query,
  { mode, files }: { readonly mode: Mode; readonly files: Files },
): Promise<boolean> => {
  const key = await findLogKey(query, mode)
  const placed = await readPlacedKey(files)
  if (placed !== undefined) return placed === key
  const block = await query
    .selectFrom('ledgerBlocks')
    .select('height')
    .where('mode', '=', mode)
    .limit(1)
    .execute()
  return block.length === 0
}

/** Writes the public key beside the tiles. */
export const placeKey = async (files: Files, key: NoteKey): Promise<void> => {
  if ((await readPlacedKey(files)) !== undefined) return
  await files.put([{ name: 'vkey', bytes: Buffer.from(`${formatNoteKey(key)}\n`) }])
}

export const readPlacedKey = async (files: ReadableFiles): Promise<string | undefined> =>
  (await files.read('vkey'))?.toString('utf8').trim()

const contextOf = (mode: Mode): string => `ledger_logs/${mode}`

const findLog = (query: Query, mode: Mode): Promise<LogRow | undefined> =>
  query.selectFrom('ledgerLogs').selectAll().where('mode', '=', mode).executeTakeFirst()

type NewLog = Pick<LogKeyDependencies, 'mode' | 'keystore'> & { readonly origin: string }

const newKey = ({ mode, keystore, origin }: NewLog) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const encrypted = keystore.encrypt(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(mode))
  return { origin, publicKey: Buffer.from(x, 'base64url'), encryptedKey: Buffer.from(encrypted) }
}

/** Two processes may do this at once: the first key is used. */
const createLog = async (
  { mode, database, keystore, clock }: LogKeyDependencies,
  origin: string,
): Promise<LogRow> => {
  await database.query
    .insertInto('ledgerLogs')
    .values({ mode, ...newKey({ mode, keystore, origin }), createdAt: new Date(clock.now()) })
    .onConflict((conflict) => conflict.column('mode').doNothing())
    .execute()
  const row = await findLog(database.query, mode)
  if (row === undefined) throw new Error('The new log is missing from the database')
  return row
}

/** Gives the log a new name and a new key. The private key of the old name is gone after this. */
export const replaceKey = async (tx: Transaction, log: NewLog): Promise<void> => {
  await tx.updateTable('ledgerLogs').set(newKey(log)).where('mode', '=', log.mode).execute()
}
