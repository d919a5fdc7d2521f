import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { input, listOf, oneOf, output, Timestamp } from './common.ts'

export const ReceiverQuery = {
  receiver: Type.Optional(
    Type.String({
      ...limits.lookReceiver,
      description:
        'The VAT id or the mail domain of a receiver. Without it, the look for all receivers is meant',
    }),
  ),
}

/** Language → text. */
const Footer = Type.Unsafe<Record<string, string>>({
  description: 'A line below the certificate, per language (`{"en": "…", "de": "…"}`)',
  type: 'object',
  maxProperties: limits.look.languages,
  propertyNames: { pattern: '^[a-z]{2}$' },
  additionalProperties: { type: 'string', pattern: '^[^\\u0000-\\u001f\\u007f]+$', ...limits.look.footer },
})

const settings = {
  accent: Type.Optional(
    Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      maxLength: 7,
      description: 'Needs a contrast of 4.5:1 on white; the error names the nearest shade that has it',
    }),
  ),
  footer: Type.Optional(Footer),
  sections: Type.Optional(
    listOf(
      Type.String({ pattern: '^[A-Za-z0-9_.-]+$', maxLength: limits.look.nameLength }),
      limits.look.names,
    ),
  ),
  hidden: Type.Optional(
    listOf(Type.String({ pattern: '^[A-Za-z0-9]+$', maxLength: limits.look.nameLength }), limits.look.names),
  ),
  useLogo: Type.Optional(
    oneOf(['missing', 'always'] as const, {
      description:
        '`missing` (the default): the logo is for certificates without one; `always`: for all certificates',
    }),
  ),
}

export const LookSettings = input('LookSettingsDto', settings)
export type LookSettings = Static<typeof LookSettings>

export const CompanyLook = output('CompanyLookDto', {
  receiver: Type.Optional(Type.String()),
  ...settings,
  logo: Type.Optional(
    output('LookLogoDto', { type: oneOf(['image/png', 'image/jpeg'] as const), bytes: Type.Integer() }),
  ),
  updatedAt: Type.Optional(Timestamp),
})
export type CompanyLook = Static<typeof CompanyLook>

export const PreviewLook = input('PreviewLookDto', {
  look: Type.Optional(LookSettings),
  certificate: Type.Optional(
    Type.String({
      ...limits.look.previewedCertificate,
      description: 'A certificate: its JSON as text, so that its digits stay as they are written',
    }),
  ),
  family: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9-]+$',
      maxLength: limits.look.nameLength,
      description:
        'Without a certificate: the family of the sample. The default is the first of `GET /certificates/families`',
    }),
  ),
})
export type PreviewLook = Static<typeof PreviewLook>
