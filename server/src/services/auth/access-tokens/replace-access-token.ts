import type { AccessTokenResponse, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import { lockAccessToken, updateAccessToken } from './access-tokens.store.ts'
import { issueAccessToken } from './issue-access-token.ts'

/** Issues a new token of the caller under the same id. The old one becomes invalid with this transaction. */
export const replaceAccessToken = async (
  deps: AuthDependencies,
  call: Call<typeof operations.updateAccessToken>,
): Promise<AccessTokenResponse> => {
  const { params, companyId, mode } = call
  return call.commit(async (tx) => {
    const before = await lockAccessToken(tx, { id: params.id, companyId })
    if (before === undefined || before.mode !== mode) throw new Problem('not_found')
    const { columns, jwt } = await issueAccessToken(deps, tx, { ...call, recordId: before.id })
    const record = toAccessTokenResponse(await updateAccessToken(tx, before.id, columns))
    await recordChange(deps, tx, call, {
      action: 'access_tokens.update',
      event: { resource: 'access_token', action: 'update_one' },
      record,
      details: { expiresAt: columns.expiresAt, before: JSON.parse(before.scopes), after: record.scopes },
    })
    await deps.users.notify(tx, { userId: call.principal.id, notice: 'long_lived_token_created' })
    return { ...record, jwt: jwt.reveal() }
  })
}
