/** What an imported pack holds: written when it is imported, and believed when it is read. */
export type PackManifest = {
  readonly packVersion: 1
  readonly name: string
  /** ISO. Where two packs hold a schema of the same name, the later import counts. */
  readonly importedAt: string
  readonly schemas: readonly PackSchema[]
  readonly layouts: readonly PackLayoutFile[]
}

export type PackSchema = {
  readonly type: string
  readonly version: string
  readonly id: string
  /** Everything certificates may name it by, its id included. */
  readonly urls: readonly string[]
  readonly hasTranslations: boolean
}

export type PackLayoutFile = {
  readonly name: string
  /** Empty: for every family. */
  readonly families: readonly string[]
  /** The id of the company it is for; absent: for all. */
  readonly company?: string
  readonly logo?: string
}

/** The import refuses what could harm the server; each sentence names the file and what is wrong with it. */
export class PackRefused extends Error {
  override readonly name = 'PackRefused'
  readonly reasons: readonly string[]

  constructor(reasons: readonly string[]) {
    super(`The pack was refused: ${reasons.join('; ')}`)
    this.reasons = reasons
  }
}

export const packNamePattern = /^pack-[0-9a-f]{16}$/
export const schemaPath = ({ type, version }: { type: string; version: string }): string =>
  `${type}/v${version}/schema.json`
export const translationsPath = ({ type, version }: { type: string; version: string }): string =>
  `${type}/v${version}/translations.json`
