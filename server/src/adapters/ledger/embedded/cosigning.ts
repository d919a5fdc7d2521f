import { formatNoteKey, type NoteKey } from '@millseal/proof'
import { startLoop } from '../../../lib/loop.ts'
import type { Cosigner } from '../../../ports/cosigner/cosigner.ts'
import { type CosignerState, type Round, startCosignerWorker } from './cosigner-worker.ts'
import { assertNoFork, rememberFork } from './forked-file.ts'
import { LogForked } from './ledger-damaged.ts'
import { hasQuorum, keepCosigned, type KeptCheckpoints } from './kept-checkpoints.ts'
import type { CosigningOptions } from './log-cosigners.ts'
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
  /** Takes the newest checkpoint, which is on disk; the same one again gets new times. Returns at once. */
  offer(note: string): void
  /** Rejects with `LogForked` if a cosigner has other entries. Resolves when the term ends. */
  readonly ended: Promise<void>
}

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
      const ofLog = { ...options, cosigners: isFor(key) ? cosigners : [], sizes }
      const kept = keepCosigned(ofLog, folder, key)
      const term = startTerm(ofLog, { folder, kept, ending: createEnding(folder.files, { key, log }) })
      readStates = term.readStates
      return term
    },
  }
}

/** The end of a term: its caller ends it, or a cosigner that has seen another log. */
const createEnding = (
  files: OwnTileFolder['files'],
  { key, log }: { readonly key: NoteKey; readonly log: CosigningOptions['log'] },
) => {
  const ending = new AbortController()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => {})
  let remembering = Promise.resolve()
  return {
    signal: ending.signal,
    ended: ended.promise,
    abort: () => ending.abort(),
    onForked(error: LogForked): void {
      ending.abort()
      remembering = rememberFork(files, { key, error, log })
      ended.reject(error)
    },
    async finish(): Promise<void> {
      await remembering
      ended.resolve()
    },
  }
}

const startTerm = (
  options: CosigningOptions & { readonly sizes: Map<Cosigner, number> },
  {
    folder,
    kept,
    ending,
  }: {
    readonly folder: OwnTileFolder
    readonly kept: KeptCheckpoints
    readonly ending: ReturnType<typeof createEnding>
  },
): CosigningTerm & { readonly readStates: () => readonly CosignerState[] } => {
  const { mode, policy, cosigners, log } = options
  let untaken: string | undefined
  let round: Round | undefined

  const workers = cosigners.map((cosigner) =>
    startCosignerWorker({
      ...options,
      folder,
      cosigner,
      signal: ending.signal,
      current: () => round,
      onAnswered(answered) {
        kept.take(answered, { isAsked: isAsked(answered) })
        if (untaken !== undefined) rounds.wake()
      },
      onForked: ending.onForked,
    }),
  )
  const isAsked = (asked: Round): boolean => workers.some((one) => one.isAsking(asked))
  const rounds = startLoop({
    name: `sending checkpoints of the ${mode} ledger to cosigners`,
    async pass() {
      const isOpen = round !== undefined && !hasQuorum(policy, round) && isAsked(round)
      if (untaken === undefined || isOpen || ending.signal.aborted) return false
      round = { note: untaken, lines: new Map(), proofs: new Map(), confirmedAt: undefined }
      untaken = undefined
      for (const worker of workers) worker.wake()
      return false
    },
    spacingMs,
    log,
  })
  return {
    ended: ending.ended,
    readStates: () => workers.map(({ state }) => state),
    offer(note) {
      untaken = note
      rounds.wake()
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await Promise.all([rounds, ...workers].map((part) => part[Symbol.asyncDispose]()))
      await kept[Symbol.asyncDispose]()
      await ending.finish()
    },
  }
}
