import { utcDay } from '../../../lib/utc-day.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { count } from '../quotas/daily-quotas.store.ts'
import { holderOfVatId } from '../quotas/lasting-numbers.ts'
import {
  findCompanyMails,
  findMailingCompany,
  insertCompanyMails,
  type MailKind,
  type MailSubject,
  type StoredCompanyMail,
} from './company-mails.store.ts'
import { decideMails, plainAddresses } from './decide-mails.ts'

/** The quota never stops warnings. */
const isWarning: Readonly<Record<MailKind, boolean>> = {
  certificate: false,
  correction: true,
  revocation: true,
  alarm: true,
  failure: true,
  release: true,
  foreign_name: true,
  webhook: true,
  invitation: true,
}

export type AdmittedMail = Pick<
  StoredCompanyMail,
  'id' | 'address' | 'heldBack' | 'sentAt' | 'isSaved' | 'refusal' | 'again'
>

/** Mails about one subject, to these addresses. */
export type MailOrder = { readonly subject: MailSubject; readonly addresses: readonly string[] }

/**
 * Records for every address whether it gets this mail, in the transaction that causes it. What was recorded once stays:
 * a repetition returns it. Each subject has one order; the result is in the order of the orders.
 */
export const admitMails = async (
  deps: UserDependencies,
  tx: Transaction,
  orders: readonly MailOrder[],
): Promise<readonly (readonly AdmittedMail[])[]> => {
  const admitted: StoredCompanyMail[] = []
  const byCompany = Map.groupBy(orders, ({ subject }) => subject.companyId)
  // In the order of their ids: two transactions that lock the quotas of several companies must not wait for each other.
  for (const companyId of [...byCompany.keys()].toSorted())
    admitted.push(...(await admitOf(deps, tx, companyId, byCompany.get(companyId) ?? [])))
  return orders.map(({ subject }) => admitted.filter((mail) => isAbout(mail, subject)))
}

const admitOf = async (
  deps: UserDependencies,
  tx: Transaction,
  companyId: string,
  orders: readonly MailOrder[],
): Promise<readonly StoredCompanyMail[]> => {
  const wanted = orders.map(({ subject, addresses }) => ({ subject, addresses: plainAddresses(addresses) }))
  const known = await findRecorded(tx, companyId, wanted)
  const open = wanted.map(({ subject, addresses }) => {
    const isKnown = new Set(known.flatMap((mail) => (isAbout(mail, subject) ? [mail.address] : [])))
    return { subject, addresses: addresses.filter((address) => !isKnown.has(address)) }
  })
  const undecided = open.filter(({ addresses }) => addresses.length > 0)
  if (undecided.length === 0) return known
  const decided = await decideMails(
    deps,
    tx,
    companyId,
    undecided.map(({ subject: { mode, kind }, addresses }) => ({
      mode,
      addresses,
      isWarning: isWarning[kind],
    })),
  )
  const createdAt = new Date(deps.clock.now())
  const rows = undecided.flatMap(({ subject: { again = 0, ...subject } }, at) =>
    (decided[at] ?? []).map((one) => ({
      ...subject,
      ...one,
      again,
      id: uuidv7(createdAt.getTime()),
      createdAt,
    })),
  )
  const recorded = await insertCompanyMails(tx, rows)
  if (recorded.length === rows.length) return [...known, ...recorded]
  // Another call recorded the same mails first, and counted them.
  const isRecorded = new Set(recorded.map(({ id }) => id))
  const twice = rows.filter(
    ({ id, kind, heldBack }) => !isRecorded.has(id) && heldBack === null && !isWarning[kind],
  )
  const { vatId } = await findMailingCompany(tx, companyId)
  await count(
    tx,
    { counted: 'mails', day: utcDay(createdAt) },
    { companyId: holderOfVatId(vatId), used: -twice.length, isRefused: false },
  )
  const all = wanted.map(({ subject, addresses }) => ({
    subject,
    addresses: [...addresses, ...rows.flatMap((row) => (isAbout(row, subject) ? [row.address] : []))],
  }))
  return await findRecorded(tx, companyId, all)
}

/** What is recorded about each subject for its own addresses. */
const findRecorded = async (
  tx: Transaction,
  companyId: string,
  orders: readonly MailOrder[],
): Promise<readonly StoredCompanyMail[]> => {
  const found = await findCompanyMails(tx, {
    companyId,
    abouts: orders.map(({ subject }) => subject.about),
    addresses: orders.flatMap(({ addresses }) => addresses),
  })
  return found.filter((mail) =>
    orders.some(({ subject, addresses }) => isAbout(mail, subject) && addresses.includes(mail.address)),
  )
}

const isAbout = (
  mail: Pick<StoredCompanyMail, 'companyId' | 'kind' | 'about' | 'again'>,
  { companyId, kind, about, again = 0 }: MailSubject,
): boolean =>
  mail.companyId === companyId && mail.kind === kind && mail.about === about && mail.again === again
