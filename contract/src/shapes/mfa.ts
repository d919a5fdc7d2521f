import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id, input, output, Timestamp } from './common.ts'

const Name = Type.String(limits.authenticatorName)

export const Authenticator = output('AuthenticatorDto', {
  id: Id,
  name: Name,
  confirmed: Type.Boolean(),
  createdAt: Timestamp,
  lastUsedAt: Type.Optional(Timestamp),
})

export const Mfa = output('MfaDto', {
  enabled: Type.Boolean({ description: 'True if at least one authenticator is confirmed' }),
  recoveryCode: Type.Boolean({ description: 'True if an unused recovery code exists' }),
  authenticators: Type.Array(Authenticator),
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
  code: Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 }),
  name: Type.Optional(Name),
})

export const DeleteTotp = input('DeleteTotpDto', {
  code: Type.Optional(
    Type.String({ ...limits.mfaCode, description: 'Of this authenticator, or a recovery code' }),
  ),
})

export const TotpConfirmed = output('TotpConfirmedDto', {
  id: Id,
  recoveryCode: Type.Optional(Type.String({ description: 'Only in the answer for the first authenticator' })),
})
export type TotpConfirmed = Static<typeof TotpConfirmed>

export const RecoveryCode = output('RecoveryCodeDto', { recoveryCode: Type.String() })
export type RecoveryCode = Static<typeof RecoveryCode>
