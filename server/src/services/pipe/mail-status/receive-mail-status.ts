import { mailStatusHeaders, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { readReports } from './read-reports.ts'
import { recordReport } from './reports.store.ts'
import { isGenuine } from './verify-callback.ts'

export const receiveMailStatus = async (
  { clock, mailStatusKey }: PipeDependencies,
  call: Call<typeof operations.receiveMailStatus>,
): Promise<{ success: boolean }> => {
  const { sentHeaders, commit } = call
  // The body is undefined if the request has none.
  const body = (call.body as typeof call.body | undefined)?.bytes ?? new Uint8Array()
  const callback = {
    body,
    signature: sentHeaders[mailStatusHeaders.signature],
    timestamp: sentHeaders[mailStatusHeaders.timestamp],
  }
  const nowMs = clock.now()
  if (!isGenuine(callback, { key: mailStatusKey, nowMs })) throw new Problem('signature_invalid')
  // In the order of ids, so that two callbacks at once cannot deadlock.
  const reports = readReports(body).toSorted((one, other) => (one.mailId < other.mailId ? -1 : 1))
  return commit(async (tx) => {
    for (const report of reports) await recordReport(tx, report, new Date(nowMs))
    return { success: true }
  })
}
