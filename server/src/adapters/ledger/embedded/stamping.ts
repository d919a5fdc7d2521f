import { hash } from 'node:crypto'
import type { Mode } from '@millseal/contract'
import { checkpointIn, splitNote } from '@millseal/proof'
import type { Logger } from 'pino'
import { startLoop } from '../../../lib/loop.ts'
import type { StampAnswer, StampAuthority } from '../../../ports/stamp-authority/stamp-authority.ts'
import { appendStamps, readStampedSizes, type StoredStamp } from './stamp-files.ts'
import type { OwnTileFolder } from './tile-folder.ts'

export type LogStamps = {
  readonly authorities: readonly StampAuthority[]
  /** How long after a round the next one begins. */
  readonly everyMs: number
}

export type StampState = {
  readonly name: string
  /** Since its newest time stamp in this term. */
  readonly stampedSecondsAgo: number | undefined
  /** Why it did not stamp in the last round. */
  readonly failure: string | undefined
}

/** Has checkpoints stamped, in the process that writes the log. */
export type Stamping = {
  /** Call when this process has become the writer of the log with this name. */
  begin(folder: OwnTileFolder, origin: string): StampingTerm
  /** As far as this process knows: of its present or last term. */
  readonly states: readonly StampState[]
}

export type StampingTerm = AsyncDisposable & {
  /** Takes the newest checkpoint, which is on disk. Returns at once. */
  offer(note: string): void
}

type Options = LogStamps & { readonly mode: Mode; readonly log: Logger }

/** An authority, or the log, has a wrong clock if a time stamp is that much older than its checkpoint. */
const longestMs = 600_000

export const createStamping = (options: Options): Stamping => {
  let known = createStates(options)
  return {
    get states() {
      return known.states
    },
    begin(folder, origin) {
      known = createStates(options)
      return startTerm(options, { folder, origin, learn: known.learn })
    },
  }
}

const createStates = ({ mode, log }: Options) => {
  const known = new Map<
    StampAuthority,
    { readonly stampedAt: number | undefined; readonly failure: string | undefined }
  >()
  return {
    get states(): readonly StampState[] {
      return [...known].map(([{ name }, { stampedAt, failure }]) => ({
        name,
        stampedSecondsAgo: stampedAt && (performance.now() - stampedAt) / 1_000,
        failure,
      }))
    },
    /** `failure` is undefined if it has stamped a checkpoint. */
    learn(authority: StampAuthority, failure: string | undefined): void {
      const before = known.get(authority)
      const about = { mode, authority: authority.name, why: failure }
      if (failure !== undefined && before?.failure === undefined)
        log.warn(about, 'a checkpoint was not stamped')
      if (failure === undefined && before?.failure !== undefined)
        log.info(about, 'checkpoints are stamped again')
      const stampedAt = failure === undefined ? performance.now() : before?.stampedAt
      known.set(authority, { stampedAt, failure })
    },
  }
}

type Term = {
  readonly folder: OwnTileFolder
  readonly origin: string
  learn(authority: StampAuthority, failure: string | undefined): void
}

const startTerm = (options: Options, term: Term): StampingTerm => {
  const { mode, authorities, everyMs, log } = options
  const ending = new AbortController()
  let newest: string | undefined
  let sizes: Map<string, number> | undefined

  const rounds = startLoop({
    name: `stamping checkpoints of the ${mode} ledger`,
    async pass() {
      const note = newest
      if (note === undefined || ending.signal.aborted) return false
      try {
        sizes ??= await readStampedSizes(term.folder.files, term.origin)
        const { size } = checkpointIn(note)
        const due = authorities.filter(({ name }) => (sizes?.get(name) ?? 0) < size)
        for (const { authority } of await stampAll(term, { note, due, signal: ending.signal }))
          sizes.set(authority, size)
      } catch (error) {
        // Not before the next round: authorities need not be asked again at once because a disk is full.
        sizes = undefined
        log.warn({ err: error, mode }, 'time stamps were not stored')
      }
      return false
    },
    idleMs: everyMs,
    log,
  })
  return {
    offer(note) {
      const isFirst = newest === undefined
      newest = note
      if (isFirst) rounds.wake()
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await rounds[Symbol.asyncDispose]()
    },
  }
}

/** Resolves with the new time stamps once they are on disk. */
const stampAll = async (
  { folder, learn }: Term,
  {
    note,
    due,
    signal,
  }: { readonly note: string; readonly due: readonly StampAuthority[]; readonly signal: AbortSignal },
): Promise<readonly StoredStamp[]> => {
  const sha256 = hash('sha256', splitNote(note).text, 'buffer')
  const asked = due.map(async (authority) => ({ authority, answer: await authority.stamp(sha256, signal) }))
  const answered = await Promise.all(asked)
  if (signal.aborted) return []
  const judged = answered.map(({ authority, answer }) => ({ authority, answer, why: faultOf(answer, note) }))
  const stamps = judged.flatMap(({ authority, answer, why }): StoredStamp[] =>
    answer.kind === 'stamped' && why === undefined
      ? [{ authority: authority.name, checkpoint: note, token: answer.token }]
      : [],
  )
  if (stamps.length > 0) await appendStamps(folder.files, stamps)
  for (const { authority, why } of judged) learn(authority, why)
  return stamps
}

const faultOf = (answer: StampAnswer, note: string): string | undefined => {
  if (answer.kind === 'unavailable') return answer.why
  const { time } = checkpointIn(note)
  const { before } = answer.stamped
  if (time === undefined || Date.parse(before) + longestMs >= Date.parse(time)) return undefined
  return `it says ${before}, but the checkpoint is of ${time}: one of the clocks is wrong`
}
