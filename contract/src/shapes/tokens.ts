import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { ScopeObject } from '../scopes.ts'
import { acrs } from '../vocabulary.ts'
import {
  EpochSeconds,
  Email,
  Id,
  input,
  ModeValue,
  oneOf,
  output,
  repeatedId,
  stored,
  Timestamp,
} from './common.ts'
import { CompanyReference } from './people.ts'

export const Login = input('LoginBodyDto', {
  username: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.email.maxLength,
      description: 'Username or e-mail address',
    }),
  ),
  email: Type.Optional(Email),
  password: Type.String({ minLength: 1, maxLength: limits.password.maxLength }),
  code: Type.Optional(
    Type.String({
      ...limits.mfaCode,
      description: 'The code of an authenticator, or a recovery code; required if MFA is enabled',
    }),
  ),
})
export type Login = Static<typeof Login>

export const LoginResponse = output('LoginResponseDto', {
  userId: Id,
  accessToken: Type.String(),
  refreshToken: Type.String(),
})

export const RefreshResponse = output('RefreshResponseDto', {
  userId: Id,
  accessToken: Type.String(),
  refreshToken: Type.Optional(
    Type.String({ description: 'If present, replaces the refresh token you sent' }),
  ),
})

export const Session = output('SessionDto', {
  id: Id,
  userId: Id,
  jwtId: Type.String(),
  loggedInAt: Timestamp,
  current: Type.Boolean(),
  device: Type.String({ description: 'The user agent' }),
  ipAddress: Type.String(),
  amr: Type.Array(Type.String(), {
    description: 'How the person signed in (RFC 8176); with `mfa`, two factors were used',
  }),
  acr: oneOf(acrs, { description: 'Two factors are needed for live mode and for reviews' }),
  factorAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When this session last proved a second factor' }),
  ),
})
export type Session = Static<typeof Session>

export const InspectToken = output('InspectTokenDto', {
  claim: Type.Optional(Type.String()),
  user: Type.Optional(
    output('TokenUserDto', { id: Id, username: Type.String(limits.username), email: Email }),
  ),
  company: Type.Optional(output('TokenCompanyDto', { id: Id, vatId: Type.String(limits.vatId) })),
  iat: EpochSeconds,
  iss: Type.String(),
  sub: Type.Optional(Type.String()),
  exp: Type.Optional(EpochSeconds),
  aud: Type.Optional(Type.String()),
  jti: Type.Optional(Type.String()),
  scopes: Type.Optional(ScopeObject),
  mode: Type.Optional(
    oneOf(['test', 'live'], { description: "Missing in a user's token, which is valid in both modes" }),
  ),
})
export type InspectToken = Static<typeof InspectToken>

const Description = Type.String(limits.description)

export const CreateAccessToken = input('CreateAccessTokenDto', {
  description: Type.Optional(Description),
  expiresIn: Type.Optional(
    Type.Integer({
      minimum: limits.longLivedToken.minSeconds,
      maximum: limits.longLivedToken.maxSeconds,
      default: limits.longLivedToken.defaultSeconds,
      description: 'Seconds from now',
    }),
  ),
  scopes: ScopeObject,
})
export type CreateAccessToken = Static<typeof CreateAccessToken>

const accessToken = {
  ...stored,
  companyId: Id,
  jwtId: Type.String(),
  audience: Type.String(),
  description: Type.Optional(Description),
  issuedAt: EpochSeconds,
  expiresIn: Type.Integer({ description: 'Seconds' }),
  scopes: ScopeObject,
  mode: ModeValue,
}

export const AccessToken = output('AccessTokenDto', accessToken)
export type AccessToken = Static<typeof AccessToken>

export const AccessTokenResponse = output('AccessTokenResponseDto', {
  ...accessToken,
  jwt: Type.String({ description: 'The token, shown only once' }),
})
export type AccessTokenResponse = Static<typeof AccessTokenResponse>

const applicationText = {
  name: Type.Optional(Type.String(limits.applicationName)),
  description: Type.Optional(Type.String({ maxLength: limits.applicationName.maxLength })),
}

export const CreateApplication = input(
  'CreateApplicationDto',
  { ...applicationText, mode: ModeValue, scopes: ScopeObject },
  { description: 'Send a name or a description. A missing one is copied from the other.' },
)
export type CreateApplication = Static<typeof CreateApplication>

export const UpdateApplication = input('UpdateApplicationDto', {
  ...repeatedId,
  ...applicationText,
  scopes: Type.Optional(ScopeObject),
})
export type UpdateApplication = Static<typeof UpdateApplication>

const application = {
  ...stored,
  name: Type.String(),
  description: Type.String(),
  clientId: Type.String({ description: 'Does not change when the secret is rotated' }),
  mode: ModeValue,
  scopes: ScopeObject,
  owner: CompanyReference,
  lastUsedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it last made a call, to the hour' }),
  ),
}

export const Application = output('ApplicationDto', application)
export type Application = Static<typeof Application>

export const ApplicationWithSecret = output('ApplicationWithSecretDto', {
  ...application,
  clientSecret: Type.String({ description: 'Shown only once' }),
})
export type ApplicationWithSecret = Static<typeof ApplicationWithSecret>

export const CreateToken = input('CreateTokenDto', {
  clientId: Type.String(limits.clientId),
  clientSecret: Type.String(limits.clientSecret),
})

export const TokenResponse = output('TokenResponseDto', {
  accessToken: Type.String(),
  application: Application,
})
export type TokenResponse = Static<typeof TokenResponse>

export const OAuth2TokenRequest = input('OAuth2TokenRequestDto', {
  grant_type: Type.String({ maxLength: 64, examples: ['client_credentials'] }),
  client_id: Type.Optional(Type.String(limits.clientId)),
  client_secret: Type.Optional(Type.String(limits.clientSecret)),
  scope: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'Ignored: the token has the scopes of the application' }),
  ),
})

export const OAuth2Token = output('OAuth2TokenDto', {
  access_token: Type.String(),
  token_type: oneOf(['Bearer']),
  expires_in: Type.Integer({ description: 'Seconds' }),
})
export type OAuth2Token = Static<typeof OAuth2Token>
