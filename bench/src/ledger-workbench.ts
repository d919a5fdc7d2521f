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
import { silentLog } from './embedded-database.ts'

export const origin = 'bench.example.com/ledger/test'
export const keystore = createLocalKeystore(new Secret(Buffer.alloc(32, 'bench')))

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
