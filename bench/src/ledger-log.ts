import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { Client } from 'pg'
import { openAppender } from '../../server/src/adapters/ledger/embedded/appender.ts'
import { type Batches, createBatches } from '../../server/src/adapters/ledger/embedded/batches.ts'
import { openBlockJournal } from '../../server/src/adapters/ledger/embedded/block-journal.ts'
import { createIndexReader } from '../../server/src/adapters/ledger/embedded/index-reader.ts'
import { createIndexWriter } from '../../server/src/adapters/ledger/embedded/index-writer.ts'
import { createLogKey } from '../../server/src/adapters/ledger/embedded/log-key.ts'
import { extendLog, restoreLog } from '../../server/src/adapters/ledger/embedded/log-state.ts'
import { createEntryReader } from '../../server/src/adapters/ledger/embedded/read-ledger.ts'
import { createLedgerReading, type LedgerReading } from '../../server/src/adapters/ledger/embedded/reading.ts'
import { openTileFolder } from '../../server/src/adapters/ledger/embedded/tile-folder.ts'
import { openTileWriter, type TileWriter } from '../../server/src/adapters/ledger/embedded/tile-writer.ts'
import { valueTypes } from '../../server/src/adapters/database/value-types.ts'
import { join } from 'node:path'
import {
  canonicalLedgerText,
  type NoteKey,
  parseNoteKey,
  type SignedTransaction,
  verifyTlogProof,
} from '@millseal/proof'
import { createLocalKeystore } from '../../server/src/adapters/keystore/local.ts'
import {
  createEmbeddedLedger,
  type EmbeddedLedger,
} from '../../server/src/adapters/ledger/embedded/embedded.ts'
import { nodePrimitives } from '../../server/src/lib/primitives.ts'
import { Secret } from '../../server/src/lib/secret.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'
import type { Database } from '../../server/src/ports/database/database.ts'
import { certificateAsset, makeLedgerSigner } from '../../server/test/ledger-signer.ts'
import { openDurableDatabase, silentLog } from './durable.ts'

const origin = 'bench.example.com/ledger/test'
const keystore = createLocalKeystore(new Secret(Buffer.alloc(32, 'bench')))

export const createLedger = (database: Database, dataDir: string): EmbeddedLedger =>
  createEmbeddedLedger({
    mode: 'test',
    folder: join(dataDir, 'ledger'),
    origin: () => origin,
    database,
    keystore,
    clock: systemClock,
    log: silentLog,
  })

const mill = makeLedgerSigner()

/** Signed beforehand: what is measured is the ledger. */
export const makeTransactions = (count: number): SignedTransaction[] =>
  Array.from({ length: count }, () => mill.create(certificateAsset()))

export const readLedgerKey = async (ledger: EmbeddedLedger): Promise<NoteKey> =>
  parseNoteKey((await ledger.files.readKey()) ?? '', nodePrimitives)

/** As somebody does who was handed transaction and proof. */
export const checkProof = (
  transaction: SignedTransaction,
  { proof, key }: { readonly proof: string; readonly key: NoteKey },
): void => {
  verifyTlogProof({ proof, entry: Buffer.from(canonicalLedgerText(transaction)), key }, nodePrimitives)
}

/** A log without the check of its older entries, which would otherwise run beside what is measured. */
export type SeededLog = AsyncDisposable & {
  readonly batches: Batches
  readonly reading: LedgerReading
  /** Of any entry it was made with. */
  pickId(): string
}

const chunk = 65_536
/** The start compares the newest entries with the index, so these are appended as all others are. */
const appendedForReal = 4_352

/**
 * Seeded entries have the size, tiles and rows of real ones, made by the code that appends, but with hashes that are
 * counted instead of signed, and their rows come from one statement instead of many.
 */
