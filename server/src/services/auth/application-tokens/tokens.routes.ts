import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { createOAuth2Token } from './create-oauth2-token.ts'
import { createToken } from './create-token.ts'

export const tokenRoutes = (deps: AuthDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [bind(operations.createToken, createToken), bind(operations.createOAuth2Token, createOAuth2Token)]
}
