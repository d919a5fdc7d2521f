import { join } from 'node:path'
import { load } from '../load.ts'
import { type Mill, startMill } from '../product.ts'
import { alternate } from '../rounds.ts'
import type { Bench, Report } from '../row.ts'
import { costOfVerifying } from './calibration.ts'

/** The highest limit that a server accepts: it counts every call and refuses none. */
const countingOnly = { MILLSEAL_RATE_LIMIT: '1000000' }

export const measure = async ({ folder, report }: Bench): Promise<void> => {
  await using off = await startMill(join(folder, 'off'))
  await refuseTokens(off, report)
  await using on = await startMill(join(folder, 'on'), countingOnly)
  await compareLimits(on, off, report)
}

/** Neither request reaches the database. Only the signature is altered, so that everything before it passes. */
const refuseTokens = async ({ url, pid, headers }: Mill, report: Report): Promise<void> => {
  const altered = (_: string, first: string) => (first === 'A' ? '.B' : '.A')
  const authorization = headers['authorization']?.replace(/\.(.)(?=[^.]*$)/, altered) ?? ''
  const refused = { pid, url: `${url}/api/users/me`, status: 401 }
  const { medians } = await alternate({
    without: () => load(refused),
    checked: () => load({ ...refused, headers: { authorization } }),
    bare: () => costOfVerifying(2_000),
  })
  const { without, checked, bare } = medians
  report.rate('GET /api/users/me refused without a token, 50 clients', without)
  report.rate('… refused because of its signature', checked)
  const cpuMicroseconds = checked.cpuMicroseconds - without.cpuMicroseconds
  if (cpuMicroseconds < bare.cpuMicroseconds / 2)
    throw new Error(`Checking a token took ${cpuMicroseconds.toFixed(0)} µs: no signature was checked`)
  report.cpu('… the difference: processor time of one check', { cpuMicroseconds }, 'µs')
}

/** All clients share one address, and so one counter. */
const compareLimits = async (on: Mill, off: Mill, report: Report): Promise<void> => {
  const me = ({ url, pid, headers: { authorization = '' } }: Mill) =>
    load({ pid, url: `${url}/api/users/me`, headers: { authorization } })
  const { medians, ratios } = await alternate({ off: () => me(off), on: () => me(on) })
  for (const limit of ['off', 'on'] as const) {
    report.rate(`GET /api/users/me, rate limit ${limit}, 50 clients`, medians[limit])
    report.latency('… that never pause', medians[limit], { p99: 30 })
  }
  const cost = ratios((round) => round.on.cpuMicroseconds / round.off.cpuMicroseconds)
  report.ratio('… processor time, on : off', cost)
}
