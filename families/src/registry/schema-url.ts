import { publishedHosts } from './published-names.ts'

/** `…/en10168-schemas/v0.5.0/schema.json` → type and version; undefined for any other form. */
export const parseSchemaUrl = (url: string): { type: string; version: string } | undefined => {
  const [, type, version] =
    /^https?:\/\/[^\s?#]+\/([a-z0-9-]{1,60}-schemas)\/v(\d{1,4}\.\d{1,4}\.\d{1,4}(?:-\d{1,4})?)\/schema\.json$/.exec(
      url,
    ) ?? []
  return type === undefined || version === undefined ? undefined : { type, version }
}

/** The addresses that the published schemas have had; certificates use any of them. */
export const publishedBases: readonly string[] = publishedHosts.map((host) => `https://${host}`)

/** The base of the names of the built-in schemas. It is never requested. */
export const ownBase = 'https://schemas.millseal.org'
