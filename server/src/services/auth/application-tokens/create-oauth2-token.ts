import type { BodyOf, OAuth2Token, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { type ClientCredentials, issueApplicationToken } from './application-token.ts'
import { readBasicCredentials } from './basic-credentials.ts'

/** RFC 6749 §5.2 requires `www-authenticate` if Basic credentials are rejected. */
export const createOAuth2Token = async (
  deps: AuthDependencies,
  { body, client, authorization, header }: Call<typeof operations.createOAuth2Token>,
): Promise<OAuth2Token> => {
  const basic = readBasicCredentials(authorization)
  if (body.grant_type !== 'client_credentials') {
    throw new Problem('grant_type_unsupported', {
      reasons: [because('must_be', { value: 'client_credentials', place: '/grant_type' })],
    })
  }
  const { token, secondsLeft } = await issueApplicationToken(deps, credentialsOf(body, basic), client).catch(
    (error: unknown) => {
      if (basic !== undefined) header('www-authenticate', 'Basic realm="millseal", charset="UTF-8"')
      throw error
    },
  )
  return { access_token: token.reveal(), token_type: 'Bearer', expires_in: secondsLeft }
}

/** RFC 6749 §2.3: a client authenticates in one way only. */
const credentialsOf = (
  { client_id: clientId, client_secret: clientSecret }: BodyOf<typeof operations.createOAuth2Token>,
  basic: ClientCredentials | undefined,
): ClientCredentials => {
  if (basic === undefined) {
    if (clientId !== undefined && clientSecret !== undefined) {
      return { clientId, clientSecret: new Secret(clientSecret) }
    }
    const missing = Object.entries({ client_id: clientId, client_secret: clientSecret })
      .filter(([, value]) => value === undefined)
      .map(([name]) => because('credential_required', { place: `/${name}` }))
    throw new Problem('validation_failed', { reasons: missing })
  }
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new Problem('validation_failed', {
      reasons: [because('credentials_given_twice')],
    })
  }
  return basic
}
