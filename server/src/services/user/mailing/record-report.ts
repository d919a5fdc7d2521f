import { limits } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import { findCompanyMail, type StoredCompanyMail } from './company-mails.store.ts'
import { countBounces, insertBounce, liftBounces, suppress } from './suppressions.store.ts'

/** What became of a mail, as the mail provider says. */
export type DeliveryReport = {
  /** The same if the provider repeats the report. */
  readonly id: string
  /** The first part of the Message-ID. */
  readonly messageId: string
  /** Undefined unless a mail hook caused the mail. */
  readonly companyId: string | undefined
  readonly address: string
  readonly at: Date
  readonly outcome: 'delivered' | 'hard_bounce' | 'soft_bounce'
  readonly reason: string | undefined
}

const dayMs = 86_400_000

/**
 * A hard bounce stops later mails to the address, temporary ones do so when they add up, and a later delivery lifts
 * both. What one company's mails showed counts for that company alone: no company learns of the mails of another.
 */
export const recordReport = async (tx: Transaction, report: DeliveryReport): Promise<void> => {
  const { id: reportId, at, outcome, reason } = report
  const mail = report.companyId === undefined ? await mailOf(tx, report.messageId) : undefined
  const companyId = report.companyId ?? mail?.companyId ?? null
  const address = (mail?.address ?? report.address).toLowerCase()
  if (outcome === 'delivered') return await liftBounces(tx, { companyId, address, at })
  if (
    !(await insertBounce(tx, {
      reportId,
      companyId,
      address,
      bouncedAt: at,
      isHard: outcome === 'hard_bounce',
    }))
  )
    return
  const suppression = { companyId, address, detail: reason ?? null }
  if (outcome === 'hard_bounce') return await suppress(tx, { ...suppression, reason: 'hard_bounce' }, at)
  // Temporary failures never stop mails about an account.
  if (companyId === null) return
  const since = new Date(at.getTime() - limits.softBounces.days * dayMs)
  if ((await countBounces(tx, { companyId, address, since })) >= limits.softBounces.count)
    await suppress(tx, { ...suppression, reason: 'soft_bounces' }, at)
}

const mailOf = async (tx: Transaction, messageId: string): Promise<StoredCompanyMail | undefined> =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(messageId)
    ? await findCompanyMail(tx, messageId)
    : undefined
