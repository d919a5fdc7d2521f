import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { createAccessToken } from './create-access-token.ts'
import { listAccessTokens } from './list-access-tokens.ts'
import { readAccessToken } from './read-access-token.ts'
import { replaceAccessToken } from './replace-access-token.ts'
import { revokeAccessToken } from './revoke-access-token.ts'

export const accessTokenRoutes = (deps: AuthDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createAccessToken, createAccessToken),
    bind(operations.listAccessTokens, listAccessTokens),
    bind(operations.readAccessToken, readAccessToken),
    bind(operations.updateAccessToken, replaceAccessToken),
    bind(operations.revokeAccessToken, revokeAccessToken),
  ]
}
