import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { correctionKinds, correctors } from '../vocabulary.ts'
import { input, oneOf, output } from './common.ts'

export const ReasonOfCorrection = Type.String({
  ...limits.correctionReason,
  pattern: '\\S',
  description: 'Recorded on the ledger, where everybody can read it, permanently',
})

/** Why somebody does not release a certificate. */
export const RefuseCertificate = input('RefuseCertificateDto', {
  reason: Type.String({
    ...limits.correctionReason,
    pattern: '\\S',
    description: 'Shown and mailed to the person who submitted it',
  }),
})

export const WithdrawCertificate = input('WithdrawCertificateDto', { reason: ReasonOfCorrection })
export type WithdrawCertificate = Static<typeof WithdrawCertificate>

export const ReplaceCertificate = input('ReplaceCertificateDto', {
  replacedBy: Type.String({
    format: 'uuid',
    description: 'The id of the new certificate: notarized by the same company in the same mode',
  }),
  reason: ReasonOfCorrection,
})
export type ReplaceCertificate = Static<typeof ReplaceCertificate>

export const RevokeIdentity = input('RevokeIdentityDto', {
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: limits.timestamp.maxLength,
      description: 'Certificates recorded from then on are not trusted. Not in the future; default: now',
    }),
  ),
  reason: ReasonOfCorrection,
})
export type RevokeIdentity = Static<typeof RevokeIdentity>

/** What the log says later about a certificate, or about the key that signed it. */
export const Correction = output('CorrectionDto', {
  kind: oneOf(correctionKinds),
  by: oneOf(correctors, {
    description: 'Who signed it: the issuer, the operator of the log, or the recovery key',
  }),
  time: Type.Optional(Type.String({ format: 'date-time', description: 'When the log recorded it' })),
  reason: Type.String(),
  transactionId: Type.String({ description: 'The transaction of the correction' }),
  replacedBy: Type.Optional(
    Type.String({ description: 'For `replaced`: the transaction of the new certificate' }),
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'For `revoked`: certificates recorded from then on are not trusted',
    }),
  ),
})
export type Correction = Static<typeof Correction>
