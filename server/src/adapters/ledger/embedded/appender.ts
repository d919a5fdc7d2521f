import type { Mode } from '@millseal/contract'
import type { NoteSigner, SignedTransaction, VerifiedTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Query } from '../../../ports/database/database.ts'
import { type Admission, type AdmissionSource, admit, postponed } from './admission.ts'
import type { Block } from './block-journal.ts'
import { assertLogIntact } from './check-range.ts'
import { type BlockWriter, createBlockWriter } from './block-writer.ts'
import type { Cosigning, CosigningTerm } from './cosigning.ts'
import { createStatusOfLog, findRecordedKey } from './corrections.ts'
import { readVerifiedEntry } from '@millseal/replay'
import type { IndexReader } from './index-reader.ts'
import type { IndexWriter } from './index-writer.ts'
import type { KnownCheckpoints } from './known-checkpoints.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { ClockRefused, LogClock } from './log-clock.ts'
import type { LogState } from './log-state.ts'
import { readEntriesBetween } from './read-entries.ts'
import { recoverLog } from './recover-log.ts'
import type { Stamping } from './stamping.ts'
import type { OwnTileFolder, TileFolder } from './tile-folder.ts'

export type Appended = Admission & { readonly block: Block | undefined }

/** Appends for one term. Calls must not overlap; after a rejection it must not be used any more. */
export type Appender = AsyncDisposable & {
  readonly size: number
  /** Why nothing new is appended at the moment. */
  readonly obstacle: ClockRefused | undefined
  append(candidates: readonly VerifiedTransaction[]): Promise<Appended>
  /** Whether the log says too little of itself while nothing is recorded. */
  readonly isStale: boolean
  /** Says again until when the status of certificates is known: by a state leaf once a day, and by cosigners in between. */
  renew(): Promise<void>
  /**
   * Checks the entries that opening the log has not checked, so that every change from outside is detected, and hears what
   * cosigners say until the term ends. Rejects with `LedgerDamaged`.
   */
  watch(signal: AbortSignal): Promise<void>
}

export type AppenderDependencies = {
  readonly mode: Mode
  readonly folder: OwnTileFolder
  /** On the connection that holds the lock. */
  readonly query: Query
  readonly index: IndexWriter
  readonly reader: IndexReader
  readonly signer: NoteSigner
  /** The DID of the operator. */
  readonly operator: string
  readonly clock: LogClock
  readonly known: KnownCheckpoints
  /** Undefined if there are no cosigners. */
  readonly cosigning: Cosigning | undefined
  /** Undefined if there are no authorities for time stamps. */
  readonly stamping: Stamping | undefined
}

const statedAfterMs = 86_400_000
const cosignedAfterMs = 600_000

/** Throws `LedgerDamaged`, naming the difference, if the log is not intact. */
export const openAppender = async (deps: AppenderDependencies): Promise<Appender> => {
  const { clock, operator } = deps
  await using opening = new AsyncDisposableStack()
  const found = await recoverLog({ ...deps, status: createStatusOfLog(deps) }, opening)
  const cosigned = opening.use(deps.cosigning?.begin(deps.folder, deps.signer.key))
  const stamped = opening.use(deps.stamping?.begin(deps.folder, deps.signer.key.name))
  const onPublished = (published: string): void => {
    deps.known.offer(deps.signer.key, published)
    cosigned?.offer(published)
    stamped?.offer(published)
  }
  const log = opening.use(createBlockWriter({ ...deps, onPublished }, found))
  const { checkpoint, note } = found.state
  if (checkpoint?.status === undefined || note === undefined) await log.sign(clock.next(log.newest))
  else onPublished(note)
  const opened = opening.move()
  const idle = whileIdle({ log, clock, cosigned })
  return {
    get size() {
      return log.state.tree.size
    },
    get obstacle() {
      return clock.obstacle(log.newest)
    },
    get isStale() {
      return clock.obstacle(log.newest) === undefined && idle.isStale
    },
    renew: idle.renew,
    async append(candidates) {
      await log.cleaned()
      const { state, newest } = log
      const { size } = state.tree
      const admission = await admit(candidates, {
        source: sourceOf(deps, state),
        operator,
        nextIndex: size,
      })
      if (admission.admitted.length === 0) return { ...admission, block: undefined }
      const refused = clock.obstacle(newest)
      if (refused !== undefined) return { ...postponed(admission, { size, refused }), block: undefined }
      return { ...admission, block: await log.write(admission.admitted, clock.next(newest)) }
    },
    async watch(signal) {
      const older = { to: found.checkedFrom, size: found.state.tree.size, signal }
      await Promise.all([assertLogIntact(deps, older), cosigned?.ended])
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** What a log says of itself while nothing is recorded. */
const whileIdle = ({
  log,
  clock,
  cosigned,
}: {
  readonly log: BlockWriter
  readonly clock: LogClock
  readonly cosigned: CosigningTerm | undefined
}) => {
  const now = () => clock.next(log.newest)
  const isAfter = (ms: number, since = log.newest) =>
    since !== undefined && now().getTime() - since.getTime() >= ms
  let offeredAgainAt = now()
  return {
    get isStale() {
      if (isAfter(statedAfterMs)) return true
      return cosigned !== undefined && isAfter(cosignedAfterMs) && isAfter(cosignedAfterMs, offeredAgainAt)
    },
    async renew() {
      if (isAfter(statedAfterMs)) await log.write([], now())
      else {
        offeredAgainAt = now()
        if (log.state.note !== undefined) cosigned?.offer(log.state.note)
      }
    },
  }
}

const sourceOf = (deps: AppenderDependencies, state: LogState): AdmissionSource => ({
  ...deps.index,
  readTransaction: (index) => readOne(deps.folder, { index, state }),
  findKey: (did) => findRecordedKey(deps, { did, size: state.tree.size }),
})

const readOne = async (
  folder: TileFolder,
  { index, state }: { readonly index: number; readonly state: LogState },
): Promise<SignedTransaction> => {
  const [entry] = await readEntriesBetween(folder, { from: index, to: index + 1, size: state.tree.size })
  if (entry === undefined) throw new LedgerDamaged(`Entry ${index} is missing`)
  return readVerifiedEntry(entry, nodePrimitives).transaction
}