export const openSeededLog = async (dataDir: string, size: number): Promise<SeededLog> => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openDurableDatabase(dataDir))
  const client = new Client({ ...database.connection, types: valueTypes })
  await client.connect()
  opening.defer(() => client.end())
  await client.query('set synchronous_commit = off; set enable_seqscan = off')
  const path = join(dataDir, 'ledger', 'test')
  await mkdir(path, { recursive: true })
  const folder = openTileFolder(path)
  const key = createLogKey({ mode: 'test', database, keystore, clock: systemClock })
  const signer = await key.ensure(origin, path)
  const seeded = Math.max(0, size - appendedForReal)
  if (seeded > 0) {
    await using writer = await openTileWriter(folder)
    await seed({ folder: writer, client, signer, count: seeded })
  }
  const index = createIndexWriter(client, 'test')
  const reader = createIndexReader(database.query, 'test')
  const appender = opening.use(await openAppender({ folder, index, reader, signer, clock: systemClock }))
  const batches = createBatches(appender, (error) => {
    throw error
  })
  const real = makeTransactions(size - seeded)
  await Promise.all(real.map((transaction) => batches.submit(transaction)))
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const reading = createLedgerReading({
    index: reader,
    entries: createEntryReader({ folder, readKey: key.read }),
  })
  const opened = opening.move()
  const pickId = (): string => {
    const place = Math.floor(Math.random() * size)
    return real[place - seeded]?.id ?? idOf(place)
  }
  return { batches, reading, pickId, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const hashOf = (what: string, index: number): string =>
  createHash('sha256').update(`${what}${index}`).digest('hex')
const idOf = (index: number): string => hashOf('id', index)

type Seed = {
  readonly folder: TileWriter
  readonly client: Client
  readonly signer: Parameters<typeof restoreLog>[1]
  readonly count: number
}

const seed = async ({ folder, client, signer, count }: Seed): Promise<void> => {
  let state = await restoreLog(folder, signer)
  const before = state.note
  const { owner, make } = entryMaker()
  for (let first = 0; first < count; first += chunk) {
    const entries = Array.from({ length: Math.min(chunk, count - first) }, (_, at) => make(first + at))
    const next = await extendLog(state, entries, signer)
    await folder.write(next.tiles, next.bundles)
    ;({ state } = next)
  }
  await using journal = await openBlockJournal(folder)
  const timestamp = new Date(systemClock.now())
  await journal.append({ height: 1, firstIndex: 0, count, timestamp })
  await (await folder.prepare(state.note)).publish(before)
  for (const statement of rowsSql({ count, owner, timestamp, length: make(0).length }))
    await client.query(statement)
}

/** A real transaction whose hashes are replaced, so that all have the same length and each is found. */
const entryMaker = (): { readonly owner: string; readonly make: (index: number) => Uint8Array } => {
  const [model] = makeTransactions(1)
  if (model?.operation !== 'CREATE') throw new Error('Made is what creates')
  const { jsonHash = '', pdfHash = '' } = (model.asset.data ?? {}) as Readonly<Record<string, string>>
  const text = JSON.stringify(model)
  return {
    owner: model.outputs[0]?.public_keys[0] ?? '',
    make: (index) =>
      Buffer.from(
        text
          .replace(model.id, idOf(index))
          .replace(jsonHash, hashOf('json', index))
          .replace(pdfHash, hashOf('pdf', index)),
      ),
  }
}

const rowsSql = ({
  count,
  owner,
  timestamp,
  length,
}: {
  readonly count: number
  readonly owner: string
  readonly timestamp: Date
  readonly length: number
}): string[] => [
  `insert into ledger_blocks values ('test', 1, 0, ${count}, '${timestamp.toISOString()}')`,
  `insert into ledger_entries
   select 'test', i, 1, sha256(('id' || i)::bytea), i % 256 * ${length + 2} + 2, ${length}, 'CREATE',
     sha256(('id' || i)::bytea), sha256(('json' || i)::bytea), sha256(('pdf' || i)::bytea),
     array[encode(sha256(('json' || i)::bytea), 'hex'), encode(sha256(('pdf' || i)::bytea), 'hex'), 'en10168', 'v1', '0'],
     '{}' from generate_series(0, ${count - 1}) i`,
  `insert into ledger_outputs
   select 'test', i, 0, array['${owner}'], null from generate_series(0, ${count - 1}) i`,
]
