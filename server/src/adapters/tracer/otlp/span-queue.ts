import { startLoop } from '../../../lib/loop.ts'
import type { EndedSpan } from './encode-spans.ts'
import type { Sent } from './sender.ts'
import { startDeadline } from '../../../lib/deadline.ts'

export type SpanQueue = AsyncDisposable & {
  add(span: EndedSpan): void
}

export type SpanQueueOptions = {
  readonly send: (spans: readonly EndedSpan[], abort: AbortSignal) => Promise<Sent>
  readonly onSent: (spans: number) => void
  readonly onDropped: (spans: number, reason: string) => void
  readonly log: Parameters<typeof startLoop>[0]['log']
}

/** About 4 MB; several seconds of a server that is busy. */
const mostSpans = 8_192
const batchSize = 512
const idleMs = 1_000
const backoffMs = { first: 1_000, most: 30_000 }
/** A batch without an answer for so long is dropped, so that the newer ones get their turn. */
const keepMs = 120_000
const stopMs = 2_000

/** Sends spans in batches, one at a time. What does not fit is dropped, the newest first. */
export const createSpanQueue = ({ send, onSent, onDropped, log }: SpanQueueOptions): SpanQueue => {
  let waiting: EndedSpan[] = []
  let failingSince: number | undefined
  let pauseMs = backoffMs.first
  let pausedUntil = 0
  const stopping = new AbortController()

  const settle = (batch: readonly EndedSpan[], sent: Sent): void => {
    const now = performance.now()
    if (sent.kind === 'unavailable') {
      failingSince ??= now
      if (now - failingSince < keepMs) {
        pausedUntil = now + Math.min(Math.max(pauseMs, sent.retryAfterMs ?? 0), backoffMs.most)
        pauseMs = Math.min(pauseMs * 2, backoffMs.most)
        return
      }
    }
    waiting = waiting.slice(batch.length)
    failingSince = undefined
    pauseMs = backoffMs.first
    const rejected = sent.kind === 'accepted' ? Math.min(sent.rejected, batch.length) : batch.length
    if (rejected < batch.length) onSent(batch.length - rejected)
    if (rejected > 0) onDropped(rejected, sent.kind === 'accepted' ? 'rejected' : sent.reason)
  }
  const isFailing = (): boolean => failingSince !== undefined
  const sendSome = async (): Promise<boolean> => {
    if (waiting.length === 0 || performance.now() < pausedUntil) return false
    const batch = waiting.slice(0, batchSize)
    settle(batch, await send(batch, stopping.signal))
    return waiting.length >= batchSize && performance.now() >= pausedUntil
  }
  const loop = startLoop({ name: 'exporting spans', pass: sendSome, idleMs, log })

  return {
    add(span) {
      if (waiting.length >= mostSpans) return onDropped(1, 'the queue is full')
      waiting.push(span)
      if (waiting.length === batchSize) loop.wake()
    },
    async [Symbol.asyncDispose]() {
      using _deadline = startDeadline(stopMs, () => stopping.abort())
      await loop[Symbol.asyncDispose]()
      pausedUntil = 0
      while (waiting.length > 0 && !isFailing()) await sendSome()
      if (waiting.length > 0) onDropped(waiting.length, 'the process stops')
    },
  }
}
