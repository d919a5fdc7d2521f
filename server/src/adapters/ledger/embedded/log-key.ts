import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mode } from '@millseal/contract'
import { formatNoteKey, type NoteKey, noteKey, type NoteSigner } from '@millseal/proof'
import { sql } from 'kysely'
import { nodePrimitives } from '../../../lib/primitives.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Query } from '../../../ports/database/database.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './damaged.ts'
import { readIfThere, replaceDurably } from './durable-files.ts'

export type LogKeyDependencies = {
  readonly mode: Mode
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
}

type LogRow = { origin: string; public_key: Buffer; sealed_key: Buffer }

/** Who the log is: made once, and never changed. */
export type LogKey = {
  /** Rejects with `LedgerUnavailable` before the log was made. */
  read(): Promise<NoteKey>
  /** Makes the key where there is none, and puts its public half beside the tiles. */
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
      const der = Buffer.from(keystore.open(row.sealed_key, contextOf(mode)))
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      der.fill(0)
      return { key, sign: (message) => sign(null, message, privateKey) }
    },
  }
}

/** As it is written for verifiers; undefined before the log was made. */
export const findLogKey = async (query: Query, mode: Mode): Promise<string | undefined> => {
  const row = await findLog(query, mode)
  return row === undefined ? undefined : formatNoteKey(keyOf(row))
}

const keyOf = ({ origin, public_key }: LogRow): NoteKey =>
  noteKey(origin, new Uint8Array(public_key), nodePrimitives)

const placeKey = async (folder: string, key: NoteKey): Promise<void> => {
  const wanted = `${formatNoteKey(key)}\n`
  const there = (await readIfThere(join(folder, 'vkey')))?.toString('utf8')
  if (there === wanted) return
  if (there !== undefined) {
    throw new LedgerDamaged(
      `The folder holds the log ${there.trim()}, and the database the key of ${wanted.trim()}`,
    )
  }
  await mkdir(folder, { recursive: true })
  await replaceDurably(join(folder, 'vkey'), Buffer.from(wanted))
}

const contextOf = (mode: Mode): string => `ledger_logs/${mode}`

const findLog = async (query: Query, mode: Mode): Promise<LogRow | undefined> => {
  const { rows } = await sql<LogRow>`
    select origin, public_key, sealed_key from ledger_logs where mode = ${mode}`.execute(query)
  return rows[0]
}

/** Two processes may do this at once: the first one's key counts. */
const createLog = async (
  { mode, database, keystore, clock }: LogKeyDependencies,
  origin: string,
): Promise<LogRow> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const sealed = keystore.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(mode))
  await sql`
    insert into ledger_logs (mode, origin, public_key, sealed_key, created_at)
    values (${mode}, ${origin}, ${Buffer.from(x, 'base64url')}, ${Buffer.from(sealed)}, ${new Date(clock.now())})
    on conflict (mode) do nothing`.execute(database.query)
  const row = await findLog(database.query, mode)
  if (row === undefined) throw new Error('The log that was just made is gone')
  return row
}
