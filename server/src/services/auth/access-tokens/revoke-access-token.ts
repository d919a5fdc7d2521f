import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import type { AccessTokenDependencies } from './access-tokens.routes.ts'
import { lockAccessToken, removeAccessToken } from './access-tokens.store.ts'

export const revokeAccessToken =
  ({ recordChange }: AccessTokenDependencies) =>
  async (call: Call<typeof operations.revokeAccessToken>): Promise<Deleted> => {
    const { params, companyId } = call
    return call.commit(async (tx) => {
      const stored = await lockAccessToken(tx, { id: params.id, companyId })
      if (stored === undefined) throw new Problem('not_found')
      await removeAccessToken(tx, stored.id)
      await recordChange(tx, call, {
        action: 'access_tokens.revoke',
        event: { resource: 'access_token', action: 'update_one' },
        record: toAccessTokenResponse(stored),
      })
      return { id: stored.id }
    })
  }
