import type { operations, TokenResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { issueApplicationToken } from './application-token.ts'

export const createToken = async (
  deps: AuthDependencies,
  { body, client }: Call<typeof operations.createToken>,
): Promise<TokenResponse> => {
  const credentials = { clientId: body.clientId, clientSecret: new Secret(body.clientSecret) }
  const { token, application } = await issueApplicationToken(deps, credentials, client)
  return { accessToken: token.reveal(), application }
}
