import { type Company, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockUser } from '../users/user-changes.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers, insertMember } from './members.store.ts'
import { assertPlainCompanyName } from './company-name.ts'
import { countCompanies, insertCompany } from './companies.store.ts'
import { toCompanyResponse } from './company-response.ts'
import { freeVatId } from './free-vat-id.ts'
import { readLasting } from '../quotas/lasting-numbers.ts'
import { usableVatId } from '../../../lib/vat/usable-vat-id.ts'

export const createCompany = async (
  deps: UserDependencies,
  { body, principal, client, commit }: Call<typeof operations.createCompany>,
): Promise<Company> => {
  const { clock, audit } = deps
  assertPlainCompanyName(body.name)
  const { vatId } = usableVatId(body.vatId, '/vatId')
  const { country, street, city, zipCode } = body.address
  return commit(async (tx) => {
    const nowMs = clock.now()
    const now = new Date(nowMs)
    await assertMayHaveMore(tx, principal.id, now)
    const address = { addressId: uuidv7(nowMs), country, street, city, zipCode }
    const id = uuidv7(nowMs)
    const entry = { id, name: body.name, vatId, ...address, ownerId: principal.id }
    const insert = () => insertCompany(tx, { ...entry, onFindings: 'accept', fourEyes: 'off' }, now)
    let company = await insert()
    if (company === undefined) {
      await freeVatId(deps, tx, { vatId, principal, ip: client.ip })
      company = await insert()
    }
    if (company === undefined) throw new Problem('company_exists')
    await insertMember(tx, { companyId: company.id, userId: principal.id, role: 'admin' }, now)
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'companies.create',
      subject: `company:${company.id}`,
      companyId: company.id,
      ipAddress: client.ip,
      details: { vatId, name: company.name },
    })
    return toCompanyResponse(company, await findMembers(tx, [company.id]))
  })
}

/**
 * Deleted ones count for a while, or each would be as good as new. They count for the person only: anybody can found a
 * company with the VAT id of another.
 */
const assertMayHaveMore = async (tx: Transaction, userId: string, now: Date): Promise<void> => {
  const most = limits.unverifiedCompaniesPerUser
  // One company of a person after the other, so that none is one too many.
  await lockUser(tx, userId)
  const owned = await countCompanies(tx, { ownerId: userId, verified: false })
  const { storedDays: days } = limits.invitations
  const deleted = await readLasting(tx, { counted: 'companies', holders: { userId }, now, days })
  if (owned + deleted >= most) {
    throw new Problem('company_limit_reached', {
      reasons: [because('company_limit', { most })],
    })
  }
}
