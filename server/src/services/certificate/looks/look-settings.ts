import type { CompanyLook, LookSettings } from '@millseal/contract'
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
  const details = [
    ...(accent === undefined || isReadableOnWhite(accent)
      ? []
      : [
          `${where}/accent has too little contrast on white: the nearest shade that can be read is ${readableShade(accent)}`,
        ]),
    ...hidden.flatMap((part, index) =>
      isOptionalPart(part)
        ? []
        : [
            `${where}/hidden/${index} must be one of ${optionalNames.join(', ')}, or a code from A10 to A95: all other parts make the certificate`,
          ],
    ),
  ]
  if (details.length > 0) throw new Problem('validation_failed', { details })
}

/** A row without its logo, of which the size is known. */
type LookFacts = Pick<StoredLook, 'receiver' | 'settings' | 'logoType' | 'updatedAt'> & {
  readonly logoBytes: number | null
}

const settingsOf = ({ settings }: Pick<StoredLook, 'settings'>): LookSettings =>
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
