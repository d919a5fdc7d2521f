import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { CreateToken, OAuth2Token, OAuth2TokenRequest, TokenResponse } from '../shapes/tokens.ts'

const tokens = {
  service: 'user-service',
  variant: 'current',
  method: 'POST',
  access: 'public',
  action: { resource: 'tokens', action: 'create_one' },
  limit: { perMinute: limits.credentialCallsPerMinute },
  idempotency: 'repeatable',
} as const

export const createToken = operation({
  ...tokens,
  id: 'tokens.create',
  path: '/tokens',
  summary: 'An access token for an application',
  description:
    'Good for a day. The same token is answered again until its last ten minutes, or until the secret is rotated.',
  body: { kind: 'json', schema: CreateToken },
  answer: { kind: 'json', status: 201, schema: TokenResponse },
  errors: ['credentials_wrong'],
  secrets: ['accessToken'],
})

export const createOAuth2Token = operation({
  ...tokens,
  id: 'tokens.create_oauth2',
  path: '/tokens/oauth2',
  summary: 'An access token by the OAuth 2.0 client credentials grant',
  description:
    'Client id and secret come in the form or as HTTP Basic credentials. The token is the one of /tokens.',
  body: { kind: 'form', schema: OAuth2TokenRequest },
  answer: { kind: 'json', status: 200, schema: OAuth2Token },
  errors: ['credentials_wrong', 'grant_type_unsupported'],
  secrets: ['access_token'],
})
