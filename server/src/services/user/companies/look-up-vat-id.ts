import type { CompanyProposal, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { usableVatId } from '../../../lib/vat/usable-vat-id.ts'

/** Proposes the data of a new company. If the register cannot answer, fields stay blank: it confirms nothing. */
export const lookUpVatId = async (
  { vatRegistry }: UserDependencies,
  { query, signal }: Call<typeof operations.validateVatId>,
): Promise<CompanyProposal> => {
  const { vatId, country, register } = usableVatId(query.vatId, 'query vatId')
  const blank = { name: '', vatId, address: { country, street: '', city: '', zipCode: '' } }
  if (register === undefined) return blank
  const answer = await vatRegistry.remembered.lookUp(register, signal())
  if (answer.status === 'unknown') return blank
  if (answer.status === 'not_registered') {
    throw new Problem('vat_id_invalid', {
      reasons: [because('vat_id_not_in_register', { place: 'query vatId' })],
    })
  }
  const { street = '', city = '', zipCode = '' } = answer.address ?? {}
  return { name: answer.name ?? '', vatId, address: { country, street, city, zipCode } }
}
