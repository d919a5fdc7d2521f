import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseNoteKey, type SignedTransaction, verifyTlogProof, writeLogEntry } from '@millseal/proof'
import { createFolderFiles } from '../../server/src/adapters/files/folder.ts'
import { createLocalKeystore } from '../../server/src/adapters/keystore/local.ts'
import { createEmbeddedLedger } from '../../server/src/adapters/ledger/embedded/embedded.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Secret } from '../../server/src/lib/secret.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'
import { openFilesArgument } from '../../server/test/files-argument.ts'
import { certificateAsset, makeLedgerSigner } from '../../server/test/ledger-signer.ts'
import { proofOf } from '../../server/test/proof-of.ts'
import { silentLog } from '../../server/test/silent-log.ts'
import { openDurableDatabase } from './durable.ts'
import { type Rate, rateOf, repeat } from './rounds.ts'

export type Log = Awaited<ReturnType<typeof openLog>>

type Recorded = { readonly transaction: SignedTransaction; readonly time: string | undefined }

const ms = 900
const mostKnown = 50_000

/** The embedded ledger on a database of its own, in this process. `files`: where its files are, as in tests. */
export const openLog = async (folder: string, files = 'folder') => {
  await mkdir(folder, { recursive: true })
  const database = await openDurableDatabase(folder)
  const ledger = createEmbeddedLedger({
    mode: 'test',
    files: openFilesArgument(files, join(folder, 'ledger'), database),
    claim: async () => {},
    knownCheckpoints: [createFolderFiles(join(folder, 'known'))],
    origin: () => 'bench.example.com/ledger/test',
    database,
    keystore: createLocalKeystore(new Secret(Buffer.alloc(32, 'bench'))),
    clock: systemClock,
    log: silentLog,
  })
  await ledger.start()
  const signer = makeLedgerSigner()
  const make = (): SignedTransaction => signer.create(certificateAsset())
  const known: Recorded[] = []
  const submit = async (transaction: SignedTransaction): Promise<void> => {
    const { timestamp } = (await ledger.submit(transaction)).entry
    const at = known.length < mostKnown ? known.length : Math.floor(Math.random() * mostKnown)
    known[at] = { transaction, time: timestamp?.toISOString() }
  }
  const pick = (): Recorded => known[Math.floor(Math.random() * known.length)] as Recorded
  /** As a receiver who has the transaction. */
  const proveAny = async (): Promise<void> => {
    const entry = pick()
    const proof = await proofOf(ledger, entry.transaction.id)
    verifyTlogProof({ proof, entry: writeLogEntry(entry), key }, nodePrimitives)
  }
  await submit(make())
  const key = parseNoteKey((await ledger.files.readKey()) ?? '', nodePrimitives)
  return {
    entryBytes: writeLogEntry({ transaction: make(), time: undefined }).length,
    /** Submits so many transactions at once, signed before the clock starts. */
    appendMany: (count: number): Promise<Rate> => {
      const transactions = Array.from({ length: count }, make)
      return rateOf(async () => (await Promise.all(transactions.map(submit))).length)
    },
    /** One after the other. */
    appendOne: () => {
      const spare = Array.from({ length: 1_000 }, make)
      return repeat((turn) => submit(spare[turn] ?? make()), { ms })
    },
    prove: () => repeat(proveAny, { ms }),
    [Symbol.asyncDispose]: async () => {
      await ledger[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
