import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import { findAccessToken, findAccessTokenPage } from './access-tokens.store.ts'
import { createAccessToken } from './create-access-token.ts'
import type { RecordChange } from '../applications/record-change.ts'
import { replaceAccessToken } from './replace-access-token.ts'
import { revokeAccessToken } from './revoke-access-token.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

export type AccessTokenDependencies = {
  readonly users: Pick<UserService, 'findCompany' | 'notify'>
  readonly database: Database
  readonly clock: Clock
  readonly tokens: Pick<Tokens, 'sign'>
  readonly recordChange: RecordChange
}

export const accessTokenRoutes = (deps: AccessTokenDependencies): readonly Binding[] => [
  bind(operations.createAccessToken, createAccessToken(deps)),
  bind(operations.listAccessTokens, async (call) => {
    const found = await listPage(
      call,
      (page) => findAccessTokenPage(deps.database.query, call.companyId, page),
      ({ id }) => id,
    )
    return found.map(toAccessTokenResponse)
  }),
  bind(operations.readAccessToken, async ({ params, companyId }) => {
    const stored = await findAccessToken(deps.database.query, { id: params.id, companyId })
    if (stored === undefined) throw new Problem('not_found')
    return toAccessTokenResponse(stored)
  }),
  bind(operations.updateAccessToken, replaceAccessToken(deps)),
  bind(operations.revokeAccessToken, revokeAccessToken(deps)),
]
