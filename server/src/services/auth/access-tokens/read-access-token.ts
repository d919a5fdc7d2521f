import type { AccessToken, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import { findAccessToken } from './access-tokens.store.ts'

export const readAccessToken = async (
  { database }: AuthDependencies,
  { params, companyId }: Call<typeof operations.readAccessToken>,
): Promise<AccessToken> => {
  const stored = await findAccessToken(database.query, { id: params.id, companyId })
  if (stored === undefined) throw new Problem('not_found')
  return toAccessTokenResponse(stored)
}
