import type { AccessTokenResponse, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import type { AccessTokenDependencies } from './access-tokens.routes.ts'
import { lockAccessToken, replaceAccessToken as replaceStored } from './access-tokens.store.ts'
import { issueAccessToken } from './issue-access-token.ts'

/** A new token under the same id, made by whoever asks for it; the old one ends with this transaction. */
export const replaceAccessToken =
  (deps: AccessTokenDependencies) =>
  async (call: Call<typeof operations.updateAccessToken>): Promise<AccessTokenResponse> => {
    const { params, companyId, mode } = call
    return call.commit(async (tx) => {
      const before = await lockAccessToken(tx, { id: params.id, companyId })
      // The other mode is another world: what is not of this one is not there.
      if (before === undefined || before.mode !== mode) throw new Problem('not_found')
      const { stored, jwt } = await issueAccessToken(deps, tx, { ...call, record: before })
      await replaceStored(tx, stored)
      const record = toAccessTokenResponse(stored)
      await deps.recordChange(tx, call, {
        action: 'access_tokens.update',
        event: { resource: 'access_token', action: 'update_one' },
        record,
        details: { expiresAt: stored.expiresAt, before: before.scopes, after: stored.scopes },
      })
      await deps.users.notify(tx, { userId: call.principal.id, notice: 'long_lived_token_created' })
      return { ...record, jwt: jwt.reveal() }
    })
  }
