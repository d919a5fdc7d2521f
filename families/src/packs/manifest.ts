import { inEnglish, type Reason } from '@millseal/contract/reasons'

/** The content of an imported pack. The import writes it after all checks; loading trusts it. */
export type PackManifest = {
  readonly packVersion: 1
  readonly name: string
  /** ISO 8601. If two packs contain the same schema, the later import counts. */
  readonly importedAt: string
  readonly schemas: readonly PackSchema[]
}

export type PackSchema = {
  readonly type: string
  readonly version: string
  readonly id: string
  /** All names that certificates may use for it, its id included. */
  readonly urls: readonly string[]
  readonly hasTranslations: boolean
}

/** A file of an offered folder or archive that was not imported. */
export type Refusal = { readonly file: string; readonly reasons: readonly Reason[] }

/** Nothing can be imported. Each reason names the file, if there is one, and what is wrong. */
export class PackRejected extends Error {
  override readonly name = 'PackRejected'
  readonly reasons: readonly Reason[]

  constructor(reasons: readonly Reason[]) {
    super(`The pack was rejected: ${reasons.map(inEnglish).join('; ')}`)
    this.reasons = reasons
  }
}

export const packNamePattern = /^pack-[0-9a-f]{16}$/
export const schemaPath = ({ type, version }: { type: string; version: string }): string =>
  `${type}/v${version}/schema.json`
export const translationsPath = ({ type, version }: { type: string; version: string }): string =>
  `${type}/v${version}/translations.json`
