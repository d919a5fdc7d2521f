import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { acrs } from '../vocabulary.ts'
import { Id, input, oneOf, output, Timestamp } from './common.ts'

const Name = Type.String(limits.authenticatorName)

export const Authenticator = output('AuthenticatorDto', {
  id: Id,
  name: Name,
  confirmed: Type.Boolean(),
  createdAt: Timestamp,
  lastUsedAt: Type.Optional(Timestamp),
})

export const Passkey = output('PasskeyDto', {
  id: Id,
  name: Name,
  backedUp: Type.Boolean({ description: 'Whether the provider of the passkey keeps a copy' }),
  createdAt: Timestamp,
  lastUsedAt: Type.Optional(Timestamp),
})

export const Mfa = output('MfaDto', {
  enabled: Type.Boolean({ description: 'True if signing in asks for a second factor' }),
  acr: oneOf(acrs, { description: 'Of this session: live mode and reviews need two factors' }),
  recoveryCodes: Type.Integer({ description: 'How many unused recovery codes are left' }),
  authenticators: Type.Array(Authenticator),
  passkeys: Type.Array(Passkey),
})
export type Mfa = Static<typeof Mfa>

export const CreateTotp = input('CreateTotpDto', { name: Name })

export const Totp = output('TotpDto', {
  id: Id,
  secret: Type.String({ description: 'Base32, for typing into an authenticator' }),
  otpauthUri: Type.String(),
  qrSvg: Type.String({ description: 'The URI as a QR code in SVG' }),
})
export type Totp = Static<typeof Totp>

export const ConfirmTotp = input('ConfirmTotpDto', {
  code: Type.String({ pattern: '^[0-9]{6}$', maxLength: 6, examples: ['123456'] }),
  name: Type.Optional(Name),
})

export const DeleteTotp = input('DeleteTotpDto', {
  code: Type.Optional(
    Type.String({ ...limits.mfaCode, description: 'Of this authenticator, or a recovery code' }),
  ),
})

const Codes = Type.Array(Type.String(), {
  description: 'Each works once. Only in the answer for the first factor',
})

export const TotpConfirmed = output('TotpConfirmedDto', {
  id: Id,
  recoveryCodes: Type.Optional(Codes),
})
export type TotpConfirmed = Static<typeof TotpConfirmed>

export const RecoveryCodes = output('RecoveryCodesDto', { recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const PasskeyOptions = output('PasskeyOptionsDto', {
  options: Type.String({ description: 'PublicKeyCredentialCreationOptionsJSON, as text' }),
})
export type PasskeyOptions = Static<typeof PasskeyOptions>

export const CreatePasskey = input('CreatePasskeyDto', {
  name: Name,
  response: Type.String({
    ...limits.passkeyResponse,
    description: 'RegistrationResponseJSON of the browser, as text',
  }),
})

export const PasskeyCreated = output('PasskeyCreatedDto', {
  id: Id,
  recoveryCodes: Type.Optional(Codes),
})
export type PasskeyCreated = Static<typeof PasskeyCreated>
