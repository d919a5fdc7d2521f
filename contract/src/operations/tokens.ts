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
  summary: 'Get an access token for an application',
  description:
    'The token is valid for a day. Until its last ten minutes, or until the secret is rotated, calls return the same token.',
  body: { kind: 'json', schema: CreateToken },
  answer: { kind: 'json', status: 201, schema: TokenResponse },
  errors: ['credentials_wrong'],
  secrets: ['accessToken'],
})

export const createOAuth2Token = operation({
  ...tokens,
  id: 'tokens.create_oauth2',
  path: '/tokens/oauth2',
  summary: 'Get an access token with the OAuth 2.0 client credentials grant',
  description:
    'Send client id and secret in the form or as HTTP Basic credentials. Returns the same token as `/tokens`.',
  body: { kind: 'form', schema: OAuth2TokenRequest },
  answer: { kind: 'json', status: 200, schema: OAuth2Token },
  errors: ['credentials_wrong', 'grant_type_unsupported'],
  secrets: ['access_token'],
})
