import type { CompanyLook, LookSettings } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import {
  isOptionalPart,
  isReadableOnWhite,
  type Look,
  optionalNames,
  readableShade,
  withoutUndefined,
} from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import type { StoredLook } from './looks.store.ts'

/** Throws if the settings would make a certificate unreadable or incomplete. */
export const assertUsable = ({ accent, hidden = [] }: LookSettings, where = ''): void => {
  const reasons = [
    ...(accent === undefined || isReadableOnWhite(accent)
      ? []
      : [because('accent_unreadable', { nearest: readableShade(accent), place: `${where}/accent` })]),
    ...hidden.flatMap((part, index) =>
      isOptionalPart(part)
        ? []
        : [
            because('part_not_optional', {
              optional: optionalNames.join(', '),
              place: `${where}/hidden/${index}`,
            }),
          ],
    ),
  ]
  if (reasons.length > 0) throw new Problem('validation_failed', { reasons })
}

/** A row without its logo, of which the size is known. */
type LookFacts = Pick<StoredLook, 'receiver' | 'settings' | 'logoType' | 'updatedAt'> & {
  readonly logoBytes: number | null
}

const settingsOf = ({ settings }: { readonly settings: string }): LookSettings =>
  JSON.parse(settings) as LookSettings

export const toLookResponse = (look: LookFacts): CompanyLook =>
  withoutUndefined({
    receiver: look.receiver === '' ? undefined : look.receiver,
    ...settingsOf(look),
    logo:
      look.logoType === null || look.logoBytes === null
        ? undefined
        : { type: look.logoType, bytes: look.logoBytes },
    updatedAt: look.updatedAt.toISOString(),
  })

export const rowToResponse = (row: StoredLook): CompanyLook =>
  toLookResponse({ ...row, logoBytes: row.logo?.length ?? null })

/** `settings` may be tried instead of those of the row. */
export const toLook = (row: StoredLook | undefined, settings = row && settingsOf(row)): Look => {
  const { accent, footer, sections, hidden, useLogo = 'missing' } = settings ?? {}
  const logo =
    row?.logo && row.logoType
      ? { picture: { type: row.logoType, base64: Buffer.from(row.logo).toString('base64') }, use: useLogo }
      : undefined
  return withoutUndefined({ accent, footer, sections, hidden, logo })
}
