import { modes } from '@millseal/contract'
import { type Loop, startLoop } from '../../../lib/loop.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { resumeNotarizations } from './queue.store.ts'

/** A lost notification costs this much time. */
const idleMs = 5_000
const spacingMs = 100
const most = 500

/**
 * Makes notarizations due once a quorum of cosigners has confirmed their entries. If the service does not wait for that any
 * more, all that still wait are due.
 */
export const startResuming = (deps: CertificateDependencies): Loop => {
  const { keys, database, clock, log, awaitsQuorum } = deps
  const ending = new AbortController()
  const loop = startLoop({
    name: 'resuming confirmed notarizations',
    async pass() {
      const counts = await Promise.all(
        modes.map(async (mode) => {
          const size = awaitsQuorum ? await keys.confirmed.readSize(mode) : Number.MAX_SAFE_INTEGER
          const now = new Date(clock.now())
          return await resumeNotarizations(database.query, { mode, size, now, limit: most })
        }),
      )
      return counts.includes(most)
    },
    idleMs: awaitsQuorum ? () => idleMs : undefined,
    spacingMs,
    log,
  })
  if (awaitsQuorum) keys.confirmed.listen(loop.wake, ending.signal)
  return {
    wake: loop.wake,
    async [Symbol.asyncDispose]() {
      ending.abort()
      await loop[Symbol.asyncDispose]()
    },
  }
}
