import { mailStatusHeaders, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { type Report, readReports } from './read-reports.ts'
import { recordReport } from './reports.store.ts'
import { isGenuine } from './verify-callback.ts'

export const receiveMailStatus = async (
  deps: PipeDependencies,
  call: Call<typeof operations.receiveMailStatus>,
): Promise<{ success: boolean }> => {
  const { clock, mailer, mailStatusKey } = deps
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
  const domain = mailer.sender.slice(mailer.sender.lastIndexOf('@') + 1)
  const reports = readReports(body, domain).toSorted((one, other) =>
    one.messageId < other.messageId ? -1 : 1,
  )
  return commit(async (tx) => {
    for (const report of reports) await record(deps, tx, report)
    return { success: true }
  })
}

/** On the mail, if a mail hook caused it, and for later mails to the same address. */
const record = async ({ clock, users }: PipeDependencies, tx: Transaction, report: Report): Promise<void> => {
  const { id, messageId, mailId, outcome, reason, at } = report
  const mail = mailId === undefined ? undefined : await recordReport(tx, report, new Date(clock.now()))
  if (outcome === undefined || (mailId !== undefined && mail === undefined)) return
  const { companyId, recipient: address = report.address } = mail ?? {}
  if (address !== undefined)
    await users.recordReport(tx, { id, messageId, companyId, address, outcome, reason, at })
}
