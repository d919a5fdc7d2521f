import { type AccessTokenResponse, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import { countAccessTokens, insertAccessToken } from './access-tokens.store.ts'
import { issueAccessToken } from './issue-access-token.ts'

export const createAccessToken = async (
  deps: AuthDependencies,
  call: Call<typeof operations.createAccessToken>,
): Promise<AccessTokenResponse> =>
  call.commit(async (tx) => {
    if ((await deps.users.lockCompany(tx, call.companyId)) === undefined) throw new Problem('not_found')
    if ((await countAccessTokens(tx, call.companyId)) >= limits.accessTokensPerCompany) {
      throw new Problem('access_token_limit_reached', {
        reasons: [because('token_limit', { most: limits.accessTokensPerCompany })],
      })
    }
    const { columns, jwt } = await issueAccessToken(deps, tx, call)
    const record = toAccessTokenResponse(
      await insertAccessToken(tx, { ...columns, createdAt: columns.updatedAt }),
    )
    await recordChange(deps, tx, call, {
      action: 'access_tokens.create',
      event: { resource: 'access_token', action: 'create_one' },
      record,
      details: { expiresAt: columns.expiresAt, scopes: record.scopes },
    })
    await deps.users.notify(tx, { userId: call.principal.id, notice: 'long_lived_token_created' })
    return { ...record, jwt: jwt.reveal() }
  })
