import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Logger } from 'pino'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { Files } from '../../../ports/files/files.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { assertRecordable } from '../../../ports/ledger/gate.ts'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { readAcceptedTime } from './accepted-time.ts'
import { openAppender } from './appender.ts'
import { createBlockStream } from './block-stream.ts'
import { type Confirmation, createConfirmation } from './confirmation.ts'
import { createConfirmations, type RecordedConfirmations } from './confirmations.ts'
import { createConfirmedProofs } from './confirmed-proofs.ts'
import { createStatusOfLog } from './corrections.ts'
import { type Cosigning, createCosigning } from './cosigning.ts'
import { createEntryProver } from './entry-prover.ts'
import { createIndexReader, type IndexReader } from './index-reader.ts'
import { certificateHash } from '@millseal/replay'
import { createIndexWriter } from './index-writer.ts'
import { createKnownCheckpoints } from './known-checkpoints.ts'
import type { LogCosigners } from './log-cosigners.ts'
import { createLogClock } from './log-clock.ts'
import { createLogFiles } from './log-files.ts'
import { createLogKey, type LogKey } from './log-key.ts'
import { createOperatorKey, type OperatorKey } from './operator-key.ts'
import { createEntryReader, type EntryReader } from './read-ledger.ts'
import { createLedgerReading, type LedgerReading } from './reading.ts'
import { createSignatureThread } from './signature-thread.ts'
import { createStamping, type LogStamps, type Stamping } from './stamping.ts'
import { createSubmissionQueue } from './submission-queue.ts'
import { namingDamage } from './naming-damage.ts'
import { openTileFolder, type OwnTileFolder } from './tile-folder.ts'
import { createVerifier, type Verifier } from './verifier.ts'
import { findWaitingSubmissions } from './waiting-submissions.ts'
import { Writer, type WriterTerm } from './writer.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

export type EmbeddedLedgerOptions = {
  readonly mode: Mode
  /** Of all logs; each has a folder named after its mode. Shared by all processes of one database. */
  readonly files: Files
  /** Rejects if these are not, or no longer, the files of this database. Called before each term of the writer. */
  claim(): Promise<void>
  /** Where the newest checkpoint of each log is kept: outside of all backups. */
  readonly knownCheckpoints: readonly Files[]
  /** Who cosigns the checkpoints of this log, and how many of them confirm one. */
  readonly cosigners?: LogCosigners | undefined
  /** Who stamps the checkpoints of this log with a time. */
  readonly stamps?: LogStamps | undefined
  /** The permanent name of a new log in its checkpoints: a host and a path. */
  readonly origin: () => string
  readonly database: Database
  readonly keystore: Keystore
  readonly clock: Clock
  readonly log: Logger
}

export type EmbeddedLedger = LedgerFaceSource & {
  readonly files: LogFiles
  /** Call this first. Rejects with `LedgerDamaged`, naming the difference; then nothing is ever appended. */
  start(): Promise<void>
  /** Why nothing new is recorded. */
  readonly obstacle: Error | undefined
  term(): WriterTerm
  /** The submissions of all processes that no writer has answered: how many, and when the oldest was made. */
  findWaiting(): Promise<{ readonly depth: number; readonly dueAt: Date | null }>
  /** What an operator should know, though everything works. */
  readonly warning: string | undefined
  /** Undefined without cosigners. */
  readonly confirmation: Confirmation | undefined
  /** Undefined without authorities for time stamps. */
  readonly stamping: Stamping | undefined
}

const submitDeadlineMs = 30_000

/** A transparency log among the files of the installation, with its index in the database, written by one of the processes that share them. */
export const createEmbeddedLedger = (options: EmbeddedLedgerOptions): EmbeddedLedger => {
  const { mode, database, clock, log } = options
  const folder = openTileFolder(options.files.within(mode))
  const [key, operator] = [createLogKey(options), createOperatorKey(options)]
  const known = createKnownCheckpoints({ places: options.knownCheckpoints, mode, log })
  const index = createIndexReader(database.query, mode)
  const parts = { folder, index, entries: createEntryReader(folder), readKey: key.read }
  const { cosigning, stamping, confirmations, confirmation } = openOthers(options, parts)
  const reading = openReading(options, parts)
  const blocks = createBlockStream({ readBlock: reading.findBlock, log })
  const logClock = createLogClock(options)
  const refresh = async () => logClock.accept(await readAcceptedTime(database.query, mode))
  const verifier = openVerifier(options)
  const writer = new Writer({
    mode,
    database,
    queue: createSubmissionQueue({ mode, database, clock, verifier }),
    log,
    refresh,
    openAppender: async (query) =>
      await openAppender({
        ...(await openSigning(options, { key, operator, refresh })),
        mode,
        folder,
        query,
        index: createIndexWriter(query, mode),
        reader: index,
        clock: logClock,
        known,
        cosigning,
        stamping,
      }),
    onCommitted: blocks.announce,
    onConfirmed: confirmations.announce,
  })
  return {
    kind: 'embedded',
    files: namingDamage(createLogFiles(folder, { hasCosigners: cosigning !== undefined }), mode),
    ...reading,
    submit: createSubmit({ mode, verifier, writer, reading }),
    operator,
    onCommitted: blocks.subscribe,
    start: () => writer.start(),
    listValidators: async () => [{ publicKey: (await key.read()).publicKey, votingPower: 1 }],
    get obstacle() {
      return writer.obstacle
    },
    term: () => writer.term,
    findWaiting: () => findWaitingSubmissions(database.query, mode),
    get warning() {
      return known.warning
    },
    confirmation,
    stamping,
    check: (signal) => checkWriter(writer, { database, signal }),
    async [Symbol.asyncDispose]() {
      for (const part of [verifier, writer, known]) await part[Symbol.asyncDispose]()
    },
  }
}

