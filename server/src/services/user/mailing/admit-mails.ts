import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import {
  findCompanyMails,
  insertCompanyMails,
  type MailKind,
  type MailSubject,
  returnQuota,
  type StoredCompanyMail,
} from './company-mails.store.ts'
import { decideMails } from './decide-mails.ts'

/** The quota never stops these. */
const isWarning = (kind: MailKind): boolean => kind !== 'certificate'

export type AdmittedMail = Pick<
  StoredCompanyMail,
  'id' | 'address' | 'heldBack' | 'sentAt' | 'refusal' | 'again'
>

/**
 * Records for every address whether it gets this mail, in the transaction that causes it. What was recorded once stays:
 * a repetition returns it.
 */
export const admitMails = async (
  deps: UserDependencies,
  tx: Transaction,
  subject: MailSubject,
  addresses: readonly string[],
): Promise<readonly AdmittedMail[]> => {
  const wanted = [...new Set(addresses.map((address) => address.trim().toLowerCase()))]
  const known = await findCompanyMails(tx, subject, wanted)
  const open = wanted.filter((address) => !known.some((one) => one.address === address))
  if (open.length === 0) return known
  const { companyId, mode, kind, about, again = 0 } = subject
  const decided = await decideMails(deps, tx, {
    companyId,
    mode,
    addresses: open,
    isWarning: isWarning(kind),
  })
  const createdAt = new Date(deps.clock.now())
  const recorded = await insertCompanyMails(
    tx,
    decided.map(({ address, heldBack }) => ({
      id: uuidv7(createdAt.getTime()),
      companyId,
      mode,
      kind,
      about,
      again,
      address,
      heldBack,
      createdAt,
    })),
  )
  if (recorded.length === decided.length) return [...known, ...recorded]
  // Another call recorded the same mails first, and counted them.
  const isRecorded = new Set(recorded.map(({ address }) => address))
  const twice = decided.filter(({ address, heldBack }) => heldBack === null && !isRecorded.has(address))
  if (!isWarning(kind)) await returnQuota(tx, { companyId, returned: twice.length, now: createdAt })
  return await findCompanyMails(tx, subject, [...wanted, ...decided.map(({ address }) => address)])
}
