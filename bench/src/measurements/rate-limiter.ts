import type { Measurement } from '../row.ts'
import { compareLimits, limitRows } from './limited-pair.ts'

/** A public call that reads the database once and is refused; all clients share one address, so one counter. */
export const rateLimiter: Measurement = {
  name: 'rate-limiter',
  async measure(workshop) {
    const path = `/api/users/confirm-email?token=${'x'.repeat(43)}`
    const rounds = await compareLimits(workshop, { path, expectedStatus: 401, signedIn: false })
    return limitRows('GET /api/users/confirm-email (401)', rounds)
  },
}