/** Who signs checkpoints for others than the operator of the log. */
const openOthers = (options: EmbeddedLedgerOptions, parts: ReadingParts) => {
  const { mode, database, clock, log, cosigners, stamps } = options
  const confirmations = createConfirmations(database.query, mode)
  const cosigning = cosigners && createCosigning({ mode, clock, log, confirmations, ...cosigners })
  return {
    cosigning,
    confirmations,
    stamping: stamps && createStamping({ mode, log, ...stamps }),
    confirmation: cosigning && openConfirmation(options, { ...parts, cosigning, confirmations }),
  }
}

const openSigning = async (
  { claim, origin }: EmbeddedLedgerOptions,
  {
    key,
    operator,
    refresh,
  }: {
    readonly key: LogKey
    readonly operator: OperatorKey
    readonly refresh: () => Promise<void>
  },
) => {
  await claim()
  const signer = await key.ensure(origin())
  await refresh()
  return { signer, operator: await operator.ensure() }
}

const openVerifier = ({ mode, log }: EmbeddedLedgerOptions): Verifier => {
  const onEnded = (err: Error) =>
    log.warn({ err, mode }, 'the thread that verifies signatures ended; they are verified without it')
  return createVerifier(createSignatureThread({ onEnded }))
}

const checkWriter = async (
  { obstacle }: Writer,
  { database, signal }: { readonly database: Database; readonly signal: AbortSignal },
): Promise<void> => {
  await database.check(signal)
  if (obstacle !== undefined) throw new LedgerUnavailable(obstacle.message, { cause: obstacle })
}

type ReadingParts = {
  readonly folder: OwnTileFolder
  readonly index: IndexReader
  readonly entries: EntryReader
  readonly readKey: LogKey['read']
}

/** Proofs have the lines of cosigners, if there are any. */
const openReading = (
  { mode, database, cosigners }: EmbeddedLedgerOptions,
  { folder, index, entries, readKey }: ReadingParts,
): LedgerReading => {
  const { readCheckpoint } = createLogFiles(folder, { hasCosigners: cosigners !== undefined })
  const status = createStatusOfLog({ folder, query: database.query, mode })
  const prover = createEntryProver({ folder: { ...folder, readCheckpoint }, entries, status, readKey })
  return namingDamage(createLedgerReading({ index, entries, prover }), mode)
}

const openConfirmation = (
  { mode, database, clock, cosigners }: EmbeddedLedgerOptions,
  {
    cosigning,
    confirmations,
    ...parts
  }: ReadingParts & { readonly cosigning: Cosigning; readonly confirmations: RecordedConfirmations },
): Confirmation => {
  const prove = createConfirmedProofs({ ...parts, query: database.query, mode, find: confirmations.find })
  return createConfirmation({
    ...parts,
    ...namingDamage({ prove }, mode),
    clock,
    cosigning,
    cosigners: cosigners?.cosigners ?? [],
    confirmations,
  })
}

const createSubmit =
  ({
    mode,
    verifier,
    writer,
    reading,
  }: {
    readonly mode: Mode
    readonly verifier: Verifier
    readonly writer: Writer
    readonly reading: LedgerReading
  }): EmbeddedLedger['submit'] =>
  async (transaction, signal, as) => {
    assertRecordable(transaction, mode, as)
    const outcome = await writer.submit(
      await verifier.verify(transaction),
      deadlineSignal(submitDeadlineMs, ...(signal === undefined ? [] : [signal])),
    )
    if (outcome.isNew) {
      const { index: at, height, timestamp } = outcome
      return { entry: { transaction, height, index: at, timestamp }, isNew: true }
    }
    const hash = certificateHash(transaction, 'jsonHash')
    const isSame = (found: SignedTransaction) =>
      found.id === transaction.id || (hash !== null && certificateHash(found, 'jsonHash') === hash)
    return { entry: await reading.readAt(outcome.index, isSame), isNew: false }
  }
