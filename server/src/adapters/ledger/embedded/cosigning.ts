import type { Mode } from '@millseal/contract'
import { formatNoteKey, isQuorum, type NoteKey, type TlogPolicy } from '@millseal/proof'
import type { Logger } from 'pino'
import { startLoop } from '../../../lib/loop.ts'
import type { Cosigner } from '../../../ports/cosigner/cosigner.ts'
import { type CosignedFile, cosignedFiles, writeCosigned } from './cosigned-file.ts'
import { type CosignerState, type Round, startCosignerWorker } from './cosigner-worker.ts'
import { assertNoFork, rememberFork } from './forked-file.ts'
import { LogForked } from './ledger-damaged.ts'
import { offerCheckpoint } from './offer-checkpoint.ts'
import type { OwnTileFolder } from './tile-folder.ts'

/** The cosigners of a log, for the process that writes it. */
export type Cosigning = {
  /** Whether the policy is about the log with this key. */
  isFor(key: NoteKey): boolean
  /**
   * Throws `LogForked` if a cosigner has entries that this log does not have, or had when it answered last. Others that do not
   * answer are passed over.
   */
  assertExtended(folder: OwnTileFolder, log: { readonly key: NoteKey; readonly note: string }): Promise<void>
  /** Call when this process has become the writer. */
  begin(folder: OwnTileFolder, key: NoteKey): CosigningTerm
  /** As far as this process knows: of its present or last term. */
  readonly states: readonly CosignerState[]
}

export type CosigningTerm = AsyncDisposable & {
  /** Takes the newest checkpoint, which is on disk. Returns at once. */
  offer(note: string): void
  /** Rejects with `LogForked` if a cosigner has other entries. Resolves when the term ends. */
  readonly ended: Promise<void>
}

export type LogCosigners = {
  readonly policy: TlogPolicy
  /** Those of the policy. */
  readonly cosigners: readonly Cosigner[]
}

type CosigningOptions = LogCosigners & { readonly mode: Mode; readonly log: Logger }

/** At most four checkpoints a second, as the list of logs says. */
const spacingMs = 250

export const createCosigning = (options: CosigningOptions): Cosigning => {
  const { mode, policy, cosigners, log } = options
  const sizes = new Map<Cosigner, number>()
  let readStates = (): readonly CosignerState[] => []
  const isFor = (key: NoteKey): boolean =>
    policy.logs.length === 0 || policy.logs.some((one) => formatNoteKey(one.key) === formatNoteKey(key))
  return {
    isFor,
    get states() {
      return readStates()
    },
    async assertExtended(folder, { key, note }) {
      if (!isFor(key)) return
      const checkpoint = { mode, folder, note, proofs: new Map() }
      const { signal } = new AbortController()
      const answered = new Set<Cosigner>()
      const ask = async (cosigner: Cosigner): Promise<void> => {
        const offered = await offerCheckpoint(checkpoint, { cosigner, oldSize: 0, signal })
        if (offered.kind === 'unavailable') {
          log.warn({ mode, cosigner: cosigner.name, why: offered.why }, 'a cosigner did not say what it has')
          return
        }
        sizes.set(cosigner, offered.size)
        answered.add(cosigner)
      }
      try {
        await Promise.all(cosigners.map(ask))
      } catch (error) {
        if (error instanceof LogForked) await rememberFork(folder.files, { key, error, log })
        throw error
      }
      await assertNoFork(folder.files, { key, cosigners, answered })
    },
    begin(folder, key) {
      const term = startTerm({ ...options, cosigners: isFor(key) ? cosigners : [] }, { folder, key, sizes })
      readStates = term.readStates
      return term
    },
  }
}

const startTerm = (
  options: CosigningOptions,
  {
    folder,
    key,
    sizes,
  }: {
    readonly folder: OwnTileFolder
    readonly key: NoteKey
    readonly sizes: Map<Cosigner, number>
  },
): CosigningTerm & { readonly readStates: () => readonly CosignerState[] } => {
  const { mode, policy, cosigners, log } = options
  const ending = new AbortController()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => {})
  const confirmed = createKept(options, folder, cosignedFiles.byQuorum)
  const partly = createKept(options, folder, cosignedFiles.byFewer)
  let remembering = Promise.resolve()
  let newest: string | undefined
  let round: Round | undefined

  const workers = cosigners.map((cosigner) =>
    startCosignerWorker({
      mode,
      folder,
      cosigner,
      sizes,
      log,
      signal: ending.signal,
      current: () => round,
      onAnswered(answered) {
        if (hasQuorum(policy, answered)) confirmed.offer(answered)
        else if (answered.lines.size > 0 && !isAsked(answered)) partly.offer(answered)
        if (newest !== round?.note) rounds.wake()
      },
      onForked(error: LogForked) {
        ending.abort()
        remembering = rememberFork(folder.files, { key, error, log })
        ended.reject(error)
      },
    }),
  )
  const isAsked = (asked: Round): boolean => workers.some((one) => one.isAsking(asked))
  const rounds = startLoop({
    name: `sending checkpoints of the ${mode} ledger to cosigners`,
    async pass() {
      const isOpen = round !== undefined && !hasQuorum(policy, round) && isAsked(round)
      if (newest === undefined || newest === round?.note || isOpen || ending.signal.aborted) return false
      round = { note: newest, lines: new Map(), proofs: new Map() }
      for (const worker of workers) worker.wake()
      return false
    },
    spacingMs,
    log,
  })
  return {
    ended: ended.promise,
    readStates: () => workers.map(({ state }) => state),
    offer(note) {
      newest = note
      rounds.wake()
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await Promise.all([rounds, ...workers].map((part) => part[Symbol.asyncDispose]()))
      await Promise.all([confirmed[Symbol.asyncDispose](), partly[Symbol.asyncDispose](), remembering])
      ended.resolve()
    },
  }
}

const hasQuorum = (policy: TlogPolicy, { lines }: Round): boolean =>
  isQuorum(
    policy,
    [...lines.keys()].map(({ key }) => key),
  )

/** Keeps the newest checkpoint on disk. A line that arrives later is added to it. */
const createKept = (
  { mode, cosigners, log }: CosigningOptions,
  folder: OwnTileFolder,
  name: CosignedFile,
) => {
  let newest: Round | undefined
  let wanted: string | undefined
  let writing = Promise.resolve()
  const earlier = new WeakSet<Round>()

  const write = async (): Promise<void> => {
    const note = wanted
    wanted = undefined
    if (note === undefined) return
    await writeCosigned(folder.files, name, note).catch((error: unknown) =>
      log.warn({ err: error, mode }, 'a cosigned checkpoint was not stored'),
    )
  }
  return {
    offer(round: Round): void {
      if (earlier.has(round)) return
      if (newest !== undefined && newest !== round) earlier.add(newest)
      newest = round
      const lines = cosigners.flatMap((cosigner) => round.lines.get(cosigner) ?? [])
      wanted = `${round.note}${lines.map((line) => `${line}\n`).join('')}`
      writing = writing.then(write)
    },
    [Symbol.asyncDispose]: () => writing,
  }
}
