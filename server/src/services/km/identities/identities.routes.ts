import { operations } from '@millseal/contract'
import { decodePublicKey, didDocument } from '@millseal/proof'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { createIdentity } from './create-identity.ts'
import { findIdentity, findIdentityPage, type StoredIdentity } from './identities.store.ts'
import { toIdentityResponses } from './identity-response.ts'
import { notarizeIdentity } from './notarize-identity.ts'
import { listPublicIdentities, readPublicIdentity } from './public-identities.ts'

type Dependencies = Parameters<typeof createIdentity>[0] & Parameters<typeof notarizeIdentity>[0]

export const identityRoutes = (deps: Dependencies): readonly Binding[] => [
  bind(operations.createIdentity, createIdentity(deps)),
  bind(operations.listIdentities, async (call) => {
    const { companyId, mode, query } = call
    const page = await listPage(
      call,
      (wanted) => findIdentityPage(deps.database.query, { ...query, companyId, mode }, wanted),
      ({ id }) => id,
    )
    // Clients in the field notarize with the last of the list: that is the newest, never one from before a recovery.
    return toIdentityResponses(deps.database.query, page.toReversed())
  }),
  bind(operations.listPublicIdentities, listPublicIdentities(deps)),
  bind(operations.readPublicIdentity, readPublicIdentity(deps)),
  bind(operations.readIdentity, async ({ params, companyId, mode }) => {
    const identity = await readOwn(deps.database.query, { id: params.id, companyId, mode })
    const [response] = await toIdentityResponses(deps.database.query, [identity])
    if (response === undefined) throw new Problem('not_found')
    return response
  }),
  bind(operations.readDidDocument, async ({ params, companyId, mode }) => {
    const { publicKey } = await readOwn(deps.database.query, { id: params.id, companyId, mode })
    return didDocument(decodePublicKey(publicKey))
  }),
  bind(operations.notarizeIdentity, notarizeIdentity(deps)),
]

const readOwn = async (
  query: Query,
  { id, companyId, mode }: Pick<StoredIdentity, 'id' | 'companyId' | 'mode'>,
): Promise<StoredIdentity> => {
  const identity = await findIdentity(query, { id, companyId })
  if (identity?.mode !== mode) throw new Problem('not_found')
  return identity
}
