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

export const listPublicIdentities = async (
  deps: KmDependencies,
  call: Call<typeof operations.listPublicIdentities>,
): Promise<PublicIdentity[]> => {
  const { mode, query } = call
  const page = await listPage(
    call,
    (wanted) => findPublicIdentityPage(deps.database.query, { mode, companyId: query.company }, wanted),
    ({ id }) => id,
  )
  return toPublicIdentities(deps, page)
}

export const readPublicIdentity = async (
  deps: KmDependencies,
  { params, mode }: Call<typeof operations.readPublicIdentity>,
): Promise<PublicIdentity> => {
  const found = await findPublicIdentity(deps.database.query, { mode, id: params.id })
  const [identity] = found === undefined ? [] : await toPublicIdentities(deps, [found])
  if (identity === undefined) throw new Problem('not_found')
  return identity
}

/** Leaves out wallets and derivation paths, which only the company may see. */
const toPublicIdentities = async (
  { database, users }: KmDependencies,
  identities: readonly StoredPublicIdentity[],
): Promise<PublicIdentity[]> => {
  const companies = await users.findCompaniesById(database.query, [
    ...new Set(identities.map(({ companyId }) => companyId)),
  ])
  return identities.flatMap(({ companyId, ledgerId, notarizedAt, revokedSince, ...identity }) => {
    const company = companies.find(({ id }) => id === companyId)
    if (company === undefined) return []
    const { id, coinType, mode, did, publicKey, status } = identity
    return [
      {
        id,
        coinType,
        mode,
        did,
        publicKey,
        status,
        revokedSince: revokedSince?.toISOString(),
        company,
        notarizedAt: notarizedAt.toISOString(),
        transactionId: ledgerId ?? undefined,
      },
    ]
  })
}
