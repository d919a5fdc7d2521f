import { useTexts } from '../../../texts/catalog.ts'

/** `https://…/en10168-schemas/v1.0.0/schema.json`, and the older `https://…/EN10168/v0.5.0/…`. */
const schemaName = /\/([a-z0-9-]+?)(?:-schemas)?\/v?(\d[\d.-]*)(?:\/|$)/i

export type Kind = { readonly family: string; readonly version: string }

export const kindOf = (refSchemaUrl: string): Kind | undefined => {
  const [, family, version] = schemaName.exec(refSchemaUrl) ?? []
  return family === undefined || version === undefined ? undefined : { family: family.toLowerCase(), version }
}

/** Returns the function that names the schema of a certificate. */
export const useKindName = (): ((refSchemaUrl: string) => string) => {
  const { kinds } = useTexts('certificates')
  return (refSchemaUrl) => {
    const kind = kindOf(refSchemaUrl)
    return kind === undefined ? refSchemaUrl : (kinds[kind.family] ?? kind.family)
  }
}
