import type { operations, PublicIdentity } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import {
  findPublicIdentity,
  findPublicIdentityPage,
  type StoredPublicIdentity,
} from './public-identities.store.ts'

type Dependencies = Pick<KmDependencies, 'database' | 'users'>

export const listPublicIdentities =
  (deps: Dependencies) =>
  async (call: Call<typeof operations.listPublicIdentities>): Promise<PublicIdentity[]> => {
    const { mode, query } = call
    const filter = query.company === undefined ? { mode } : { mode, companyId: query.company }
    const page = await listPage(
      call,
      (wanted) => findPublicIdentityPage(deps.database.query, filter, wanted),
      ({ id }) => id,
    )
    return toPublicIdentities(deps, page)
  }

export const readPublicIdentity =
  (deps: Dependencies) =>
  async ({ params, mode }: Call<typeof operations.readPublicIdentity>): Promise<PublicIdentity> => {
    const found = await findPublicIdentity(deps.database.query, { mode, id: params.id })
    const [identity] = found === undefined ? [] : await toPublicIdentities(deps, [found])
    if (identity === undefined) throw new Problem('not_found')
    return identity
  }

/** Nothing of wallets and derivations: those are the company's own. */
const toPublicIdentities = async (
  { database, users }: Dependencies,
  identities: readonly StoredPublicIdentity[],
): Promise<PublicIdentity[]> => {
  const companies = await users.findCompaniesById(database.query, [
    ...new Set(identities.map(({ companyId }) => companyId)),
  ])
  return identities.flatMap(({ id, coinType, mode, did, publicKey, status, notarizedAt, ...rest }) => {
    const company = companies.find((known) => known.id === rest.companyId)
    if (company === undefined) return []
    return [
      {
        id,
        coinType,
        mode,
        did,
        publicKey,
        status,
        company,
        notarizedAt: notarizedAt.toISOString(),
        ...(rest.ledgerId === undefined ? {} : { transactionId: rest.ledgerId }),
      },
    ]
  })
}
