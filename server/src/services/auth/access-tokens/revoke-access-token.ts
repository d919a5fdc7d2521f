import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import { deleteAccessToken, lockAccessToken } from './access-tokens.store.ts'

export const revokeAccessToken = async (
  deps: AuthDependencies,
  call: Call<typeof operations.revokeAccessToken>,
): Promise<Deleted> => {
  const { params, companyId } = call
  return call.commit(async (tx) => {
    const stored = await lockAccessToken(tx, { id: params.id, companyId })
    if (stored === undefined) throw new Problem('not_found')
    await deleteAccessToken(tx, stored.id)
    await recordChange(deps, tx, call, {
      action: 'access_tokens.revoke',
      event: { resource: 'access_token', action: 'update_one' },
      record: toAccessTokenResponse(stored),
    })
    return { id: stored.id }
  })
}
