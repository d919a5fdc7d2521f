import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted } from '../shapes/common.ts'
import { AccessToken, AccessTokenResponse, CreateAccessToken } from '../shapes/tokens.ts'

const tokens = { service: 'auth-service', variant: 'earlier', access: 'user', company: 'required' } as const

export const createAccessToken = operation({
  ...tokens,
  id: 'access_tokens.create',
  method: 'POST',
  path: '/accesstoken',
  summary: 'Create a long-lived access token',
  description: `The token belongs to the company and the mode. Only this answer contains the token itself, as \`jwt\`. It is valid for a year by default. A company can have ${limits.accessTokensPerCompany} of them, with those that have expired.`,
  scope: [{ resource: 'accesstoken', action: 'create_one' }],
  mode: 'query',
  liveGate: true,
  body: { kind: 'json', schema: CreateAccessToken },
  answer: { kind: 'json', status: 201, schema: AccessTokenResponse },
  errors: ['scope_unknown', 'scope_exceeded', 'access_token_limit_reached'],
  secrets: ['jwt'],
})

export const listAccessTokens = operation({
  ...tokens,
  id: 'access_tokens.list',
  method: 'GET',
  path: '/accesstoken',
  summary: 'List the long-lived access tokens of the company',
  scope: [{ resource: 'accesstoken', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(AccessToken) },
  list: true,
})

export const readAccessToken = operation({
  ...tokens,
  id: 'access_tokens.read',
  method: 'GET',
  path: '/accesstoken/{id}',
  summary: 'Read a long-lived access token',
  scope: [{ resource: 'accesstoken', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: AccessToken },
})

export const updateAccessToken = operation({
  ...tokens,
  id: 'access_tokens.update',
  method: 'PATCH',
  path: '/accesstoken/{id}',
  summary: 'Replace a long-lived access token',
  description:
    'Issues a new token under the same id, with new scopes and a new expiry. The old token stops working. The mode does not change.',
  scope: [{ resource: 'accesstoken', action: 'update_one' }],
  mode: 'query',
  liveGate: true,
  params: byId,
  body: { kind: 'json', schema: CreateAccessToken },
  answer: { kind: 'json', status: 200, schema: AccessTokenResponse },
  errors: ['scope_unknown', 'scope_exceeded'],
  secrets: ['jwt'],
})

export const revokeAccessToken = operation({
  ...tokens,
  id: 'access_tokens.revoke',
  method: 'DELETE',
  path: '/accesstoken/{id}',
  summary: 'Revoke a long-lived access token',
  scope: [
    { resource: 'accesstoken', action: 'delete_one' },
    { resource: 'auth', action: 'revoke' },
  ],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})
