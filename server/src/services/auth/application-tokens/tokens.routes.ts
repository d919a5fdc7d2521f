import { type BodyOf, operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import {
  applicationToken,
  type ApplicationTokenDependencies,
  type ClientCredentials,
} from './application-token.ts'
import { readBasicCredentials } from './basic-credentials.ts'

/** RFC 6749 §5.2 asks for `www-authenticate` where Basic credentials were refused. */
export const tokenRoutes = (deps: ApplicationTokenDependencies): readonly Binding[] => {
  const issue = applicationToken(deps)
  return [
    bind(operations.createToken, async ({ body, client }) => {
      const { token, application } = await issue(
        { clientId: body.clientId, clientSecret: new Secret(body.clientSecret) },
        client,
      )
      return { accessToken: token.reveal(), application }
    }),
    bind(operations.createOAuth2Token, async ({ body, client, authorization, header }) => {
      const basic = readBasicCredentials(authorization)
      if (body.grant_type !== 'client_credentials') {
        throw new Problem('grant_type_unsupported', { details: ['/grant_type must be client_credentials'] })
      }
      const { token, secondsLeft } = await issue(credentialsOf(body, basic), client).catch(
        (error: unknown) => {
          if (basic !== undefined) header('www-authenticate', 'Basic realm="millseal", charset="UTF-8"')
          throw error
        },
      )
      return { access_token: token.reveal(), token_type: 'Bearer' as const, expires_in: secondsLeft }
    }),
  ]
}

/** RFC 6749 §2.3: a client proves who it is in one way only. */
const credentialsOf = (
  { client_id: clientId, client_secret: clientSecret }: BodyOf<typeof operations.createOAuth2Token>,
  basic: ClientCredentials | undefined,
): ClientCredentials => {
  const missing = Object.entries({ client_id: clientId, client_secret: clientSecret })
    .filter(([, value]) => value === undefined)
    .map(([name]) => `/${name} is required, here or as HTTP Basic credentials`)
  if (basic === undefined) {
    if (clientId === undefined || clientSecret === undefined) {
      throw new Problem('validation_failed', { details: missing })
    }
    return { clientId, clientSecret: new Secret(clientSecret) }
  }
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new Problem('validation_failed', {
      details: ['/client_secret must not be sent beside HTTP Basic credentials, nor another /client_id'],
    })
  }
  return basic
}
