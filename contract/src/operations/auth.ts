import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { InspectToken, Login, LoginResponse, RefreshResponse } from '../shapes/tokens.ts'

const auth = { service: 'auth-service', variant: 'earlier' } as const

export const login = operation({
  ...auth,
  id: 'auth.login',
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in with a password',
  description:
    'Use the username or the e-mail address. The access token is valid for 15 minutes, the refresh token for 60 days; both are also set as cookies. A wrong password, an unknown user and a wrong code give the same answer.',
  access: 'public',
  action: { resource: 'auth', action: 'sign_in' },
  body: { kind: 'json', schema: Login },
  answer: { kind: 'json', status: 201, schema: LoginResponse },
  errors: [
    'credentials_wrong',
    'email_unconfirmed',
    'user_inactive',
    'mfa_code_required',
    'mfa_locked',
    'sign_in_locked',
  ],
  limit: { perMinute: limits.credentialCallsPerMinute },
  secrets: ['accessToken', 'refreshToken'],
  idempotency: 'repeatable',
})

export const logout = operation({
  ...auth,
  id: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'Sign out',
  description: 'Ends the session of the token and clears the cookies.',
  access: 'user',
  action: { resource: 'auth', action: 'sign_out' },
  answer: { kind: 'json', status: 200, schema: Type.String() },
  idempotency: 'repeatable',
})

export const inspectToken = operation({
  ...auth,
  id: 'auth.inspect',
  method: 'GET',
  path: '/auth/inspect',
  summary: 'Read the claims of the access token',
  access: 'bearer',
  action: { resource: 'auth', action: 'read_one' },
  answer: { kind: 'json', status: 200, schema: InspectToken },
})

export const refreshSession = operation({
  ...auth,
  id: 'auth.refresh',
  method: 'GET',
  path: '/auth/refresh',
  summary: 'Get a new access token with a refresh token',
  description:
    'If a replaced refresh token is used again, its session ends, because one of the two was stolen.',
  access: 'refresh',
  action: { resource: 'auth', action: 'create_one' },
  answer: { kind: 'json', status: 200, schema: RefreshResponse },
  secrets: ['accessToken', 'refreshToken'],
  limit: { perMinute: limits.credentialCallsPerMinute },
})
