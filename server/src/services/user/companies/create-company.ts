import type { Company, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { UserDependencies } from '../dependencies.ts'
import { insertCompany } from './companies.store.ts'
import { toCompanyResponse } from './company-response.ts'
import { findMembers, insertMember } from '../members/members.store.ts'
import { usableVatId } from './vat-id.ts'

export const createCompany =
  ({ clock, audit }: Pick<UserDependencies, 'clock' | 'audit'>) =>
  async ({
    body,
    principal,
    client,
    commit,
  }: Pick<
    Call<typeof operations.createCompany>,
    'body' | 'principal' | 'client' | 'commit'
  >): Promise<Company> => {
    const { vatId } = usableVatId(body.vatId, '/vatId')
    return commit(async (tx) => {
      const now = clock.now()
      const address = { ...body.address, id: uuidv7(now) }
      const entry = { id: uuidv7(now), name: body.name, vatId, address, ownerId: principal.id }
      const company = await insertCompany(tx, entry, new Date(now))
      if (company === undefined) throw new Problem('company_exists')
      await insertMember(tx, { companyId: company.id, userId: principal.id, role: 'admin' }, new Date(now))
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
