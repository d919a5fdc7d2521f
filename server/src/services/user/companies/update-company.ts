import type { Company, operations, UpdateCompany } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { changeFourEyes } from './change-four-eyes.ts'
import { findMembers } from './members.store.ts'
import { lockCompany, type StoredCompany, updateCompanyRow } from './companies.store.ts'
import { assertPlainCompanyName } from './company-name.ts'
import { recordCompanyChange } from './company-changes.ts'
import { addressOf, toCompanyResponse } from './company-response.ts'

/** The VAT id and the country never change: a review confirmed them. */
export const updateCompany = async (
  deps: UserDependencies,
  { params, body, companyId, principal, client, commit }: Call<typeof operations.updateCompany>,
): Promise<Company> => {
  assertSameId(body.id, params.id)
  if (body.name !== undefined) assertPlainCompanyName(body.name)
  return commit(async (tx) => {
    const before = await lockCompany(tx, companyId)
    if (before === undefined) throw new Problem('not_found')
    assertSameId(body.address?.id, before.addressId)
    assertSameCountry(body.address?.country, before.country)
    const members = await findMembers(tx, [companyId])
    await changeFourEyes(deps, tx, { principal, before, wanted: body.fourEyes, members })
    const update = { id: companyId, changes: changesOf(body) }
    const after = await updateCompanyRow(tx, update, new Date(deps.clock.now()))
    const company = toCompanyResponse(after, members)
    await recordCompanyChange(deps, tx, {
      company,
      action: 'update_one',
      auditAction: 'companies.update',
      details: { before: auditedFields(before), after: auditedFields(after) },
      principal,
      ip: client.ip,
    })
    return company
  })
}

type Field = Exclude<keyof UpdateCompany, 'id'>
const changesOf = ({
  name,
  emails,
  websites,
  accreditations,
  onFindings,
  fourEyes,
  address,
}: UpdateCompany) =>
  ({
    name,
    emails,
    websites,
    accreditations,
    onFindings,
    fourEyes,
    street: address?.street,
    city: address?.city,
    zipCode: address?.zipCode,
  }) satisfies Record<
    Exclude<Field | keyof NonNullable<UpdateCompany['address']>, 'id' | 'address' | 'country'>,
    unknown
  >

const auditedFields = (company: StoredCompany) =>
  ({
    name: company.name,
    address: addressOf(company),
    emails: company.emails,
    websites: company.websites,
    accreditations: company.accreditations,
    onFindings: company.onFindings,
    fourEyes: company.fourEyes,
  }) satisfies Record<Field, unknown>

const assertSameId = (repeated: string | undefined, id: string): void => {
  if (repeated !== undefined && repeated.toLowerCase() !== id.toLowerCase()) throw new Problem('id_mismatch')
}

const assertSameCountry = (repeated: string | undefined, country: string): void => {
  if (repeated === undefined || repeated === country) return
  throw new Problem('validation_failed', {
    reasons: [because('never_changes', { place: '/address/country' })],
  })
}
