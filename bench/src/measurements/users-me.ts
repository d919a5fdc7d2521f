import type { Measurement } from '../row.ts'
import { compareLimits, limitRows } from './limited-pair.ts'

const goalP99Ms = 30

/** A signed-in call: a signature to check, a session and its user to read, an answer to write out. */
export const usersMe: Measurement = {
  name: 'users-me',
  async measure(workshop) {
    const rounds = await compareLimits(workshop, {
      path: '/api/users/me',
      expectedStatus: 200,
      signedIn: true,
    })
    return limitRows('GET /api/users/me', rounds, goalP99Ms)
  },
}
