import { type Bench, repeat } from '../measuring.ts'
import { send, startMill } from '../product.ts'

/** The smallest request of a person: token, session and rate limit are checked, and one row is read. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  // The highest limit that a server accepts: it counts every call and refuses none.
  await using mill = await startMill(folder, { MILLSEAL_RATE_LIMIT: '1000000' })
  const { authorization = '' } = mill.headers
  const ask = () => send(`${mill.url}/api/users/me`, { headers: { authorization }, status: 200 })
  const load = { concurrent: 50, ms: 4_000, pid: mill.pid }
  await repeat(ask, load)
  const measured = await repeat(ask, load)
  report.rate('GET /api/users/me with a token and a rate limit, 50 clients', measured)
  report.latency('… that never pause', measured, { p99: 30 })
}
