import { join } from 'node:path'
import { parseKeyFile, type SignedTransaction, verifyTlogProof, writeLogEntry } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { openForCommand } from '../../server/src/compose/commands.ts'
import { openFiles } from '../../server/src/compose/files.ts'
import { openKeystore } from '../../server/src/compose/keys.ts'
import { openLedgers } from '../../server/src/compose/ledgers.ts'
import { readConfig } from '../../server/src/config.ts'
import { createLog } from '../../server/src/lib/log.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'
import { certificateAsset, makeLedgerSigner } from '../../server/test/ledger-signer.ts'
import { proofOf } from '../../server/test/proof-of.ts'
import { type Rate, rateOf, repeat } from './measuring.ts'

export type Log = Awaited<ReturnType<typeof openLog>>

const [ms, mostKnown] = [900, 50_000]
const log = createLog('silent')

/** The embedded ledger as a server opens it, on a database of its own, in this process. */
export const openLog = async (folder: string) => {
  const config = readConfig({ MILLSEAL_DATA_DIR: folder, MILLSEAL_KNOWN_CHECKPOINTS: join(folder, 'known') })
  const database = await openForCommand(config, log)
  const [files, keystore] = [openFiles(config, database), openKeystore(config)]
  const publicUrl = () => 'https://bench.example.com'
  const ledgers = openLedgers(config, { database, files, keystore, clock: systemClock, log, publicUrl })
  const ledger = ledgers.embedded('test')
  await ledger.start()
  const signer = makeLedgerSigner()
  const make = (): SignedTransaction => signer.create(certificateAsset())
  const known: { readonly transaction: SignedTransaction; readonly time: string | undefined }[] = []
  const submit = async (transaction: SignedTransaction): Promise<void> => {
    const { timestamp } = (await ledger.submit(transaction)).entry
    const at = known.length < mostKnown ? known.length : Math.floor(Math.random() * mostKnown)
    known[at] = { transaction, time: timestamp?.toISOString() }
  }
  /** As a receiver who has the transaction. */
  const proveAny = async (): Promise<void> => {
    const entry = known[Math.floor(Math.random() * known.length)] as (typeof known)[number]
    const proof = await proofOf(ledger, entry.transaction.id)
    verifyTlogProof({ proof, entry: writeLogEntry(entry), key }, nodePrimitives)
  }
  await submit(make())
  const key = parseKeyFile((await ledger.files.readKey()) ?? '', nodePrimitives)
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
      await ledgers[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
