import type { Company, operations, UpdateCompany } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockCompany, saveCompany, type StoredCompany } from './companies.store.ts'
import { tellOfCompany } from './company-news.ts'
import { toCompanyResponse } from './company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers } from '../members/members.store.ts'

type UpdateCall = Call<typeof operations.updateCompany>

/** What a review vouches for, the VAT id and the country, stays as it is. */
export const updateCompany =
  (deps: UserDependencies) =>
  async ({ params, body, companyId, principal, client, commit }: UpdateCall): Promise<Company> => {
    assertSameId(body.id, params.id)
    return commit(async (tx) => {
      const before = await lockCompany(tx, companyId)
      if (before === undefined) throw new Problem('not_found')
      assertSameId(body.address?.id, before.address.id)
      assertSameCountry(body.address?.country, before.address.country)
      const updatedAt = new Date(deps.clock.now())
      const after = { ...changed(before, body), updatedAt }
      await saveCompany(tx, after, updatedAt)
      const company = toCompanyResponse(after, await findMembers(tx, [companyId]))
      await tellOfCompany(deps)(tx, {
        company,
        action: 'update_one',
        audited: 'companies.update',
        details: { before: editable(before), after: editable(after) },
        principal,
        ip: client.ip,
      })
      return company
    })
  }

const changed = (company: StoredCompany, body: UpdateCompany): StoredCompany => ({
  ...company,
  name: body.name ?? company.name,
  emails: body.emails ?? company.emails,
  websites: body.websites ?? company.websites,
  accreditations: body.accreditations ?? company.accreditations,
  address: {
    ...company.address,
    street: body.address?.street ?? company.address.street,
    city: body.address?.city ?? company.address.city,
    zipCode: body.address?.zipCode ?? company.address.zipCode,
  },
})

const editable = ({ name, address, emails, websites, accreditations }: StoredCompany): object => ({
  name,
  address,
  emails,
  websites,
  accreditations,
})

const assertSameId = (repeated: string | undefined, id: string): void => {
  if (repeated !== undefined && repeated.toLowerCase() !== id.toLowerCase()) throw new Problem('id_mismatch')
}

const assertSameCountry = (repeated: string | undefined, country: string): void => {
  if (repeated === undefined || repeated === country) return
  throw new Problem('validation_failed', { details: ['/address/country never changes'] })
}
