import { join } from 'node:path'
import { canonicalLedgerText, parseNoteKey, type SignedTransaction, verifyTlogProof } from '@millseal/proof'
import { createLocalKeystore } from '../../server/src/adapters/keystore/local.ts'
import { createEmbeddedLedger } from '../../server/src/adapters/ledger/embedded/embedded.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Secret } from '../../server/src/lib/secret.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'
import { certificateAsset, makeLedgerSigner } from '../../server/test/ledger-signer.ts'
import { openDurableDatabase, silentLog } from './durable.ts'
import { rateOf, repeat, type Timed } from './rounds.ts'

export type Log = AsyncDisposable & {
  /** Submits so many transactions at once, signed before the clock starts. */
  readonly appendMany: (count: number) => Promise<Timed>
  /** One after the other. */
  readonly appendOne: () => Promise<Timed>
  /** Makes the inclusion proof of an entry and checks it, as a receiver who has the transaction. */
  readonly prove: () => Promise<Timed>
  readonly find: () => Promise<Timed>
}

const ms = 900
const mostKnown = 50_000

/** The embedded ledger on a database of its own, in this process. */
export const openLog = async (folder: string): Promise<Log> => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openDurableDatabase(folder))
  const keystore = createLocalKeystore(new Secret(Buffer.alloc(32, 'bench')))
  const ledger = createEmbeddedLedger({
    mode: 'test',
    folder: join(folder, 'ledger'),
    origin: () => 'bench.example.com/ledger/test',
    database,
    keystore,
    clock: systemClock,
    log: silentLog,
  })
  opening.use(ledger)
  await ledger.start()
  const signer = makeLedgerSigner()
  const make = (count: number): SignedTransaction[] =>
    Array.from({ length: count }, () => signer.create(certificateAsset()))
  const known: SignedTransaction[] = []
  const submit = async (transaction: SignedTransaction | undefined): Promise<void> => {
    if (transaction === undefined) throw new Error('Too few transactions were signed')
    await ledger.submit(transaction)
    known[known.length < mostKnown ? known.length : Math.floor(Math.random() * mostKnown)] = transaction
  }
  const pick = (): SignedTransaction => known[Math.floor(Math.random() * known.length)] as SignedTransaction
  const proveAny = async (): Promise<void> => {
    const transaction = pick()
    const proof = (await ledger.prove(transaction.id))?.tlogProof ?? ''
    verifyTlogProof({ proof, entry: Buffer.from(canonicalLedgerText(transaction)), key }, nodePrimitives)
  }
  await submit(make(1)[0])
  const key = parseNoteKey((await ledger.files.readKey()) ?? '', nodePrimitives)
  const opened = opening.move()
  return {
    appendMany: async (count) => {
      const rate = await rateOf(
        count,
        (
          (all) => () =>
            Promise.all(all.map(submit))
        )(make(count)),
      )
      return { ...rate, p50Ms: Number.NaN, p99Ms: Number.NaN }
    },
    appendOne: () => {
      const spare = make(1_000)
      return repeat(() => submit(spare.pop()), { concurrent: 1, ms })
    },
    prove: () => repeat(proveAny, { concurrent: 1, ms }),
    find: () => repeat(() => ledger.find(pick().id), { concurrent: 1, ms }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
