import type { CompanyProposal, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { usableVatId } from './vat-id.ts'

type LookUpCall = Pick<Call<typeof operations.validateVatId>, 'query' | 'signal'>

/** What a company could be created with. A register that cannot tell leaves blanks: it does not vouch for anything. */
export const lookUpVatId =
  ({ vatRegistry }: Pick<UserDependencies, 'vatRegistry'>) =>
  async ({ query, signal }: LookUpCall): Promise<CompanyProposal> => {
    const { vatId, country, register } = usableVatId(query.vatId, 'query vatId')
    const blank = { name: '', vatId, address: { country, street: '', city: '', zipCode: '' } }
    if (register === undefined) return blank
    const answer = await vatRegistry.remembered.lookUp(register, signal)
    if (answer.status === 'unknown') return blank
    if (answer.status === 'not_registered') {
      throw new Problem('vat_id_invalid', { details: ['query vatId: It is not in the VAT register'] })
    }
    const { street = '', city = '', zipCode = '' } = answer.address ?? {}
    return { name: answer.name ?? '', vatId, address: { country, street, city, zipCode } }
  }
