import type { Mode } from '@millseal/contract'
import type { Hash } from '@millseal/proof'
import type { Logger } from 'pino'
import { type Loop, startLoop } from '../../../lib/loop.ts'
import type { Cosigner } from '../../../ports/cosigner/cosigner.ts'
import { LogForked } from './ledger-damaged.ts'
import { type Offered, offerCheckpoint } from './offer-checkpoint.ts'
import type { TileFolder } from './tile-folder.ts'

/** The cosigners of a round are offered the same checkpoint: if each took its newest, no checkpoint would have a quorum. */
export type Round = {
  readonly note: string
  /** By cosigner. */
  readonly lines: Map<Cosigner, string>
  /** By old size: most cosigners have the same. */
  readonly proofs: Map<number, Promise<readonly Hash[]>>
  /** When its lines became a quorum. */
  confirmedAt: Date | undefined
}

export type CosignerState = {
  readonly name: string
  /** Since its newest cosignature in this term. */
  readonly signedSecondsAgo: number | undefined
  /** How long it took, with all requests that it needed. */
  readonly seconds: number | undefined
  /** Why it did not sign the last checkpoint that it was offered. */
  readonly failure: string | undefined
}

export type CosignerWorker = Loop & {
  readonly state: CosignerState
  /** Whether it may still sign the checkpoint of this round. */
  isAsking(round: Round): boolean
}

type Options = {
  readonly mode: Mode
  readonly folder: TileFolder
  readonly cosigner: Cosigner
  /** How many entries each cosigner has, as far as they said. */
  readonly sizes: Map<Cosigner, number>
  readonly log: Logger
  readonly signal: AbortSignal
  /** The newest round. */
  current(): Round | undefined
  onAnswered(round: Round): void
  onForked(error: LogForked): void
}

const firstBackoffMs = 1_000
const longestBackoffMs = 60_000

/** Asks one cosigner for its cosignature of each round: one request at a time, the newest round only. */
export const startCosignerWorker = (options: Options): CosignerWorker => {
  const { mode, cosigner, sizes, log, signal, current } = options
  let signed: { readonly at: number; readonly seconds: number } | undefined
  let failure: string | undefined
  let done: Round | undefined
  let failures = 0
  let notBefore = 0

  const take = (round: Round, offered: Offered, startedAt: number): void => {
    if (offered.kind === 'unavailable') {
      if (failures === 0) log.warn({ mode, cosigner: cosigner.name, why: offered.why }, 'a cosigner failed')
      notBefore = performance.now() + backoffMs(failures)
      failures += 1
      failure = offered.why
      return
    }
    if (failures > 0) log.info({ mode, cosigner: cosigner.name }, 'a cosigner answers again')
    failures = 0
    done = round
    failure = undefined
    sizes.set(cosigner, offered.size)
    if (offered.kind === 'ahead') return
    round.lines.set(cosigner, offered.cosignature.line)
    const at = performance.now()
    signed = { at, seconds: (at - startedAt) / 1_000 }
  }
  const loop = startLoop({
    name: `sending checkpoints of the ${mode} ledger to ${cosigner.name}`,
    async pass() {
      const round = current()
      if (round === undefined || round === done || performance.now() < notBefore || signal.aborted)
        return false
      const startedAt = performance.now()
      try {
        const offered = await offerCheckpoint(
          { ...options, ...round },
          { cosigner, oldSize: sizes.get(cosigner) ?? 0, signal },
        )
        if (signal.aborted) return false
        take(round, offered, startedAt)
        options.onAnswered(round)
      } catch (error) {
        if (!(error instanceof LogForked)) throw error
        options.onForked(error)
      }
      return false
    },
    idleMs: () => (current() === done ? longestBackoffMs : Math.max(0, notBefore - performance.now())),
    spacingMs: 0,
    log,
  })
  return {
    ...loop,
    get state() {
      const signedSecondsAgo = signed && (performance.now() - signed.at) / 1_000
      return { name: cosigner.name, signedSecondsAgo, seconds: signed?.seconds, failure }
    },
    isAsking: (round) => round !== done && performance.now() >= notBefore,
  }
}

/** With jitter, so that the logs of a cosigner that was away do not all come back at the same moment. */
const backoffMs = (failures: number): number =>
  Math.min(longestBackoffMs, firstBackoffMs * 2 ** failures) * (0.5 + Math.random() / 2)
