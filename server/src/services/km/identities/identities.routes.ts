import { operations } from '@millseal/contract'
import { decodePublicKey, didDocument } from '@millseal/proof'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { createIdentity } from './create-identity.ts'
import {
  countIdentities,
  findIdentity,
  findIdentityPage,
  type StoredIdentity,
} from '../keys/identities.store.ts'
import { toIdentityResponses } from './identity-response.ts'
import { notarizeIdentity } from './notarize-identity.ts'
import { listPublicIdentities, readPublicIdentity } from './public-identities.ts'
import { updateIdentity } from './update-identity.ts'

export const identityRoutes = (deps: KmDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createIdentity, createIdentity),
    bind(operations.listIdentities, async ({ database }, call) => {
      const { companyId, mode, query } = call
      const filter = { ...query, companyId, mode }
      const page = await listPage(
        call,
        (wanted) => findIdentityPage(database.query, filter, wanted),
        ({ id }) => id,
      )
      await tellTotal(call, (atMost) => countIdentities(database.query, filter, atMost))
      // Existing clients notarize with the last item, so it must be the newest: older ones may predate a recovery.
      return toIdentityResponses(database.query, page.toReversed())
    }),
    bind(operations.listPublicIdentities, listPublicIdentities),
    bind(operations.readPublicIdentity, readPublicIdentity),
    bind(operations.readIdentity, async ({ database }, call) => {
      const [response] = await toIdentityResponses(database.query, [await requireIdentity(deps, call)])
      if (response === undefined) throw new Problem('not_found')
      return response
    }),
    bind(operations.updateIdentity, updateIdentity),
    bind(operations.readDidDocument, async (_deps, call) => {
      const { publicKey } = await requireIdentity(deps, call)
      return didDocument(decodePublicKey(publicKey))
    }),
    bind(operations.notarizeIdentity, notarizeIdentity),
  ]
}

const requireIdentity = async (
  { database }: KmDependencies,
  {
    params,
    companyId,
    mode,
  }: {
    readonly params: { readonly id: string }
    readonly companyId: string
    readonly mode: StoredIdentity['mode']
  },
): Promise<StoredIdentity> => {
  const identity = await findIdentity(database.query, { id: params.id, companyId })
  if (identity?.mode !== mode) throw new Problem('not_found')
  return identity
}
