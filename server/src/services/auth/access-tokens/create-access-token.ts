import type { AccessTokenResponse, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import type { AccessTokenDependencies } from './access-tokens.routes.ts'
import { insertAccessToken } from './access-tokens.store.ts'
import { issueAccessToken } from './issue-access-token.ts'

export const createAccessToken =
  (deps: AccessTokenDependencies) =>
  async (call: Call<typeof operations.createAccessToken>): Promise<AccessTokenResponse> =>
    call.commit(async (tx) => {
      const { stored, jwt } = await issueAccessToken(deps, tx, call)
      await insertAccessToken(tx, stored)
      const record = toAccessTokenResponse(stored)
      await deps.recordChange(tx, call, {
        action: 'access_tokens.create',
        event: { resource: 'access_token', action: 'create_one' },
        record,
        details: { expiresAt: stored.expiresAt, scopes: stored.scopes },
      })
      await deps.users.notify(tx, { userId: call.principal.id, notice: 'long_lived_token_created' })
      return { ...record, jwt: jwt.reveal() }
    })
