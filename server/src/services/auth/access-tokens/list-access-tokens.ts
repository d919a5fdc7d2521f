import type { AccessToken, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { toAccessTokenResponse } from './access-token-response.ts'
import { findAccessTokenPage } from './access-tokens.store.ts'

export const listAccessTokens = async (
  { database }: AuthDependencies,
  call: Call<typeof operations.listAccessTokens>,
): Promise<AccessToken[]> => {
  const found = await listPage(
    call,
    (page) => findAccessTokenPage(database.query, call.companyId, page),
    ({ id }) => id,
  )
  return found.map(toAccessTokenResponse)
}
