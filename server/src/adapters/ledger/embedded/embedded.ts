import { join } from 'node:path'
import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Logger } from 'pino'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { assertValid } from './admission.ts'
import { openAppender } from './appender.ts'
import { createBlockStream } from './block-stream.ts'
import { createIndexReader } from './index-reader.ts'
import { certificateHash } from './index-rows.ts'
import { createLogFiles } from './log-files.ts'
import { createLogKey } from './log-key.ts'
import { createEntryReader } from './read-ledger.ts'
import { createLedgerReading } from './reading.ts'
import { createSubmissionQueue } from './submission-queue.ts'
import { namingDamage } from './naming-damage.ts'
import { openTileFolder } from './tile-folder.ts'
import { Writer } from './writer.ts'

export type EmbeddedLedgerOptions = {
  readonly mode: Mode
  /** The folder of all logs; each has a subfolder named after its mode. Shared by all processes of one database. */
  readonly folder: string
  /** The permanent name of a new log in its checkpoints: a host and a path. */
  readonly origin: () => string
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

export type EmbeddedLedger = LedgerFaceSource & {
  readonly files: LogFiles
  /** Call this first. Rejects with `LedgerDamaged`, naming the difference; then nothing is ever appended. */
  start(): Promise<void>
}

const submitDeadlineMs = 30_000

/** A transparency log in the data folder with its index in the database, written by one of the processes that share them. */
export const createEmbeddedLedger = (options: EmbeddedLedgerOptions): EmbeddedLedger => {
  const { mode, database, clock, log } = options
  const folder = openTileFolder(join(options.folder, mode))
  const index = createIndexReader(database.query, mode)
  const key = createLogKey(options)
  const entries = createEntryReader({ folder, readKey: key.read })
  const reading = namingDamage(createLedgerReading({ index, entries }), mode)
  const blocks = createBlockStream({ readBlock: reading.findBlock, log })
  const writer = new Writer({
    mode,
    database,
    queue: createSubmissionQueue({ mode, database, clock }),
    log,
    async openAppender(indexWriter) {
      const signer = await key.ensure(options.origin())
      return await openAppender({ folder, index: indexWriter, reader: index, signer, clock })
    },
    onCommitted: blocks.announce,
  })
  return {
    kind: 'embedded',
    files: namingDamage(createLogFiles(folder), mode),
    ...reading,
    onCommitted: blocks.subscribe,
    start: () => writer.start(),
    async submit(transaction, signal) {
      const deadline = AbortSignal.timeout(submitDeadlineMs)
      const outcome = await writer.submit(
        assertValid(transaction),
        signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      )
      if (outcome.isNew) {
        const { index: at, height, timestamp } = outcome
        return { entry: { transaction, height, index: at, timestamp }, isNew: true }
      }
      const hash = certificateHash(transaction, 'jsonHash')
      const isSame = (found: SignedTransaction) =>
        found.id === transaction.id || (hash !== null && certificateHash(found, 'jsonHash') === hash)
      return { entry: await reading.readAt(outcome.index, isSame), isNew: false }
    },
    async listValidators() {
      const { publicKey } = await key.read()
      return [{ publicKey, votingPower: 1 }]
    },
    async check(signal) {
      await database.check(signal)
      const { obstacle } = writer
      if (obstacle !== undefined) throw new LedgerUnavailable(obstacle.message, { cause: obstacle })
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}
